"""Python's generator for `playouts`, compiled from `interpreter.choices.twister`: the host copies its state in and
out, so that the same seed gives the same games on every back end.
"""

from __future__ import annotations

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, both, word
from interpreter.backends.low.base.memory import MERSENNE
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.generators.store import put_state
from interpreter.backends.low.kernel.context import Host
from interpreter.backends.low.kernel.functions import write as write_kernel
from interpreter.backends.low.kernel.values import Sort, Typed
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.choices import twister
from interpreter.choices.twister import SIZE

TWISTER, BITS_64, SEED = "twister", "twister64", "seed"
"""Functions of the twister at an address: 32 bits; 64 bits; these for the generator of the store."""


class KeptBeginning(Host):
    """Python's generator as it stood at the beginning of a game, which is kept once in a game."""

    def keep(self, at: Expr) -> None:
        memory, w = self.lo.memory, self.lo.w

        def keep() -> None:
            w.emit(low.Copy(Num(memory.before), Num(memory.mersenne), Num(SIZE)))
            w.put(memory.before + MERSENNE, ONE)

        w.when(both(Op("==", at, Num(memory.mersenne)), low.Not(word(memory.before + MERSENNE))), keep)


def write(lo: Lowering, fraction: str = FRACTION) -> None:
    """`fraction`: the name of the function that draws answers."""
    beginning = KeptBeginning(lo)
    write_kernel(lo, twister.next32, TWISTER, keeper=beginning)
    write_kernel(lo, twister.bits64, BITS_64, keeper=beginning)
    write_kernel(lo, twister.fraction, fraction, keeper=beginning, words=Typed(Num(lo.memory.mersenne), Sort.ROW))
    with lo.function(SEED, ("at",)) as w:
        put_state(lo, w.let(low.Call(BITS_64, (Local("at"),))))
        w.give(ZERO)


def note_beginning(lo: Lowering) -> None:
    """Note where Python's generator stands at the beginning of a game, so that the host can play it again."""
    memory = lo.memory
    lo.w.put(memory.before + SIZE, word(memory.mersenne + SIZE))
    lo.w.put(memory.before + MERSENNE, ZERO)
