"""Expressions other than names, calls and folds: arithmetic, comparison, conditions and what they prove."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import (
    BOOL,
    ERROR,
    INT,
    PLACE,
    BoolType,
    ErrorType,
    IntType,
    ListType,
    MapType,
    MemberType,
    NoneType,
    PlaceType,
    SetType,
    SparseType,
    Type,
)
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core import nonempty
from dsl.elaborate.core.build import BAD, ZERO, clamp, conj, kind_test, negate
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.core.types import is_int, join, overlap, suggestion
from dsl.elaborate.expressions import calls, sets, zones
from dsl.syntax import nodes as sx

# ------------------------------------------------------------ none


def proved_facts(elab: Elaboration, node: sx.Expr) -> tuple[frozenset[sx.Expr], frozenset[sx.Expr]]:
    """What a condition proves where it holds, and where it fails: paths that are not none, sets that have members,
    kinds of things."""
    none: frozenset[sx.Expr] = frozenset()
    node = calls.inside(node)
    yes, no = nonempty.membership_facts(node)
    match node:
        case sx.Compare("is not", left, sx.Name("none")):
            return frozenset({left}), none
        case sx.Compare("is", left, sx.Name("none")):
            return none, frozenset({left})
        case sx.Compare("is", left, _):
            return yes | elab.memo.proved.get(id(node), frozenset({left})), no
        case sx.Compare("in", left, right):
            return yes | frozenset({left, node} if isinstance(right, sx.Name) else {left}), none
        case sx.Unary("not", operand):
            yes, no = proved_facts(elab, operand)
            return no, yes
        case sx.Bool("and", items):
            return frozenset().union(*(proved_facts(elab, i)[0] for i in items)), none
        case sx.Bool("or", items):
            return none, frozenset().union(*(proved_facts(elab, i)[1] for i in items))
    return yes, no


def boolean(elab: Elaboration, node: sx.Bool, scope: Scope, want: Type | None) -> Val:
    """`P and Q`, `P or Q`: each operand knows what those before it prove."""
    done: list[ir.Expr] = []
    for item in node.items:
        done.append(elab.test(item, scope))
        yes, no = proved_facts(elab, item)
        gained = yes if node.op == "and" else no
        if gained:
            scope = scope.knowing(gained)
    return Val(conj(done) if node.op == "and" else ir.Or(tuple(done)), BOOL)


def cond(elab: Elaboration, node: sx.Cond, scope: Scope, want: Type | None) -> Val:
    """`A if P else B`."""
    test = elab.test(node.test, scope)
    yes, no = proved_facts(elab, node.test)
    a = elab.expr(node.then, scope.knowing(yes), want)
    b = elab.expr(node.orelse, scope.knowing(no), want)
    t = join(elab.model, a.t, b.t)
    if t is None:
        elab.model.error(
            "RW0406",
            node.span,
            f"the two branches differ: `{a.t}` and `{b.t}`",
            "both must give the same type of value",
        )
        return BAD
    return Val(ir.If(test, a.e, b.e), t)


# ------------------------------------------------------------ arithmetic and sets


def binary(elab: Elaboration, node: sx.Binary, scope: Scope, want: Type | None) -> Val:
    """`+`, `-`, `*` and `mod` of numbers, `+` and `-` of sets and lists."""
    a = elab.expr(node.left, scope, want)
    b = elab.expr(node.right, scope, want if isinstance(a.t, (SetType, ListType)) else None)
    if a.t == ERROR or b.t == ERROR:
        return BAD
    op = node.op
    if isinstance(a.t, IntType) and isinstance(b.t, IntType):
        if op == "mod":
            return modulo(elab, node, a, b)
        if isinstance(a.e, ir.Const) and isinstance(b.e, ir.Const):
            x, y = a.e.value, b.e.value
            n = x + y if op == "+" else x - y if op == "-" else x * y
            return Val(ir.Const(n), IntType(n, n))
        corners = {
            "+": (a.t.low + b.t.low, a.t.high + b.t.high),
            "-": (a.t.low - b.t.high, a.t.high - b.t.low),
            "*": (min(p := [x * y for x in (a.t.low, a.t.high) for y in (b.t.low, b.t.high)]), max(p)),
        }[op]
        return Val(ir.Arith(op, a.e, b.e), IntType(clamp(corners[0]), clamp(corners[1])))
    if op in ("*", "mod") or (isinstance(a.t, BoolType) and isinstance(b.t, BoolType)):
        bad, span = (a.t, node.left.span) if not is_int(a.t) else (b.t, node.right.span)
        elab.model.error(
            "RW0407",
            span,
            f"`{op}` works on numbers, and `{elab.model.text(span)}` is `{bad}`",
            "write `1 if ... else 0` to count a condition" if isinstance(bad, BoolType) else None,
        )
        return BAD
    if isinstance(a.t, ListType) and isinstance(b.t, (SetType, ListType)):
        if op == "-":
            drop = ir.ListOp("to_set", (b.e,)) if isinstance(b.t, ListType) else b.e
            return Val(ir.ListOp("without", (a.e, drop)), a.t)
        other = b.e if isinstance(b.t, ListType) else ir.ListOp("to_list", (b.e,))
        t = join(elab.model, a.t.elem, b.t.elem) or a.t.elem
        return Val(ir.ListOp("concat", (a.e, other)), ListType(t, a.t.cap))
    if isinstance(a.t, SetType) and isinstance(b.t, (SetType, ListType)):
        right = b.e if isinstance(b.t, SetType) else ir.ListOp("to_set", (b.e,))
        joined = join(elab.model, a.t, SetType(b.t.elem))
        if joined is not None:
            return Val(ir.Arith("|" if op == "+" else "&~", a.e, right), joined if op == "+" else a.t)
    elab.model.error(
        "RW0408",
        node.span,
        f"`{op}` between `{a.t}` and `{b.t}` has no meaning",
        "numbers are added, sets are joined (`+`) and reduced (`-`); one member is written `{x}`",
    )
    return BAD


def modulo(elab: Elaboration, node: sx.Binary, a: Val, b: Val) -> Val:
    """`a mod b`: what is left of `a` after whole steps of `b`, from 0 to b - 1 for a negative `a` too."""
    assert isinstance(a.t, IntType) and isinstance(b.t, IntType)
    if b.t.low < 1:
        text = elab.model.text(node.right.span)
        code, message = "RW0444", f"`{text}` is `{b.t}`: it may be 0 or less, and `mod` counts round from 1 or more"
        elab.model.error(code, node.right.span, message, f"state it: `max({text}, 1)`")
        return BAD
    if isinstance(a.e, ir.Const) and isinstance(b.e, ir.Const):
        n = a.e.value % b.e.value
        return Val(ir.Const(n), IntType(n, n))
    most = b.t.high - 1 if a.t.low < 0 else min(a.t.high, b.t.high - 1)
    return Val(ir.Arith("mod", a.e, b.e), IntType(0, most))


# ------------------------------------------------------------ comparison


def compare(elab: Elaboration, node: sx.Compare, scope: Scope, want: Type | None) -> Val:
    """A comparison: `<` and its relatives, `is`, `in`."""
    op = node.op
    if op in ("in", "not in"):
        e = sets.membership(elab, node, scope)
        return Val(negate(e) if op == "not in" else e, BOOL)
    if op in ("is", "is not"):
        e = equality(elab, node, scope)
        return Val(negate(e) if op == "is not" else e, BOOL)
    a = elab.expr(node.left, scope)
    b = elab.expr(node.right, scope, a.t if isinstance(a.t, MemberType) else None)
    if a.t == ERROR or b.t == ERROR:
        return BAD
    ranked = (
        isinstance(a.t, MemberType)
        and isinstance(b.t, MemberType)
        and a.t.domain == b.t.domain
        and a.t.domain in elab.model.enums
        and elab.model.enums[a.t.domain].ranked
    )
    if not ranked and not (isinstance(a.t, IntType) and isinstance(b.t, IntType)):
        bad, span = (a.t, node.left.span) if not isinstance(a.t, IntType) else (b.t, node.right.span)
        elab.model.error(
            "RW0409",
            span,
            f"`{op}` compares numbers, and `{elab.model.text(span)}` is `{bad}`",
            suggestion(bad, INT) or "members are compared with `is`; only a `ranked enum` has an order",
        )
        return BAD
    return Val(ir.Compare(op, a.e, b.e), BOOL)


def equality(elab: Elaboration, node: sx.Compare, scope: Scope) -> ir.Expr:
    """`a is b`; `is not` is its opposite."""
    m = elab.model
    right = node.right
    if isinstance(right, sx.Name) and right.id in m.kinds and scope.find(right.id) is None:
        a = elab.expr(node.left, scope)
        if isinstance(a.t, MemberType) and a.t.domain in m.kinds:
            return kind_test(m, a.e, m.kinds[right.id])
    late = sets.is_holder(node.left)
    left = BAD if late else elab.ref(node.left, scope)
    if isinstance(left, ZoneRef) and isinstance(right, sx.SetLit) and not right.items:
        return ir.Compare("==", calls.zone_size(elab, left), ZERO)
    a_place = isinstance(left, Val) and isinstance(left.t, PlaceType)
    if a_place:
        b_ref = elab.ref(right, scope)
        b = Val(zones.zone_instance(b_ref), PLACE) if isinstance(b_ref, ZoneRef) else b_ref
        assert isinstance(left, Val)
        if not isinstance(b.t, (PlaceType, NoneType, ErrorType)):
            m.error("RW0410", right.span, f"a place is compared with a zone, and `{m.text(right.span)}` is `{b.t}`")
            return ZERO
        return ir.Compare("==", left.e, b.e)
    if sets.is_unsure(elab, node.left, scope):
        b = elab.expr(right, scope)
        a = elab.expr(node.left, scope, b.t)
    else:
        a = zones.read_zone(elab, left) if isinstance(left, ZoneRef) else left
        b = elab.expr(right, scope, a.t if not isinstance(a.t, (IntType, BoolType)) else None)
    if isinstance(a.t, SetType) and isinstance(a.t.elem, ErrorType):
        a = elab.expr(node.left, scope, b.t)
    if isinstance(right, sx.SetLit) and not right.items and isinstance(a.t, (ListType, MapType, SparseType)):
        return ir.Compare("==", ir.Size("list" if isinstance(a.t, ListType) else "total", a.e), ZERO)
    if a.t == ERROR or b.t == ERROR:
        return ZERO
    if isinstance(b.t, NoneType) and isinstance(a.t, MemberType) and not a.t.optional:
        m.warn("RW0411", node.span, f"`{m.text(node.left.span)}` is never none", "this test can be left out")
    if isinstance(b.t, NoneType) and isinstance(a.t, IntType) and isinstance(left, ZoneRef) and left.zone.cap == 1:
        return ir.Not(a.e)
    if isinstance(a.t, BoolType) and isinstance(b.t, IntType) or isinstance(b.t, BoolType) and isinstance(a.t, IntType):
        t: Type | None = None
    else:
        t = join(m, a.t, b.t)
    if (t is None or isinstance(t, SparseType)) and is_unwritten(right, node):
        what = m.text(node.left.span)
        help = suggestion(b.t, a.t) or "`no` and `some` ask about a set, a list or a zone"
        m.error("RW0412", node.span, f"`{what}` is `{a.t}`, which is never empty", help)
        return ZERO
    if t is None or isinstance(t, SparseType):
        m.error(
            "RW0412",
            node.span,
            f"`{m.text(node.left.span)}` is `{a.t}` and `{m.text(right.span)}` is `{b.t}`: they are never equal",
            suggestion(b.t, a.t) or suggestion(a.t, b.t),
        )
        return ZERO
    if isinstance(a.t, MemberType) and isinstance(b.t, MemberType) and not overlap(a.t, b.t):
        m.error("RW0412", node.span, f"`{a.t}` and `{b.t}` have no member in common, so this never holds")
    if isinstance(a.t, MemberType) and isinstance(b.t, MemberType):
        sides = ((node.left, b.t), (node.right, a.t))
        elab.memo.proved[id(node)] = frozenset(side for side, other in sides if not other.optional)
    return ir.Compare("==", a.e, b.e)


def is_unwritten(right: sx.Expr, node: sx.Compare) -> bool:
    """Whether this is the empty set that `no S` and `some S` compare with."""
    return right == sx.SetLit(()) and right.span == node.left.span


# ------------------------------------------------------------ single nodes


def num(elab: Elaboration, node: sx.Num, scope: Scope, want: Type | None) -> Val:
    """A number as it is written."""
    return Val(ir.Const(node.value), IntType(node.value, node.value))


def unary(elab: Elaboration, node: sx.Unary, scope: Scope, want: Type | None) -> Val:
    """`not P`, `-n`."""
    operand = node.operand
    if node.op == "not":
        return Val(negate(elab.test(operand, scope)), BOOL)
    v = elab.number(operand, scope)
    if v.t == ERROR:
        return BAD
    assert isinstance(v.t, IntType)
    if isinstance(v.e, ir.Const):
        return Val(ir.Const(-v.e.value), IntType(-v.e.value, -v.e.value))
    return Val(ir.Arith("-", ZERO, v.e), IntType(clamp(-v.t.high), clamp(-v.t.low)))


def text(elab: Elaboration, node: sx.Text, scope: Scope, want: Type | None) -> Val:
    """A text in quotes, which is never a value."""
    elab.model.error(
        "RW0403",
        node.span,
        "a text in quotes stands where a value is needed",
        "texts are for titles and reasons",
    )
    return BAD


def any_of(elab: Elaboration, node: sx.AnyOf, scope: Scope, want: Type | None) -> Val:
    """`any`, which is never a value outside `perform`."""
    elab.model.error("RW0404", node.span, "`any` leaves an argument to the chooser; it is allowed only in `perform`")
    return BAD


def no_value(elab: Elaboration, node: sx.Node, scope: Scope, want: Type | None) -> Val:
    """A node that is no expression."""
    elab.model.error("RW0405", node.span, f"`{elab.model.text(node.span)}` is not a value")
    return BAD
