"""`move`: things, counted pieces, whole zones; and what all verbs share about amounts and the ends of a transfer."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import ERROR, INT, PLACE, IntType, ListType, MemberType, NoneType, SetType, key_count
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, ONE, ZERO, linear
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, Val, ZoneRef, assign, hidden_local
from dsl.elaborate.core.types import kept, need
from dsl.elaborate.events import chosen, ends, events, noted, reactions, sorts
from dsl.elaborate.events.ends import Route
from dsl.elaborate.expressions import calls, zones
from dsl.elaborate.statements import pay
from dsl.symbols.layout import pool_keys, pool_type
from dsl.symbols.symbols import PieceSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

SOME = "$some"  # the things of `move 2 of S`


# ------------------------------------------------------------ move


def move(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`move X from A to B`: things, an amount of pieces, or all that a zone of pieces holds."""
    m = elab.model
    operand = s.operands[0]
    if sorts.move_all_sorts(elab, s, scope, ctx):
        return
    target = zones.place_in_clause(elab, s, "to", scope)
    source = zones.place_in_clause(elab, s, "from", scope)
    if isinstance(target, Val) and target.t == ERROR or isinstance(source, Val) and source.t == ERROR:
        return
    if target is None:
        m.error("RW0503", s.span, "this `move` does not name a destination", "add `to ZONE`")
        return
    among = clause(s, "of")
    if isinstance(operand, sx.Amount) and among is None:
        move_amount(elab, s, operand, source, target, scope, ctx, True)
        return
    if among is not None:
        val = some_of(elab, s, among, scope, ctx)
        scope = scope.child()
        scope.names[SOME] = Local(SOME, val.t, val.e, used=True)
        rest = tuple(c for c in s.clauses if c is not among)
        s = replace(s, operands=(sx.Name(SOME, span=among.span),), clauses=rest)
    what = elab.ref(s.operands[0], scope)
    if isinstance(what, ZoneRef) and what.zone.piece is not None:
        move_content(elab, s, what, target, scope, ctx)
        return
    val = zones.read_zone(elab, what) if isinstance(what, ZoneRef) else what
    elem = val.t.elem if isinstance(val.t, (SetType, ListType)) else val.t
    if val.t == ERROR or isinstance(val.t, NoneType):
        return
    if not isinstance(elem, MemberType) or elem.domain not in m.kinds:
        m.error(
            "RW0504",
            operand.span,
            f"`{m.text(operand.span)}` is `{val.t}`; it cannot be moved",
            "things and counted pieces move: `move 1 cube[a] from ... to ...`",
        )
        return
    if isinstance(target, ZoneRef) and (
        target.zone.kind is None or not elab.model.fits_kind(elem, target.zone.kind.type)
    ):
        holds = target.zone.kind.name if target.zone.kind else target.zone.piece.name if target.zone.piece else "?"
        m.error(
            "RW0505",
            operand.span,
            f"`{target.zone.name}` holds `{holds}`, and `{m.text(operand.span)}` is `{elem}`",
        )
        return
    move_things(elab, s, val, target, scope, ctx)


def some_of(elab: Elaboration, s: sx.Sentence, among: sx.Clause, scope: Scope, ctx: EmitContext) -> Val:
    """`move 2 of S to Z`: the first of a set or list, as many as the amount says; fewer are a failed demand."""
    m = elab.model
    node, *others = among.args
    assert not isinstance(node, sx.Key)
    ref = elab.ref(node, scope)
    there = ref if isinstance(ref, Val) else zones.read_zone(elab, ref) if ref.zone.kind is not None else BAD
    t = there.t
    if not isinstance(t, (SetType, ListType)) or isinstance(s.operands[0], sx.Amount) or others:
        if t != ERROR or not isinstance(ref, Val):
            m.error(
                "RW0504",
                among.span,
                f"`{m.text(node.span)}` is no set or list of things, of which some can be moved",
                "write `move 2 of set(x in S where P) to Z`; counted pieces move as `move 2 cube[a] from Z to Z`",
            )
        return BAD
    n = elab.number(s.operands[0], scope)
    wanted = Val(events.snapshot_number(elab, n.e, scope, ctx), INT)
    sort = "list" if isinstance(t, ListType) else "set"
    enough = ir.Compare("<=", wanted.e, ir.Size(sort, there.e))
    ctx.em.emit(ir.Require(ir.Guard(enough, m.text(s.span), s.cites, s.span)))
    found = hidden_local(m, scope, t)
    x, taken = ir.Temp(scope.body.temp()), ir.Size(sort, found.read)
    if isinstance(t, ListType):
        more: ir.Expr = ir.ListOp("insert", (found.read, x, taken))
    else:
        more = ir.Arith("|", found.read, ir.MakeSet((x,)))
    ctx.em.emit(assign(found, ir.Const(()) if isinstance(t, ListType) else ZERO))
    take = ir.IfS(ir.Compare("<", taken, wanted.e), (assign(found, more),), ())
    ctx.em.emit(ir.For(x.slot, ir.Domain(sort, there.e), (take,)))
    return Val(found.read, t)


