"""Numbers that do not fit into a word of the store: a fault of the rules wherever they would be stored."""

from __future__ import annotations

import pytest

from dsl import ir
from dsl.base.types import INT, INT_HIGH, MOST_PIECES, IntType, ListType, MapType
from dsl.program import RV
from interpreter.core.errors import RulesetError
from interpreter.core.words import new_store, put, save
from tests.interpreter.build import END, Build, C, add, alternative, equal, less, numbers, require, site, take
from tests.interpreter.samples import address_of

LARGE = add(C(INT_HIGH), C(1))  # one more than a word holds
LARGER = ir.Arith("*", LARGE, ir.Arith("*", LARGE, LARGE))  # nor does any number of the machine hold it
LOW = ir.Arith("-", C(-INT_HIGH), C(2))
BEYOND = pytest.mark.parametrize("number", [LARGE, LARGER, LOW], ids=["one more", "far beyond", "below"])
FAULT = "a number is stored that is not in -2147483647..2147483647"


def fault_of(b: Build, *rules: str, message: str = FAULT) -> None:
    """Playing is a fault with this message, while these routines run, and it says where."""
    with pytest.raises(RulesetError) as found:
        b.play()
    assert found.value.message == message and tuple(found.value.rules) == rules
    assert found.value.span.file == "test.rules"


@BEYOND
def test_in_a_field(number: ir.Expr) -> None:
    b = Build()
    field = b.field("total")
    b.proc("game", ir.Run((ir.Store(field.address, INT, number, "total"),)))
    with pytest.raises(RulesetError, match="`total` must be in -2147483647..2147483647, but was set to "):
        b.play()


@BEYOND
def test_in_a_variable(number: ir.Expr) -> None:
    b = Build()
    b.proc("game", ir.Run((ir.SetFrame(0, INT, number),)))
    with pytest.raises(RulesetError, match="a local must be in -2147483647..2147483647, but was set to "):
        b.play()


@BEYOND
def test_as_an_item_of_a_list(number: ir.Expr) -> None:
    b = Build()
    row = b.field("row", ListType(INT, 3))
    one = ir.ListOp("insert", (row, number, C(0)))
    b.proc("game", ir.Run((ir.Store(row.address, ListType(INT, 3), one, "row"),)))
    fault_of(b, "game")


def test_as_an_item_of_a_list_in_a_map() -> None:
    type_ = MapType(IntType(0, 1), ListType(INT, 2))
    words = new_store([0] * 8)
    with pytest.raises(OverflowError):
        save(words, 1, type_, ((), (3, INT_HIGH + 1)))
    assert words.tolist() == [0] * 8  # nothing is written in part


def test_a_list_that_is_too_long_is_another_fault() -> None:
    b = Build()
    row = b.field("row", ListType(INT, 1))
    longer = ir.ListOp("insert", (ir.ListOp("insert", (row, C(1), C(0))), C(2), C(0)))
    b.proc("game", ir.Run((ir.Store(row.address, ListType(INT, 1), longer, "row"),)))
    with pytest.raises(RulesetError, match="`row`: a list of 2 items, but there can be at most 1"):
        b.play()


def test_a_list_that_is_too_long_for_a_parameter() -> None:
    b = Build()
    row = b.field("row", ListType(INT, 1))
    inner = b.proc("inner", params=(("xs", ListType(INT, 1)),))
    longer = ir.ListOp("insert", (ir.ListOp("insert", (row, C(1), C(0))), C(2), C(0)))
    b.proc("game", ir.CallI(inner, (longer,)))
    fault_of(b, "game", message="a list of 2 items, but there can be at most 1")


@BEYOND
def test_as_an_argument_of_a_routine_with_a_frame(number: ir.Expr) -> None:
    b = Build()
    inner = b.proc("inner", params=(("n", INT),))
    b.proc("game", ir.CallI(inner, (number,)))
    fault_of(b, "game")


def test_what_is_not_stored_may_be_large() -> None:
    b = Build()
    total = b.field("total")
    inner = b.plain(
        "inner", ir.Store(total.address, INT, ir.Arith("-", ir.Temp(0), LARGE), "total"), params=(("n", INT),)
    )
    b.proc("game", ir.Run((ir.CallS(inner, (add(LARGE, C(5)),)),)))
    _, words = b.play()
    assert words[address_of(total)] == 5


