"""Expressions other than names and folds: arithmetic, comparison, sets, indexing, calls."""

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
from dsl.elaborate.context import BAD, ZERO, clamp, conj, is_int, negate
from dsl.elaborate.core import nonempty
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.expressions.calls import Calls
from dsl.elaborate.expressions.names import element
from dsl.syntax import nodes as sx


class Exprs(Calls):
    def expr(self, node: sx.Expr, scope: Scope, want: Type | None = None) -> Val:
        found = self.ref(node, scope, want)
        val = self.known(node, self.read_zone(found), scope) if isinstance(found, ZoneRef) else found
        if (
            want is not None
            and isinstance(want, SetType)
            and isinstance(val.t, SetType)
            and isinstance(val.t.elem, ErrorType)
        ):
            return Val(val.e, want)
        return val

    def ref(self, node: sx.Expr, scope: Scope, want: Type | None = None) -> Val | ZoneRef:
        """A value, or a zone that has not been read."""
        m = self.m
        match node:
            case sx.Num(n):
                return Val(ir.Const(n), IntType(n, n))
            case sx.Name():
                return self.name(node, scope, want)
            case sx.Attr():
                return self.attr(node, scope, want)
            case sx.Index():
                return self.index(node, scope)
            case sx.Call():
                return self.call(node, scope, want)
            case sx.Unary("not", operand):
                return Val(negate(self.test(operand, scope)), BOOL)
            case sx.Unary("-", operand):
                v = self.need(self.expr(operand, scope), INT, operand.span)
                if v.t == ERROR:
                    return BAD
                assert isinstance(v.t, IntType)
                if isinstance(v.e, ir.Const):
                    return Val(ir.Const(-v.e.value), IntType(-v.e.value, -v.e.value))
                return Val(ir.Arith("-", ZERO, v.e), IntType(clamp(-v.t.high), clamp(-v.t.low)))
            case sx.Binary():
                return self.binary(node, scope, want)
            case sx.Compare():
                return self.compare(node, scope)
            case sx.Bool(op, items):
                return self.boolean(op, items, scope)
            case sx.Cond():
                return self.cond(node, scope, want)
            case sx.SetLit(items):
                return self.set_literal(node, items, scope, want)
            case sx.RangeExpr(low, high):
                a, b = self.number(low, scope), self.number(high, scope)
                t = SetType(
                    IntType(max(0, a.t.low), min(b.t.high, 999))
                    if isinstance(a.t, IntType) and isinstance(b.t, IntType)
                    else INT
                )
                return Val(ir.RangeSet(a.e, b.e), t)
            case sx.Fold():
                return self.fold(node, scope, want)
            case sx.Text():
                m.error(
                    "RW0403",
                    node.span,
                    "a text in quotes stands where a value is needed",
                    "texts are for titles and reasons",
                )
                return BAD
            case sx.AnyOf():
                m.error("RW0404", node.span, "`any` leaves an argument to the chooser; it stands in `perform` only")
                return BAD
        m.error("RW0405", node.span, f"`{m.text(node.span)}` is not a value")
        return BAD

    def number(self, node: sx.Expr, scope: Scope) -> Val:
        return self.need(self.expr(node, scope), INT, node.span)

    def test(self, node: sx.Expr, scope: Scope) -> ir.Expr:
        """A condition. A bare predicate name after `while` is applied to `this` by the caller."""
        v = self.expr(node, scope, BOOL)
        e = v.e if isinstance(v.t, IntType) and (v.t.low, v.t.high) == (0, 1) else self.need(v, BOOL, node.span).e
        self.tests[node.span] = e
        return e

    # ------------------------------------------------------------ none

    def sure(self, node: sx.Expr) -> tuple[frozenset[sx.Expr], frozenset[sx.Expr]]:
        """Paths that are not none, sets that have members and kinds that something is of, when the condition holds, and
        when it fails."""
        none: frozenset[sx.Expr] = frozenset()
        yes, no = nonempty.proved(node)
        match node:
            case sx.Compare("is not", left, sx.Name("none")):
                return frozenset({left}), none
            case sx.Compare("is", left, sx.Name("none")):
                return none, frozenset({left})
            case sx.Compare("is", left, _):
                return yes | self.proved.get(id(node), frozenset({left})), no
            case sx.Compare("in", left, right):
                return yes | frozenset({left, node} if isinstance(right, sx.Name) else {left}), none
            case sx.Unary("not", operand):
                yes, no = self.sure(operand)
                return no, yes
            case sx.Bool("and", items):
                return frozenset().union(*(self.sure(i)[0] for i in items)), none
            case sx.Bool("or", items):
                return none, frozenset().union(*(self.sure(i)[1] for i in items))
        return yes, no

    def boolean(self, op: str, items: tuple[sx.Expr, ...], scope: Scope) -> Val:
        done: list[ir.Expr] = []
        for item in items:
            done.append(self.test(item, scope))
            yes, no = self.sure(item)
            gained = yes if op == "and" else no
            if gained:
                scope = scope.knowing(gained)
        return Val(conj(done) if op == "and" else ir.Or(tuple(done)), BOOL)

    def cond(self, node: sx.Cond, scope: Scope, want: Type | None) -> Val:
        test = self.test(node.test, scope)
        yes, no = self.sure(node.test)
        a = self.expr(node.then, scope.knowing(yes), want)
        b = self.expr(node.orelse, scope.knowing(no), want)
        t = self.join(a.t, b.t)
        if t is None:
            self.m.error(
                "RW0406",
                node.span,
                f"the two branches differ: `{a.t}` and `{b.t}`",
                "both must give the same sort of value",
            )
            return BAD
        return Val(ir.If(test, a.e, b.e), t)

    # ------------------------------------------------------------ arithmetic and sets

    def binary(self, node: sx.Binary, scope: Scope, want: Type | None) -> Val:
        a = self.expr(node.left, scope, want)
        b = self.expr(node.right, scope, want if isinstance(a.t, (SetType, ListType)) else None)
        if a.t == ERROR or b.t == ERROR:
            return BAD
        op = node.op
        if isinstance(a.t, IntType) and isinstance(b.t, IntType):
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
        if op == "*" or (isinstance(a.t, BoolType) and isinstance(b.t, BoolType)):
            bad, span = (a.t, node.left.span) if not is_int(a.t) else (b.t, node.right.span)
            self.m.error(
                "RW0407",
                span,
                f"`{op}` works on numbers, and `{self.m.text(span)}` is `{bad}`",
                "write `1 if ... else 0` to count a condition" if isinstance(bad, BoolType) else None,
            )
            return BAD
        if isinstance(a.t, ListType) and isinstance(b.t, (SetType, ListType)):
            if op == "-":
                drop = ir.ListOp("to_set", (b.e,)) if isinstance(b.t, ListType) else b.e
                return Val(ir.ListOp("without", (a.e, drop)), a.t)
            other = b.e if isinstance(b.t, ListType) else ir.ListOp("to_list", (b.e,))
            t = self.join(a.t.elem, b.t.elem) or a.t.elem
            return Val(ir.ListOp("concat", (a.e, other)), ListType(t, a.t.cap))
        if isinstance(a.t, SetType) and isinstance(b.t, (SetType, ListType)):
            right = b.e if isinstance(b.t, SetType) else ir.ListOp("to_set", (b.e,))
            joined = self.join(a.t, SetType(b.t.elem))
            if joined is not None:
                return Val(ir.Arith("|" if op == "+" else "&~", a.e, right), joined if op == "+" else a.t)
        self.m.error(
            "RW0408",
            node.span,
            f"`{op}` between `{a.t}` and `{b.t}` has no meaning",
            "numbers are added, sets are joined (`+`) and reduced (`-`); one member is written `{x}`",
        )
        return BAD

    def set_literal(self, node: sx.SetLit, items: tuple[sx.Expr, ...], scope: Scope, want: Type | None) -> Val:
        inner = element(want) if want is not None else None
        vals = [self.expr(i, scope, inner) for i in items]
        if not vals:
            return Val(ZERO, want if isinstance(want, SetType) else SetType(inner or ERROR))
        t: Type = vals[0].t
        for v, i in zip(vals[1:], items[1:], strict=True):
            joined = self.join(t, v.t)
            if joined is None:
                self.m.error("RW0406", i.span, f"this set holds `{t}`, and `{self.m.text(i.span)}` is `{v.t}`")
                return BAD
            t = joined
        if isinstance(t, MemberType):
            t = MemberType(t.domain, t.low, t.high)
        if isinstance(t, (SetType, ListType, MapType)):
            self.m.error("RW0216", node.span, "a set of sets does not exist", "join sets with `+`")
            return BAD
        if all(isinstance(v.e, ir.Const) for v in vals):
            mask = 0
            for v in vals:
                assert isinstance(v.e, ir.Const)
                mask |= (1 << v.e.value) & ~1 if isinstance(t, MemberType) else 1 << v.e.value
            return Val(ir.Const(mask), SetType(t))
        return Val(ir.MakeSet(tuple(v.e for v in vals)), SetType(t))

    # ------------------------------------------------------------ comparison

    def compare(self, node: sx.Compare, scope: Scope) -> Val:
        op = node.op
        if op in ("in", "not in"):
            e = self.membership(node, scope)
            return Val(negate(e) if op == "not in" else e, BOOL)
        if op in ("is", "is not"):
            e = self.equality(node, scope)
            return Val(negate(e) if op == "is not" else e, BOOL)
        a = self.expr(node.left, scope)
        b = self.expr(node.right, scope, a.t if isinstance(a.t, MemberType) else None)
        if a.t == ERROR or b.t == ERROR:
            return BAD
        ranked = (
            isinstance(a.t, MemberType)
            and isinstance(b.t, MemberType)
            and a.t.domain == b.t.domain
            and a.t.domain in self.m.enums
            and self.m.enums[a.t.domain].ranked
        )
        if not ranked and not (isinstance(a.t, IntType) and isinstance(b.t, IntType)):
            bad, span = (a.t, node.left.span) if not isinstance(a.t, IntType) else (b.t, node.right.span)
            self.m.error(
                "RW0409",
                span,
                f"`{op}` compares numbers, and `{self.m.text(span)}` is `{bad}`",
                self.way_out(bad, INT) or "members are compared with `is`; only a `ranked enum` has an order",
            )
            return BAD
        return Val(ir.Compare(op, a.e, b.e), BOOL)

    def equality(self, node: sx.Compare, scope: Scope) -> ir.Expr:
        m = self.m
        right = node.right
        if isinstance(right, sx.Name) and right.id in m.kinds and scope.find(right.id) is None:
            a = self.expr(node.left, scope)
            if isinstance(a.t, MemberType) and a.t.domain in m.kinds:
                return self.of_kind(a.e, m.kinds[right.id])
        # of which kind a holder is, the other side says
        late = isinstance(node.left, sx.Call) and node.left.func == sx.Name("holder")
        left = BAD if late else self.ref(node.left, scope)
        if isinstance(left, ZoneRef) and isinstance(right, sx.SetLit) and not right.items:
            return ir.Compare("==", self.zone_size(left), ZERO)
        a_place = isinstance(left, Val) and isinstance(left.t, PlaceType)
        if a_place:
            b_ref = self.ref(right, scope)
            b = Val(self.instance(b_ref), PLACE) if isinstance(b_ref, ZoneRef) else b_ref
            assert isinstance(left, Val)
            if not isinstance(b.t, (PlaceType, NoneType, ErrorType)):
                m.error("RW0410", right.span, f"a place is compared with a zone, and `{m.text(right.span)}` is `{b.t}`")
                return ZERO
            return ir.Compare("==", left.e, b.e)
        unsure = late or (
            isinstance(node.left, sx.Name)
            and len(m.members.get(node.left.id, ())) > 1
            and scope.find(node.left.id) is None
        )
        if unsure:
            b = self.expr(right, scope)
            a = self.expr(node.left, scope, b.t)
        else:
            a = self.read_zone(left) if isinstance(left, ZoneRef) else left
            b = self.expr(right, scope, a.t if not isinstance(a.t, (IntType, BoolType)) else None)
        if isinstance(a.t, SetType) and isinstance(a.t.elem, ErrorType):
            a = self.expr(node.left, scope, b.t)
        if isinstance(a.t, ListType) and isinstance(right, sx.SetLit) and not right.items:
            return ir.Compare("==", ir.Size("list", a.e), ZERO)
        if a.t == ERROR or b.t == ERROR:
            return ZERO
        if isinstance(b.t, NoneType) and isinstance(a.t, MemberType) and not a.t.optional:
            m.warn("RW0411", node.span, f"`{m.text(node.left.span)}` is never none", "this test can be left out")
        if isinstance(b.t, NoneType) and isinstance(a.t, IntType) and isinstance(left, ZoneRef) and left.zone.cap == 1:
            return ir.Not(a.e)
        if (
            isinstance(a.t, BoolType)
            and isinstance(b.t, IntType)
            or isinstance(b.t, BoolType)
            and isinstance(a.t, IntType)
        ):
            t: Type | None = None
        else:
            t = self.join(a.t, b.t)
        if t is None or isinstance(t, SparseType):
            m.error(
                "RW0412",
                node.span,
                f"`{m.text(node.left.span)}` is `{a.t}` and `{m.text(right.span)}` is `{b.t}`: they are never equal",
                self.way_out(b.t, a.t) or self.way_out(a.t, b.t),
            )
            return ZERO
        if isinstance(a.t, MemberType) and isinstance(b.t, MemberType) and not self.overlap(a.t, b.t):
            m.error("RW0412", node.span, f"`{a.t}` and `{b.t}` have no member in common, so this never holds")
        if isinstance(a.t, MemberType) and isinstance(b.t, MemberType):
            sides = ((node.left, b.t), (node.right, a.t))
            self.proved[id(node)] = frozenset(side for side, other in sides if not other.optional)
        return ir.Compare("==", a.e, b.e)

    def overlap(self, a: MemberType, b: MemberType) -> bool:
        return a.domain == b.domain or not (a.high < b.low or b.high < a.low)

    def membership(self, node: sx.Compare, scope: Scope) -> ir.Expr:
        m = self.m
        match node.right:
            case sx.RangeExpr(low, high):
                a = self.number(node.left, scope)
                x, y = self.number(low, scope), self.number(high, scope)
                return conj([ir.Compare(">=", a.e, x.e), ir.Compare("<=", a.e, y.e)])
            case _:
                pass
        right = self.ref(node.right, scope)
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
            a = self.need(self.expr(node.left, scope, index[len(right.index)]), index[len(right.index)], node.left.span)
            count = self.read_zone(ZoneRef(right.zone, right.holder, (*right.index, a.e), right.face, right.span))
            return ir.Compare(">", count.e, ZERO)
        b = self.read_zone(right) if isinstance(right, ZoneRef) else right
        if isinstance(b.t, MemberType) and isinstance(right, ZoneRef):
            a = self.expr(node.left, scope, b.t)
            return conj([ir.Compare("==", a.e, b.e), ir.Compare("!=", a.e, ZERO)])
        elem = element(b.t)
        if elem is None:
            if b.t != ERROR:
                m.error(
                    "RW0414",
                    node.right.span,
                    f"`{m.text(node.right.span)}` is `{b.t}`; `in` needs a set, a list, a zone or a range",
                    self.way_out(b.t, BOOL),
                )
            return ZERO
        a = self.expr(node.left, scope, elem)
        if isinstance(a.t, (SetType, ListType)):
            left = a.e if isinstance(a.t, SetType) else ir.ListOp("to_set", (a.e,))
            return ir.Subset(left, b.e if isinstance(b.t, SetType) else ir.ListOp("to_set", (b.e,)))
        if a.t == ERROR or isinstance(elem, ErrorType):
            return ZERO
        loose = MemberType(elem.domain, elem.low, elem.high, True) if isinstance(elem, MemberType) else elem
        if not self.fits(a.t, loose) and not (
            isinstance(a.t, MemberType) and isinstance(elem, MemberType) and self.overlap(a.t, elem)
        ):
            m.error(
                "RW0415",
                node.left.span,
                f"`{m.text(node.left.span)}` is `{a.t}`, and the members of `{m.text(node.right.span)}` are `{elem}`",
            )
            return ZERO
        if isinstance(b.t, ListType):
            return ir.InList(a.e, b.e)
        if isinstance(a.t, MemberType) and isinstance(a.t, MemberType) and a.t.optional:
            return conj([ir.Compare("!=", a.e, ZERO), ir.InSet(a.e, b.e)])
        return ir.InSet(a.e, b.e)
