"""Calls of routines: those that do not suspend are functions, the others get a frame in the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl import ir
from dsl.base.types import width
from dsl.program import FP, FRAME_LINK, TOGETHER, TOGETHER_FRAME
from interpreter.backends.low.base.context import FRAMES, HEAP, PLAIN, Held, Lowering
from interpreter.backends.low.base.exported import SP
from interpreter.backends.low.base.kinds import MembersKind, Number, Unsupported, kind_of
from interpreter.backends.low.base.make import ZERO, WordsAt, add, word
from interpreter.backends.low.base.status import stop
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.variables import copied, declare
from interpreter.backends.low.rules.writes import write_held
from interpreter.backends.low.values.functions import fitted, flat, parameters

ROUTINE = "routine"
DONE = "done"  # the label that `return` leaves


def arguments(lo: Lowering, number: int, args: Sequence[ir.Expr]) -> list[Held]:
    """The arguments of a call in variables; lists are copied, since the store changes while they are in use."""
    params = lo.program.procs[number].params
    return [copied(lo, fitted(lo, arg, kind_of(t))) for arg, (_, t) in zip(args, params, strict=True)]


def call_plain(lo: Lowering, number: int, args: Sequence[Held]) -> None:
    lo.w.call(lo.want(ROUTINE, number), *flat(args))
    if number in lo.trials.routines:
        stop(lo)


def counts_plain(lo: Lowering) -> bool:
    """True if routines may be nested more deeply than is allowed, so that their depth has to be counted."""
    return bool(lo.facts.recursive_procs) or lo.facts.depth >= lo.program.limits.frames


def write_plain(lo: Lowering, number: int) -> None:
    """Write a procedure that does not suspend."""
    proc = lo.program.procs[number]
    names, bound = parameters(proc.params)
    with lo.function(f"{ROUTINE}{number}", names) as w:
        lo.bound, lo.asks = bound, number in lo.trials.asking_routines
        declare(lo, [proc.body])
        own = (h.kind for slot, h in lo.bound.items() if slot not in bound and isinstance(h, Held))
        if number in lo.facts.recursive_procs and any(not isinstance(kind, Number | MembersKind) for kind in own):
            raise Unsupported("a routine that calls itself and keeps a list")
        lo.work()
        counted, together = counts_plain(lo), lo.facts.uses_together
        if counted:
            w.trap_if(Op(">=", Global(PLAIN), Num(lo.program.limits.frames)), Reason.ROOM)
            w.emit(low.SetGlobal(PLAIN, add(Global(PLAIN), 1)))
        before = w.let(word(TOGETHER)) if together else ZERO
        w.way_out = low.Leave(DONE)
        with w.inside() as body:
            for s in proc.body:
                with lo.cut_back():
                    lo.statement(s)
                if lo.trials.may_end(s):
                    stop(lo)
        if w.scratch:
            w.set("mark", Global(HEAP))
        w.emit(low.Block(DONE, tuple(body)))
        if w.scratch:
            w.emit(low.SetGlobal(HEAP, Local("mark")))
        if together:
            change = Op("-", before, word(TOGETHER))
            w.when(Op("!=", before, word(TOGETHER)), lambda: count_together(lo, change))
        if counted:
            w.emit(low.SetGlobal(PLAIN, add(Global(PLAIN), -1)))
        w.give(ZERO)


def count_together(lo: Lowering, change: Expr) -> None:
    """Count the open `together` of the frame of the outermost one."""
    w = lo.w
    change = w.let(change)
    w.emit(low.If(low.Not(word(TOGETHER)), (low.Store(Num(0), TOGETHER_FRAME, word(FP)),)))
    own = Op("==", word(TOGETHER_FRAME), word(FP))
    w.emit(low.If(own, (low.Store(Num(0), TOGETHER, add(word(TOGETHER), change)),)))
    w.emit(low.If(low.Not(word(TOGETHER)), (low.Store(Num(0), TOGETHER_FRAME, ZERO),)))


# ------------------------------------------------------------ frames


def push(lo: Lowering, number: int, back: Expr, fill: Callable[[Expr], None]) -> None:
    """Push a frame for a suspending procedure; `fill` writes its parameters behind the base that it gets."""
    w, program = lo.w, lo.program
    proc = program.procs[number]
    lo.work()
    base = w.let(Global(SP), "base")
    end = w.let(add(base, FRAME_LINK + proc.frame_words))
    w.trap_if(Op(">", end, Num(lo.memory.top)), Reason.ROOM)
    w.trap_if(Op(">=", Global(FRAMES), Num(program.limits.frames)), Reason.ROOM)
    w.emit(low.SetGlobal(FRAMES, add(Global(FRAMES), 1)))
    w.emit(low.Clear(add(base, FRAME_LINK), Num(proc.frame_words)))
    fill(base)
    w.store(base, 0, back)
    w.store(base, 1, word(FP))
    w.store(base, 2, Num(number))
    w.emit(low.SetGlobal(SP, end))
    w.put(FP, base)


def enter(lo: Lowering, number: int, held: Sequence[Held], back: int) -> None:
    """Call a procedure; one that suspends is gone on with by the driver."""
    proc = lo.program.procs[number]
    if not proc.suspends:
        call_plain(lo, number, held)
        return
    push_with(lo, number, held, back)
    lo.w.give(Num(proc.entry))


def push_with(lo: Lowering, number: int, held: Sequence[Held], back: int) -> None:
    """Push a frame for a suspending procedure with these arguments."""

    def fill(base: Expr) -> None:
        offset = FRAME_LINK
        for h, (_, t) in zip(held, lo.program.procs[number].params, strict=True):
            write_held(lo, WordsAt(base, offset), t, h)
            offset += width(t)

    push(lo, number, Num(back), fill)


def leave(lo: Lowering) -> Expr:
    """Drop the running frame; gives its return address."""
    w = lo.w
    base = lo.w.frame()
    back = w.let(low.Load(base))
    w.put(FP, low.Load(base, 1))
    w.emit(low.SetGlobal(SP, base))
    w.emit(low.SetGlobal(FRAMES, add(Global(FRAMES), -1)))
    return back
