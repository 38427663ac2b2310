"""`record H`: a history remembers the state as it is now, and forgets the oldest one where it has no more room."""

from __future__ import annotations

from dsl import ir
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import linear
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Scope
from dsl.elaborate.histories import recorded
from dsl.elaborate.histories.sums import SUM
from dsl.syntax import nodes as sx


def record(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`record H`: H is the name of a history."""
    h = recorded.named(elab, s.operands[0])
    if h is None:
        return
    symbol, (sums, _) = recorded.symbol(h), recorded.functions(elab, h)
    count = ir.Cell(ir.Const(h.base), SUM, symbol)
    place = ir.Arith("mod", count, ir.Const(h.most))
    for n, fn in enumerate(sums):
        at = linear(h.base + 1 + n, [(place, h.sums)])
        ctx.em.emit(ir.Store(at, SUM, ir.CallFn(fn, ()), symbol, s.span))
    ctx.em.emit(ir.Store(ir.Const(h.base), SUM, linear(1, [(count, 1)]), symbol, s.span))
