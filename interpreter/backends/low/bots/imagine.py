"""A position as a seat may imagine it, compiled from `interpreter.choices.redeal`."""

from __future__ import annotations

from interpreter.backends.low.base.context import SEERS, TOP_SEERS, Lowering
from interpreter.backends.low.base.make import ZERO, bit
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr
from interpreter.backends.low.generators.store import STORE
from interpreter.backends.low.kernel.context import Host
from interpreter.backends.low.kernel.functions import write as write_kernel
from interpreter.choices.redeal import alike_backs, hidden_zones, redeal

IMAGINE = "bot_imagine"
"""Function: make the store what a seat may imagine, with the generator at an address."""


class LowSight(Host):
    """What may be known of the store (`interpreter.choices.redeal.Sight`)."""

    def __init__(self, lo: Lowering) -> None:
        super().__init__(lo)
        self.zones, self.backs = hidden_zones(lo.program), alike_backs(lo.program)

    def sees(self, zone: Expr, seat: Expr) -> Expr:
        return bit(low.Call(SEERS, (zone,)), seat)

    def sees_top(self, zone: Expr, seat: Expr) -> Expr:
        return bit(low.Call(TOP_SEERS, (zone,)), seat)

    def was_shown(self, thing: Expr, seat: Expr) -> Expr:
        known = self.lo.program.known_base
        return bit(low.Load(thing, known), seat) if known else ZERO


def write(lo: Lowering) -> None:
    write_kernel(lo, redeal, IMAGINE, sight=LowSight(lo), store=STORE)
