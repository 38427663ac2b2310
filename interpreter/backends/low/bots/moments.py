"""Actions at any moment: the question which of them a seat takes now, on top of the pending one."""

from __future__ import annotations

from dsl.program import FRAME_LINK, PC, PLAN, PLAN_SEAT, SITE, STEPS
from interpreter.backends.low.base.context import FRESH, GO, Lowering
from interpreter.backends.low.base.exported import COUNT, DECLINE
from interpreter.backends.low.base.make import ONE, ZERO, add, both, word
from interpreter.backends.low.bots.looking import begun
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.calls import push

MOMENTS = "bot_moments"
"""Function: go on to the question which action at any moment a seat takes, and list these actions without the option to
decline; gives their number, 0 also where the seat may not act. Then the store is another one."""


MOMENTS_OF = "moments"
"""The same for a host."""


def write_for_host(lo: Lowering) -> None:
    """Write the function for the host; MOMENTS is written too."""
    with lo.function(MOMENTS_OF, ("seat",), exported=True) as w:
        w.give(low.Call(MOMENTS, (Local("seat"),)))


def write(lo: Lowering) -> None:
    """Write the function; a program without such actions gets one that gives 0."""
    program, memory = lo.program, lo.memory
    seats = program.domains[program.seat_kind].values
    with lo.function(MOMENTS, ("seat",)) as w:
        if program.moment_proc < 0:
            w.give(ZERO)
            return
        thing = add(Local("seat"), seats[0] - 1)
        cursors = memory.words([-1, *(site.cursor for site in program.sites)])
        w.emit(low.If(both(word(PLAN), Op("!=", word(PLAN_SEAT), thing)), (low.Return(ZERO),)))
        w.emit(low.If(begun(cursors), (low.Return(ZERO),)))
        w.call(FRESH)
        back = w.let(word(PC))
        w.put(SITE, ZERO)
        w.put(STEPS, ZERO)
        push(lo, program.moment_proc, back, lambda base: w.store(base, FRAME_LINK, thing))
        w.call(GO, Num(program.procs[program.moment_proc].entry))
        w.trap_if(low.Not(word(SITE)), Reason.LOST)
        w.set("kept", ZERO)

        def one(n: Expr) -> None:
            row = w.let(lo.option_row(n))

            def keep() -> None:
                w.emit(low.Copy(lo.option_row(Local("kept")), row, Num(memory.stride)))
                w.set("kept", add(Local("kept"), ONE))

            w.when(Op("!=", low.Load(row), Num(DECLINE)), keep)

        w.upto(ZERO, Global(COUNT), one)
        w.emit(low.SetGlobal(COUNT, Local("kept")))
        w.give(Local("kept"))
