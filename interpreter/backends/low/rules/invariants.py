"""Invariants in a module for checked games (`lo.checked`): tested after each change, as in
`interpreter.machine.invariants`.

Where one does not hold this gives up; the host plays the game again, which has the message.
"""

from __future__ import annotations

from dsl import ir
from dsl.program import CHECKING, TOGETHER
from interpreter.backends.low.base.context import LOOKING, PROBING, Lowering
from interpreter.backends.low.base.make import either, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global, Reason
from interpreter.backends.low.values.functions import FUNCTION

TESTED = "tested"  # the function that tests some invariants, those of `lo.tested` with its number


def atomic_end(lo: Lowering, s: ir.AtomicEnd) -> None:
    """Test the invariants that read what has changed. Nothing is tested in a trial, where a bot looks ahead, inside a
    `together` or while checks act."""
    reading = tuple(n for n, i in enumerate(lo.program.invariants) if i.reads & set(s.symbols)) if lo.checked else ()
    if not reading:
        return
    if reading not in lo.tested:
        lo.tested.append(reading)
    name = lo.want(TESTED, lo.tested.index(reading))
    busy = either(either(Global(PROBING), Global(LOOKING)), either(word(TOGETHER), word(CHECKING)))
    lo.w.when(low.Not(busy), lambda: lo.w.call(name))


def write_tested(lo: Lowering, number: int) -> None:
    """Write the function that tests these invariants."""
    with lo.function(f"{TESTED}{number}", ()) as w:
        for n in lo.tested[number]:
            holds = low.Call(lo.want(FUNCTION, lo.program.invariants[n].fn))
            w.trap_if(low.Not(holds), Reason.FAULT)
        w.give(low.Num(0))
