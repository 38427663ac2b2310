"""The generators of bots and of random games, as `interpreter.choices.generator` has them: 64 bits at an address."""

from __future__ import annotations

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.generators.store import below, drawn, put_state, stepped
from interpreter.backends.low.rules.keyed import mixed
from interpreter.backends.low.trials.draw import BITS, FRACTION

STATE = 2  # words of a generator
NEXT, BELOW, MIX, RESEED = "bot_next", "bot_below", "bot_mix", "bot_reseed"
"""Functions of a generator at an address: 32 bits; a number below n; the order of a list at an address; a new state for
the generator of the store."""


def write(lo: Lowering) -> None:
    at = Local("at")
    with lo.function(NEXT, ("at",)) as w:
        old = w.let(low.LoadLong(at))
        w.emit(low.StoreLong(at, 0, stepped(old)))
        w.give(drawn(lo, old))
    with lo.function(BELOW, ("at", "n")):
        below(lo, low.Call(NEXT, (at,)))
    with lo.function(RESEED, ("at",)) as w:
        lower = w.let(low.Call(NEXT, (at,)))
        put_state(lo, w.let(Op("|", lower, Op("<<", low.Call(NEXT, (at,)), Num(32)))))
        w.give(ZERO)
    _write_mix(lo)


def _write_mix(lo: Lowering) -> None:
    with lo.function(MIX, ("at", "items", "count")) as w:
        w.set("i", Local("count"))

        def one(label: str) -> None:
            w.leave_if(Op("<=", Local("i"), Num(1)), label)
            other = w.let(add(low.Call(BELOW, (Local("at"), Local("i"))), Local("items")))
            w.set("i", add(Local("i"), -1))
            own = w.let(add(Local("i"), Local("items")))
            held = w.let(low.Load(own))
            w.store(own, 0, low.Load(other))
            w.store(other, 0, held)

        w.loop(one)
        w.give(ZERO)


def write_fraction(lo: Lowering, at: Expr, name: str = FRACTION) -> None:
    """Write the function of this name that draws answers of a random game, with the generator at an address."""
    with lo.function(name, ()) as w:
        w.give(Op("<<", low.Call(NEXT, (at,)), Num(BITS - 32)))


def start(lo: Lowering, at: Expr, seed: Expr) -> None:
    """Seed the generator at an address."""
    lo.w.emit(low.StoreLong(at, 0, mixed(lo, seed)))
