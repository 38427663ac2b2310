"""Random numbers in low code: the generator of the store, and Python's for random play.

That of the store is PCG32 (`interpreter.core.rng`). Python's is the Mersenne Twister, whose state the host copies in
and out, so that the same seed gives the same games on every back end.
"""

from __future__ import annotations

from dsl.program import RNG
from interpreter.backends.low.base.context import GENERATOR, Lowering
from interpreter.backends.low.base.make import ONE, ZERO, Place, add, both, load, scale, word
from interpreter.backends.low.base.memory import MERSENNE
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, signed
from interpreter.backends.low.rules.chance import BELOW
from interpreter.backends.low.trials.draw import FRACTION, SEED, TWISTER
from interpreter.core.rng import INCREMENT, MASK_22, MASK_32, MULTIPLIER

NEXT_32, TWIST = "next32", "twist"
SEED_TWISTER = "seed_twister"  # function: seed the twister at an address as `random.seed` does
STATE, MIDDLE = 624, 397  # words of the twister's state, and the distance of those that are mixed
UPPER, LOWER, MIXED = 0x80000000, 0x7FFFFFFF, 0x9908B0DF
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


def state_words(lo: Lowering) -> Expr:
    """The 64 bits of the generator that lie in three words of the store."""
    high = Op("|", Op("<<", word(RNG + 1), Num(22)), Op("<<", word(RNG + 2), Num(44)))
    return Op("|", word(RNG), high)


def _put_state(lo: Lowering, state: Expr) -> None:
    """Set the 64 bits of the generator of the store, wherever they lie."""
    if lo.whole:
        lo.w.emit(low.SetGlobal(GENERATOR, state))
    else:
        put_words(lo, state)


def put_words(lo: Lowering, state: Expr) -> None:
    """Write the 64 bits of the generator into its three words."""
    lo.w.put(RNG, _bits(state, MASK_22))
    lo.w.put(RNG + 1, _bits(Op(">>u", state, Num(22)), MASK_22))
    lo.w.put(RNG + 2, Op(">>u", state, Num(44)))


def _write_next(lo: Lowering) -> None:
    """The next 32 bits of the generator of the store."""
    with lo.function(NEXT_32, ()) as w:
        old = w.let(Global(GENERATOR) if lo.whole else state_words(lo))
        new = w.let(Op("+", Op("*", old, Num(signed(MULTIPLIER))), Num(signed(INCREMENT))))
        _put_state(lo, new)
        mixed = w.let(_bits(Op(">>u", Op("^", Op(">>u", old, Num(18)), old), Num(27)), MASK_32))
        twice = Op("|", mixed, Op("<<", mixed, Num(32)))
        w.give(_bits(Op(">>u", twice, Op(">>u", old, Num(59))), MASK_32))


def _write_below(lo: Lowering) -> None:
    """A number from 0 to below n, all equally likely; n is from 1 to 2^32."""
    n = Local("n")
    with lo.function(BELOW, ("n",)) as w:
        w.set("drawn", low.Call(NEXT_32))
        product = Op(">>u", Op("*", Local("drawn"), n), Num(32))
        w.emit(low.If(low.Not(Op("&", n, add(n, -1))), (low.Return(product),)))

        def near_the_end() -> None:
            end = w.let(Op("-", WHOLE, Op("%u", WHOLE, n)))

            def again(label: str) -> None:
                w.leave_if(Op("<", Local("drawn"), end), label)
                w.set("drawn", low.Call(NEXT_32))

            w.loop(again)

        w.when(Op(">=", Local("drawn"), Op("-", WHOLE, n)), near_the_end)
        w.give(Op("%u", Local("drawn"), n))


