"""The table of the room: which function gives the value of which node.

All take the context, the node, the scope and the type that is wanted, which decides what a name means; they give
a value, or a zone that has not been read.
"""

from __future__ import annotations

from collections.abc import Mapping

from dsl.elaborate.context import Expression
from dsl.elaborate.expressions import calls, extremes, names, operators, sets
from dsl.syntax import nodes as sx

EXPRESSIONS: Mapping[type, Expression] = {
    sx.Num: operators.num,
    sx.Name: names.name,
    sx.Attr: names.attr,
    sx.Index: calls.index,
    sx.Call: calls.call,
    sx.Unary: operators.unary,
    sx.Binary: operators.binary,
    sx.Compare: operators.compare,
    sx.Bool: extremes.boolean,
    sx.Cond: operators.cond,
    sx.SetLit: sets.set_literal,
    sx.RangeExpr: sets.number_range,
    sx.Fold: extremes.fold,
    sx.Text: operators.text,
    sx.AnyOf: operators.any_of,
}
