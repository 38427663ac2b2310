"""Running frames: the innermost of some procedures, and the end of one from inside.

A frame that is ended drops the frames inside it, with all that waits for their ends or lasts until then, and goes to
its epilogue. So do `stop`, and a demand that is not met after the commit point of an action.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.program import (
    CHECKING,
    DEFERRED,
    DEFERRED_LINK,
    FP,
    FRAME_LINK,
    PLAN,
    PLAN_FRAME,
    TOGETHER,
    TOGETHER_FRAME,
)
from interpreter.backends.low.base.context import FRAMES, Lowering
from interpreter.backends.low.base.exported import SP
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, scale, word
from interpreter.backends.low.base.status import LATE, end_plan
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.scopes.records import STOP_RECORDS

STOP = "stop_frame"  # the function that ends the frame at a base; gives the instruction that follows


def innermost(lo: Lowering, procs: Sequence[int]) -> Expr:
    """The base of the innermost running frame of one of these procedures; 0: none."""
    base = lo.w.fresh("base")
    lo.w.set(base, word(FP))

    def up(label: str) -> None:
        here: Expr = low.Not(Local(base))
        for proc in procs:
            here = either(here, Op("==", low.Load(Local(base), 2), Num(proc)))
        lo.w.leave_if(here, label)
        lo.w.set(base, low.Load(Local(base), 1))

    lo.w.loop(up)
    return Local(base)


def write_late(lo: Lowering) -> None:
    """Write the function that gives the base of the innermost action or icon whose plan is committed; 0: none."""
    ends = lo.memory.words([int(p.word in ("action", "icon")) for p in lo.program.procs])
    with lo.function(LATE, ()) as w:
        w.emit(low.If(word(PLAN), (low.Return(ZERO),)))
        w.set("base", word(FP))

        def up(label: str) -> None:
            number = w.let(low.Load(Local("base"), 2))
            found = both(Op(">=", number, ZERO), low.Load(low.Choice(Op(">=", number, ZERO), number, ZERO), ends))
            w.leave_if(either(low.Not(Local("base")), found), label)
            w.set("base", low.Load(Local("base"), 1))

        w.loop(up)
        w.give(Local("base"))


def write_stop(lo: Lowering) -> None:
    program = lo.program
    words = lo.memory.words([p.frame_words for p in program.procs])
    epilogues = lo.memory.words([p.epilogue for p in program.procs])
    with lo.function(STOP, ("base",)) as w:
        base = Local("base")
        number = w.let(low.Load(base, 2))
        w.emit(low.SetGlobal(SP, w.let(add(add(base, low.Load(number, words)), FRAME_LINK))))
        w.put(FP, base)
        _count_frames(lo)
        w.set("left", both(word(TOGETHER), Op(">=", word(TOGETHER_FRAME), base)))
        w.emit(low.If(Local("left"), (low.Store(ZERO, TOGETHER, ZERO), low.Store(ZERO, TOGETHER_FRAME, ZERO))))
        w.when(word(CHECKING), lambda: _still_checking(lo))
        if lo.facts.uses_deferred:
            _drop_items(lo, base)
        if lo.facts.uses_timed:
            w.call(STOP_RECORDS, base)
        w.when(both(word(PLAN), Op(">=", word(PLAN_FRAME), base)), lambda: end_plan(lo))
        w.give(low.Load(number, epilogues))


def _count_frames(lo: Lowering) -> None:
    w = lo.w
    w.set("frame_at", word(FP))
    w.emit(low.SetGlobal(FRAMES, ZERO))

    def up(label: str) -> None:
        w.leave_if(low.Not(Local("frame_at")), label)
        w.emit(low.SetGlobal(FRAMES, add(Global(FRAMES), 1)))
        w.set("frame_at", low.Load(Local("frame_at"), 1))

    w.loop(up)


def _still_checking(lo: Lowering) -> None:
    """Set the word that checks still run: a frame that no longer counts as running stands for another, as in the
    reference."""
    w, procs = lo.w, lo.program.procs
    checks = lo.memory.words([int(p.word == "checks") for p in procs])
    w.set("frame_at", word(FP))
    w.set("checks", ZERO)

    def up(label: str) -> None:
        w.leave_if(low.Not(Local("frame_at")), label)
        number = w.let(low.Load(Local("frame_at"), 2))
        entry = low.Choice(Op("<", number, ZERO), add(number, len(procs)), number)
        w.emit(low.If(low.Load(entry, checks), (low.Set("checks", ONE),)))
        w.set("frame_at", low.Load(Local("frame_at"), 1))

    w.loop(up)
    w.put(CHECKING, Local("checks"))


def _drop_items(lo: Lowering, base: Expr) -> None:
    """Drop the items of end lists of frames that ended, and of a `together` that was left."""
    w, program = lo.w, lo.program
    size, first = DEFERRED_LINK + program.deferred_args, program.deferred_base
    w.set("kept", ZERO)
    w.set("count", word(DEFERRED))

    def place(n: Expr) -> Expr:
        return w.let(add(scale(n, size), first))

    def one(n: Expr) -> None:
        at = place(n)
        owner = w.let(low.Load(at))
        waits = both(Op("<=", owner, base), either(owner, low.Not(Local("left"))))
        claimed = Op("<", Op("-", ZERO, owner), base)
        stays = low.Choice(Op("<", owner, ZERO), claimed, waits)

        def keep() -> None:
            w.emit(low.Copy(place(Local("kept")), at, Num(size)))
            w.set("kept", add(Local("kept"), 1))

        w.when(stays, keep)

    w.upto(ZERO, Local("count"), one)
    w.emit(low.Clear(place(Local("kept")), scale(Op("-", Local("count"), Local("kept")), size)))
    w.put(DEFERRED, Local("kept"))
