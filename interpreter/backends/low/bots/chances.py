"""Random numbers of bots: what the methods of Python's `random.Random` give, with the same draws."""

from __future__ import annotations

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Local, Num, Op
from interpreter.backends.low.trials.draw import TWISTER

BELOW, MIX = "bot_below", "bot_mix"
"""Functions of a generator at an address: a number below n, as `randrange`; the order of a list at an address, as
`shuffle`."""


def write(lo: Lowering) -> None:
    with lo.function(BELOW, ("at", "n")) as w:
        w.set("cut", Num(32))
        w.set("left", Local("n"))

        def halve(label: str) -> None:
            w.leave_if(low.Not(Local("left")), label)
            w.set("left", Op(">>u", Local("left"), Num(1)))
            w.set("cut", add(Local("cut"), -1))

        w.loop(halve)

        def draw(label: str) -> None:
            w.set("drawn", Op(">>u", low.Call(TWISTER, (Local("at"),)), Local("cut")))
            w.leave_if(Op("<", Local("drawn"), Local("n")), label)

        w.loop(draw)
        w.give(Local("drawn"))
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
