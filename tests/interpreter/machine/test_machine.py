"""Instructions: calls, branches, results, end lists, stop, ends, budgets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dsl import ir
from dsl.base.types import INT, SetType
from dsl.program import CHECKING, DEFERRED, FP, OVER, PC, RV, SITE, TOGETHER, TOGETHER_FRAME
from interpreter.core.errors import RulesetError
from tests.interpreter.build import (
    COLOUR,
    END,
    Build,
    C,
    add,
    alternative,
    equal,
    frame_var,
    guard,
    less,
    numbers,
    require,
    site,
    take,
)


def store(cell: ir.Cell, value: ir.Expr) -> ir.Store:
    return ir.Store(cell.address, cell.type, value, "cell")


def test_a_game_without_questions_ends() -> None:
    b = Build()
    x = b.field("x")
    b.proc("game", ir.Run((store(x, C(5)),)))
    m, words = b.play()
    assert (words[OVER], words[SITE], words[FP], words[PC]) == (1, 0, 0, 0)
    assert m.evaluate(words, x) == 5
    assert len(words) == m.program.state_words


def test_a_procedure_started_by_a_driver_does_not_end_the_game() -> None:
    b = Build()
    x = b.field("x")
    proc = b.proc("part", ir.Run((store(x, ir.FrameVar(0, INT)),)), params=(("n", INT),))
    m, words = b.blank()
    m.start(words, proc, (9,), driver=True)
    m.run(words)
    assert (words[OVER], words[SITE]) == (0, 0)
    assert m.evaluate(words, x) == 9


def test_a_plain_procedure_can_be_started() -> None:
    b = Build()
    x = b.field("x")
    proc = b.plain("part", store(x, add(ir.Temp(0), C(1))), params=(("n", INT),))
    m, words = b.blank()
    m.start(words, proc, (9,), driver=True)
    m.run(words)
    assert m.evaluate(words, x) == 10 and words[OVER] == 0


def test_calls_nest_and_give_results() -> None:
    b = Build()
    x = b.field("x")
    # factorial by recursion through the frames of the store
    n = ir.FrameVar(0, INT)
    b.proc(
        "factorial",
        ir.Branch(less(n, C(2)), 2),
        ir.Give(C(1), END),
        ir.CallI(0, (ir.Arith("-", n, C(1)),)),
        ir.Give(ir.Arith("*", ir.LastResult(), n), END),
        params=(("n", INT),),
    )
    b.proc("game", ir.CallI(0, (C(6),)), ir.Run((store(x, ir.LastResult()),)))
    m, words = b.play()
    assert m.evaluate(words, x) == 720


def test_arguments_of_wide_types_are_packed() -> None:
    b = Build()
    seen = b.field("seen", SetType(COLOUR))
    show = b.proc("show", ir.Run((store(seen, ir.FrameVar(0, SetType(COLOUR))),)), params=(("s", SetType(COLOUR)),))
    b.proc("game", ir.CallI(show, (ir.MakeSet((C(1), C(4))),)))
    m, words = b.play()
    assert m.evaluate(words, seen) == 1 << 1 | 1 << 4


def test_a_loop_over_a_question() -> None:
    b = Build()
    x = b.field("x")
    total, n = ir.FrameVar(0, INT), ir.FrameVar(1, INT)
    s = b.site(site("number", alternative(numbers(0, 3), to=1)))
    b.proc(
        "game",
        ir.Branch(less(total, C(5)), 4),
        ir.Ask(s, END),
        ir.Run((ir.SetFrame(0, INT, add(total, n)),)),
        ir.Jump(0),
        ir.Run((store(x, total),)),
    )
    m, words = b.play()
    for _ in range(2):
        take(m, words, 2)
    assert frame_var(words, 0) == 4 and words[SITE] == s + 1
    take(m, words, 3)
    assert words[OVER] == 1 and m.evaluate(words, x) == 7


def test_a_copy_goes_on_by_itself() -> None:
    b = Build()
    x = b.field("x")
    s = b.site(site("number", alternative(numbers(0, 3), to=0)))
    b.proc("game", ir.Ask(s, END), ir.Run((store(x, ir.FrameVar(0, INT)),)))
    m, words = b.play()
    other = words[:]
    take(m, words, 1)
    take(m, other, 3)
    assert (m.evaluate(words, x), m.evaluate(other, x)) == (1, 3)


def test_end_lists_are_first_in_first_out_and_come_before_the_frame_ends() -> None:
    b = Build()
    log = b.field("log")
    digit = ir.Temp(0)
    note = b.plain("note", store(log, add(ir.Arith("*", log, C(10)), digit)), params=(("d", INT),))
    s = b.site(site("number", alternative(numbers(0, 9), to=1)))
    ask = b.proc(
        "ask",
        ir.Ask(s, END),
        ir.Run((ir.CallS(note, (ir.FrameVar(1, INT),)),)),
        params=(("d", INT),),
    )
    turn = len(b.procs)
    b.proc(
        "turn",
        ir.Run((ir.Defer((turn,), note, (C(1),)), ir.Defer((turn,), ask, (C(0),)), ir.Defer((turn,), note, (C(2),)))),
        ir.Run((ir.CallS(note, (C(5),)),)),
    )
    b.proc("game", ir.CallI(turn, ()), ir.Run((ir.CallS(note, (C(9),)),)))
    m, words = b.play()
    assert m.evaluate(words, log) == 51
    assert m.evaluate(words, ir.Running((turn,))) == 1
    take(m, words, 7)
    assert m.evaluate(words, log) == 51729 and words[OVER] == 1


def test_stop_drops_inner_frames_with_their_lists() -> None:
    b = Build()
    log = b.field("log")
    note = b.plain("note", store(log, add(ir.Arith("*", log, C(10)), ir.Temp(0))), params=(("d", INT),))
    turn, inner = 2, 1
    late = ir.Run((ir.CallS(note, (C(7),)),))
    assert b.proc("inner", ir.Run((ir.Defer((inner,), note, (C(8),)),)), ir.Stop((turn,)), late) == inner
    b.proc("turn", ir.Run((ir.Defer((turn,), note, (C(1),)),)), ir.CallI(inner, ()), ir.Run((ir.CallS(note, (C(6),)),)))
    b.proc("game", ir.CallI(turn, ()), ir.Stop((turn,)), ir.Run((ir.CallS(note, (C(2),)),)))
    m, words = b.play()
    assert m.evaluate(words, log) == 12


def test_stop_leaves_an_open_together_and_running_checks() -> None:
    b = Build()
    log = b.field("log")
    note = b.plain("note", store(log, C(1)))
    checking = ir.Store(C(CHECKING), INT, C(1), "checking")
    b.proc("checks", ir.Run((checking,)), ir.Stop((2,)))
    b.procs[-1] = replace(b.procs[-1], word="checks")
    b.proc("turn", ir.Run((ir.Together(1), ir.Defer((), note, ()))), ir.CallI(1, ()))
    twice = ir.Run((ir.Together(1), ir.Together(1)))
    b.proc("outer", twice, ir.CallI(2, ()), ir.Run((ir.Together(-1), ir.Together(-1))))
    b.proc("game", ir.CallI(2, ()), ir.Drain())
    m, words = b.play()
    assert words[OVER] == 1 and m.evaluate(words, log) == 0
    assert words[TOGETHER] == words[TOGETHER_FRAME] == words[CHECKING] == words[DEFERRED] == 0
    m, words = b.blank()
    m.start(words, 3, ())
    m.run(words)
    assert words[OVER] == 1 and words[TOGETHER] == 0


def test_give_leaves_an_open_together() -> None:
    b = Build()
    b.plain("plain", ir.Together(1), ir.Return(C(1)), ir.Together(-1))
    b.proc("framed", ir.Run((ir.Together(1),)), ir.Give(C(1), END))
    closed = ir.Run((ir.Require(guard(equal(ir.Cell(C(TOGETHER), INT), C(0)))),))
    b.proc("game", ir.Run((ir.CallS(0, ()),)), closed, ir.CallI(1, ()), closed)
    assert b.play()[1][OVER] == 1


def test_running_is_false_after_the_end_list() -> None:
    b = Build()
    seen = b.field("seen")
    b.proc("turn", ir.Jump(END))
    # the same procedure with a statement between end list and leave
    turn = b.procs[0]
    code = b.code
    code[turn.epilogue + 1 :] = [ir.Run((store(seen, add(ir.Running((0,)), C(5))),)), ir.Leave()]
    b.proc("game", ir.CallI(0, ()))
    m, words = b.play()
    assert m.evaluate(words, seen) == 5


def test_deferring_without_a_running_frame_is_an_error() -> None:
    b = Build()
    note = b.plain("note")
    b.proc("game", ir.Run((ir.Defer((0,), note, ()),)))
    with pytest.raises(RulesetError, match="`at end of` needs a running `note`"):
        b.play()


def test_what_is_deferred_without_a_frame_waits_for_the_end_of_together() -> None:
    b = Build()
    log = b.field("log")
    note = b.plain("note", store(log, add(ir.Arith("*", log, C(10)), ir.Temp(0))), params=(("d", INT),))
    late = (ir.Defer((), note, (C(1),)), ir.Defer((), note, (C(2),)))
    b.proc("inner", ir.Run((ir.Together(1), *late)), ir.Drain(), ir.Run((ir.CallS(note, (C(5),)), ir.Together(-1))))
    b.proc("game", ir.CallI(1, ()), ir.Drain(), ir.Run((ir.CallS(note, (C(9),)),)))
    m, words = b.play()
    assert m.evaluate(words, log) == 5129


def test_enter_calls_what_is_known_at_run_time_only() -> None:
    b = Build()
    x = b.field("x")
    first = b.plain("first", store(x, C(1)))
    second = b.proc("second", ir.Run((store(x, add(x, C(10))),)))
    which = ir.FrameVar(0, INT)
    b.proc("game", ir.Enter(which, (), (first, second)), ir.Run((ir.SetFrame(0, INT, C(1)),)), ir.Enter(which, (), ()))
    m, words = b.play()
    assert m.evaluate(words, x) == 11


# ------------------------------------------------------------ budgets and faults


def test_an_endless_loop_ends_with_the_name_of_its_rule() -> None:
    b = Build(steps=1000)
    b.proc("spin", ir.Jump(0))
    b.proc("game", ir.CallI(0, ()))
    with pytest.raises(RulesetError) as caught:
        b.play()
    assert caught.value.rules == ("game", "spin") and "1000 units of work" in str(caught.value)


def test_an_endless_while_ends_too() -> None:
    b = Build(steps=1000)
    b.proc(
        "game",
        ir.Run(
            (
                ir.While(
                    C(1),
                    (),
                ),
            )
        ),
    )
    with pytest.raises(RulesetError, match="limit `steps`"):
        b.play()


def test_endless_recursion_is_reported() -> None:
    b = Build()
    b.proc("again", ir.CallI(0, ()))
    with pytest.raises(RulesetError, match="64 routines are running inside each other where `again` is called"):
        b.play()
    b = Build()
    b.plain("again", ir.CallS(0, ()))
    b.proc("game", ir.Run((ir.CallS(0, ()),)))
    with pytest.raises(RulesetError, match="64 routines are running"):
        b.play()


def test_the_stack_is_bounded() -> None:
    b = Build(stack=100)
    b.proc("again", ir.CallI(0, ()), frame=30)
    with pytest.raises(RulesetError, match="the stack is full"):
        b.play()


def test_a_demand_outside_a_plan_is_a_fault() -> None:
    b = Build()
    b.proc("game", ir.Run((require(C(0), "two is three"),)))
    with pytest.raises(RulesetError, match="required: two is three") as caught:
        b.play()
    assert caught.value.rules == ("game",)


def test_a_dead_end_names_the_question() -> None:
    b = Build()
    s = b.site(site("one", alternative(numbers(1, 0))))
    b.proc("game", ir.Ask(s, END))
    with pytest.raises(RulesetError, match="dead end: `test.site`"):
        b.play()


def test_bounds_are_tested_when_stored() -> None:
    from dsl.base.types import IntType

    b = Build()
    x = b.field("x", IntType(0, 3))
    b.proc("game", ir.Run((store(x, C(4)),)))
    with pytest.raises(RulesetError, match=r"`cell` must be in 0\.\.3, but was set to 4"):
        b.play()


def test_results_that_are_no_numbers_do_not_stay_in_the_store() -> None:
    b = Build()
    s = b.site(site("number", alternative(numbers(0, 3))))
    b.plain("items", ir.Return(ir.ListOp("to_list", (C(6),))))
    b.proc("game", ir.Run((ir.CallS(0, ()), ir.SetFrame(0, INT, ir.Size("list", ir.LastResult())))), ir.Ask(s, END))
    m, words = b.play()
    assert frame_var(words, 0) == 2 and words[RV] == 0
    assert all(type(w) is int for w in words)
