"""The other verbs: gain, lose, pay, turn, set, show. Each makes one atomic change, with the rule lines that hear it."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl import program as pg
from dsl.base.span import Span
from dsl.base.types import (
    ERROR,
    INT,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    SparseType,
    Type,
    width,
)
from dsl.elaborate.context import ONE, ZERO, key_offset, linear
from dsl.elaborate.core.emit import Ctx
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.statements.move import Moves
from dsl.symbols.symbols import PieceSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx


class Verbs(Moves):
    # ------------------------------------------------------------ gain, lose, pay

    def account(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        """gain, lose, pay: an amount of pieces or of a purse at an actor."""
        m = self.m
        word = s.word
        if word == "pay":
            self.late.demanded(ctx.routine, s)
        operand = s.operands[0]
        if not isinstance(operand, sx.Amount):
            m.error(
                "RW0510",
                operand.span,
                f"`{word}` takes an amount and a piece, I read `{m.text(operand.span)}`",
                f"write `{word} 2 PIECE`",
            )
            return
        base = operand.what.base if isinstance(operand.what, sx.Index) else operand.what
        name = base.id if isinstance(base, sx.Name) else ""
        by = clause(s, "by")
        actor = self.actor(by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, s.span)
        if name in m.purses:
            self.purse_payment(s, operand, name, actor, scope, ctx)
            return
        source, target = self.place(s, "from", scope), self.place(s, "to", scope)
        piece = m.pieces.get(name)
        if piece is None:
            m.unknown("RW0209", base.span, "piece or purse", name or m.text(base.span), [*m.pieces, *m.purses])
            return
        supply = ZoneRef(m.zones[piece.supply], None, span=s.span) if piece.supply in m.zones and piece.supply else None
        own: ZoneRef | None = None
        if (word == "gain" and target is None) or (word != "gain" and source is None):
            own = self.own_zone(piece, actor, s.span)
            if own is None:
                return
        if word == "gain":
            source, target = source or supply, target or own
        else:
            source, target = source or own, target or supply
        cause = self.cause(s, scope)
        if word == "pay":
            self.unless_waived(
                cause, ctx, lambda: self.move_amount(s, operand, source, target, scope, ctx, True, word, actor)
            )
        else:
            self.move_amount(s, operand, source, target, scope, ctx, False, word, actor)

    def unless_waived(self, cause: ir.Expr, ctx: Ctx, pay: Callable[[], None]) -> None:
        """A payment with its event, left out where `perform ... without` waives its cause."""
        if cause == ZERO:
            pay()
        elif ctx.em.flat and len(ctx.em.buffers) == 1:
            end = ctx.em.label()
            ctx.em.instr(ir.Branch(ir.Not(ir.Waived(cause)), end))
            pay()
            ctx.em.place(end)
        else:
            ctx.em.push()
            pay()
            ctx.em.emit(ir.IfS(ir.Not(ir.Waived(cause)), ctx.em.pop(), ()))

    def settle(self, symbols: set[str], scope: Scope, ctx: Ctx, span: Span) -> None:
        raise NotImplementedError

    def purse_payment(self, s: sx.Sentence, a: sx.Amount, name: str, actor: Val | None, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def actor(self, node: sx.Expr | None, scope: Scope, span: Span) -> Val | None:
        """Who is meant by `by`, else `you`."""
        if node is not None:
            v = self.expr(node, scope)
            return None if v.t == ERROR else v
        if scope.you is None:
            return None
        scope.you.used = True
        return Val(scope.you.read, scope.you.type)

    def own_zone(self, piece: PieceSym, actor: Val | None, span: Span) -> ZoneRef | None:
        """The zone of this piece at the actor."""
        m = self.m
        if actor is None:
            m.error(
                "RW0511",
                span,
                f"who gains or loses `{piece.name}`? nobody acts here",
                "add `by WHO`, or `from`/`to ZONE`",
            )
            return None
        if not isinstance(actor.t, MemberType) or actor.t.domain not in m.kinds:
            m.error("RW0512", span, f"`by` names somebody who acts, and this is `{actor.t}`")
            return None
        if actor.t.optional:
            m.error("RW0401", span, "the one after `by` may be none", "test it before")
            return None
        kind = m.kinds[actor.t.domain]
        zones = [z for z in kind.zones.values() if z.piece is piece]
        if len(zones) != 1:
            text = "has no zone" if not zones else "has several zones"
            m.error("RW0513", span, f"`{kind.name}` {text} of `{piece.name}`", "say which: `from ZONE` or `to ZONE`")
            return None
        return ZoneRef(zones[0], actor.e, span=span)

    # ------------------------------------------------------------ turn, set, show

    def turn(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        operand = s.operands[0]
        to = clause(s, "to")
        face_name = to.args[0].id if to and isinstance(to.args[0], sx.Name) else ""
        if isinstance(operand, sx.Amount):
            piece, index, face = self.amount_of(operand, scope)
            source = self.place(s, "from", scope)
            if piece is None or not isinstance(source, ZoneRef):
                if piece is not None:
                    m.error("RW0503", s.span, "this `turn` does not say where the pieces lie", "add `from ZONE`")
                return
            if face_name not in piece.faces:
                m.unknown("RW0514", s.span, f"face of `{piece.name}`", face_name, [f for f in piece.faces if f])
                return
            other = piece.faces.index(face_name)
            faces = [face] if face is not None else [f for f in range(len(piece.faces)) if f != other]
            if isinstance(operand.count, sx.Name) and operand.count.id == "all":
                parts = [self.read_zone(ZoneRef(source.zone, source.holder, tuple(index), f, s.span)).e for f in faces]
                count = parts[0]
                for part in parts[1:]:
                    count = ir.Arith("+", count, part)
            else:
                count = self.number(operand.count, scope).e
            amount = self.keep(count, scope, ctx)
            cause = self.cause(s, scope)

            def change() -> None:
                left, moved = scope.body.temp(), scope.body.temp()
                ctx.em.emit(ir.SetTemp(left, amount))
                for i, f in enumerate(faces):
                    x = self.pool(source, piece, index, f, s.span)
                    y = self.pool(source, piece, index, other, s.span)
                    if x is None or y is None:
                        return
                    last = i == len(faces) - 1
                    ctx.em.emit(ir.Transfer(ir.Temp(left), x, y, last, None, moved, piece.name, cause, s.span))
                    ctx.em.emit(ir.SetTemp(left, ir.Arith("-", ir.Temp(left), ir.Temp(moved))))

            first = Val(index[0], piece.index[0]) if index else Val(ZERO, INT)
            self.event(
                "turn", [first], amount, cause, self.zone_symbols(source), scope, ctx, change, s.span, piece.name
            )
            return
        v = self.expr(operand, scope)
        if v.t == ERROR:
            return
        kind = m.kind_of(v.t)
        if kind is None or not kind.faces:
            m.error(
                "RW0515",
                operand.span,
                f"`{m.text(operand.span)}` is `{v.t}`, which has no faces",
                "declare `kind K ... faces a, b`",
            )
            return
        if face_name not in kind.faces:
            m.unknown("RW0514", s.span, f"face of `{kind.name}`", face_name, list(kind.faces))
            return
        address = linear(self.lay.face_base[kind.name] - kind.low, [(v.e, 1)])
        symbol = f"{kind.name}.face"
        store = ir.Store(
            address, IntType(0, len(kind.faces) - 1), ir.Const(kind.faces.index(face_name)), symbol, s.span
        )
        self.event(
            "turn", [v], ONE, self.cause(s, scope), {symbol}, scope, ctx, lambda: ctx.em.emit(store), s.span, kind.name
        )

    def set_field(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        node = s.operands[0]
        to = clause(s, "to")
        if to is None or isinstance(to.args[0], sx.Key):
            return  # said when the line was read
        if isinstance(node, sx.Name) and (local := scope.find(node.id)):
            if not local.assignable:
                m.error(
                    "RW0517",
                    node.span,
                    f"`{node.id}` can not be set: it is a parameter or the answer of a choice",
                    f"make a local of it: `let x = {node.id}`",
                )
                return
            local.used = True
            v = self.need(self.expr(to.args[0], scope, local.type), local.type, to.args[0].span)
            if v.t != ERROR:
                ctx.em.emit(self.assign(local, v.e))
            return
        if isinstance(node, sx.Index):
            self.set_item(s, node, to.args[0], scope, ctx)
            return
        target = self.field_target(node, scope)
        if target is None:
            return
        address, t, symbol = target
        v = self.need(self.expr(to.args[0], scope, t), t, to.args[0].span)
        if v.t == ERROR:
            return
        if isinstance(t, IntType) and isinstance(v.t, IntType) and (v.t.low > t.high or v.t.high < t.low):
            m.error(
                "RW0518", to.args[0].span, f"`{m.text(to.args[0].span)}` is {v.t}, and `{m.text(node.span)}` holds {t}"
            )
        store = ir.Store(address, t, v.e, symbol, s.span)
        self.event("set", [], ONE, ZERO, {symbol}, scope, ctx, lambda: ctx.em.emit(store), s.span, symbol)

    def field_target(self, node: sx.Expr, scope: Scope) -> tuple[ir.Expr, Type, str] | None:
        m = self.m
        field = None
        thing: ir.Expr | None = None
        if isinstance(node, sx.Name):
            field = m.fields.get(node.id)
        elif isinstance(node, sx.Attr):
            base = self.expr(node.base, scope)
            if base.t == ERROR:
                return None
            kind = m.kind_of(base.t)
            if kind and isinstance(base.t, MemberType) and base.t.optional:
                m.error(
                    "RW0401",
                    node.base.span,
                    f"`{m.text(node.base.span)}` may be none",
                    "test it before: `if ... is not none`",
                )
                return None
            field = kind.fields.get(node.name) if kind else None
            thing = base.e
            if kind and field is None and node.name not in kind.zones and node.name not in m.values:
                m.unknown("RW0260", node.span, f"field of `{kind.name}`", node.name, list(kind.fields))
                return None
        if field is None or field.const:
            what = (
                "a constant"
                if field
                else "a zone"
                if isinstance(self.quiet_ref(node, scope), ZoneRef)
                else "not a field"
            )
            m.error(
                "RW0519",
                node.span,
                f"`{m.text(node.span)}` is {what}; only fields and locals are set",
                "zones change by `move`; values change by `modify` lines",
            )
            return None
        field.written = True
        m.uses.append((node.span, field.span))
        if thing is None:
            return ir.Const(field.base), field.type, field.name
        assert field.owner
        w = width(field.type)
        address = linear(field.base - field.owner.low * w, [(thing, w)])
        return address, field.type, f"{field.owner.name}.{field.name}"

    def quiet_ref(self, node: sx.Expr, scope: Scope) -> ZoneRef | Val:
        kept = list(self.m.diagnostics)
        found = self.ref(node, scope)
        self.m.diagnostics[:] = kept
        return found

    def set_item(self, s: sx.Sentence, node: sx.Index, value: sx.Expr, scope: Scope, ctx: Ctx) -> None:
        """`set p.credit[o] to k`, `set table[x] to n` of a local map."""
        m = self.m
        local = scope.find(node.base.id) if isinstance(node.base, sx.Name) else None
        if local is not None:
            t = local.type
            base_slot: int | None = local.slot
        else:
            target = self.field_target(node.base, scope)
            if target is None:
                return
            address, t, symbol = target
            base_slot = None
        if not isinstance(t, MapType) or isinstance(t, SparseType) or len(t.keys) != len(node.args):
            m.error("RW0416", node.span, f"`{m.text(node.base.span)}` is `{t}`; its items can not be set one by one")
            return
        at = [self.need(self.expr(a, scope, k), k, a.span).e for a, k in zip(node.args, t.keys, strict=True)]
        v = self.need(self.expr(value, scope, t.value), t.value, value.span)
        offset = key_offset(t.keys, at)
        w = width(t.value)
        if local is not None and base_slot is not None:
            local.used = True
            if local.framed:
                ctx.em.emit(ir.SetFrame(base_slot, t.value, v.e, linear(0, [(offset, w)])))
            else:
                ctx.em.emit(ir.SetTemp(base_slot, ir.MapWith(local.read, offset, v.e)))
            return
        store = ir.Store(linear(0, [(address, 1), (offset, w)]), t.value, v.e, symbol, s.span)
        self.event("set", [], ONE, ZERO, {symbol}, scope, ctx, lambda: ctx.em.emit(store), s.span, symbol)

    def show(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        v = self.expr(s.operands[0], scope)
        to = clause(s, "to")
        things = (
            v.e
            if isinstance(v.t, SetType)
            else ir.ListOp("to_set", (v.e,))
            if isinstance(v.t, ListType)
            else ir.MakeSet((v.e,))
        )
        seats: ir.Expr = ir.RangeSet(ONE, ir.Cell(ir.Const(pg.SEATS), INT))
        if (
            to
            and not isinstance(to.args[0], sx.Key)
            and not (isinstance(to.args[0], sx.Name) and to.args[0].id == "all")
        ):
            who = self.expr(to.args[0], scope)
            seats = who.e if isinstance(who.t, SetType) else ir.MakeSet((self.seat_of(who, s.span),))
        ctx.em.emit(ir.Show(things, seats))

    def seat_of(self, actor: Val, span: Span) -> ir.Expr:
        """The seat that decides for an actor."""
        m = self.m
        kind = m.kind_of(actor.t)
        if kind is None:
            if actor.t != ERROR:
                m.error("RW0512", span, f"somebody who acts is needed here, and this is `{actor.t}`")
            return ZERO
        if kind.name == "Seat":
            return actor.e
        if kind.decided_by is None:
            m.error(
                "RW0520",
                span,
                f"nobody decides for a `{kind.name}`",
                f"declare `kind {kind.name} ... decided by FIELD`",
            )
            return ZERO
        assert isinstance(actor.t, MemberType)
        found = self.of_thing(
            Val(actor.e, MemberType(actor.t.domain, actor.t.low, actor.t.high)), kind.decided_by, span
        )
        if not isinstance(found, Val) or not isinstance(found.t, MemberType) or found.t.domain != "Seat":
            m.error(
                "RW0521",
                kind.decided_span,
                f"`decided by {kind.decided_by}` must be a field or value that gives a Seat",
            )
            return ZERO
        return found.e
