"""Stores that are kept while bots look ahead: in an stash of memory, above each other, and put back from there."""

from __future__ import annotations

from dsl.base.record import dataclass
from interpreter.backends.low.base.context import FRAMES, Lowering
from interpreter.backends.low.base.exported import COUNT, SP
from interpreter.backends.low.base.make import ONE, ZERO, add, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.generators.bot_numbers import STATE

STASH = "stash"  # global: the end of what is in use
ROOM, KEEP, BACK, KEEP_ROWS, BACK_ROWS, TO_FIRST = (
    "bot_room", "bot_keep", "bot_back", "bot_keep_rows", "bot_back_rows", "bot_first",
)  # fmt: skip
"""Functions: room for so many words; keep the store, or the options; make what was kept the store, or the options;
make a row the only option. The first three give addresses."""

WORDS = 1 << 21  # of the stash
LENGTH, RUNNING, FIRST = range(3)  # of a store that is kept
STATES = 4  # generators: two for each sort of bot, for its choices and for actions at any moment


@dataclass(frozen=True, slots=True)
class Places:
    """Where bots keep things: the stash, and the generators of bots."""

    stash: int
    end: int
    states: int


def places(lo: Lowering) -> Places:
    states, stash = lo.memory.room(STATE * STATES), lo.memory.room(WORDS)
    return Places(stash, stash + WORDS, states)


def write(lo: Lowering, at: Places) -> None:
    stride, options = lo.memory.stride, Num(lo.memory.options)
    with lo.function(ROOM, ("words",)) as w:
        room = w.let(Global(STASH))
        w.emit(low.SetGlobal(STASH, add(room, Op("&", add(Local("words"), 1), Num(-2)))))
        w.trap_if(Op(">", Global(STASH), Num(at.end)), Reason.ROOM)
        w.give(room)
    with lo.function(KEEP, ()) as w:
        room = w.let(low.Call(ROOM, (add(Global(SP), FIRST),)))
        w.store(room, LENGTH, Global(SP))
        w.store(room, RUNNING, Global(FRAMES))
        w.emit(low.Copy(add(room, FIRST), ZERO, Global(SP)))
        w.give(room)
    with lo.function(BACK, ("at",)) as w:
        w.emit(low.SetGlobal(SP, low.Load(Local("at"), LENGTH)))
        w.emit(low.SetGlobal(FRAMES, low.Load(Local("at"), RUNNING)))
        w.emit(low.Copy(ZERO, add(Local("at"), FIRST), Global(SP)))
        w.give(ZERO)
    with lo.function(KEEP_ROWS, ()) as w:
        size = w.let(scale(Global(COUNT), stride))
        room = w.let(low.Call(ROOM, (size,)))
        w.emit(low.Copy(room, options, size))
        w.give(room)
    with lo.function(BACK_ROWS, ("rows", "count")) as w:
        w.emit(low.SetGlobal(COUNT, Local("count")))
        w.emit(low.Copy(options, Local("rows"), scale(Local("count"), stride)))
        w.give(ZERO)
    with lo.function(TO_FIRST, ("row",)) as w:
        w.emit(low.Copy(options, Local("row"), Num(stride)))
        w.emit(low.SetGlobal(COUNT, ONE))
        w.give(ZERO)


def row_of(lo: Lowering, rows: Expr, n: Expr) -> Expr:
    """The address of a row."""
    return add(scale(n, lo.memory.stride), rows)