def move_things(
    elab: Elaboration, s: sx.Sentence, val: Val, target: ZoneRef | Val, scope: Scope, ctx: EmitContext
) -> None:
    """Move one thing, or each of a set or list."""
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
                at = ir.Arith("max", ir.Arith("-", elab.number(arg, scope).e, ONE), ZERO)  # the first place is 1
    zone = zones.zone_instance(target) if isinstance(target, ZoneRef) else target.e
    cause = pay.cause_of(elab, s, scope)
    one = not isinstance(val.t, (SetType, ListType))
    elem = val.t.elem if isinstance(val.t, (SetType, ListType)) else val.t
    assert isinstance(elem, MemberType)
    symbols = zones.zone_symbols(target) | symbols_holding(elab, elem)
    has_listeners = any(
        t.decl.name == "move" and reactions.can_listen(elab, t, [Val(val.e, elem)], elem.domain)
        for t in elab.model.triggers
    )
    if one:
        val = events.snapshot(elab, val, scope, ctx) if has_listeners else val
        here = zones.place_of(elab, val, elem)
        args = [Val(val.e, elem), Val(here, PLACE), Val(zone, PLACE)]
        events.emit_event(
            elab,
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
    if has_listeners:
        move_each(elab, s, symbols, scope, ctx)
        return
    slot = scope.body.temp()
    ctx.em.push()
    ctx.em.emit(ir.MoveThing(ir.Temp(slot), zone, at, cause, s.span))
    domain = ir.Domain("list" if isinstance(val.t, ListType) else "set", val.e)
    ctx.em.emit(ir.For(slot, domain, ctx.em.pop()))
    events.settle(elab, symbols, scope, ctx, s.span)


def move_each(elab: Elaboration, s: sx.Sentence, symbols: set[str], scope: Scope, ctx: EmitContext) -> None:
    """Move a set of things to which lines react: each is an event, all of them are one change."""
    binder = sx.Binder("$each", s.operands[0], span=s.span)
    single = replace(s, operands=(sx.Name("$each", span=s.span),), cites=())
    noted.begin(elab, ctx)
    elab.line(sx.Loop("for every", False, (binder,), (), (single,), span=s.span), scope, ctx)
    noted.end(elab, ctx)
    events.settle(elab, symbols, scope, ctx, s.span, several=True)
    chosen.drain(elab, ctx)


def symbols_holding(elab: Elaboration, t: MemberType) -> set[str]:
    """Symbols of all zones that may hold a thing of this type (it leaves one of them)."""
    return {z.symbol for z in zones.zones_holding(elab.model, t)}


# ------------------------------------------------------------ counted pieces


def amount_parts(elab: Elaboration, a: sx.Amount, scope: Scope) -> tuple[PieceSym | None, list[ir.Expr], int | None]:
    """Piece, indices and face of `cube[a, bare]`; None for the piece after a message."""
    m = elab.model
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
            calls.report_extra_index(elab, piece, arg)
        else:
            t = piece.index[len(index)]
            index.append(need(m, elab.expr(arg, scope, t), t, arg.span).e)
    if len(index) < len(piece.index):
        m.error(
            "RW0506",
            node.span,
            f"which `{name}`? it is counted by {', '.join(map(str, piece.index))}",
            f"write `{name}[{', '.join('...' for _ in piece.index)}]`",
        )
        return None, [], None
    return piece, index, face


def move_amount(
    elab: Elaboration,
    s: sx.Sentence,
    a: sx.Amount,
    source: ZoneRef | Val | None,
    target: ZoneRef | Val | None,
    scope: Scope,
    ctx: EmitContext,
    exact: bool,
    verb: str = "move",
    actor: Val | None = None,
) -> None:
    """Move an amount of pieces; `exact`: it fails if fewer are there. `verb` is what lines react to."""
    m = elab.model
    piece, index, face = amount_parts(elab, a, scope)
    if piece is None:
        return
    if verb == "move" and source is None and piece.each is not None:
        m.error("RW0503", s.span, f"this `move` does not say where `{piece.name}` comes from", "add `from ZONE`")
        return
    everything = isinstance(a.count, sx.Name) and a.count.id == "all"
    faces = [face] if face is not None else list(range(len(piece.faces)))
    routes = ends.routes_of(elab, source, target, piece, index, faces, s.span)
    if not routes:
        return
    if everything and source is not None:
        there = [zones.read_zone(elab, r.source.of(tuple(index), face, s.span)).e if r.source else ZERO for r in routes]
        count = ends.by_route(routes, lambda r: there[routes.index(r)])
    elif everything:
        m.error("RW0508", a.count.span, "`all` of an unlimited supply", "say how many")
        return
    else:
        v = kept(m, need(m, elab.expr(a.count, scope, INT), INT, a.count.span), a.count.span)
        if v.t == ERROR:
            return
        if isinstance(v.t, IntType) and v.t.high < 0:
            m.error("RW0509", a.count.span, "this amount is negative", "swap `from` and `to`")
        if exact and isinstance(source, ZoneRef) and ctx.routine.word != "action":
            ends.warn_too_large(elab, a.count, v.t, source, piece)
        count = v.e
    if not exact and events.has_triggers(elab):  # lines react to the number that is really moved
        count = ends.by_route(routes, lambda r: limited_count(elab, count, r, index, face, s.span))
    cause = pay.cause_of(elab, s, scope)
    amount = events.snapshot_number(elab, count, scope, ctx)

    def change() -> None:
        for r in routes:
            if r.test == ONE:
                transfer(r)
                continue
            ctx.em.push()
            transfer(r)
            ctx.em.emit(ir.IfS(r.test, ctx.em.pop(), ()))

    def transfer(r: Route) -> None:
        limit = r.target.zone.cap if r.target is not None else None
        if len(r.ends) == 1:
            x, y = r.ends[0]
            ctx.em.emit(ir.Transfer(amount, x, y, exact, limit, None, piece.name, cause, s.span))
            return
        left, moved = scope.body.temp(), scope.body.temp()
        ctx.em.emit(ir.SetTemp(left, amount))
        for i, (x, y) in enumerate(r.ends):
            last = i == len(r.ends) - 1
            ctx.em.emit(ir.Transfer(ir.Temp(left), x, y, exact and last, limit, moved, piece.name, cause, s.span))
            ctx.em.emit(ir.SetTemp(left, ir.Arith("-", ir.Temp(left), ir.Temp(moved))))

    symbols = set().union(*(zones.zone_symbols(r.source, r.target) for r in routes))
    first = Val(index[0], piece.index[0]) if index else Val(ZERO, MemberType(piece.name, 0, 0))
    args = [first, ends.place_value(source, piece), ends.place_value(target, piece)]
    events.emit_event(elab, verb, args, amount, cause, symbols, scope, ctx, change, s.span, piece.name, actor)


def limited_count(
    elab: Elaboration, count: ir.Expr, route: Route, index: list[ir.Expr], face: int | None, span: Span
) -> ir.Expr:
    """The number that `gain` and `lose` move: no more than is there, and than there is room for."""
    source, target = route.source, route.target
    if source is not None and source.zone.cap != 1:
        there = zones.read_zone(elab, source.of(tuple(index), face, span)).e
        count = ir.Arith("min", count, there)
    if target is not None and target.zone.cap is not None:
        held = calls.zone_size(elab, target.of((), None, span))
        count = ir.Arith("min", count, ir.Arith("-", ir.Const(target.zone.cap), held))
    return count


def move_content(
    elab: Elaboration, s: sx.Sentence, what: ZoneRef, target: ZoneRef | Val, scope: Scope, ctx: EmitContext
) -> None:
    """`move c.disc to bag`, `move m.cubes to s.basal`: everything in a zone of pieces."""
    piece = what.zone.piece
    assert piece
    if not isinstance(target, ZoneRef) or target.zone.piece is not piece:
        elab.model.error("RW0505", s.span, f"`{what.zone.name}` holds `{piece.name}`, the target does not")
        return
    cause = pay.cause_of(elab, s, scope)
    keys = pool_keys(piece)
    n = key_count(keys)
    sizes = [pool_type(z.zone) for z in (what, target)]
    bases = [zones.zone_address(z, t) for z, t in zip((what, target), sizes, strict=True)]
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

    content = zones.read_zone(elab, what) if what.zone.cap == 1 else None
    first = (
        content
        if content is not None and isinstance(content.t, MemberType)
        else Val(ZERO, piece.index[0] if piece.index else INT)
    )
    size = calls.zone_size(elab, what)
    args = [first, ends.place_value(what, piece), ends.place_value(target, piece)]
    events.emit_event(
        elab, "move", args, size, cause, zones.zone_symbols(what, target), scope, ctx, change, s.span, piece.name
    )