def test_in_a_routine_without_a_frame() -> None:
    b = Build()
    row = b.field("row", ListType(INT, 3))
    one = ir.ListOp("insert", (row, ir.Temp(0), C(0)))
    inner = b.plain("inner", ir.Store(row.address, ListType(INT, 3), one, "row"), params=(("n", INT),))
    b.proc("game", ir.Run((ir.CallS(inner, (LARGE,)),)))
    fault_of(b, "game", "inner")


@BEYOND
def test_as_an_argument_at_the_end_of_a_routine(number: ir.Expr) -> None:
    b = Build()
    late = b.plain("late", params=(("n", INT),))
    b.proc("game", ir.Run((ir.Defer((1,), late, (number,)),)))
    fault_of(b, "game")


@BEYOND
def test_in_a_timed_line(number: ir.Expr) -> None:
    b = Build()
    b.proc("game", ir.Run((ir.Timed((0,), 0, (number,)),)))
    fault_of(b, "game")


@BEYOND
def test_in_the_scope_of_an_order(number: ir.Expr) -> None:
    b = Build()
    act = b.proc("act")
    test = ir.Possible(act, (), 0, ((0, (number,)),), 0)
    b.proc("game", ir.Run((require(equal(test, C(1))),)))
    fault_of(b, "game")


def test_in_a_pool() -> None:
    b = Build()
    pool = b.pool("bank", 1, "coin")
    endless = ir.Pool("endless", None, None, "supply")
    gain = ir.Transfer(C(MOST_PIECES), endless, pool, True, None, None, "coin", None)
    b.proc("game", ir.Run((gain,)))
    fault_of(b, "game", message="`bank` would hold 1000000 coin, and a zone holds up to 999999 of a sort")


def test_in_a_trial() -> None:
    """Whether an action is possible is not to be said where its rules are wrong."""
    b = Build()
    row = b.field("row", ListType(INT, 3))
    one = ir.ListOp("insert", (row, LARGE, C(0)))
    act = b.proc("act", ir.Run((ir.Store(row.address, ListType(INT, 3), one, "row"),)))
    b.proc("game", ir.Run((require(equal(ir.Possible(act, (), 0, (), 0), C(1))),)))
    fault_of(b, "game")


def test_as_an_answer() -> None:
    b = Build()
    domain = ir.Domain("range", LARGE, add(LARGE, C(1)))
    asked = b.site(site("one", alternative(domain, name="", to=0)))
    b.proc("game", ir.Ask(asked, END))
    m, words = b.play()
    with pytest.raises(RulesetError) as found:
        take(m, words, INT_HIGH + 1)
    assert found.value.message == FAULT and list(found.value.rules) == ["game"]


# ------------------------------------------------------------ what a routine gives


def test_what_is_given_is_not_stored_before_it_is_read() -> None:
    b = Build()
    total = b.field("total")
    inner = b.plain("inner", ir.Return(LARGE))
    less_ = ir.Arith("-", ir.LastResult(), C(INT_HIGH))
    b.proc("game", ir.Run((ir.CallS(inner, ()), ir.Store(total.address, INT, less_, "total"))))
    m, words = b.play()
    assert words[address_of(total)] == 1 and words[RV] == 0


def test_a_trial_leaves_alone_what_was_given() -> None:
    b = Build()
    total = b.field("total")
    two, three = b.plain("two", ir.Return(add(LARGE, C(2)))), b.plain("three", ir.Return(add(LARGE, C(3))))
    act = b.proc("act", ir.Run((ir.CallS(three, ()), require(less(C(INT_HIGH), ir.LastResult())))))
    tried = ir.Arith("-", add(ir.LastResult(), ir.Possible(act, (), 0, (), 0)), LARGE)
    b.proc("game", ir.Run((ir.CallS(two, ()), ir.Store(total.address, INT, tried, "total"))))
    _, words = b.play()
    assert words[address_of(total)] in (2, 3)


def test_after_a_question_only_a_number_is_left_of_what_was_given() -> None:
    for value, left in ((C(7), 7), (LARGE, 0), (C((1, 2)), 0)):
        b = Build()
        inner = b.plain("inner", ir.Return(value))
        asked = b.site(site("one", alternative(numbers(1, 2), name="", to=0)))
        b.proc("game", ir.Run((ir.CallS(inner, ()),)), ir.Ask(asked, END))
        m, words = b.play()
        assert words[RV] == left and m.evaluate(words, ir.LastResult()) == left


# ------------------------------------------------------------ lists where generated Python plays


def test_words_are_put_into_lists_and_arrays() -> None:
    for store in ([1, 2, 3, 4], new_store([1, 2, 3, 4])):
        put(store, 1, 3, (8, 9))
        assert list(store) == [1, 8, 9, 4]
