"""The generators of bots and of random games, compiled from `interpreter.choices.generator`: 64 bits at an address."""

from __future__ import annotations

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Num, Op
from interpreter.backends.low.generators.store import STORE, mixed
from interpreter.backends.low.kernel.functions import write as write_kernel
from interpreter.backends.low.trials.draw import BITS, FRACTION
from interpreter.choices.generator import Generator

STATE = 2  # words of a generator
NEXT, BELOW, MIX, RESEED = "bot_next", "bot_below", "bot_mix", "bot_reseed"
"""Functions of a generator at an address: 32 bits; a number below n; the order of a list at an address; a new state for
the generator of the store."""


def write(lo: Lowering) -> None:
    write_kernel(lo, Generator.next32, NEXT)
    write_kernel(lo, Generator.below, BELOW)
    write_kernel(lo, Generator.mix, MIX)
    write_kernel(lo, Generator.reseed, RESEED, words=STORE)


def write_fraction(lo: Lowering, at: Expr, name: str = FRACTION) -> None:
    """Write the function of this name that draws answers of a random game, with the generator at an address."""
    with lo.function(name, ()) as w:
        w.give(Op("<<", low.Call(NEXT, (at,)), Num(BITS - 32)))


def start(lo: Lowering, at: Expr, seed: Expr) -> None:
    """Seed the generator at an address."""
    lo.w.emit(low.StoreLong(at, 0, mixed(lo, seed)))
