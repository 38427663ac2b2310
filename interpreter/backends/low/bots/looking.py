"""The lookahead of a bot, as `interpreter.bots.foresight` plays it on: to where options can be compared."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.program import FP, FRAME_LINK, SITE
from interpreter.backends.low.base.context import FRESH, GO, LOOKING, Lowering
from interpreter.backends.low.base.exported import COUNT, READY, RELIST
from interpreter.backends.low.base.make import ONE, ZERO, add, both, word
from interpreter.backends.low.bots.stores import BACK_ROWS, TO_FIRST
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.answers import TAKE
from interpreter.backends.low.rules.questions import LIST, guarded
from interpreter.backends.low.trials.draw import decline_row

LOOK, LISTED, PLAIN_ANSWER, PLAYED, ASKED = "bot_look", "bot_listed", "bot_plain_answer", "bot_played", "bot_asked"
"""Functions: take an option as `Machine.look` does; list the options of the pending question, or to decline; the index
plus 1 of what ends a long answer that has been begun (0: none has); play an option on; the seat that is asked."""

MOST_ANSWERS = 50  # given in a row after one option


def write(lo: Lowering) -> None:
    program = lo.program
    defaults = lo.memory.words([0, *(int(site.by_default) for site in program.sites)])
    cursors = lo.memory.words([-1, *(site.cursor for site in program.sites)])
    _write_look(lo, defaults)
    _write_plain_answer(lo, cursors)
    _write_played(lo)
    _write_listed(lo)
    write_asked(lo)


def begun(cursors: int) -> Expr:
    """Whether a part of the long answer that is asked for has been given."""
    cursor = low.Load(word(SITE), cursors)
    return both(Op(">=", cursor, ZERO), low.Load(add(word(FP), cursor), FRAME_LINK))


def _write_look(lo: Lowering, defaults: int) -> None:
    with lo.function(LOOK, ("index",)) as w:
        w.call(FRESH)
        w.emit(low.SetGlobal(LOOKING, ONE))
        w.call(GO, low.Call(TAKE, (Local("index"),)))

        def one(label: str) -> None:
            w.leave_if(low.Not(low.Load(word(SITE), defaults)), label)
            w.call(FRESH)
            w.call(GO, low.Call(TAKE, (ZERO,)))

        w.loop(one)
        w.emit(low.SetGlobal(LOOKING, ZERO))
        w.give(ZERO)


def _write_plain_answer(lo: Lowering, cursors: int) -> None:
    with lo.function(PLAIN_ANSWER, ()) as w:
        w.emit(low.If(low.Not(word(SITE)), (low.Return(ZERO),)))
        w.emit(low.If(low.Not(begun(cursors)), (low.Return(ZERO),)))
        w.call(RELIST)
        w.trap_if(low.Not(Global(COUNT)), Reason.LOST)
        last = w.let(add(Global(COUNT), -1))  # where it stands if there is one
        ends = Op("==", low.Load(lo.option_row(last)), Num(READY))
        w.give(low.Choice(ends, add(last, 1), ONE))


def _write_played(lo: Lowering) -> None:
    """Play an option on; gives whether a member was taken besides that it needs. `short`: stop in front of that."""
    with lo.function(PLAYED, ("row", "short")) as w:
        w.call(TO_FIRST, Local("row"))
        w.call(LOOK, ZERO)
        w.set("more", ZERO)
        w.set("left", Num(MOST_ANSWERS))

        def one(label: str) -> None:
            answer = w.let(low.Call(PLAIN_ANSWER))
            w.leave_if(low.Not(both(Local("left"), answer)), label)
            row = lo.option_row(add(answer, -1))
            w.emit(low.If(Op("!=", low.Load(row), Num(READY)), (low.Set("more", ONE),)))
            w.leave_if(both(Local("more"), Local("short")), label)
            w.call(LOOK, add(answer, -1))
            w.set("left", add(Local("left"), -1))

        w.loop(one)
        w.give(Local("more"))


def _write_listed(lo: Lowering) -> None:
    with lo.function(LISTED, ()) as w:
        w.call(RELIST)
        nothing = low.Not(Global(COUNT))
        w.when(nothing, lambda: w.call(BACK_ROWS, Num(decline_row(lo)), ONE))
        w.give(Global(COUNT))


def write_asked(lo: Lowering) -> None:
    seats = lo.program.domains[lo.program.seat_kind].values
    asked = sorted(number for sort, number in lo.known if sort == LIST)
    with lo.function(ASKED, ()) as w:

        def seat_of(site: ir.Site) -> Callable[[], None]:
            def work() -> None:
                w.set("seat", lo.number(site.seat))

            return work

        if asked:
            w.cases(word(SITE), {n + 1: guarded(lo, n, seat_of(lo.program.sites[n])) for n in asked})
        number = w.let(add(Local("seat") if asked else ZERO, 1 - seats[0]))
        w.give(low.Choice(Op(">u", add(number, -1), Num(len(seats) - 1)), ZERO, number))
