"""The copy that a trial runs on: the store, and what the runtime keeps besides, are put aside and put back.

The trial changes the store where it lies. What is put aside lies in scratch memory above all that is in use, and
nothing that runs meanwhile goes below that (the global `floor`).
"""

from __future__ import annotations

from interpreter.backends.low.base.context import FLOOR, FRAMES, HEAP, PROBING, STATUS, TRIES, Lowering
from interpreter.backends.low.base.exported import COUNT, SP
from interpreter.backends.low.base.make import ONE, ZERO, add, scale
from interpreter.backends.low.base.status import UNKNOWN
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason

ASIDE, BACK, ENTER, FINISH = "put_aside", "put_back", "enter_trial", "finish_trial"
LENGTH, RUNNING, OUTER, ROWS, WORDS = range(5)  # of what is put aside; then the words of the store, then the options


def write(lo: Lowering) -> None:
    _write_aside(lo)
    _write_back(lo)
    _write_enter(lo)
    _write_finish(lo)


def rows_of(at: Expr) -> Expr:
    """The address of the options that were put aside."""
    return add(add(at, low.Load(at, LENGTH)), WORDS)


def _write_aside(lo: Lowering) -> None:
    """Put the store and the options of the question aside, above `from`; gives where they are."""
    stride, memory = lo.memory.stride, lo.memory
    with lo.function(ASIDE, ("from",)) as w:
        at = w.let(Op("&", add(Local("from"), 1), Num(-2)))
        rows = w.let(scale(Global(COUNT), stride))
        size = Op("&", add(add(Global(SP), rows), WORDS + 1), Num(-2))
        end = w.let(add(at, size))
        w.trap_if(Op(">", end, Num(memory.scratch_end)), Reason.ROOM)
        for offset, name in ((LENGTH, SP), (RUNNING, FRAMES), (OUTER, FLOOR), (ROWS, COUNT)):
            w.store(at, offset, Global(name))
        w.emit(low.Copy(add(at, WORDS), ZERO, Global(SP)))
        w.emit(low.Copy(rows_of(at), Num(memory.options), rows))
        w.emit(low.SetGlobal(FLOOR, end))
        w.emit(low.SetGlobal(HEAP, end))
        w.give(at)


def _write_back(lo: Lowering) -> None:
    """Make the store what was put aside."""
    with lo.function(BACK, ("at",)) as w:
        for offset, name in ((LENGTH, SP), (RUNNING, FRAMES)):
            w.emit(low.SetGlobal(name, low.Load(Local("at"), offset)))
        w.emit(low.Copy(ZERO, add(Local("at"), WORDS), Global(SP)))
        w.give(ZERO)


def _write_enter(lo: Lowering) -> None:
    """A trial begins; gives where everything was put aside."""
    with lo.function(ENTER, ()) as w:
        w.emit(low.If(low.Not(Global(PROBING)), (low.SetGlobal(TRIES, ZERO),)))
        w.emit(low.SetGlobal(PROBING, add(Global(PROBING), 1)))
        w.give(low.Call(ASIDE, (Global(HEAP),)))


def _write_finish(lo: Lowering) -> None:
    """A trial is over, and all is as it was."""
    at = Local("at")
    with lo.function(FINISH, ("at",)) as w:
        w.call(BACK, at)
        w.emit(low.SetGlobal(COUNT, low.Load(at, ROWS)))
        w.emit(low.Copy(Num(lo.memory.options), rows_of(at), scale(Global(COUNT), lo.memory.stride)))
        w.emit(low.SetGlobal(FLOOR, low.Load(at, OUTER)))
        w.emit(low.SetGlobal(HEAP, at))
        w.emit(low.SetGlobal(STATUS, ZERO))
        w.emit(low.SetGlobal(PROBING, add(Global(PROBING), -1)))
        w.give(ZERO)


def count_try(lo: Lowering) -> None:
    """One try more; beyond the limit the trial is not decided."""
    w = lo.w
    w.emit(low.SetGlobal(TRIES, Op("+", Global(TRIES), ONE)))
    w.emit(low.If(Op(">", Global(TRIES), Num(lo.program.limits.tries)), (low.Return(Num(UNKNOWN)),)))
