"""Python's generator, the Mersenne Twister, for `playouts`: the host copies its state in and out, so that the same seed
gives the same games on every back end.
"""

from __future__ import annotations

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, both, load, scale, word
from interpreter.backends.low.base.memory import MERSENNE
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.generators.store import bits, put_state
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.core.rng import MASK_32

TWISTER, TWIST, SEED = "twister", "twist", "seed"
"""Functions of the twister at an address: 32 bits; its next words; 64 bits for the generator of the store."""

STATE, MIDDLE = 624, 397  # words of the twister's state, and the distance of those that are mixed
UPPER, LOWER, MIXED = 0x80000000, 0x7FFFFFFF, 0x9908B0DF


def write(lo: Lowering, fraction: str = FRACTION) -> None:
    """`fraction`: the name of the function that draws answers."""
    _write_twist(lo)
    _write_twister(lo)
    _write_fraction(lo, fraction)
    _write_seed(lo)


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
            return load(WordsAt(add(at, n), further))

        def one(n: Expr, following: int, middle: int) -> None:
            y = w.let(Op("|", bits(state(n, 0), UPPER), bits(state(n, following), LOWER)))
            turned = Op("^", bits(state(n, middle), MASK_32), Op(">>u", y, ONE))
            w.store(add(at, n), 0, Op("^", turned, bits(Op("-", ZERO, bits(y, 1)), MIXED)))

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
    y = w.let(bits(drawn, MASK_32))
    y = w.let(Op("^", y, Op(">>u", y, Num(11))))
    y = w.let(Op("^", y, bits(Op("<<", y, Num(7)), 0x9D2C5680)))
    y = w.let(Op("^", y, bits(Op("<<", y, Num(15)), 0xEFC60000)))
    return Op("^", y, Op(">>u", y, Num(18)))


def _write_twister(lo: Lowering) -> None:
    """The next 32 bits of the twister at an address."""
    at = Local("at")
    with lo.function(TWISTER, ("at",)) as w:
        w.emit(low.If(Op(">=", low.Load(at, STATE), Num(STATE)), (low.Do(low.Call(TWIST, (at,))),)))
        n = w.let(low.Load(at, STATE))
        w.store(at, STATE, add(n, 1))
        w.give(_tempered(lo, low.Load(add(at, n))))


def _write_fraction(lo: Lowering, name: str) -> None:
    """53 random bits, as `random()` takes them."""
    own = lo.memory.mersenne
    with lo.function(name, ()) as w:
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
        put_state(lo, w.let(Op("|", lower, Op("<<", upper, Num(32)))))
        w.give(ZERO)


def note_beginning(lo: Lowering) -> None:
    """Note where Python's generator stands at the beginning of a game, so that the host can play it again."""
    memory = lo.memory
    lo.w.put(memory.before + STATE, word(memory.mersenne + STATE))
    lo.w.put(memory.before + MERSENNE, ZERO)
