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
from interpreter.backends.low.rules.keyed import MIXED
from interpreter.backends.low.trials.draw import FRACTION, SEED, TWISTER
from interpreter.choices.keyed import STEP
from interpreter.core.rng import INCREMENT, MASK_22, MASK_32, MULTIPLIER

NEXT_32, TWIST = "next32", "twist"
SEED_TWISTER = "seed_twister"  # function: seed the twister at an address as `random.seed` does
KEYED = 1 << 16  # in place of how many words were taken: only a key stands there, from which the numbers follow
STATE, MIDDLE = 624, 397  # words of the twister's state, and the distance of those that are mixed
UPPER, LOWER, TURNED = 0x80000000, 0x7FFFFFFF, 0x9908B0DF
WHOLE = Num(1 << 32)
FIRST_SEED, FIRST, SECOND, GROWING = 19650218, 1664525, 1566083941, 1812433253  # of seeding


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
    """Make the next words of the twister at an address."""
    at = Local("at")
    with lo.function(TWIST, ("at",)) as w:

        def state(n: Expr) -> Expr:
            return low.Load(add(at, n))

        def one(n: Expr) -> None:
            following = low.Choice(Op("==", n, Num(STATE - 1)), ZERO, add(n, 1))
            middle = low.Choice(Op(">=", n, Num(STATE - MIDDLE)), add(n, MIDDLE - STATE), add(n, MIDDLE))
            y = w.let(Op("|", _bits(state(n), UPPER), _bits(state(following), LOWER)))
            turned = Op("^", _bits(state(middle), MASK_32), Op(">>u", y, ONE))
            w.store(add(at, n), 0, Op("^", turned, low.Choice(_bits(y, 1), Num(TURNED), ZERO)))

        w.upto(ZERO, Num(STATE), one)
        w.store(at, STATE, ZERO)
        w.give(ZERO)


def _write_twister(lo: Lowering) -> None:
    """The next 32 bits of the twister at an address, or of a generator with a key that stands there."""
    at = Local("at")
    with lo.function(TWISTER, ("at",)) as w:

        def refill() -> None:
            if lo.keyed is not None:
                w.when(Op("==", low.Load(at, STATE), Num(KEYED)), by_keys)
            w.call(TWIST, at)

        def by_keys() -> None:
            state = w.let(Op("+", low.LoadLong(at), Num(signed(STEP))))
            w.emit(low.StoreLong(at, 0, state))
            w.give(Op(">>u", low.Call(MIXED, (state,)), Num(32)))

        w.when(Op(">=", low.Load(at, STATE), Num(STATE)), refill)
        n = w.let(low.Load(at, STATE))
        w.store(at, STATE, add(n, 1))
        y = w.let(_bits(low.Load(add(at, n)), MASK_32))
        y = w.let(Op("^", y, Op(">>u", y, Num(11))))
        y = w.let(Op("^", y, _bits(Op("<<", y, Num(7)), 0x9D2C5680)))
        y = w.let(Op("^", y, _bits(Op("<<", y, Num(15)), 0xEFC60000)))
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
        _put_state(lo, w.let(Op("|", lower, Op("<<", upper, Num(32)))))
        w.give(ZERO)


def write_seeding(lo: Lowering) -> None:
    """Write the function that seeds the twister at an address from a number of 0 or more, as `random.seed` does."""
    start = [FIRST_SEED]
    for n in range(1, STATE):
        start.append((GROWING * (start[-1] ^ start[-1] >> 30) + n) & MASK_32)
    table = lo.memory.words([word - (word >> 31 << 32) for word in start])
    key = lo.memory.room(2)
    at = Local("at")
    with lo.function(SEED_TWISTER, ("at", "seed"), exported=True) as w:
        w.emit(low.Copy(at, Num(table), Num(STATE)))
        w.emit(low.StoreLong(Num(key), 0, Local("seed")))
        length = w.let(add(ONE, Op(">u", Local("seed"), Num(MASK_32))), "length")
        w.set("i", ONE)
        w.set("j", ZERO)
        w.set("before", _bits(low.Load(at), MASK_32))

        def mixed(factor: int) -> Expr:
            turned = Op("^", Local("before"), Op(">>u", Local("before"), Num(30)))
            return Op("^", low.Load(add(at, Local("i"))), Op("*", turned, Num(factor)))

        def put(value: Expr) -> None:
            w.set("before", _bits(value, MASK_32))
            w.store(add(at, Local("i")), 0, Local("before"))
            w.set("i", add(Local("i"), 1))
            w.when(Op(">=", Local("i"), Num(STATE)), wrap)

        def wrap() -> None:
            w.store(at, 0, Local("before"))
            w.set("i", ONE)

        def one(n: Expr) -> None:
            put(Op("+", Op("+", mixed(FIRST), low.Load(Local("j"), key)), Local("j")))
            w.set("j", add(Local("j"), 1))
            w.emit(low.If(Op(">=", Local("j"), length), (low.Set("j", ZERO),)))

        w.upto(ZERO, Num(STATE), one)
        w.upto(ZERO, Num(STATE - 1), lambda n: put(Op("-", mixed(SECOND), Local("i"))))
        w.store(at, 0, Num(1 << 31))
        w.store(at, STATE, Num(STATE))
        w.give(ZERO)
