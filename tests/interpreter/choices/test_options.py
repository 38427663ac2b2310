"""Questions: what is offered, in which order, and that the small decisions reach exactly the legal whole answers."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl import ir
from dsl.base.types import INT, IntType, SetType, SparseType
from dsl.program import OVER, SITE
from interpreter.choices import sequence
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.machine.machine import Machine
from tests.interpreter.build import (
    COLOUR,
    END,
    Build,
    C,
    add,
    alternative,
    among,
    equal,
    frame_var,
    guard,
    kinds,
    less,
    numbers,
    site,
    take,
    values,
)

X, Y = ir.Temp(0), ir.Temp(1)
STAY = ir.Site("test.stay", "number", C(1), C(1), COLOUR, (alternative(numbers(0, 1)),), temps=8)


def asking(s: ir.Site, **limits: int) -> tuple[Machine, list[int]]:
    """A game that asks `s` and then something else, so that the frame with the answer stays."""
    b = Build(**limits)
    first, second = b.site(s), b.site(STAY)
    b.proc("game", ir.Ask(first, 1), ir.Ask(second, END), frame=40)
    return b.play()


# ------------------------------------------------------------ one, number


def test_alternatives_come_in_order_and_set_their_variables() -> None:
    pair = ir.Alternative(
        "pair",
        (("x", 0, among(2, 1), COLOUR), ("y", 1, numbers(0, 2), INT)),
        (guard(less(X, Y)), guard(equal(X, C(1)))),
        ((1, COLOUR), (2, INT)),
    )
    s = site("one", pair, ir.Alternative("none", (), (), ()), answer=(0, INT), decline=True)
    m, words = asking(s)
    assert [(o.kind, o.alt, o.values) for o in m.options(words)] == [
        ("pick", 0, (1, 2)),
        ("pick", 1, ()),
        ("decline", 0, ()),
    ]
    assert m.find_option(words, (2,)) is not None and m.find_option(words, (9, 9)) is None
    other = words[:]
    take(m, words, 1, 2)
    assert [frame_var(words, k) for k in range(3)] == [1, 1, 2]
    m.answer(other, (2,))
    assert frame_var(other, 0) == 2


def test_refused_codes_change_nothing() -> None:
    m, words = asking(site("number", alternative(numbers(2, 4), to=0)))
    before = words[:]
    for code in ((1, 5), (0,), (-1,), (), (1, 2, 3)):
        with pytest.raises(IllegalAnswer, match="test.site"):
            m.answer(words, code)
        assert words == before


def test_guards_are_tested_as_early_as_their_names_allow() -> None:
    """The second domain divides by x, so it must not be read where the guard on x alone fails."""
    second = ir.Domain("range", C(1), ir.Arith("div_down", C(6), X))
    pair = ir.Alternative("pair", (("x", 0, numbers(0, 3), INT), ("y", 1, second, INT)), (guard(less(C(1), X)),), ())
    m, words = asking(site("one", pair))
    assert values(m, words) == [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2)]


def test_keys_leave_only_the_best() -> None:
    s = site("one", alternative(among(1, 2, 3, 4)), keys=((True, ir.Arith("&", X, C(1))), (False, X)))
    m, words = asking(s)
    assert values(m, words) == [(1,)]


def test_decline_skips_and_if_any_passes_over_nothing() -> None:
    m, words = asking(site("one", alternative(among(1)), decline=True))
    assert kinds(m, words) == ["pick", "decline"]
    m.answer(words, (0,))
    assert words[SITE] == 2
    for more in ({"decline": True}, {"if_any": True}):
        m, words = asking(site("one", alternative(numbers(1, 0)), **more))
        assert words[SITE] == 2
        m, words = asking(site("some", alternative(numbers(1, 0)), answer=(0, SetType(COLOUR)), cursor=1, **more))
        assert words[SITE] == 2


def test_what_reads_hidden_cells_is_asked_even_with_nothing_to_choose() -> None:
    m, words = asking(site("one", alternative(numbers(1, 0)), if_any=True, always_ask=True))
    assert kinds(m, words) == ["decline"]


def test_options_follow_the_store() -> None:
    b = Build()
    x = b.field("x", value=2)
    s = b.site(site("number", alternative(ir.Domain("range", C(0), x))))
    b.proc("game", ir.Ask(s, END))
    m, words = b.play()
    assert len(m.options(words)) == 3
    words[m.program.layout[0].base] = 5
    assert len(m.options(words)) == 6


# ------------------------------------------------------------ sets and amounts

SOME: dict[str, Any] = {"answer": (0, SetType(COLOUR)), "cursor": 1, "whole_slot": 3}


def some(*bounds: ir.Bound, such_that: tuple[ir.Expr, ...] = (), **more: Any) -> ir.Site:
    conditions = tuple(guard(g) for g in such_that)
    return site("some", alternative(among(1, 2, 3, 4)), bounds=bounds, such_that=conditions, **SOME, **more)


def whole_answers(m: Machine, words: list[int], slot: int, type_: Any) -> set[Any]:
    """All answers that some sequence of small decisions gives; fails if one of them leads nowhere."""
    found = set()
    for option in m.options(words):
        after = words[:]
        m.answer(after, option.code)
        if after[SITE] == words[SITE]:
            found |= whole_answers(m, after, slot, type_)
        else:
            found.add(m.evaluate(after, ir.FrameVar(slot, type_)))
    assert found
    return found


def sets(answers: set[int]) -> set[str]:
    return {"".join(str(v) for v in range(1, 5) if a >> v & 1) for a in answers}


def test_sizes() -> None:
    m, words = asking(some(ir.Bound("exactly", C(2))))
    assert values(m, words) == [(1,), (2,), (3,)] and kinds(m, words)[-1] == "add"
    assert sets(whole_answers(m, words, 0, SetType(COLOUR))) == {"12", "13", "14", "23", "24", "34"}
    m, words = asking(some(ir.Bound("at most", C(1))))
    assert kinds(m, words) == ["add"] * 4 + ["ready"]
    assert sets(whole_answers(m, words, 0, SetType(COLOUR))) == {"", "1", "2", "3", "4"}


def test_weighted_totals_and_covering() -> None:
    double = ir.Arith("*", X, C(2))
    m, words = asking(some(ir.Bound("exactly", C(10), double)))
    assert sets(whole_answers(m, words, 0, SetType(COLOUR))) == {"14", "23"}
    m, words = asking(some(ir.Bound("covering", C(13), double)))
    assert sets(whole_answers(m, words, 0, SetType(COLOUR))) == {"34", "124"}
    m, words = asking(some(ir.Bound("covering", C(99), double)))
    assert sets(whole_answers(m, words, 0, SetType(COLOUR))) == {"1234"}
    m, words = asking(some(ir.Bound("covering", C(0), double)))
    assert sets(whole_answers(m, words, 0, SetType(COLOUR))) == {""}
    m, words = asking(some(ir.Bound("covering", C(13), double), ir.Bound("at most", C(2))))
    assert sets(whole_answers(m, words, 0, SetType(COLOUR))) == {"34"}


def test_conditions_on_the_whole_answer() -> None:
    whole = ir.Temp(3)
    has_one = ir.InSet(C(1), whole)
    not_both = ir.Not(ir.Subset(C(0b110), whole))
    m, words = asking(some(such_that=(has_one, not_both)))
    assert sets(whole_answers(m, words, 0, SetType(COLOUR))) == {"1", "13", "14", "134"}
    assert values(m, words) == [(1,)]


def test_keys_on_the_whole_answer() -> None:
    weight = ir.Fold("sum", ((4, ir.Domain("set", ir.Temp(3))),), None, (), ir.Temp(4))
    m, words = asking(some(such_that=(less(C(4), weight),), keys=((False, weight),)))
    assert sets(whole_answers(m, words, 0, SetType(COLOUR))) == {"14", "23"}


def test_a_search_that_does_not_end_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last member of a list cannot be seen through, and no answer meets the condition."""
    monkeypatch.setattr(sequence, "SEARCH_STEPS", 20_000)
    many, whole = alternative(numbers(1, 30), type_=IntType(1, 30)), ir.Temp(3)
    last = ir.ListOp("last", (ir.ListOp("to_list", (whole,)),))
    s = site(
        "some", many, answer=(0, SetType(IntType(1, 30))), cursor=1, whole_slot=3, such_that=(guard(less(C(99), last)),)
    )
    with pytest.raises(RulesetError, match="the search for the answers at `test.site` did not end within"):
        asking(s)


