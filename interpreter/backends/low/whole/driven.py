"""Single games in low code: the host hands in a store, and gets the one at the next question back.

Each function gives three numbers in one: the length of the store, the seat that is asked, and how many options are
listed. Draws are noted, and the store with which a plan begins is kept, for the call that they happen in.
"""

from __future__ import annotations

from dsl.program import OVER, SITE
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.exported import (
    BEGIN,
    COUNT,
    LENGTH_AT,
    RELIST,
    SEAT_AT,
    SETTLED,
    SETTLES,
    SP,
    START,
    STEP,
    TAKE_ROW,
)
from interpreter.backends.low.base.make import ONE, ZERO, add, word
from interpreter.backends.low.bots.choices import FORCED
from interpreter.backends.low.bots.looking import ASKED
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global, Local, Num, Op, Reason
from interpreter.backends.low.whole.driver import ANSWER, RUN, keep_option, keep_store
from interpreter.core.question import AUTOMATIC_LIMIT


def prepare(lo: Lowering) -> None:
    """Make room for what hosts read, before anything is written."""
    lo.lists_ways = lo.asks_chance = lo.tells_undecided = True
    lo.memory.keep_plans()
    lo.memory.note_chance()


def write(lo: Lowering) -> None:
    _write_settle(lo)
    _write_start(lo)
    _write_step(lo)
    _write_take_row(lo)


def _write_settle(lo: Lowering) -> None:
    with lo.function(SETTLED, (), exported=True) as w:
        w.set("forced", ZERO)
        w.set("seat", ZERO)

        def settle() -> None:
            def one(label: str) -> None:
                w.leave_if(low.Not(word(SITE)), label)
                w.leave_if(low.Not(low.Call(FORCED)), label)
                w.set("forced", add(Local("forced"), 1))
                w.trap_if(Op(">", Local("forced"), Num(AUTOMATIC_LIMIT)), Reason.ENDLESS)
                w.call(ANSWER, ZERO)

            w.loop(one)

        w.when(Global(SETTLES), settle)
        w.emit(low.If(word(SITE), (low.Set("seat", low.Call(ASKED)),)))
        length = Op("<<", Global(SP), Num(LENGTH_AT))
        asked = Op("|", Global(COUNT), Op("<<", Local("seat"), Num(SEAT_AT)))
        w.give(low.Choice(word(SITE), Op("|", length, asked), length))


def _begin(lo: Lowering) -> None:
    for at in (lo.memory.noted, lo.memory.planned):
        lo.w.put(at, ZERO)


def _write_start(lo: Lowering) -> None:
    with lo.function(START, ("length",), exported=True) as w:
        _begin(lo)
        w.call(BEGIN, Local("length"))
        waits = low.Either(word(SITE), word(OVER))
        w.emit(low.If(waits, (low.Do(low.Call(RELIST)),), (low.Do(low.Call(RUN)),)))
        w.give(low.Call(SETTLED))


def _write_step(lo: Lowering) -> None:
    def keep(at: int) -> None:
        keep_option(lo, at, Local("index"))

    with lo.function(STEP, ("index",), exported=True) as w:
        _begin(lo)
        w.trap_if(Op(">u", Local("index"), add(Global(COUNT), -1)), Reason.LOST)
        keep_store(lo, keep)
        w.call(ANSWER, Local("index"))
        w.give(low.Call(SETTLED))


def _write_take_row(lo: Lowering) -> None:
    with lo.function(TAKE_ROW, ("length",), exported=True) as w:
        _begin(lo)
        w.call(BEGIN, Local("length"))
        w.emit(low.SetGlobal(COUNT, ONE))
        w.call(ANSWER, ZERO)
        w.give(low.Call(SETTLED))
