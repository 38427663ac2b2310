"""Sets that are written out, and what is in a set, a list, a zone or a range."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import (
    BOOL,
    ERROR,
    INT,
    MOST_IN_SET,
    ErrorType,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    Type,
)
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, ZERO, conj, member_of_set
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.core.types import element_type, fits, join, need, overlap, suggestion
from dsl.elaborate.expressions import zones
from dsl.syntax import nodes as sx


def set_literal(elab: Elaboration, node: sx.SetLit, scope: Scope, want: Type | None) -> Val:
    """`{a, b}`."""
    inner = element_type(want) if want is not None else None
    if not node.items:
        return Val(ZERO, want if isinstance(want, SetType) else SetType(inner or ERROR))
    return set_of_values(elab, node, [elab.expr(i, scope, inner) for i in node.items], scope)


def set_of_values(elab: Elaboration, node: sx.SetLit, vals: list[Val], scope: Scope) -> Val:
    """`{a, b}`, whose members have these values."""
    items = node.items
    t: Type = vals[0].t
    for v, i in zip(vals[1:], items[1:], strict=True):
        joined = join(elab.model, t, v.t)
        if joined is None:
            elab.model.error("RW0406", i.span, f"this set holds `{t}`, and `{elab.model.text(i.span)}` is `{v.t}`")
            return BAD
        t = joined
    t = member_of_set(t)
    if isinstance(t, (SetType, ListType, MapType)):
        elab.model.error("RW0216", node.span, "a set of sets does not exist", "join sets with `+`")
        return BAD
    if all(isinstance(v.e, ir.Const) for v in vals):
        mask = 0
        for v, i in zip(vals, items, strict=True):
            assert isinstance(v.e, ir.Const)
            if report_outside_of_set(elab, v, i):
                return BAD
            mask |= (1 << v.e.value) & ~1 if isinstance(t, MemberType) else 1 << v.e.value
        return Val(ir.Const(mask), SetType(t))
    return Val(set_of([v.e for v in vals], t, scope), SetType(t))


def set_of(items: list[ir.Expr], t: Type, scope: Scope) -> ir.Expr:
    """The set of these items. Among things 0 is none, which adds nothing; among numbers it is a member like any
    other."""
    if isinstance(t, MemberType) or isinstance(t, IntType) and t.low > 0:
        return ir.MakeSet(tuple(items))
    found, *others = (worked_out_once(item, scope, lambda x: ir.RangeSet(x, x)) for item in items)
    for other in others:
        found = ir.Arith("|", found, other)
    return found


def report_outside_of_set(elab: Elaboration, v: Val, node: sx.Expr) -> bool:
    """Whether a constant is no number that a set can hold, which is reported."""
    if not isinstance(v.e, ir.Const) or not isinstance(v.t, IntType) or 0 <= v.e.value <= MOST_IN_SET:
        return False
    elab.model.error(
        "RW0216", node.span, f"a set cannot hold {v.e.value}", f"the numbers in a set are from 0 to {MOST_IN_SET}"
    )
    return True


def number_range(elab: Elaboration, node: sx.RangeExpr, scope: Scope, want: Type | None) -> Val:
    """`a..b` as a set of numbers."""
    a, b = elab.number(node.low, scope), elab.number(node.high, scope)
    if report_outside_of_set(elab, a, node.low):
        return BAD
    t = SetType(
        IntType(max(0, a.t.low), min(b.t.high, 999)) if isinstance(a.t, IntType) and isinstance(b.t, IntType) else INT
    )
    return Val(ir.RangeSet(a.e, b.e), t)


def membership(elab: Elaboration, node: sx.Compare, scope: Scope) -> ir.Expr:
    """`a in b`: a set, list, zone or range that holds it."""
    m = elab.model
    if isinstance(node.right, sx.RangeExpr):
        a, x, y = (elab.number(e, scope) for e in (node.left, node.right.low, node.right.high))
        return conj([ir.Compare(">=", a.e, x.e), ir.Compare("<=", a.e, y.e)])
    known: Val | None = None
    if isinstance(node.right, sx.SetLit) and node.right.items:
        known = None if is_unsure(elab, node.left, scope) else elab.expr(node.left, scope)
        want = member_of_set(known.t) if known is not None and isinstance(known.t, MemberType) else None
        items = [elab.expr(i, scope, want) for i in node.right.items]
        if known is not None and no_set_holds([known, *items]):
            return one_of(known.e, items, scope)
        right: Val | ZoneRef = set_of_values(elab, node.right, items, scope)
    else:
        right = elab.ref(node.right, scope)
    if isinstance(right, ZoneRef) and right.zone.piece is not None:
        index = right.zone.piece.index
        if len(index) - len(right.index) != 1:
            m.error(
                "RW0413",
                node.right.span,
                f"`{m.text(node.right.span)}` counts `{right.zone.piece.name}`; ask for its number",
                "write `zone[...] > 0`",
            )
            return ZERO
        a = need(m, elab.expr(node.left, scope, index[len(right.index)]), index[len(right.index)], node.left.span)
        count = zones.read_zone(elab, right.of((*right.index, a.e), right.face))
        return ir.Compare(">", count.e, ZERO)
    b = zones.read_zone(elab, right) if isinstance(right, ZoneRef) else right
    if isinstance(b.t, MemberType) and isinstance(right, ZoneRef):
        a = elab.expr(node.left, scope, b.t)
        return conj([ir.Compare("==", a.e, b.e), ir.Compare("!=", a.e, ZERO)])
    elem = element_type(b.t)
    if elem is None:
        if b.t != ERROR:
            m.error(
                "RW0414",
                node.right.span,
                f"`{m.text(node.right.span)}` is `{b.t}`; `in` needs a set, a list, a zone or a range",
                suggestion(b.t, BOOL),
            )
        return ZERO
    a = known or elab.expr(node.left, scope, elem)
    if isinstance(b.t, ListType) and isinstance(elem, (SetType, ListType)) and fits(m, a.t, elem):
        return ir.Compare("!=", ir.ListOp("place", (a.e, b.e)), ZERO)  # one of the sets, an empty one included
    if isinstance(a.t, (SetType, ListType)) and not isinstance(elem, (SetType, ListType)):
        left = a.e if isinstance(a.t, SetType) else ir.ListOp("to_set", (a.e,))
        return ir.Subset(left, b.e if isinstance(b.t, SetType) else ir.ListOp("to_set", (b.e,)))
    if a.t == ERROR or isinstance(elem, ErrorType):
        return ZERO
    loose = MemberType(elem.domain, elem.low, elem.high, True) if isinstance(elem, MemberType) else elem
    if not fits(m, a.t, loose) and not (
        isinstance(a.t, MemberType) and isinstance(elem, MemberType) and overlap(a.t, elem)
    ):
        m.error(
            "RW0415",
            node.left.span,
            f"`{m.text(node.left.span)}` is `{a.t}`, and the members of `{m.text(node.right.span)}` are `{elem}`",
        )
        return ZERO
    if isinstance(b.t, ListType) and isinstance(elem, IntType):
        return ir.Compare("!=", ir.ListOp("place", (a.e, b.e)), ZERO)  # 0 may be one of the numbers
    if isinstance(b.t, ListType):
        return ir.InList(a.e, b.e)
    if isinstance(a.t, MemberType) and isinstance(a.t, MemberType) and a.t.optional:
        return conj([ir.Compare("!=", a.e, ZERO), ir.InSet(a.e, b.e)])
    return ir.InSet(a.e, b.e)


def no_set_holds(vals: list[Val]) -> bool:
    """Whether all are numbers, and some behind the first may be in no set."""
    bounds_of = [(v.t.low, v.t.high) for v in vals if isinstance(v.t, IntType)]
    return len(bounds_of) == len(vals) and any(low < 0 or high > MOST_IN_SET for low, high in bounds_of[1:])


def one_of(x: ir.Expr, items: list[Val], scope: Scope) -> ir.Expr:
    """Whether a value is one of some."""
    return worked_out_once(x, scope, lambda x: ir.Or(tuple(ir.Compare("==", x, item.e) for item in items)))


def worked_out_once(x: ir.Expr, scope: Scope, of: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """What `of` makes of a value that it reads several times."""
    if isinstance(x, ir.Temp | ir.FrameVar | ir.Const | ir.Cell):
        return of(x)
    slot = scope.body.temp()
    return ir.Let(slot, x, of(ir.Temp(slot)))


def is_unsure(elab: Elaboration, node: sx.Expr, scope: Scope) -> bool:
    """Whether the other side of a comparison decides what the node means."""
    if isinstance(node, sx.Name):
        return len(elab.model.members.get(node.id, ())) > 1 and scope.find(node.id) is None
    return is_holder(node)


def is_holder(node: sx.Expr) -> bool:
    """Whether it is a `holder(...)`, of which kind the other side of a comparison decides."""
    return isinstance(node, sx.Call) and node.func == sx.Name("holder")