def _write_twist(lo: Lowering) -> None:
    """Make the next words of the twister at an address. Python's is kept first as it is, once in a game."""
    at = Local("at")
    memory = lo.memory
    with lo.function(TWIST, ("at",)) as w:

        def keep() -> None:
            w.emit(low.Copy(Num(memory.before), Num(memory.mersenne), Num(STATE)))
            w.put(memory.before + MERSENNE, ONE)

        own = Op("==", at, Num(memory.mersenne))
        w.when(both(own, low.Not(word(memory.before + MERSENNE))), keep)

        def state(n: Expr, further: int) -> Expr:
            return load(Place(add(at, n), further))

        def one(n: Expr, following: int, middle: int) -> None:
            y = w.let(Op("|", _bits(state(n, 0), UPPER), _bits(state(n, following), LOWER)))
            turned = Op("^", _bits(state(n, middle), MASK_32), Op(">>u", y, ONE))
            w.store(add(at, n), 0, Op("^", turned, _bits(Op("-", ZERO, _bits(y, 1)), MIXED)))

        def part(first: int, end: int, middle: int) -> None:
            w.upto(Num(first), Num(end), lambda n: one(n, 1, middle))

        part(0, STATE - MIDDLE, MIDDLE)
        part(STATE - MIDDLE, STATE - 1, MIDDLE - STATE)
        one(Num(STATE - 1), 1 - STATE, MIDDLE - STATE)
        w.store(at, STATE, ZERO)
        w.give(ZERO)


def _tempered(lo: Lowering, drawn: Expr) -> Expr:
    """What the twister gives for a word of its state."""
    w = lo.w
    y = w.let(_bits(drawn, MASK_32))
    y = w.let(Op("^", y, Op(">>u", y, Num(11))))
    y = w.let(Op("^", y, _bits(Op("<<", y, Num(7)), 0x9D2C5680)))
    y = w.let(Op("^", y, _bits(Op("<<", y, Num(15)), 0xEFC60000)))
    return Op("^", y, Op(">>u", y, Num(18)))


def _write_twister(lo: Lowering) -> None:
    """The next 32 bits of the twister at an address."""
    at = Local("at")
    with lo.function(TWISTER, ("at",)) as w:
        w.emit(low.If(Op(">=", low.Load(at, STATE), Num(STATE)), (low.Do(low.Call(TWIST, (at,))),)))
        n = w.let(low.Load(at, STATE))
        w.store(at, STATE, add(n, 1))
        w.give(_tempered(lo, low.Load(add(at, n))))


def _write_fraction(lo: Lowering) -> None:
    """53 random bits, as `random()` takes them."""
    own = lo.memory.mersenne
    with lo.function(FRACTION, ()) as w:
        n = w.let(word(own + STATE))

        def two() -> None:
            w.put(own + STATE, add(n, 2))
            upper = w.let(Op(">>u", _tempered(lo, low.Load(n, own)), Num(5)))
            lower = w.let(Op(">>u", _tempered(lo, low.Load(n, own + 1)), Num(6)))
            w.give(Op("+", scale(upper, 1 << 26), lower))

        w.when(Op("<", n, Num(STATE - 1)), two)
        upper = w.let(Op(">>u", low.Call(TWISTER, (Num(own),)), Num(5)))
        lower = w.let(Op(">>u", low.Call(TWISTER, (Num(own),)), Num(6)))
        w.give(Op("+", scale(upper, 1 << 26), lower))


def _write_seed(lo: Lowering) -> None:
    """Give the generator of the store 64 random bits of the twister at an address, as `getrandbits(64)` takes them."""
    at = (Local("at"),)
    with lo.function(SEED, ("at",)) as w:
        lower = w.let(low.Call(TWISTER, at))
        upper = w.let(low.Call(TWISTER, at))
        _put_state(lo, w.let(Op("|", lower, Op("<<", upper, Num(32)))))
        w.give(ZERO)


def note_beginning(lo: Lowering) -> None:
    """Note where Python's generator stands at the beginning of a game, so that the host can play it again."""
    memory = lo.memory
    lo.w.put(memory.before + STATE, word(memory.mersenne + STATE))
    lo.w.put(memory.before + MERSENNE, ZERO)


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
