"""`max(...) or N`, `min(...) or N` and `distance(...) or N`: what they are of nothing."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import ERROR, INT, BoolType, IntType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD
from dsl.elaborate.core.scope import Scope, Val
from dsl.elaborate.core.types import need
from dsl.elaborate.expressions import folds, operators, reach
from dsl.syntax import nodes as sx

NOTHING = INT.low - 1  # no number of a ruleset


def is_extreme(node: sx.Expr) -> bool:
    """Whether an expression is a `max`, `min` or `distance`."""
    return isinstance(node, sx.Fold) and node.word in ("max", "min", "distance")


def fold(elab: Elaboration, node: sx.Fold, scope: Scope, want: Type | None) -> Val:
    """A fold or a search, behind which nothing says what it is of nothing."""
    return fold_or_search(elab, node, scope, want, False)


def fold_or_search(elab: Elaboration, node: sx.Fold, scope: Scope, want: Type | None, has_default: bool) -> Val:
    make = reach.search if node.word in reach.WORDS else folds.fold
    return make(elab, node, scope, want, has_default)


def boolean(elab: Elaboration, node: sx.Bool, scope: Scope, want: Type | None) -> Val:
    """`max(...) or N`, a number; else `P and Q` or `P or Q`."""
    if node.op == "or" and is_extreme(node.items[0]):
        return with_default(elab, node, scope)
    return operators.boolean(elab, node, scope, want)


def with_default(elab: Elaboration, node: sx.Bool, scope: Scope) -> Val:
    """The first of some `max` or `min` that has members, else the number at the end."""
    *extremes, last = node.items
    done = elab.expr(last, scope)
    if isinstance(done.t, BoolType):
        message = (
            f"behind the `or` of `max` and `min` stands a number, and `{elab.model.text(last.span)}` is `{done.t}`"
        )
        elab.model.error("RW0445", last.span, message, "put the whole in brackets: `(max(...) or 0) > 3`")
        return BAD
    done = need(elab.model, done, INT, last.span)
    for item in reversed(extremes):
        if not is_extreme(item):
            text = elab.model.text(item.span)
            message = f"before an `or` behind `max` and `min` stands another of them, and this is `{text}`"
            elab.model.error("RW0445", item.span, message, "put the `max(...) or N` in brackets")
            return BAD
        assert isinstance(item, sx.Fold)
        found = fold_or_search(elab, item, scope, INT, True)
        if found.t == ERROR or done.t == ERROR or not isinstance(found.e, ir.Fold | ir.Reach):
            return BAD
        assert isinstance(found.t, IntType) and isinstance(done.t, IntType)
        t = IntType(min(found.t.low, done.t.low), max(found.t.high, done.t.high))
        if isinstance(done.e, ir.Const):
            done = Val(replace(found.e, empty=done.e.value), t)
            continue
        slot = scope.body.temp()
        nothing = ir.Compare("==", ir.Temp(slot), ir.Const(NOTHING))
        e = ir.Let(slot, replace(found.e, empty=NOTHING), ir.If(nothing, done.e, ir.Temp(slot)))
        done = Val(e, t)
    return done
