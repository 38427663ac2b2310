"""The generator of the store, compiled from `interpreter.core.rng`: chance is drawn with it."""

from __future__ import annotations

from interpreter.backends.low.base.context import GENERATOR, Lowering
from interpreter.backends.low.base.make import ZERO
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr
from interpreter.backends.low.kernel.functions import called
from interpreter.backends.low.kernel.functions import write as write_kernel
from interpreter.backends.low.kernel.values import InGlobals, Sort, Typed
from interpreter.backends.low.rules.chance import BELOW
from interpreter.choices.generator import Generator
from interpreter.core import rng

STORE = Typed(ZERO, Sort.ROW)


def write(lo: Lowering) -> None:
    """Write what draws a number below another one; where a whole game is one function, the generator is a global."""
    if lo.whole:
        write_kernel(lo, Generator.below, BELOW, self=InGlobals(Generator, (GENERATOR,)))
    else:
        write_kernel(lo, rng.randbelow, BELOW, words=STORE)


def put_state(lo: Lowering, state: Expr) -> None:
    """Set the 64 bits of the generator, wherever they lie."""
    if lo.whole:
        lo.w.emit(low.SetGlobal(GENERATOR, state))
    else:
        put_words(lo, state)


def put_words(lo: Lowering, state: Expr) -> None:
    """Write the 64 bits of the generator into its three words."""
    called(lo, rng.set_state, {"words": STORE}, (state,))


def seed_store(lo: Lowering, number: Expr) -> None:
    """Seed the generator, as `rng.seed` does, from a number from 0 on."""
    put_state(lo, lo.w.let(mixed(lo, mixed(lo, number))))


def mixed(lo: Lowering, number: Expr) -> Expr:
    """The bits that follow from a number (`rng.mixed`)."""
    return called(lo, rng.mixed, {}, (number,))
