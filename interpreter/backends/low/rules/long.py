"""Long answers."""

from __future__ import annotations

from dsl import ir
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.form.nodes import Expr


def offers(lo: Lowering, site: ir.Site) -> Expr:
    raise Unsupported("a long answer")


def take(lo: Lowering, site: ir.Site, row: Expr, pc: Expr) -> None:
    raise Unsupported("a long answer")
