"""`move`: things, counted pieces, whole zones; and what all verbs share about zones, causes and amounts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import (
    ERROR,
    INT,
    PLACE,
    IntType,
    ListType,
    MemberType,
    NoneType,
    PlaceType,
    SetType,
    Type,
    key_count,
)
from dsl.elaborate.context import BAD, ONE, ZERO, key_offset, linear
from dsl.elaborate.core.emit import Ctx
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.expressions.folds import Folds
from dsl.symbols.layout import pool_keys, pool_type
from dsl.symbols.symbols import PieceSym, RuleLine
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

MOST = 999_999  # pieces of one cell; what is counted up to it has no bound of its own


class Moves(Folds):
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

    def noted(self, v: Val, scope: Scope, ctx: Ctx) -> Val:
        raise NotImplementedError

    def can_hear(self, t: RuleLine, args: list[Val], what: str, actor: Val | None = None) -> bool:
        raise NotImplementedError

    def settle(self, symbols: set[str], scope: Scope, ctx: Ctx, span: Span) -> None:
        raise NotImplementedError

    def line(self, line: sx.Line, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def cause(self, s: sx.Sentence, scope: Scope) -> ir.Expr:
        c = clause(s, "as")
        if c is None:
            return ZERO
        enum = self.m.enums.get("Cause")
        node = c.args[0]
        assert not isinstance(node, sx.Key)
        if enum is None:
            if "Cause" not in self.m.broken:
                self.m.broken.add("Cause")
                self.m.error("RW0501", c.span, "there is no enum of causes", "declare `enum Cause: ...`")
            return ZERO
        if isinstance(node, sx.Name) and scope.find(node.id) is None and node.id != "cause":
            member = self.member(node.id, enum.type, node.span)
            if member is None:
                self.m.unknown("RW0208", node.span, "cause", node.id, enum.members)
                return ZERO
            return member.e
        wanted = self.cause_type()
        return self.need(self.expr(node, scope, wanted), wanted, node.span).e

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
        heard = any(
            t.decl.name == "move" and self.can_hear(t, [Val(val.e, elem)], elem.domain) for t in self.m.triggers
        )
        if one:
            val = self.noted(val, scope, ctx) if heard else val
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
        if heard:
            self.one_by_one(s, symbols, scope, ctx)
            return
        slot = scope.body.temp()
        ctx.em.push()
        ctx.em.emit(ir.MoveThing(ir.Temp(slot), zone, at, cause, s.span))
        domain = ir.Domain("list" if isinstance(val.t, ListType) else "set", val.e)
        ctx.em.emit(ir.For(slot, domain, ctx.em.pop()))
        self.settle(symbols, scope, ctx, s.span)

    def one_by_one(self, s: sx.Sentence, symbols: set[str], scope: Scope, ctx: Ctx) -> None:
        """A set of things with lines that hear them: each is an event, all of them are one change."""
        binder = sx.Binder("$each", s.operands[0], span=s.span)
        single = replace(s, operands=(sx.Name("$each", span=s.span),), cites=())
        ctx.em.emit(ir.Together(1))
        self.line(sx.Loop("for every", False, (binder,), (), (single,), span=s.span), scope, ctx)
        ctx.em.emit(ir.Together(-1))
        self.settle(symbols, scope, ctx, s.span)
        ctx.em.instr(ir.Drain())

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

    def may_be_too_large(self, node: sx.Expr, t: Type, source: ZoneRef, piece: PieceSym) -> None:
        """Warn of an exact amount whose own bounds go beyond what the zone can ever hold. Outside an action it would
        end the game in an error."""
        most = source.zone.cap or piece.each
        if not most or not isinstance(t, IntType) or not isinstance(node, (sx.Num, sx.Name, sx.Attr)):
            return  # an amount that is worked out is the author's affair
        if most < t.high < MOST:
            what = self.m.text(node.span)
            self.m.warn(
                "RW1211",
                node.span,
                f"`{what}` may be up to {t.high}, but `{source.zone.symbol}` never holds more than {most}",
                f"to move as many as there are write `smaller({what}, ...)`, or `lose` and `gain`",
            )

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
                self.too_many_indices(piece, arg)
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
            if exact and isinstance(source, ZoneRef) and ctx.routine.word != "action":
                self.may_be_too_large(a.count, v.t, source, piece)
            count = v.e
        if not exact and self.heard_somewhere():  # lines hear how many are really moved
            count = self.as_many_as_possible(count, source, target, index, face, s.span)
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

    def as_many_as_possible(
        self,
        count: ir.Expr,
        source: ZoneRef | Val | None,
        target: ZoneRef | Val | None,
        index: list[ir.Expr],
        face: int | None,
        span: Span,
    ) -> ir.Expr:
        """What `gain` and `lose` move: no more than is there, and than there is room for."""
        if isinstance(source, ZoneRef) and source.zone.cap != 1:
            there = self.read_zone(ZoneRef(source.zone, source.holder, tuple(index), face, span)).e
            count = ir.Arith("min", count, there)
        if isinstance(target, ZoneRef) and target.zone.cap is not None:
            held = self.zone_size(ZoneRef(target.zone, target.holder, (), None, span))
            count = ir.Arith("min", count, ir.Arith("-", ir.Const(target.zone.cap), held))
        return count

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
