"""Expressions: the value of every node that reads nothing but the store and its temps."""

from __future__ import annotations

from typing import Any

import pytest

from dsl import ir
from dsl.base.types import INT, IntType, MapType, SetType
from interpreter.core.errors import RulesetError
from tests.interpreter.build import COLOUR, END, Build, C, add, alternative, among, equal, less, numbers, site

X, Y = ir.Temp(0), ir.Temp(1)


def mask(*members: int) -> int:
    return sum(1 << v for v in members)


def value(expr: ir.Expr) -> Any:
    return Build().value(expr)


@pytest.mark.parametrize(
    ("op", "left", "right", "result"),
    [
        ("+", 3, 4, 7),
        ("-", 3, 4, -1),
        ("*", 3, -4, -12),
        ("min", 3, 4, 3),
        ("max", 3, 4, 4),
        ("div_up", 7, 2, 4),
        ("div_down", 7, 2, 3),
        ("div_up", -7, 2, -3),
        ("div_down", -7, 2, -4),
        ("half_up", 5, 0, 3),
        ("half_down", 5, 0, 2),
        ("|", 5, 3, 7),
        ("&", 5, 3, 1),
        ("&~", 5, 3, 4),
    ],
)
def test_arithmetic(op: str, left: int, right: int, result: int) -> None:
    assert value(ir.Arith(op, C(left), C(right))) == result


def test_division_by_zero_is_a_fault() -> None:
    with pytest.raises(RulesetError, match="7 was divided by 0"):
        value(ir.Arith("div_up", C(7), C(0)))


def test_conditions_are_numbers_and_stop_early() -> None:
    broken = ir.Arith("div_up", C(1), C(0))
    results = [
        value(ir.And((C(1), C(0), broken))),
        value(ir.Or((C(0), C(5), broken))),
        value(ir.Not(C(7))),
        value(ir.If(C(0), broken, C(1))),
        *(value(ir.Compare(op, C(2), C(3))) for op in ("==", "!=", "<", "<=", ">", ">=")),
    ]
    assert results == [0, 1, 0, 1, 0, 1, 1, 1, 0, 0]
    assert all(type(r) is int for r in results)


def test_sets_and_lists() -> None:
    assert value(ir.InSet(C(2), C(mask(2)))) == 1
    assert value(ir.InSet(C(0), C(mask(2)))) == 0
    assert value(ir.Subset(C(mask(1, 2)), C(mask(1, 2, 3)))) == 1
    assert value(ir.Subset(C(mask(1, 4)), C(mask(1, 2, 3)))) == 0
    assert value(ir.MakeSet((C(3), C(0), C(1)))) == mask(1, 3)
    assert value(ir.RangeSet(C(2), C(4))) == mask(2, 3, 4)
    assert value(ir.RangeSet(C(4), C(2))) == 0
    assert value(ir.InList(C(2), C((3, 2)))) == 1
    assert value(ir.ListItem(C((3, 2)), C(2))) == 2
    with pytest.raises(RulesetError, match="item 3 of a list of 2"):
        value(ir.ListItem(C((3, 2)), C(3)))
    assert value(ir.ListOp("insert", (C((1, 2)), C(9), C(1)))) == (1, 9, 2)
    assert value(ir.ListOp("without", (C((1, 2, 3)), C(mask(2))))) == (1, 3)
    assert value(ir.ListOp("concat", (C((1,)), C((2,))))) == (1, 2)
    assert value(ir.ListOp("to_set", (C((1, 3)),))) == mask(1, 3)
    assert value(ir.ListOp("to_list", (C(mask(1, 3)),))) == (1, 3)
    assert [value(ir.ListOp(op, (C(items),))) for op in ("front", "last") for items in ((4, 5), ())] == [4, 0, 5, 0]


def test_sizes_and_maps() -> None:
    assert value(ir.Size("set", C(mask(1, 40)))) == 2
    assert value(ir.Size("list", C((1, 1)))) == 2
    assert value(ir.Size("total", C((4, 5)))) == 9
    assert value(ir.Size("total", C(((1, 4), (7, 5))))) == 9
    assert value(ir.MapItem(C((4, 5)), C(1))) == 5
    assert [value(ir.MapItem(C(((1, 4), (7, 5))), C(k), True)) for k in (7, 2)] == [5, 0]
    assert value(ir.MapWith(C((4, 5, 6)), C(1), C(0))) == (4, 0, 6)


def test_loads() -> None:
    b = Build()
    b.tables.append((7, 8, 9))
    grid = MapType((IntType(1, 3),), INT)
    cells = b.field("cells", grid)
    base = b.layout[0].base
    b.init += [(base, 4), (base + 1, 5), (base + 2, 6)]
    assert b.value(cells) == (4, 5, 6)
    assert b.value(ir.Cell(ir.Linear(base - 1, ((C(3), 1),)), INT)) == 6
    assert b.value(ir.CellSum(C(base), 2, 2)) == 10
    assert b.value(ir.TableGet(0, C(2))) == 9
    for outside in (3, -1):
        with pytest.raises(RulesetError, match="constant table of 3"):
            b.value(ir.TableGet(0, C(outside)))
    rows = ((0, 4, "few"), (5, 9, "some"), (10, 99, "many"))
    assert [b.value(ir.RangeTable(rows, C(k))) for k in (0, 5, 12, 1000)] == ["few", "some", "many", "many"]


