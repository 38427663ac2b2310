"""`random`: what chance brings."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import (
    ERROR,
    INT,
    MapType,
    SetType,
    Type,
)
from dsl.elaborate.context import ONE, ZERO, conj
from dsl.elaborate.core.emit import Ctx
from dsl.elaborate.core.scope import Local, Scope, ZoneRef
from dsl.elaborate.statements.choose import Choices
from dsl.symbols.layout import pool_type
from dsl.symbols.types import clause, has
from dsl.syntax import nodes as sx


class Chances(Choices):
    def random_some(self, node: sx.Choose, members: ir.Expr, t: Type, scope: Scope, ctx: Ctx, address: str) -> None:
        """Several members, drawn one after the other: `exactly n`, or `at most n` as far as there are any."""
        b, em = node.binders[0], ctx.em
        told = self.told(node, scope)
        size = clause(node, "exactly") or clause(node, "at most")
        if size is None or isinstance(size.args[0], sx.Key):
            self.m.error("RW0715", node.span, "nothing says how many are drawn", "add `exactly N`, or `at most N`")
            scope.names[b.name] = Local(b.name, ERROR, ZERO)
            return
        left, pool, one = (
            self.hidden_local(scope, INT),
            self.hidden_local(scope, SetType(t)),
            self.hidden_local(scope, t),
        )
        em.emit(self.assign(left, self.number(size.args[0], scope).e))
        em.emit(self.assign(pool, members))
        drawn = self.bind(scope, b.name, SetType(t), b.span)
        em.emit(self.assign(drawn, ZERO))
        top, end = em.label(), em.label()
        em.place(top)
        more = [ir.Compare(">", left.read, ZERO)]
        if size.word == "at most":
            more.append(ir.Compare("!=", pool.read, ZERO))
        em.instr(ir.Branch(conj([*more]), end))
        em.instr(ir.Chance("member", pool.read, None, one.slot, t, address, -1, node.span, told))
        em.emit(self.assign(drawn, ir.Arith("|", drawn.read, ir.MakeSet((one.read,)))))
        em.emit(self.assign(pool, ir.Arith("&~", pool.read, ir.MakeSet((one.read,)))))
        em.emit(self.assign(left, ir.Arith("-", left.read, ONE)))
        em.instr(ir.Jump(top))
        em.place(end)

    def random(self, node: sx.Choose, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        b = node.binders[0]
        probe = scope.child()
        skip = ctx.skip or ctx.epilogue
        empty = skip if has(node, "if any") or has(node, "or decline") else -1
        address = ctx.site_address(b.name)
        told = self.told(node, scope)
        plain = clause(node, "where") is None
        if (node.shape == "number" or isinstance(b.domain, sx.RangeExpr)) and plain:
            d, t = self.domain(b.domain, probe)
            after = self.bind(scope, b.name, t, b.span)
            ctx.em.instr(ir.Chance("number", d.a, d.b, after.slot, t, address, empty, node.span, told))
            return
        ref = self.ref(b.domain, probe)
        if isinstance(ref, ZoneRef) and ref.zone.piece is not None and ref.zone.cap != 1:
            piece = ref.zone.piece
            if len(piece.index) != 1 or len(piece.faces) > 1:
                m.error(
                    "RW0710", b.span, f"one `{piece.name}` can not be drawn: it has not exactly one index and no faces"
                )
                return
            ref.zone.used = True
            t = piece.index[0]
            assert isinstance(pool_type(ref.zone), MapType)
            counts = self.read_zone(ref).e
            if not plain:
                inner = scope.child()
                inner.nested = True
                local = self.temp_local(inner, b.name, t, b.span)
                where, _ = self.where(node.clauses, inner)
                here = self.read_zone(ZoneRef(ref.zone, ref.holder, (local.read,), None, b.span)).e
                each = ((local.slot, ir.Domain("range", ir.Const(t.low), ir.Const(t.high))),)
                counts = ir.Fold("table", each, where, (), here, 0, False, ((t.low, t.high),))
            after = self.bind(scope, b.name, t, b.span)
            ctx.em.instr(ir.Chance("piece", counts, None, after.slot, t, address, empty, node.span, told))
            return
        d, t = self.domain(b.domain, probe)
        inner = scope.child()
        inner.nested = True
        local = self.temp_local(inner, b.name, t, b.span)
        where, _ = self.where(node.clauses, inner)
        members = ir.Fold("set", ((local.slot, d),), where, (), ir.Temp(local.slot))
        if node.shape == "some":
            self.random_some(node, members, t, scope, ctx, address)
            return
        after = self.bind(scope, b.name, t, b.span)
        ctx.em.instr(ir.Chance("member", members, None, after.slot, t, address, empty, node.span, told))
