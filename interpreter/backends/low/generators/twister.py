"""Python's generator, the Mersenne Twister, for `playouts`: the host copies its state in and out, so that the same seed
gives the same games on every back end.
"""

from __future__ import annotations

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.generators.store import bits, put_state
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.core.rng import MASK_32

TWISTER, TWIST, SEED = "twister", "twist", "seed"
"""Functions of the twister at an address: 32 bits; its next words; 64 bits for the generator of the store."""

STATE, MIDDLE = 624, 397  # words of the twister's state, and the distance of those that are mixed
UPPER, LOWER, MIXED = 0x80000000, 0x7FFFFFFF, 0x9908B0DF


def write(lo: Lowering) -> None:
    _write_twist(lo)
    _write_twister(lo)
    _write_fraction(lo)
    _write_seed(lo)


def _write_twist(lo: Lowering) -> None:
    """Make the next words of the twister at an address."""
    at = Local("at")
    with lo.function(TWIST, ("at",)) as w:

        def state(n: Expr) -> Expr:
            return low.Load(add(at, n))

        def one(n: Expr) -> None:
            following = low.Choice(Op("==", n, Num(STATE - 1)), ZERO, add(n, 1))
            middle = low.Choice(Op(">=", n, Num(STATE - MIDDLE)), add(n, MIDDLE - STATE), add(n, MIDDLE))
            y = w.let(Op("|", bits(state(n), UPPER), bits(state(following), LOWER)))
            turned = Op("^", bits(state(middle), MASK_32), Op(">>u", y, ONE))
            w.store(add(at, n), 0, Op("^", turned, low.Choice(bits(y, 1), Num(MIXED), ZERO)))

        w.upto(ZERO, Num(STATE), one)
        w.store(at, STATE, ZERO)
        w.give(ZERO)


def _write_twister(lo: Lowering) -> None:
    """The next 32 bits of the twister at an address."""
    at = Local("at")
    with lo.function(TWISTER, ("at",)) as w:
        w.emit(low.If(Op(">=", low.Load(at, STATE), Num(STATE)), (low.Do(low.Call(TWIST, (at,))),)))
        n = w.let(low.Load(at, STATE))
        w.store(at, STATE, add(n, 1))
        y = w.let(bits(low.Load(add(at, n)), MASK_32))
        y = w.let(Op("^", y, Op(">>u", y, Num(11))))
        y = w.let(Op("^", y, bits(Op("<<", y, Num(7)), 0x9D2C5680)))
        y = w.let(Op("^", y, bits(Op("<<", y, Num(15)), 0xEFC60000)))
        w.give(Op("^", y, Op(">>u", y, Num(18))))


def _write_fraction(lo: Lowering) -> None:
    """53 random bits, as `random()` takes them."""
    with lo.function(FRACTION, ()) as w:
        own = (Num(lo.memory.mersenne),)
        upper = w.let(Op(">>u", low.Call(TWISTER, own), Num(5)))
        lower = w.let(Op(">>u", low.Call(TWISTER, own), Num(6)))
        w.give(Op("+", scale(upper, 1 << 26), lower))


def _write_seed(lo: Lowering) -> None:
    """Give the generator of the store 64 random bits of the twister at an address, as `getrandbits(64)` takes them."""
    at = (Local("at"),)
    with lo.function(SEED, ("at",)) as w:
        lower = w.let(low.Call(TWISTER, at))
        upper = w.let(low.Call(TWISTER, at))
        put_state(lo, w.let(Op("|", lower, Op("<<", upper, Num(32)))))
        w.give(ZERO)
