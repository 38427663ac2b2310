"""What a `total` adds up for one member: a weight times its amount, or any number made of both."""

from __future__ import annotations

from dsl import ir
from dsl.elaborate.core.build import ONE
from dsl.ir.walk import free


def per_unit(e: ir.Expr, amount: int) -> ir.Expr | None:
    """The weight w of an expression that is w times the temp `amount`; None if it is of another form."""
    match e:
        case ir.Temp(slot) if slot == amount:
            return ONE
        case ir.Linear(0, ((term, stride),)) if (w := per_unit(term, amount)) is not None:
            return _product(w, ir.Const(stride))
        case ir.Arith("*", left, right):
            for a, b in ((left, right), (right, left)):
                if amount not in free(b) and (w := per_unit(a, amount)) is not None:
                    return _product(w, b)
    return None


def _product(a: ir.Expr, b: ir.Expr) -> ir.Expr:
    if ONE in (a, b):
        return b if a == ONE else a
    return ir.Arith("*", a, b)
