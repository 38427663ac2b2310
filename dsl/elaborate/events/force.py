"""The `while` conditions that put a rule line in force, and the owner of the card that it stands on, as they are now.

Both are asked of the state, not of an event; `dsl.elaborate.events.noted` says when.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import BOOL, ERROR, MemberType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.scope import Body, Local, Scope, Val
from dsl.elaborate.core.types import need
from dsl.elaborate.expressions import names, operators
from dsl.symbols.symbols import RuleLine
from dsl.symbols.types import kind_of_thing
from dsl.syntax import nodes as sx


def line_scope(t: RuleLine, body: Body) -> Scope:
    """The scope in which the expressions of a line stand."""
    scope = Scope(body)
    scope.this = t.this
    scope.nested = True
    return scope


def while_tests(elab: Elaboration, t: RuleLine, scope: Scope) -> list[ir.Expr]:
    """The `while` conditions; a bare predicate applies to `this`."""
    return [while_test(elab, cond, t.this, scope) for cond in t.conditions]


def while_facts(elab: Elaboration, t: RuleLine) -> frozenset[sx.Expr]:
    """The expressions that the `while` conditions of a line prove not to be none."""
    return frozenset().union(*(operators.proved_facts(elab, cond)[0] for cond in t.conditions))


def while_test(elab: Elaboration, cond: sx.Expr, this: int, scope: Scope) -> ir.Expr:
    """One `while` condition as a test."""
    m = elab.model
    if isinstance(cond, sx.Name) and this and scope.find(cond.id) is None:
        kind = kind_of_thing(m, this)
        found = names.find_attribute(elab, Val(ir.Const(this), kind.type), cond.id, cond.span)
        if isinstance(found, Val):
            return need(m, found, BOOL, cond.span).e
    return elab.test(cond, scope)


def line_owner(elab: Elaboration, t: RuleLine) -> Val | None:
    """The owner of the card that a line stands on; not optional where the line's conditions say so. None for other
    lines."""
    local = owner_local(elab, t.this, Scope(Body(""))) if t.this else None
    if local is None:
        return None
    wheres = (c.args[0] for c in t.decl.clauses if c.word == "where" and not isinstance(c.args[0], sx.Key))
    known = while_facts(elab, t).union(*(operators.proved_facts(elab, w)[0] for w in wheres))
    sure = sx.Name("owner") in known or sx.Attr(sx.Name("this"), "owner") in known
    if sure and isinstance(local.type, MemberType):
        return Val(local.read, MemberType(local.type.domain, local.type.low, local.type.high))
    return Val(local.read, local.type)


def owner_local(elab: Elaboration, this: int, scope: Scope) -> Local | None:
    """The owner of the thing `this` as a local `you`; None where its kind has none."""
    kind = kind_of_thing(elab.model, this)
    if "owner" not in kind.fields and "owner" not in elab.model.values:
        return None
    found = names.find_attribute(elab, Val(ir.Const(this), kind.type), "owner", Span("", 0, 0))
    return Local("you", found.t, found.e) if isinstance(found, Val) and found.t != ERROR else None
