"""Expressions other than names and folds: arithmetic, comparison, sets, indexing, calls."""

from __future__ import annotations

from dsl import ir
from dsl import syntax as sx
from dsl.elaborate.base import BAD, ONE, ZERO, clamp, conj, is_int, key_offset, linear, negate, truth
from dsl.elaborate.names import Names, element
from dsl.elaborate.scope import Scope, Val, ZoneRef
from dsl.layout import pool_type
from dsl.span import Span
from dsl.types import (
    BOOL,
    ERROR,
    INT,
    INT_HIGH,
    INT_LOW,
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
    key_count,
    width,
)

BUILTINS = {
    "size": 1,
    "total": 1,
    "larger": 2,
    "smaller": 2,
    "div_up": 2,
    "div_down": 2,
    "half_up": 1,
    "half_down": 1,
    "front": 1,
    "last": 1,
    "insert": 3,
    "holder": 1,
    "running": 1,
}


class Exprs(Names):
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
                return self.call(node, scope)
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
        if isinstance(v.t, IntType) and (v.t.low, v.t.high) == (0, 1):
            return v.e
        return self.need(v, BOOL, node.span).e

    # ------------------------------------------------------------ none

    def sure(self, node: sx.Expr) -> tuple[frozenset[sx.Expr], frozenset[sx.Expr]]:
        """Paths that are not none when the condition holds, and when it fails."""
        none: frozenset[sx.Expr] = frozenset()
        match node:
            case sx.Compare("is not", left, sx.Name("none")):
                return frozenset({left}), none
            case sx.Compare("is", left, sx.Name("none")):
                return none, frozenset({left})
            case sx.Compare("is" | "in", left, sx.Name(id)) if id != "none":
                return frozenset({left}), none
            case sx.Compare("is" | "in", left, _):
                return frozenset({left}), none
            case sx.Unary("not", operand):
                yes, no = self.sure(operand)
                return no, yes
            case sx.Bool("and", items):
                return frozenset().union(*(self.sure(i)[0] for i in items)), none
            case sx.Bool("or", items):
                return none, frozenset().union(*(self.sure(i)[1] for i in items))
        return none, none

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
            kinds = m.kind_parts(m.kinds[right.id])
            if isinstance(a.t, MemberType) and a.t.domain in m.kinds:
                tests = [
                    conj([ir.Compare(">=", a.e, ir.Const(k.low)), ir.Compare("<=", a.e, ir.Const(k.high))])
                    for k in kinds
                ]
                return tests[0] if len(tests) == 1 else ir.Or(tuple(tests))
        left = self.ref(node.left, scope)
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
        unsure = (
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

    # ------------------------------------------------------------ index and call

    def index(self, node: sx.Index, scope: Scope) -> Val | ZoneRef:
        m = self.m
        if isinstance(node.base, sx.Name) and node.base.id in m.tables and scope.find(node.base.id) is None:
            table = m.tables[node.base.id]
            args = [self.expr(a, scope, t) for a, t in zip(node.args, table.keys)]  # noqa: B905
            args += [BAD] * (len(node.args) - len(args))
            return self.table_val(table, args, node.span)
        base = self.ref(node.base, scope)
        if isinstance(base, ZoneRef):
            if base.zone.piece is not None:
                return self.piece_index(base, node.args, scope, node.span)
            base = self.read_zone(base)
        if base.t == ERROR:
            return BAD
        if isinstance(base.t, ListType):
            i = self.number(node.args[0], scope)
            return Val(ir.ListItem(base.e, i.e), base.t.elem)
        if isinstance(base.t, (MapType, SparseType)):
            keys = base.t.keys
            if len(keys) != len(node.args):
                m.error(
                    "RW0250", node.span, f"`{m.text(node.base.span)}` takes {len(keys)} keys, I read {len(node.args)}"
                )
                return BAD
            at = [self.need(self.expr(a, scope, k), k, a.span) for a, k in zip(node.args, keys, strict=True)]
            if any(v.t == ERROR for v in at):
                return BAD
            offset = key_offset(keys, [v.e for v in at])
            if isinstance(base.t, SparseType):
                return Val(ir.MapItem(base.e, offset, True), IntType(0, 999_999))
            if isinstance(base.e, ir.FrameVar):
                w = width(base.t.value)
                return Val(ir.FrameItem(base.e.slot, linear(0, [(offset, w)]), base.t.value), base.t.value)
            if isinstance(base.e, ir.Cell):
                w = width(base.t.value)
                return Val(
                    ir.Cell(linear(0, [(base.e.address, 1), (offset, w)]), base.t.value, base.e.symbol), base.t.value
                )
            return Val(ir.MapItem(base.e, offset), base.t.value)
        m.error(
            "RW0416",
            node.span,
            f"`{m.text(node.base.span)}` is `{base.t}`; it has no items in brackets",
            "counted zones, lists, maps and tables have",
        )
        return BAD

    def piece_index(self, z: ZoneRef, args: tuple[sx.Expr, ...], scope: Scope, span: Span) -> Val | ZoneRef:
        """`zone[a, token, fresh]`: indices in order, then perhaps a face."""
        piece = z.zone.piece
        assert piece
        index = list(z.index)
        face = z.face
        for a in args:
            if isinstance(a, sx.Name) and a.id in piece.faces and a.id and scope.find(a.id) is None:
                face = piece.faces.index(a.id)
                continue
            if len(index) >= len(piece.index):
                self.m.error(
                    "RW0417",
                    a.span,
                    f"`{piece.name}` has {len(piece.index)} indices"
                    + (f" and the faces {', '.join(piece.faces)}" if len(piece.faces) > 1 else ""),
                )
                return BAD
            t = piece.index[len(index)]
            v = self.need(self.expr(a, scope, t), t, a.span)
            if v.t == ERROR:
                return BAD
            index.append(v.e)
        return ZoneRef(z.zone, z.holder, tuple(index), face, span)

    def zone_size(self, z: ZoneRef) -> ir.Expr:
        if z.zone.piece is not None:
            if z.zone.cap == 1:
                v = self.read_slot(z, self.zone_address(z, IntType()))
                return ir.Compare("!=", v.e, ZERO)
            if not z.index and z.zone.piece.index:
                t = pool_type(z.zone)
                cells = key_count(z.zone.piece.index)
                count = cells if z.face is not None else cells * len(z.zone.piece.faces)
                return ir.CellSum(
                    linear((z.face or 0) * cells, [(self.zone_address(z, t), 1)]), count, 1, z.zone.symbol
                )
            return self.read_zone(z).e
        v = self.read_zone(z)
        if isinstance(v.t, MemberType):
            return ir.Compare("!=", v.e, ZERO)
        return ir.Size("list" if isinstance(v.t, ListType) else "set", v.e)

    def call(self, node: sx.Call, scope: Scope) -> Val | ZoneRef:
        m = self.m
        if not isinstance(node.func, sx.Name):
            m.error(
                "RW0418", node.span, f"`{m.text(node.func.span)}` can not be called", "values are called by their name"
            )
            return BAD
        id = node.func.id
        if id in BUILTINS and id not in m.values:
            return self.builtin(id, node, scope)
        if id in m.values:
            value = m.values[id]
            m.uses.append((node.func.span, value.span))
            if len(node.args) != len(value.params):
                m.error(
                    "RW0250",
                    node.span,
                    f"`{id}` takes {len(value.params)} argument{'s' * (len(value.params) != 1)}, I read "
                    f"{len(node.args)}",
                    f"its parameters: {', '.join(f'{n}: {t}' for n, t in value.params) or 'none'}",
                )
                return BAD
            args = []
            for a, (_, t) in zip(node.args, value.params, strict=True):
                args.append(self.argument(a.value, t, scope))
            return self.known(node, self.call_value(id, args, node.span), scope)
        if id in m.routines:
            m.error(
                "RW0252",
                node.span,
                f"`{id}` is a {m.routines[id].word}; it has no value",
                f"a sentence starts it: `do {id}(...)`",
            )
            return BAD
        if id in m.broken:
            return BAD
        if len(node.args) == 1:
            base = self.expr(node.args[0].value, scope)
            if isinstance(base.t, MemberType) and base.t.domain in m.kinds and not base.t.optional:
                found = self.of_thing(base, id, node.span)
                if found is not None:
                    return found
            elif base.t == ERROR:
                return BAD
        m.unknown(
            "RW0206",
            node.func.span,
            "value",
            id,
            [*m.values, *BUILTINS, *(f for k in m.kinds.values() for f in k.fields)],
        )
        m.broken.add(id)
        return BAD

    def argument(self, node: sx.Expr, t: Type, scope: Scope) -> Val:
        if isinstance(t, PlaceType):
            ref = self.ref(node, scope)
            return Val(self.instance(ref), PLACE) if isinstance(ref, ZoneRef) else self.need(ref, t, node.span)
        return self.need(self.expr(node, scope, t), t, node.span)

    def call_value(self, name: str, args: list[Val], span: Span) -> Val:
        value = self.m.values[name]
        value.used = True
        if value.bots and not scope_is_bots(self):
            self.m.error("RW0419", span, f"`{name}` is a value for bots; rules may not read it")
        if any(a.t == ERROR for a in args):
            return Val(ZERO, value.result if value.result != ERROR else ERROR)
        self.reads_value(name, span)
        return Val(ir.CallFn(value.fn, tuple(a.e for a in args)), value.result)

    def reads_value(self, name: str, span: Span) -> None:
        """Hook for the check that no value depends on itself."""

    def builtin(self, id: str, node: sx.Call, scope: Scope) -> Val:
        m = self.m
        args = [a.value for a in node.args]
        if len(args) != BUILTINS[id]:
            m.error(
                "RW0250",
                node.span,
                f"`{id}` takes {BUILTINS[id]} argument{'s' * (BUILTINS[id] != 1)}, I read {len(args)}",
            )
            return BAD
        if id == "running":
            name = args[0].id if isinstance(args[0], sx.Name) else ""
            if name not in m.routines:
                m.unknown("RW0207", args[0].span, "routine", name or m.text(args[0].span), list(m.routines))
                return BAD
            return Val(ir.Running((m.routines[name].proc,)), BOOL)
        if id in ("size", "total"):
            ref = self.ref(args[0], scope)
            if isinstance(ref, ZoneRef):
                return Val(self.zone_size(ref), IntType(0, 999_999))
            if ref.t == ERROR:
                return BAD
            if isinstance(ref.t, SetType):
                return Val(ir.Size("set", ref.e), IntType(0, self.members_of(ref.t.elem)))
            if isinstance(ref.t, ListType):
                return Val(ir.Size("list", ref.e), IntType(0, ref.t.cap))
            if isinstance(ref.t, SparseType) or isinstance(ref.t, MapType) and is_int(ref.t.value):
                return Val(ir.Size("total", ref.e), IntType(0, 999_999))
            m.error(
                "RW0420", args[0].span, f"`{m.text(args[0].span)}` is `{ref.t}`; `{id}` counts a set, a list or a zone"
            )
            return BAD
        if id == "holder":
            ref = self.ref(args[0], scope)
            return self.holder(ref, args[0].span)
        if id in ("front", "last"):
            v = self.expr(args[0], scope)
            if not isinstance(v.t, ListType):
                if v.t != ERROR:
                    m.error(
                        "RW0421",
                        args[0].span,
                        f"`{m.text(args[0].span)}` is `{v.t}`; `{id}` takes an ordered zone or a list",
                    )
                return BAD
            t = v.t.elem
            if isinstance(t, MemberType):
                t = MemberType(t.domain, t.low, t.high, True)
            return Val(ir.ListOp(id, (v.e,)), t)
        if id == "insert":
            v = self.expr(args[0], scope)
            if not isinstance(v.t, ListType):
                return BAD if v.t == ERROR else self.need(v, ListType(INT, 1), args[0].span)
            item = self.need(self.expr(args[1], scope, v.t.elem), v.t.elem, args[1].span)
            at = self.number(args[2], scope)
            return Val(ir.ListOp("insert", (v.e, item.e, at.e)), ListType(v.t.elem, v.t.cap + 1))
        nums = [self.number(a, scope) for a in args]
        if any(n.t == ERROR for n in nums):
            return BAD
        a = nums[0]
        assert isinstance(a.t, IntType)
        if id in ("half_up", "half_down"):
            return Val(ir.Arith(id, a.e, ZERO), IntType(a.t.low // 2, (a.t.high + 1) // 2))
        b = nums[1]
        assert isinstance(b.t, IntType)
        if id in ("larger", "smaller"):
            pick = max if id == "larger" else min
            t = IntType(pick(a.t.low, b.t.low), pick(a.t.high, b.t.high))
            return Val(ir.Arith("max" if id == "larger" else "min", a.e, b.e), t)
        if isinstance(b.e, ir.Const) and b.e.value == 0:
            m.error("RW0422", args[1].span, "division by zero")
            return BAD
        return Val(ir.Arith(id, a.e, b.e), IntType(min(a.t.low, 0), max(a.t.high, 0)))

    def members_of(self, t: Type) -> int:
        if isinstance(t, MemberType):
            return len(self.m.domains[t.domain].values)
        if isinstance(t, IntType):
            return max(0, min(t.high - t.low + 1, 1000))
        return 2

    def holder(self, ref: Val | ZoneRef, span: Span) -> Val:
        """The thing that a zone belongs to."""
        if isinstance(ref, ZoneRef):
            if ref.holder is None or ref.zone.owner is None:
                self.m.error("RW0423", span, f"the zone `{self.m.text(span)}` belongs to no thing")
                return BAD
            return Val(ref.holder, ref.zone.owner.type)
        if ref.t == ERROR:
            return BAD
        if not isinstance(ref.t, PlaceType):
            self.m.error("RW0423", span, f"`{self.m.text(span)}` is `{ref.t}`; `holder` takes a zone or a place")
            return BAD
        table = tuple(z.holder for z in self.lay.zones)
        kinds = {z.owner.name for k in self.m.kinds.values() for z in k.zones.values() if z.owner}
        if len(kinds) != 1:
            self.m.error(
                "RW0424",
                span,
                "the holder of this place may be of several kinds",
                "compare the place with a zone instead",
            )
            return BAD
        t = self.m.kinds[kinds.pop()].type
        self.m.tables_data.append(table)
        return Val(ir.TableGet(len(self.m.tables_data) - 1, ref.e), MemberType(t.domain, t.low, t.high, True))


def scope_is_bots(el: object) -> bool:
    return bool(getattr(el, "in_bots", False))


__all__ = ["INT_HIGH", "INT_LOW", "ONE", "Exprs", "truth"]
