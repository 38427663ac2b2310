"""The verbs: move, gain, lose, pay, turn, set, show, shuffle. Each makes one atomic change, with the rule lines that
hear it."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl import program as pg
from dsl import syntax as sx
from dsl.collect import clause
from dsl.elaborate.base import BAD, ONE, ZERO, key_offset, linear
from dsl.elaborate.emit import Ctx
from dsl.elaborate.folds import Folds
from dsl.elaborate.scope import Local, Scope, Val, ZoneRef
from dsl.layout import pool_keys, pool_type
from dsl.model import PieceSym, ZoneSym
from dsl.span import Span
from dsl.types import (
    ERROR,
    INT,
    PLACE,
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


class Verbs(Folds):
    # tied in by `events`
    def event(
        self,
        verb: str,
        args: list[Val],
        amount: ir.Expr,
        cause: ir.Expr,
        symbols: set[str],
        scope: Scope,
        ctx: Ctx,
        change: Callable[[], None],
        span: Span,
        what: str,
        actor: Val | None = None,
    ) -> None:
        raise NotImplementedError

    # ------------------------------------------------------------ clauses

    def cause(self, s: sx.Sentence, scope: Scope) -> ir.Expr:
        c = clause(s, "as")
        if c is None:
            return ZERO
        enum = self.m.enums.get("Cause")
        node = c.args[0]
        assert not isinstance(node, sx.Key)
        if enum is None:
            self.m.error("RW0501", c.span, "there is no enum of causes", "declare `enum Cause: ...`")
            return ZERO
        if isinstance(node, sx.Name) and scope.find(node.id) is None and node.id != "cause":
            member = self.member(node.id, enum.type)
            if member is None:
                self.m.unknown("RW0208", node.span, "cause", node.id, enum.members)
                return ZERO
            return member.e
        return self.need(self.expr(node, scope, enum.type), enum.type, node.span).e

    def place(self, s: sx.Sentence, word: str, scope: Scope) -> ZoneRef | Val | None:
        """The zone (or place) after `from` or `to`."""
        c = clause(s, word)
        if c is None:
            return None
        node = c.args[0]
        assert not isinstance(node, sx.Key)
        ref = self.ref(node, scope)
        if isinstance(ref, ZoneRef) or isinstance(ref.t, PlaceType) or ref.t == ERROR:
            return ref
        self.m.error(
            "RW0502", node.span, f"`{self.m.text(node.span)}` is `{ref.t}`, not a zone", f"`{word}` names a zone"
        )
        return BAD

    def zone_symbols(self, *refs: ZoneRef | Val | None) -> set[str]:
        return {r.zone.symbol for r in refs if isinstance(r, ZoneRef)}

    # ------------------------------------------------------------ move

    def move(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        operand = s.operands[0]
        target = self.place(s, "to", scope)
        source = self.place(s, "from", scope)
        if isinstance(target, Val) and target.t == ERROR or isinstance(source, Val) and source.t == ERROR:
            return
        if target is None:
            m.error("RW0503", s.span, "this `move` does not say where to", "add `to ZONE`")
            return
        if isinstance(operand, sx.Amount):
            self.move_amount(s, operand, source, target, scope, ctx, True)
            return
        what = self.ref(operand, scope)
        if isinstance(what, ZoneRef) and what.zone.piece is not None:
            self.move_content(s, what, target, scope, ctx)
            return
        val = self.read_zone(what) if isinstance(what, ZoneRef) else what
        elem = val.t.elem if isinstance(val.t, (SetType, ListType)) else val.t
        if val.t == ERROR or isinstance(val.t, NoneType):
            return
        if not isinstance(elem, MemberType) or elem.domain not in m.kinds:
            m.error(
                "RW0504",
                operand.span,
                f"`{m.text(operand.span)}` is `{val.t}`; it can not be moved",
                "things and counted pieces move: `move 1 cube[a] from ... to ...`",
            )
            return
        if isinstance(target, ZoneRef) and (
            target.zone.kind is None or not self.m.fits_kind(elem, target.zone.kind.type)
        ):
            holds = target.zone.kind.name if target.zone.kind else target.zone.piece.name if target.zone.piece else "?"
            m.error(
                "RW0505",
                operand.span,
                f"`{target.zone.name}` holds `{holds}`, and `{m.text(operand.span)}` is `{elem}`",
            )
            return
        self.move_things(s, val, target, scope, ctx)

    def move_things(self, s: sx.Sentence, val: Val, target: ZoneRef | Val, scope: Scope, ctx: Ctx) -> None:
        at: str | ir.Expr | None = None
        for c in s.clauses:
            if c.word == "at top":
                at = "top"
            elif c.word == "at bottom":
                at = "bottom"
            elif c.word == "at" and not isinstance(c.args[0], sx.Key):
                arg = c.args[0]
                if isinstance(arg, sx.Name) and arg.id in ("top", "bottom") and scope.find(arg.id) is None:
                    at = arg.id
                else:
                    at = self.number(arg, scope).e
        zone = self.instance(target) if isinstance(target, ZoneRef) else target.e
        cause = self.cause(s, scope)
        one = not isinstance(val.t, (SetType, ListType))
        elem = val.t.elem if isinstance(val.t, (SetType, ListType)) else val.t
        assert isinstance(elem, MemberType)
        symbols = self.zone_symbols(target) | self.holding(elem)
        if one:
            here = self.place_of(val, elem)
            args = [Val(val.e, elem), Val(here, PLACE), Val(zone, PLACE)]
            self.event(
                "move",
                args,
                ONE,
                cause,
                symbols,
                scope,
                ctx,
                lambda: ctx.em.emit(ir.MoveThing(val.e, zone, at, cause, s.span)),
                s.span,
                elem.domain,
            )
            return
        domain = ir.Domain("list" if isinstance(val.t, ListType) else "set", val.e)
        slot = scope.body.temp()

        def change() -> None:
            ctx.em.push()
            ctx.em.emit(ir.MoveThing(ir.Temp(slot), zone, at, cause, s.span))
            ctx.em.emit(ir.For(slot, domain, ctx.em.pop()))

        first = ir.Fold("first", ((slot, domain),), None, (), ir.Temp(slot))
        self.event(
            "move",
            [Val(first, elem), Val(ZERO, PLACE), Val(zone, PLACE)],
            ONE,
            cause,
            symbols,
            scope,
            ctx,
            change,
            s.span,
            elem.domain,
        )

    def holding(self, t: MemberType) -> set[str]:
        """Symbols of all zones that may hold a thing of this type (it leaves one of them)."""
        zones = [*self.m.zones.values(), *(z for k in self.m.kinds.values() for z in k.zones.values())]
        return {z.symbol for z in zones if z.kind and self.overlap(z.kind.type, t)}

    def place_of(self, val: Val, t: MemberType) -> ir.Expr:
        kinds = self.m.kind_parts(self.m.kinds[t.domain])
        e: ir.Expr = ZERO
        for k in kinds:
            base = self.lay.place.get(k.name, 0)
            if base:
                cell = ir.Cell(linear(base - k.low, [(val.e, 1)]), INT, f"{k.name}.place")
                e = cell if len(kinds) == 1 else ir.If(ir.Compare("<=", val.e, ir.Const(k.high)), cell, e)
        return e

    # ------------------------------------------------------------ counted pieces

    def amount_of(self, a: sx.Amount, scope: Scope) -> tuple[PieceSym | None, list[ir.Expr], int | None]:
        """Piece, indices and face of `cube[a, bare]`."""
        m = self.m
        node = a.what
        base, args = (node.base, node.args) if isinstance(node, sx.Index) else (node, ())
        name = base.id if isinstance(base, sx.Name) else ""
        piece = m.pieces.get(name)
        if piece is None:
            if name not in m.broken:
                m.unknown("RW0209", node.span, "piece", name or m.text(node.span), list(m.pieces))
            return None, [], None
        piece.used = True
        index: list[ir.Expr] = []
        face: int | None = None
        for arg in args:
            if isinstance(arg, sx.Name) and arg.id in piece.faces and arg.id and scope.find(arg.id) is None:
                face = piece.faces.index(arg.id)
            elif len(index) >= len(piece.index):
                m.error("RW0417", arg.span, f"`{name}` has {len(piece.index)} indices")
            else:
                t = piece.index[len(index)]
                index.append(self.need(self.expr(arg, scope, t), t, arg.span).e)
        if len(index) < len(piece.index):
            m.error(
                "RW0506",
                node.span,
                f"which `{name}`? it is counted by {', '.join(map(str, piece.index))}",
                f"write `{name}[{', '.join('...' for _ in piece.index)}]`",
            )
            return None, [], None
        return piece, index, face

    def pool(
        self, ref: ZoneRef | Val | None, piece: PieceSym, index: list[ir.Expr], face: int, span: Span
    ) -> ir.Pool | None:
        """One end of a transfer."""
        if ref is None:
            return ir.Pool("endless", None, None, f"{piece.name} supply")
        if isinstance(ref, Val):
            self.m.error("RW0507", span, "counted pieces move between zones that are named", "write the zone itself")
            return None
        zone = ref.zone
        zone.used = True
        if zone.piece is not piece:
            holds = zone.kind.name if zone.kind else zone.piece.name if zone.piece else "?"
            self.m.error("RW0505", span, f"`{zone.name}` holds `{holds}`, not `{piece.name}`")
            return None
        t = pool_type(zone)
        base = self.zone_address(ref, t)
        keys = pool_keys(piece)
        at: list[ir.Expr] = ([ir.Const(face)] if len(piece.faces) > 1 else []) + index
        offset = key_offset(keys, at) if keys else ZERO
        if zone.cap == 1:
            return ir.Pool("slot", base, linear(1, [(offset, 1)]), zone.symbol)
        return ir.Pool("count", linear(0, [(base, 1), (offset, 1)]), None, zone.symbol)

    def move_amount(
        self,
        s: sx.Sentence,
        a: sx.Amount,
        source: ZoneRef | Val | None,
        target: ZoneRef | Val | None,
        scope: Scope,
        ctx: Ctx,
        exact: bool,
        verb: str = "move",
        actor: Val | None = None,
    ) -> None:
        m = self.m
        piece, index, face = self.amount_of(a, scope)
        if piece is None:
            return
        if verb == "move" and source is None and piece.each is not None:
            m.error("RW0503", s.span, f"this `move` does not say where `{piece.name}` comes from", "add `from ZONE`")
            return
        everything = isinstance(a.count, sx.Name) and a.count.id == "all"
        faces = [face] if face is not None else list(range(len(piece.faces)))
        ends = [(self.pool(source, piece, index, f, s.span), self.pool(target, piece, index, f, s.span)) for f in faces]
        if any(x is None or y is None for x, y in ends):
            return
        if everything and isinstance(source, ZoneRef):
            count = self.read_zone(ZoneRef(source.zone, source.holder, tuple(index), face, s.span)).e
        elif everything:
            m.error("RW0508", a.count.span, "`all` of what is without limit", "say how many")
            return
        else:
            v = self.need(self.expr(a.count, scope, INT), INT, a.count.span)
            if v.t == ERROR:
                return
            if isinstance(v.t, IntType) and v.t.high < 0:
                m.error("RW0509", a.count.span, "this amount is negative", "turn `from` and `to` round")
            count = v.e
        cause = self.cause(s, scope)
        amount = self.keep(count, scope, ctx)
        limit = target.zone.cap if isinstance(target, ZoneRef) else None

        def change() -> None:
            if len(ends) == 1:
                x, y = ends[0]
                assert x is not None and y is not None
                ctx.em.emit(ir.Transfer(amount, x, y, exact, limit, None, piece.name, cause, s.span))
                return
            left, moved = scope.body.temp(), scope.body.temp()
            ctx.em.emit(ir.SetTemp(left, amount))
            for i, (x, y) in enumerate(ends):
                assert x is not None and y is not None
                last = i == len(ends) - 1
                ctx.em.emit(ir.Transfer(ir.Temp(left), x, y, exact and last, limit, moved, piece.name, cause, s.span))
                ctx.em.emit(ir.SetTemp(left, ir.Arith("-", ir.Temp(left), ir.Temp(moved))))

        symbols = self.zone_symbols(source, target)
        first = Val(index[0], piece.index[0]) if index else Val(ZERO, MemberType(piece.name, 0, 0))
        args = [first] + [Val(self.instance(r) if isinstance(r, ZoneRef) else ZERO, PLACE) for r in (source, target)]
        self.event(verb, args, amount, cause, symbols, scope, ctx, change, s.span, piece.name, actor)

    def keep(self, e: ir.Expr, scope: Scope, ctx: Ctx) -> ir.Expr:
        """The value now, whatever changes later in the same sentence."""
        if isinstance(e, (ir.Const, ir.Temp)):
            return e
        slot = scope.body.temp()
        if ctx.em.flat and self.heard_somewhere():
            local = self.hidden_local(scope, INT)
            ctx.em.emit(self.assign(local, e))
            return local.read
        ctx.em.emit(ir.SetTemp(slot, e))
        return ir.Temp(slot)

    def heard_somewhere(self) -> bool:
        return bool(self.m.triggers)

    def move_content(self, s: sx.Sentence, what: ZoneRef, target: ZoneRef | Val, scope: Scope, ctx: Ctx) -> None:
        """`move c.disc to bag`, `move m.cubes to s.basal`: everything in a zone of pieces."""
        piece = what.zone.piece
        assert piece
        if not isinstance(target, ZoneRef) or target.zone.piece is not piece:
            self.m.error("RW0505", s.span, f"`{what.zone.name}` holds `{piece.name}`, the target does not")
            return
        cause = self.cause(s, scope)
        keys = pool_keys(piece)
        n = key_count(keys)
        sizes = [pool_type(z.zone) for z in (what, target)]
        bases = [self.zone_address(z, t) for z, t in zip((what, target), sizes, strict=True)]
        slot = scope.body.temp()

        def end(z: ZoneRef, base: ir.Expr, number: ir.Expr) -> ir.Pool:
            if z.zone.cap == 1:
                return ir.Pool("slot", base, linear(1, [(number, 1)]), z.zone.symbol)
            return ir.Pool("count", linear(0, [(base, 1), (number, 1)]), None, z.zone.symbol)

        def change() -> None:
            if what.zone.cap == 1:
                number = linear(-1, [(ir.Temp(slot), 1)])
                ctx.em.emit(ir.SetTemp(slot, ir.Cell(bases[0], INT, what.zone.symbol)))
                go = ir.Transfer(
                    ONE,
                    end(what, bases[0], number),
                    end(target, bases[1], number),
                    True,
                    target.zone.cap,
                    None,
                    piece.name,
                    cause,
                    s.span,
                )
                ctx.em.emit(ir.IfS(ir.Temp(slot), (go,), ()))
                return
            source = end(what, bases[0], ir.Temp(slot))
            assert source.address is not None
            go = ir.Transfer(
                ir.Cell(source.address, INT),
                source,
                end(target, bases[1], ir.Temp(slot)),
                True,
                target.zone.cap,
                None,
                piece.name,
                cause,
                s.span,
            )
            ctx.em.emit(ir.For(slot, ir.Domain("range", ZERO, ir.Const(n - 1)), (go,)))

        content = self.read_zone(what) if what.zone.cap == 1 else None
        first = (
            content
            if content is not None and isinstance(content.t, MemberType)
            else Val(ZERO, piece.index[0] if piece.index else INT)
        )
        size = self.zone_size(what)
        args = [first, Val(self.instance(what), PLACE), Val(self.instance(target), PLACE)]
        self.event("move", args, size, cause, self.zone_symbols(what, target), scope, ctx, change, s.span, piece.name)

    # ------------------------------------------------------------ gain, lose, pay

    def account(self, s: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        """gain, lose, pay: an amount of pieces or of a purse at an actor."""
        m = self.m
        word = s.word
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
            m.error("RW0516", s.span, "this `set` does not say to what", "write `set FIELD to VALUE`")
            return
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


__all__ = ["Local", "Verbs", "ZoneSym"]
