"""Random numbers in low code: the generator of the store, and Python's for random play.

That of the store is PCG32 (`interpreter.core.rng`). Python's is the Mersenne Twister, whose state the host copies in
and out, so that the same seed gives the same games on every back end.
"""

from __future__ import annotations

from dsl.program import RNG
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, scale, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, signed
from interpreter.backends.low.rules.chance import BELOW
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.core.rng import INCREMENT, MASK_22, MASK_32, MULTIPLIER

NEXT_32, TWIST, TWISTER, SEED = "next32", "twist", "twister", "seed"
STATE, MIDDLE = 624, 397  # words of the twister's state, and the distance of those that are mixed
UPPER, LOWER, MIXED = 0x80000000, 0x7FFFFFFF, 0x9908B0DF
WHOLE = Num(1 << 32)


def write(lo: Lowering) -> None:
    _write_next(lo)
    _write_below(lo)
    _write_twist(lo)
    _write_twister(lo)
    _write_fraction(lo)
    _write_seed(lo)


def _bits(e: Expr, mask: int) -> Expr:
    return Op("&", e, Num(mask))


def _put_state(lo: Lowering, state: Expr) -> None:
    """Write the 64 bits of the generator into its three words."""
    lo.w.put(RNG, _bits(state, MASK_22))
    lo.w.put(RNG + 1, _bits(Op(">>u", state, Num(22)), MASK_22))
    lo.w.put(RNG + 2, Op(">>u", state, Num(44)))


def _write_next(lo: Lowering) -> None:
    """The next 32 bits of the generator of the store."""
    with lo.function(NEXT_32, ()) as w:
        high = Op("|", Op("<<", word(RNG + 1), Num(22)), Op("<<", word(RNG + 2), Num(44)))
        old = w.let(Op("|", word(RNG), high))
        new = w.let(Op("+", Op("*", old, Num(signed(MULTIPLIER))), Num(signed(INCREMENT))))
        _put_state(lo, new)
        mixed = w.let(_bits(Op(">>u", Op("^", Op(">>u", old, Num(18)), old), Num(27)), MASK_32))
        twice = Op("|", mixed, Op("<<", mixed, Num(32)))
        w.give(_bits(Op(">>u", twice, Op(">>u", old, Num(59))), MASK_32))


def _write_below(lo: Lowering) -> None:
    """A number from 0 to below n, all equally likely; n is from 1 to 2^32."""
    with lo.function(BELOW, ("n",)) as w:
        tail = w.let(Op("%u", WHOLE, Local("n")))
        w.set("drawn", low.Call(NEXT_32))
        product = Op(">>u", Op("*", Local("drawn"), Local("n")), Num(32))
        w.emit(low.If(low.Not(tail), (low.Return(product),)))

        def again(label: str) -> None:
            w.leave_if(Op("<", Local("drawn"), Op("-", WHOLE, tail)), label)
            w.set("drawn", low.Call(NEXT_32))

        w.loop(again)
        w.give(Op("%u", Local("drawn"), Local("n")))


def _write_twist(lo: Lowering) -> None:
    """Make the next words of the twister."""
    at = lo.memory.mersenne
    with lo.function(TWIST, ()) as w:

        def one(n: Expr) -> None:
            following = low.Choice(Op("==", n, Num(STATE - 1)), ZERO, add(n, 1))
            middle = low.Choice(Op(">=", n, Num(STATE - MIDDLE)), add(n, MIDDLE - STATE), add(n, MIDDLE))
            y = w.let(Op("|", _bits(low.Load(n, at), UPPER), _bits(low.Load(following, at), LOWER)))
            turned = Op("^", _bits(low.Load(middle, at), MASK_32), Op(">>u", y, ONE))
            w.store(n, at, Op("^", turned, low.Choice(_bits(y, 1), Num(MIXED), ZERO)))

        w.upto(ZERO, Num(STATE), one)
        w.put(at + STATE, ZERO)
        w.give(ZERO)


def _write_twister(lo: Lowering) -> None:
    """The next 32 bits of the twister."""
    at = lo.memory.mersenne
    with lo.function(TWISTER, ()) as w:
        w.emit(low.If(Op(">=", word(at + STATE), Num(STATE)), (low.Do(low.Call(TWIST)),)))
        n = w.let(word(at + STATE))
        w.put(at + STATE, add(n, 1))
        y = w.let(_bits(low.Load(n, at), MASK_32))
        y = w.let(Op("^", y, Op(">>u", y, Num(11))))
        y = w.let(Op("^", y, _bits(Op("<<", y, Num(7)), 0x9D2C5680)))
        y = w.let(Op("^", y, _bits(Op("<<", y, Num(15)), 0xEFC60000)))
        w.give(Op("^", y, Op(">>u", y, Num(18))))


def _write_fraction(lo: Lowering) -> None:
    """53 random bits, as `random()` takes them."""
    with lo.function(FRACTION, ()) as w:
        upper = w.let(Op(">>u", low.Call(TWISTER), Num(5)))
        lower = w.let(Op(">>u", low.Call(TWISTER), Num(6)))
        w.give(Op("+", scale(upper, 1 << 26), lower))


def _write_seed(lo: Lowering) -> None:
    """Give the generator of the store 64 random bits, as `getrandbits(64)` takes them."""
    with lo.function(SEED, ()) as w:
        lower = w.let(low.Call(TWISTER))
        upper = w.let(low.Call(TWISTER))
        _put_state(lo, w.let(Op("|", lower, Op("<<", upper, Num(32)))))
        w.give(ZERO)