AMOUNTS = SparseType((IntType(1, 3), IntType(0, 1)), 6)


def amounts(*bounds: ir.Bound, each: tuple[ir.Expr, ir.Expr], such_that: tuple[ir.Expr, ...] = ()) -> ir.Site:
    pair = ir.Alternative("pair", (("x", 0, numbers(1, 3), INT), ("y", 1, numbers(0, 1), INT)), (), ())
    conditions = tuple(guard(g) for g in such_that)
    more: dict[str, Any] = {"answer": (0, AMOUNTS), "cursor": 20, "whole_slot": 3, "such_that": conditions}
    return site("amounts", pair, each=each, bounds=bounds, **more)


def test_amounts_are_pairs_in_key_order() -> None:
    m, words = asking(amounts(ir.Bound("exactly", C(3)), each=(C(0), C(2))))
    take(m, words, 1, 1, 2)
    assert values(m, words) == [(2, 0, 1), (2, 1, 1), (3, 0, 1), (3, 1, 1)]
    take(m, words, 3, 0, 1)
    assert kinds(m, words) == ["ready"]
    m.answer(words, (-1,))
    assert m.evaluate(words, ir.FrameVar(0, AMOUNTS)) == ((1, 2), (4, 1))
    assert frame_var(words, 20) == 0