def test_items_of_a_map_in_the_frame() -> None:
    b = Build()
    grid = MapType((IntType(0, 2),), INT)
    s = b.site(site("number", alternative(numbers(0, 1))))
    b.proc("game", ir.Run((ir.SetFrame(1, grid, C((1, 2, 3))), ir.SetFrame(1, INT, C(9), C(2)))), ir.Ask(s, END))
    m, words = b.play()
    assert m.evaluate(words, ir.FrameVar(1, grid)) == (1, 2, 9)
    assert m.evaluate(words, ir.FrameItem(1, C(1), INT)) == 2


def test_functions_have_temps_of_their_own() -> None:
    b = Build()
    b.function("double", ir.Arith("*", X, C(2)), params=1)
    b.function("quadruple", add(ir.CallFn(0, (X,)), ir.CallFn(0, (X,))), params=1)
    assert b.value(ir.CallFn(1, (C(5),))) == 20


# ------------------------------------------------------------ folds


def fold(kind: str, *binders: ir.Domain, where: ir.Expr | None = None, body: ir.Expr | None = None, **more: Any) -> Any:
    keys = more.pop("keys", ())
    return value(ir.Fold(kind, tuple(enumerate(binders)), where, keys, body, **more))


ODD = equal(ir.Arith("-", X, ir.Arith("*", C(2), ir.Arith("div_down", X, C(2)))), C(1))
FOUR = among(1, 2, 3, 4)
NONE = among()


def test_folds_over_one_binder() -> None:
    assert fold("count", FOUR, where=ODD) == 2
    assert fold("sum", FOUR, where=ODD, body=X) == 4
    assert fold("max", FOUR, body=ir.Arith("-", C(0), X), empty=7) == -1
    assert fold("min", FOUR, body=X) == 1
    assert fold("max", NONE, body=X, empty=7) == 7
    assert [fold("any", d, where=ODD) for d in (FOUR, among(2))] == [1, 0]
    assert [fold("every", d, body=ODD) for d in (FOUR, among(1), NONE)] == [0, 1, 1]
    assert fold("set", FOUR, where=ODD) == mask(1, 3)
    assert fold("set", FOUR, body=ir.Arith("-", X, C(1))) == mask(1, 2, 3)
    assert fold("list", ir.Domain("list", C((4, 2, 4)))) == (4, 2, 4)
    assert fold("list", numbers(1, 3), body=add(X, C(10))) == (11, 12, 13)


def test_folds_over_several_binders_nest_in_order() -> None:
    below = ir.Domain("range", C(1), X)
    assert fold("list", numbers(1, 3), below, body=add(ir.Arith("*", X, C(10)), Y)) == (11, 21, 22, 31, 32, 33)
    assert fold("count", numbers(1, 3), below, where=less(Y, X)) == 3
    assert fold("sum", numbers(1, 3), below, where=less(Y, X), body=Y) == 4


def test_table() -> None:
    table = fold("table", among(2, 3), body=ir.Arith("*", X, X), empty=-1, table_keys=((1, 4),))
    assert table == (-1, 4, 9, -1)
    grid = fold("table", numbers(0, 1), numbers(5, 6), body=add(X, Y), table_keys=((0, 1), (5, 6)))
    assert grid == (5, 6, 6, 7)


HIGH_ODD: tuple[tuple[bool, ir.Expr], ...] = ((True, ODD),)


def test_folds_with_keys() -> None:
    assert fold("first", FOUR) == 1
    assert fold("first", FOUR, keys=((True, X),)) == 4
    assert fold("first", FOUR, keys=HIGH_ODD) == 1
    assert fold("first", FOUR, keys=(*HIGH_ODD, (True, X))) == 3
    assert fold("only", FOUR, keys=HIGH_ODD) == 0
    assert fold("only", among(1, 2, 4), keys=HIGH_ODD) == 1
    assert fold("only", NONE, keys=HIGH_ODD) == 0
    assert fold("tied", FOUR, keys=HIGH_ODD) == mask(1, 3)
    assert fold("ranked", FOUR, keys=HIGH_ODD) == (1, 3, 2, 4)
    assert fold("tiers", FOUR, keys=HIGH_ODD) == (mask(1, 3), mask(2, 4))
    assert fold("first", NONE) == 0


def test_first_of_nothing_is_a_fault_where_a_member_is_needed() -> None:
    with pytest.raises(RulesetError, match="`first` needs a member"):
        fold("first", NONE, required=True)


def test_wide_sets() -> None:
    wide = SetType(IntType(0, 99))
    b = Build()
    cell = b.field("wide", wide)
    b.proc("game", ir.Run((ir.Store(cell.address, wide, C(mask(3, 40, 99)), "wide"),)))
    m, words = b.play()
    assert m.evaluate(words, cell) == mask(3, 40, 99)
    assert all(0 <= w < 2**31 for w in words)


def test_a_set_of_members_that_begin_late() -> None:
    late = SetType(COLOUR)
    b = Build()
    cell = b.field("late", late)
    b.proc("game", ir.Run((ir.Store(cell.address, late, C(mask(4)), "late"),)))
    m, words = b.play()
    assert m.evaluate(words, ir.InSet(C(4), cell)) == 1
