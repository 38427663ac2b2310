"""The order of the seats round the table: `next(p)`, `previous(p)`, `seats from p`."""

from __future__ import annotations

from dsl import ir
from dsl import program as pg
from dsl.base.types import ERROR, INT, ListType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, linear
from dsl.elaborate.core.scope import Scope, Val
from dsl.elaborate.core.types import need
from dsl.syntax import nodes as sx

WORDS = ("next", "previous", "seats from")


def around(elab: Elaboration, word: str, node: sx.Expr, scope: Scope) -> Val:
    """The seat after or before a seat, or all seats in their order with this one as the first. Seats at the table have
    the numbers from 1 on."""
    seat = elab.model.kinds["Seat"].type
    p = need(elab.model, elab.expr(node, scope, seat), seat, node.span)
    if p.t == ERROR:
        return BAD
    seats = ir.Cell(ir.Const(pg.SEATS), INT)
    if word == "next":
        return Val(linear(1, [(ir.Arith("mod", p.e, seats), 1)]), seat)
    if word == "previous":
        return Val(linear(1, [(ir.Arith("mod", linear(-2, [(p.e, 1)]), seats), 1)]), seat)
    rest = ir.ListOp("to_list", (ir.RangeSet(ir.Const(1), linear(-1, [(p.e, 1)])),))
    first = ir.ListOp("to_list", (ir.RangeSet(p.e, seats),))
    return Val(ir.ListOp("concat", (first, rest)), ListType(seat, seat.high))
