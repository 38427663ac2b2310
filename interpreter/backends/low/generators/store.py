"""The generator of the store, PCG32, as `interpreter.core.rng` has it: chance is drawn with it."""

from __future__ import annotations

from dsl.program import RNG
from interpreter.backends.low.base.context import GENERATOR, Lowering
from interpreter.backends.low.base.make import add, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, signed
from interpreter.backends.low.rules.chance import BELOW
from interpreter.backends.low.rules.keyed import mixed
from interpreter.core.rng import INCREMENT, MASK_22, MASK_32, MULTIPLIER

NEXT_32 = "next32"
WHOLE = Num(1 << 32)


def write(lo: Lowering) -> None:
    _write_next(lo)
    with lo.function(BELOW, ("n",)):
        below(lo, low.Call(NEXT_32))


def bits(e: Expr, mask: int) -> Expr:
    """The bits of a number that a mask has."""
    return Op("&", e, Num(mask))


def state_words(lo: Lowering) -> Expr:
    """The 64 bits of the generator that lie in three words of the store."""
    high = Op("|", Op("<<", word(RNG + 1), Num(22)), Op("<<", word(RNG + 2), Num(44)))
    return Op("|", word(RNG), high)


def put_state(lo: Lowering, state: Expr) -> None:
    """Set the 64 bits of the generator, wherever they lie."""
    if lo.whole:
        lo.w.emit(low.SetGlobal(GENERATOR, state))
    else:
        put_words(lo, state)


def put_words(lo: Lowering, state: Expr) -> None:
    """Write the 64 bits of the generator into its three words."""
    lo.w.put(RNG, bits(state, MASK_22))
    lo.w.put(RNG + 1, bits(Op(">>u", state, Num(22)), MASK_22))
    lo.w.put(RNG + 2, Op(">>u", state, Num(44)))


def seed_store(lo: Lowering, number: Expr) -> None:
    """Seed the generator, as `rng.seed` does, from a number from 0 on."""
    put_state(lo, mixed(lo, mixed(lo, number)))


def stepped(state: Expr) -> Expr:
    """The state that follows."""
    return Op("+", Op("*", state, Num(signed(MULTIPLIER))), Num(signed(INCREMENT)))


def drawn(lo: Lowering, state: Expr) -> Expr:
    """The 32 bits that a state gives."""
    mixed = lo.w.let(bits(Op(">>u", Op("^", Op(">>u", state, Num(18)), state), Num(27)), MASK_32))
    twice = Op("|", mixed, Op("<<", mixed, Num(32)))
    return bits(Op(">>u", twice, Op(">>u", state, Num(59))), MASK_32)


def below(lo: Lowering, draw: Expr) -> None:
    """The body of a function of `n`, from 1 to 2^32: a number from 0 to below n, all equally likely, made of the 32
    bits that `draw` gives each time."""
    w, n = lo.w, Local("n")
    w.set("drawn", draw)
    product = Op(">>u", Op("*", Local("drawn"), n), Num(32))
    w.emit(low.If(low.Not(Op("&", n, add(n, -1))), (low.Return(product),)))

    def near_the_end() -> None:
        end = w.let(Op("-", WHOLE, Op("%u", WHOLE, n)))

        def again(label: str) -> None:
            w.leave_if(Op("<", Local("drawn"), end), label)
            w.set("drawn", draw)

        w.loop(again)

    w.when(Op(">=", Local("drawn"), Op("-", WHOLE, n)), near_the_end)
    w.give(Op("%u", Local("drawn"), n))


def _write_next(lo: Lowering) -> None:
    """The next 32 bits."""
    with lo.function(NEXT_32, ()) as w:
        old = w.let(Global(GENERATOR) if lo.whole else state_words(lo))
        put_state(lo, w.let(stepped(old)))
        w.give(drawn(lo, old))
