"""Searches over neighbours: `reach`, the `distance` to what is looked for, and the `nearest` of it."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ERROR, INT, IntType, ListType, MemberType, SetType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, ZERO
from dsl.elaborate.core.scope import Scope, Val, temp_local
from dsl.elaborate.core.types import element_type, fits, suggestion
from dsl.elaborate.expressions.calls import member_count
from dsl.elaborate.expressions.folds import check_new_name, where_clauses
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

WORDS = ("reach", "distance", "nearest")
FORMS = {
    "reach": "reach(x in START, y in NEXT(x) where OPEN cost 1 within BUDGET)",
    "distance": "distance(x in START, y in NEXT(x) to GOAL where OPEN cost 1) or 99",
    "nearest": "nearest(x in START, y in NEXT(x) to GOALS where OPEN cost 1)",
}


def search(elab: Elaboration, node: sx.Fold, scope: Scope, want: object = None, has_default: bool = False) -> Val:
    """A search: `reach` gives all things that can be reached, within at most two budgets; `nearest` those of the goals
    to which a way is shortest; `distance` how long that way is. `has_default`: what it is without a way stands behind
    it."""
    m, word = elab.model, node.word
    if len(node.binders) != 2:
        m.error(
            "RW0438", node.span, f"`{word}` takes two binders, but got {len(node.binders)}", f"write `{FORMS[word]}`"
        )
        return BAD
    begun = things(elab, node.binders[0].domain, node.binders[0], scope, f"`{word}` begins with")
    if begun is None:
        return BAD
    start, elem = begun
    inner = scope.child()
    check_new_name(elab, node.binders[0].name, node.binders[0], scope)
    x = temp_local(m, inner, node.binders[0].name, elem, node.binders[0].span)
    nxt = elab.expr(node.binders[1].domain, inner)
    if not isinstance(nxt.t, SetType) or not fits(m, nxt.t.elem, elem):
        if nxt.t != ERROR:
            m.error("RW0439", node.binders[1].span, f"the neighbours are a `set of {elem}`, and this is `{nxt.t}`")
        return BAD
    y = temp_local(m, inner, node.binders[1].name, elem, node.binders[1].span)
    where, inner = where_clauses(elab, node.clauses, inner)
    costs = budgets(elab, node, scope, inner)
    if word == "reach":
        return Val(ir.Reach(start, x.slot, y.slot, nxt.e, where, costs), SetType(elem))
    to = clause(node, "to")
    if to is None or isinstance(to.args[0], sx.Key):
        m.error("RW0446", node.span, f"`{word}` does not say where it goes", f"write `{FORMS[word]}`")
        return BAD
    goal = elab.expr(to.args[0], scope, elem)
    if isinstance(goal.t, MemberType) and not goal.t.optional and fits(m, goal.t, elem):
        goals: ir.Expr = ir.MakeSet((goal.e,))
    else:
        found = things(elab, to.args[0], to.args[0], scope, f"`{word}` goes to a thing or")
        if found is None:
            return BAD
        goals, other = found
        if not fits(m, other, elem):
            m.error("RW0439", to.args[0].span, f"`{word}` goes from `{elem}` to the same, and this is `set of {other}`")
            return BAD
    e = ir.Reach(start, x.slot, y.slot, nxt.e, where, costs, word, goals)
    if word == "nearest":
        return Val(e, SetType(elem))
    if not has_default:
        m.error(
            "RW0446", node.span, "`distance` does not say what it is where no way leads to the goal",
            f"state it, for instance `{word}(...) or 99`",
        )  # fmt: skip
        return BAD
    return Val(e, IntType(0, 999_999 if costs else member_count(elab, elem)))


def things(elab: Elaboration, node: sx.Expr, at: sx.Node, scope: Scope, what: str) -> tuple[ir.Expr, MemberType] | None:
    """A set of things and their type; None after a message."""
    v = elab.expr(node, scope)
    elem = element_type(v.t)
    if isinstance(elem, MemberType):
        return v.e if not isinstance(v.t, ListType) else ir.ListOp("to_set", (v.e,)), elem
    if v.t != ERROR:
        help = suggestion(v.t, SetType(INT)) or "write `{x}` for one of them"
        elab.model.error("RW0439", at.span, f"{what} a set of things, and this is `{v.t}`", help)
    return None


def budgets(elab: Elaboration, node: sx.Fold, outer: Scope, inner: Scope) -> tuple[tuple[ir.Expr, ir.Expr], ...]:
    """The pairs of a step's cost and the budget that it counts against; only `reach` has budgets."""
    costs: list[tuple[ir.Expr, ir.Expr]] = []
    for c in node.clauses:
        if c.word != "cost":
            continue
        cost, *limits = (arg for arg in c.args if not isinstance(arg, sx.Key))
        if (len(limits) == 1) != (node.word == "reach"):
            has = (
                "names a budget for each cost"
                if node.word == "reach"
                else "has no budget: it looks for the shortest way"
            )
            elab.model.error("RW0447", c.span, f"`{node.word}` {has}", f"write `{FORMS[node.word]}`")
            continue
        budget = elab.number(limits[0], outer).e if limits else ZERO
        costs.append((elab.number(cost, inner).e, budget))
    most = 2 if node.word == "reach" else 1
    if len(costs) > most:
        elab.model.error("RW0440", node.span, f"`{node.word}` has at most {'two budgets' if most == 2 else 'one cost'}")
    return tuple(costs[:most])
