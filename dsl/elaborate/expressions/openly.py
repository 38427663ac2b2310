"""`openly(V)`: what everybody may learn (docs/manual/16-knowledge.md)."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.scope import Scope, Val
from dsl.syntax import nodes as sx


def openly(elab: Elaboration, node: sx.Expr, scope: Scope, want: Type | None) -> Val:
    """`openly(V)`: V, which everybody may learn; it has the value of V, and tells nothing that is hidden."""
    found = elab.expr(node, scope, want)
    return Val(opened(elab, found.e), found.t)


def opened(elab: Elaboration, e: ir.Expr) -> ir.Expr:
    """A copy of an expression that is marked as open, with its parts where it may be taken apart: another reading of
    the same variable is not open for that."""
    match e:
        case ir.And(items):
            e = ir.And(tuple(opened(elab, item) for item in items))
        case ir.Not(operand):
            e = ir.Not(opened(elab, operand))
        case _:
            e = replace(e)
    elab.findings.opened[id(e)] = e
    return e


def inside(node: sx.Expr) -> sx.Expr:
    """What stands in `openly(...)`, or the node itself."""
    match node:
        case sx.Call(sx.Name("openly"), (argument,)):
            return argument.value
    return node