def test_an_earlier_answer_does_not_show_through() -> None:
    b = Build()
    s = b.site(amounts(ir.Bound("at most", C(2)), each=(C(0), C(2))))
    b.proc("game", ir.Ask(s, END), ir.Jump(0), frame=40)
    m, words = b.play()
    take(m, words, 1, 0, 2)
    m.answer(words, (-1,))
    assert m.find_option(words, (1, 1, 0, 2)) is not None
    m.answer(words, (-1,))
    assert m.evaluate(words, ir.FrameVar(0, AMOUNTS)) == ()
    assert words[OVER] == 0


SLOTS = [(x, y) for x in (1, 2, 3) for y in (0, 1)]
OPS = st.sampled_from(["exactly", "at least", "at most", "covering"])


def legal(op: str, total: int, target: int, all_totals: set[int]) -> bool:
    if op == "exactly":
        return total == target
    if op == "at least":
        return total >= target
    if op == "at most":
        return total <= target
    wanted = min((s for s in all_totals if s >= target), default=max(all_totals))
    return total == wanted


@settings(max_examples=60, deadline=None)
@given(
    highs=st.lists(st.integers(0, 2), min_size=6, max_size=6),
    lows=st.lists(st.sampled_from([0, 0, 0, 0, 1]), min_size=6, max_size=6),
    weights=st.lists(st.integers(0, 3), min_size=6, max_size=6),
    first=st.tuples(OPS, st.integers(0, 9)),
    second=st.tuples(st.sampled_from(["exactly", "at least", "at most"]), st.integers(0, 5)) | st.none(),
    per=st.booleans(),
    odd=st.booleans(),
)
def test_small_decisions_reach_exactly_the_legal_answers(
    highs: list[int],
    lows: list[int],
    weights: list[int],
    first: tuple[str, int],
    second: tuple[str, int] | None,
    per: bool,
    odd: bool,
) -> None:
    """Against a plain enumeration: a weighted total, a plain one (of all or for each x), a condition on the whole."""
    if second is not None and second[0] != "at most" and first[0] == "covering":
        second = ("at most", second[1])
    number = ir.Linear(-2, ((X, 2), (Y, 1)))
    limits = [ir.Bound(first[0], C(first[1]), ir.TableGet(0, number))]
    if second is not None:
        limits.append(ir.Bound(second[0], C(second[1]), None, 0 if per else None))
    whole = ir.Size("total", ir.Temp(3))
    such_that = (equal(ir.Arith("-", whole, ir.Arith("*", C(2), ir.Arith("div_down", whole, C(2)))), C(1)),)
    b = Build()
    b.tables += [tuple(weights), tuple(lows), tuple(highs)]
    s = amounts(*limits, each=(ir.TableGet(1, number), ir.TableGet(2, number)), such_that=such_that if odd else ())
    b.site(s)
    b.site(STAY)
    b.proc("game", ir.Ask(0, 1), ir.Ask(1, END), frame=40)

    ranges = [range(low, high + 1) if low <= high else range(0, 1) for low, high in zip(lows, highs, strict=True)]
    candidates = []
    for answer in product(*ranges):
        if second is not None:
            groups = [sum(answer[2 * k : 2 * k + 2]) for k in range(3)] if per else [sum(answer)]
            if not all(legal(second[0], g, second[1], set()) for g in groups):
                continue
        candidates.append(answer)
    totals = {a: sum(w * n for w, n in zip(weights, a, strict=True)) for a in candidates}
    expected = {
        tuple((i, n) for i, n in enumerate(a) if n)
        for a in candidates
        if legal(first[0], totals[a], first[1], set(totals.values())) and (not odd or sum(a) % 2 == 1)
    }
    if not expected:
        with pytest.raises(RulesetError, match="dead end"):
            b.play()
        return
    m, words = b.play()
    assert whole_answers(m, words, 0, AMOUNTS) == expected


def test_a_member_needed_by_its_low_bound_is_not_passed_over() -> None:
    low = ir.If(equal(X, C(2)), C(1), C(0))
    m, words = asking(amounts(each=(low, C(1))))
    assert values(m, words) == [(1, 0, 1), (1, 1, 1), (2, 0, 1)]
    assert "ready" not in kinds(m, words)


def test_unused_helper_values_are_not_offered() -> None:
    m, words = asking(amounts(ir.Bound("at most", add(C(0), C(0))), each=(C(0), C(2))))
    assert kinds(m, words) == ["ready"]
