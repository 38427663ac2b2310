"""`let x = V`, in routines and in the blocks of values: the name, and the type that it gets."""

from __future__ import annotations

from dsl.base.types import ERROR, NoneType, SetType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD
from dsl.elaborate.core.scope import Scope, Val
from dsl.elaborate.core.types import need
from dsl.elaborate.expressions.folds import check_new_name
from dsl.symbols.types import type_of
from dsl.syntax import nodes as sx


def let_value(elab: Elaboration, node: sx.Let, scope: Scope) -> Val:
    """What a new name stands for, with the type that was declared or else that of its value. A message for a name that
    is taken, and for a type that cannot be known."""
    m = elab.model
    check_new_name(elab, node.name, node, scope)
    declared = type_of(m, node.type) if node.type is not None else None
    v = elab.expr(node.value, scope, declared)
    if declared is not None:
        v = need(m, v, declared, node.value.span)
    t: Type = declared or v.t
    if isinstance(t, NoneType):
        wanted = "`none`", f"write `let {node.name}: TYPE or none = none`"
    elif isinstance(t, SetType) and t.elem == ERROR and v.t != ERROR:
        wanted = "`{}`", f"write `let {node.name}: set of TYPE = {{}}`"
    else:
        return Val(v.e, t)
    m.error("RW0606", node.span, f"the type of `{node.name}` cannot be inferred from {wanted[0]}", wanted[1])
    return BAD
