"""Plans: trials, the commit point, nested plans, the limit, `perform ... with ... without`, timed lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dsl import ir
from dsl.base.types import INT, IntType, SetType, SparseType
from dsl.program import OVER, PLAN, SITE, TIMED, WAIVE
from interpreter.core.errors import RulesetError
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
    kinds,
    less,
    numbers,
    require,
    site,
    take,
    values,
)

FIRST, SECOND = ir.FrameVar(0, INT), ir.FrameVar(1, INT)


def two_numbers(b: Build, *after: ir.Instr, seat: int = 1, demand: ir.Stmt | None = None, decline: bool = False) -> int:
    """An action: choose two numbers 0..3 whose sum must be 5, then go on."""
    one = b.site(site("number", alternative(numbers(0, 3), to=0), filter=True, decline=decline))
    two = b.site(site("number", alternative(numbers(0, 3), to=1), filter=True, seat=seat))
    test = demand or require(equal(add(FIRST, SECOND), C(5)), "the sum is 5")
    asks = (ir.OpenPlan(C(1)), ir.Ask(one, END), ir.Ask(two, END), ir.Run((test,)))
    return b.proc("act", *asks, *after, ir.ClosePlan())


def test_an_option_is_offered_only_if_the_plan_can_be_completed() -> None:
    b = Build()
    act = two_numbers(b)
    b.proc("game", ir.CallI(act, ()))
    m, words = b.play()
    assert values(m, words) == [(2,), (3,)] and words[PLAN] == 1
    take(m, words, 2)
    assert values(m, words) == [(3,)]
    take(m, words, 3)
    assert words[OVER] == 1 and words[PLAN] == 0


def test_listing_changes_nothing() -> None:
    b = Build()
    b.proc("game", ir.CallI(two_numbers(b), ()))
    m, words = b.play()
    before, drawn = words[:], list(m.draws)
    other = m.program
    assert [o.values for o in type(m)(other).options(words)] == [(2,), (3,)]
    assert words == before and m.draws == drawn


def test_a_question_to_another_seat_is_the_commit_point() -> None:
    b = Build()
    b.proc("game", ir.CallI(two_numbers(b, seat=2), ()))
    m, words = b.play()
    assert len(values(m, words)) == 4
    take(m, words, 0)
    assert words[PLAN] == 0 and len(values(m, words)) == 4
    with pytest.raises(RulesetError, match="the sum is 5"):
        take(m, words, 0)


def test_chance_is_the_commit_point() -> None:
    b = Build()
    act = two_numbers(
        b, ir.Chance("number", C(1), C(6), 2, INT, "die"), ir.Run((require(C(0)),)), demand=require(less(C(0), SECOND))
    )
    b.proc("game", ir.CallI(act, ()))
    m, words = b.play()
    take(m, words, 0)
    assert values(m, words) == [(1,), (2,), (3,)]


def test_possible_asks_the_same_question_from_outside() -> None:
    b = Build()
    x = b.field("x")
    act = two_numbers(b, demand=require(equal(add(FIRST, SECOND), x)))
    menu = ir.Possible(act, ())
    s = b.site(site("one", alternative(name="act", probe=menu), alternative(name="rest")))
    b.proc("game", ir.Ask(s, END))
    for total, expected in ((6, [0, 1]), (7, [1])):
        b.init = [(b.layout[0].base, total)]
        m, words = b.play()
        assert m.evaluate(words, menu) == (1 if 0 in expected else 0)
        assert [o.alt for o in m.options(words)] == expected


@pytest.mark.parametrize("actor", [1, 9])
@pytest.mark.parametrize(("second", "expected"), [(1, 0), (2, 1)])
def test_possible_is_a_plan_of_the_first_argument(actor: int, second: int, expected: int) -> None:
    """An action without a plan of its own asks seat 1, then the second seat, and then fails. Only the actor's own
    answers are tried: a question to another seat is the commit point."""
    b = Build()
    who = ir.FrameVar(0, INT)
    for slot, seat in ((1, 1), (2, second)):
        mine = who if seat == 1 else C(2)
        b.site(replace(site("number", alternative(numbers(0, 3), to=slot)), seat=C(seat), actor=mine))
    b.proc("act", ir.Ask(0, END), ir.Ask(1, END), ir.Run((require(C(0)),)), params=(("who", INT),))
    assert b.value(ir.Possible(0, (C(actor),))) == expected


def test_possible_runs_procedures_that_do_not_suspend() -> None:
    b = Build()
    x = b.field("x")
    act = b.plain("act", require(less(ir.Temp(0), C(3))), ir.Store(x.address, INT, C(1), "x"), params=(("n", INT),))
    assert [b.value(ir.Possible(act, (C(n),))) for n in (2, 3)] == [1, 0]


def test_a_trial_goes_through_sets_and_amounts() -> None:
    b = Build()
    answer = SetType(COLOUR)
    s = b.site(site("some", alternative(among(1, 2, 3, 4)), answer=(0, answer), cursor=1, filter=True))
    demand = require(equal(ir.FrameVar(0, answer), C(0b1010)), "one and three")
    b.proc("act", ir.OpenPlan(C(1)), ir.Ask(s, END), ir.Run((demand,)), ir.ClosePlan())
    b.proc("game", ir.CallI(0, ()))
    m, words = b.play()
    assert values(m, words) == [(1,)]
    take(m, words, 1)
    assert values(m, words) == [(3,)]
    take(m, words, 3)
    assert kinds(m, words) == ["ready"]

    b = Build()
    sparse = SparseType((IntType(1, 3),), 3)
    each = (C(0), C(3))
    s = b.site(site("amounts", alternative(numbers(1, 3)), each=each, answer=(0, sparse), cursor=9, filter=True))
    demand = require(equal(ir.Size("total", ir.FrameVar(0, sparse)), C(8)), "eight in all")
    b.proc("act", ir.OpenPlan(C(1)), ir.Ask(s, END), ir.Run((demand,)), ir.ClosePlan(), frame=10)
    b.proc("game", ir.CallI(0, ()))
    m, words = b.play()
    assert values(m, words) == [(1, 2), (1, 3)]


def test_the_limit_of_tries_withholds_what_is_not_decided() -> None:
    b = Build(tries=6)
    act = two_numbers(b, demand=require(less(C(3), ir.Arith("*", FIRST, SECOND))), decline=True)
    b.proc("game", ir.CallI(act, ()))
    m, words = b.play()
    assert values(m, words) == [(2,), (3,)]
    b = Build(tries=1)
    b.proc("game", ir.CallI(two_numbers(b, demand=require(equal(add(FIRST, SECOND), C(2)))), ()))
    with pytest.raises(RulesetError, match="was not decided within 1 tries"):
        b.play()


def test_inside_an_action_the_outer_plan_counts_too() -> None:
    """The inner action is fine with anything; what follows it in the outer one is not."""
    b = Build()
    x = b.field("x")
    s = b.site(site("number", alternative(numbers(0, 3), to=0), filter=True))
    keep = ir.Run((ir.Store(x.address, INT, FIRST, "x"),))
    inner = b.proc("inner", ir.OpenPlan(C(1)), ir.Ask(s, END), keep, ir.ClosePlan())
    b.proc("outer", ir.OpenPlan(C(1)), ir.CallI(inner, ()), ir.Run((require(less(x, C(2))),)), ir.ClosePlan())
    b.proc("game", ir.CallI(inner, ()), ir.CallI(1, ()))
    m, words = b.play()
    assert len(values(m, words)) == 4
    take(m, words, 3)
    assert values(m, words) == [(0,), (1,)]


def test_stop_closes_the_plans_of_the_frames_that_it_drops() -> None:
    b = Build()
    s = b.site(site("number", alternative(numbers(0, 1))))
    b.proc("act", ir.OpenPlan(C(1)), ir.Stop((1,)), ir.ClosePlan())
    b.proc("turn", ir.CallI(0, ()))
    b.proc("game", ir.CallI(1, ()), ir.Ask(s, END))
    m, words = b.play()
    assert words[PLAN] == 0 and words[SITE] == s + 1


# ------------------------------------------------------------ scopes and timed lines


def test_without_waives_in_its_own_scope_only() -> None:
    b = Build()
    log = b.field("log")
    waived = ir.Waived(C(2))
    note = b.plain("note", ir.Store(log.address, INT, add(ir.Arith("*", log, C(10)), add(waived, C(1))), "log"))
    inner = b.proc("inner", ir.Run((ir.CallS(note, ()),)))
    call = ir.Run((ir.CallS(note, ()),))
    outer = b.proc("outer", call, ir.Scope(True), ir.CallI(inner, ()), ir.Scope(False), call)
    b.proc("game", ir.Scope(True, 1 << 2), ir.CallI(outer, ()), ir.Scope(False), call)
    m, words = b.play()
    assert m.evaluate(words, log) == 2121
    assert words[WAIVE] == words[TIMED] == 0


LINE = 5


def by(slot: int = 3) -> ir.TimedFold:
    return ir.TimedFold(LINE, "+", slot, None, ir.Temp(slot))


def test_timed_lines_live_until_their_frame_ends() -> None:
    b = Build()
    log = b.field("log")
    note = b.plain("note", ir.Store(log.address, INT, add(ir.Arith("*", log, C(10)), by()), "log"))
    call = ir.CallS(note, ())
    turn = 2
    b.proc("inner", ir.Run((ir.Timed((turn,), LINE, (C(3),)), ir.Timed((turn,), LINE, (C(4),)))), ir.Run((call,)))
    b.proc("turn", ir.CallI(1, ()), ir.Run((call, ir.Defer((turn,), note, ()))))
    b.proc("game", ir.Run((call,)), ir.CallI(turn, ()), ir.Run((call,)))
    m, words = b.play()
    assert m.evaluate(words, log) == 7770
    assert words[TIMED] == 0
    assert not any(words[m.program.timed_base : m.program.state_words])


def test_timed_folds() -> None:
    b = Build()
    s = b.site(site("number", alternative(numbers(0, 1))))
    rows = tuple(ir.Timed((0,), LINE, (C(v), C(9))) for v in (3, 8, 2))
    b.proc("game", ir.Run(rows), ir.Ask(s, END))
    m, words = b.play()
    big = less(C(2), ir.Temp(3))
    assert m.evaluate(words, ir.TimedActive(LINE)) == 1 and m.evaluate(words, ir.TimedActive(4)) == 0
    assert m.evaluate(words, by()) == 13
    assert m.evaluate(words, ir.TimedFold(LINE, "+", 3, big, ir.Temp(4))) == 18
    assert m.evaluate(words, ir.TimedFold(LINE, "or", 3, None, equal(ir.Temp(3), C(8)))) == 1
    assert m.evaluate(words, ir.TimedFold(LINE, "to", 3, big, ir.Temp(3), C(50))) == 8
    assert m.evaluate(words, ir.TimedFold(LINE, "to", 3, C(0), ir.Temp(3), C(50))) == 50


def test_what_perform_adds_holds_in_its_scope_and_stop_ends_it() -> None:
    b = Build()
    log = b.field("log")
    note = b.plain("note", ir.Store(log.address, INT, add(ir.Arith("*", log, C(10)), by()), "log"))
    call = ir.Run((ir.CallS(note, ()),))
    b.proc("other", call)
    b.proc("act", call, ir.Scope(True), ir.CallI(1, ()), ir.Scope(False), call, ir.Stop((3,)), call)
    b.proc("turn", ir.Scope(True, 1 << 2, ((LINE, (C(5),)),)), ir.CallI(2, ()), ir.Scope(False))
    b.proc("game", ir.CallI(3, ()), call)
    m, words = b.play()
    assert m.evaluate(words, log) == 5050
    assert words[TIMED] == words[WAIVE] == 0


def test_possible_with_waived_causes_and_added_lines() -> None:
    b = Build()
    act = b.plain("act", require(ir.Or((ir.Waived(C(2)), equal(by(), C(4))))))
    assert b.value(ir.Possible(act, ())) == 0
    assert b.value(ir.Possible(act, (), 1 << 2)) == 1
    assert b.value(ir.Possible(act, (), 0, ((LINE, (C(4),)),))) == 1


def test_too_many_timed_lines_are_reported() -> None:
    b = Build(timed=2)
    b.proc("game", ir.Run(tuple(ir.Timed((0,), LINE, ()) for _ in range(3))))
    with pytest.raises(RulesetError, match="limit `timed`"):
        b.play()
    b = Build(deferred=2)
    note = b.plain("note")
    b.proc("game", ir.Run(tuple(ir.Defer((1,), note, ()) for _ in range(3))))
    with pytest.raises(RulesetError, match="limit `deferred`"):
        b.play()


def test_frames_are_clean_after_a_plan() -> None:
    b = Build()
    s = b.site(site("number", alternative(numbers(0, 1))))
    b.proc("game", ir.CallI(two_numbers(b), ()), ir.Ask(s, END))
    procs = b.procs
    b.procs = [procs[1], procs[0]] if procs[0].name == "game" else procs
    m, words = b.play()
    take(m, words, 2)
    take(m, words, 3)
    assert frame_var(words, 0) == 0 and words[SITE] == s + 1
