"""The other verbs: gain, lose, pay, turn, set, show. Each makes one atomic change, with the rule lines that react to
it."""

from __future__ import annotations

from dsl import ir
from dsl import program as pg
from dsl.base.types import ERROR, INT, IntType, ListType, MapType, MemberType, SetType, SparseType, Type, width
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, key_offset, linear
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Scope, Val, ZoneRef, assign
from dsl.elaborate.core.types import kept, need, within
from dsl.elaborate.events import ends, events, sorts
from dsl.elaborate.expressions import actors, names, zones
from dsl.elaborate.statements import move, pay
from dsl.symbols.symbols import FieldSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx

# ------------------------------------------------------------ gain, lose, pay


def change_account(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`gain`, `lose`, `pay`: an amount of pieces or of a purse at an actor."""
    m = elab.model
    word = s.word
    if word == "pay":
        elab.late_demands.report_demand(ctx.routine, s)
    operand = s.operands[0]
    if not isinstance(operand, sx.Amount):
        m.error(
            "RW0510",
            operand.span,
            f"`{word}` takes an amount and a piece, but got `{m.text(operand.span)}`",
            f"write `{word} 2 PIECE`",
        )
        return
    if sorts.move_all_sorts(elab, s, scope, ctx):
        return
    base = operand.what.base if isinstance(operand.what, sx.Index) else operand.what
    name = base.id if isinstance(base, sx.Name) else ""
    by = clause(s, "by")
    actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, s.span)
    if name in m.purses:
        pay.purse_payment(elab, s, operand, name, actor, scope, ctx)
        return
    source, target = zones.place_in_clause(elab, s, "from", scope), zones.place_in_clause(elab, s, "to", scope)
    piece = m.pieces.get(name)
    if piece is None:
        m.unknown("RW0209", base.span, "piece or purse", name or m.text(base.span), [*m.pieces, *m.purses])
        return
    _, index, _ = move.amount_parts(elab, operand, scope) if piece.home_index >= 0 else (piece, [], None)
    supply = zones.home(piece, index, s.span)
    if piece.home is not None and supply is None:
        return  # reported with its index
    own: ZoneRef | None = None
    if (word == "gain" and target is None) or (word != "gain" and source is None):
        own = actors.zone_of_actor(elab, piece, actor, s.span)
        if own is None:
            return
    if word == "gain":
        source, target = source or supply, target or own
    else:
        source, target = source or own, target or supply
    cause = pay.cause_of(elab, s, scope)
    if word == "pay":
        pay.unless_waived(
            cause, ctx, lambda: move.move_amount(elab, s, operand, source, target, scope, ctx, True, word, actor)
        )
    else:
        move.move_amount(elab, s, operand, source, target, scope, ctx, False, word, actor)


# ------------------------------------------------------------ turn, set, show


def turn(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`turn X to FACE`: a thing, or an amount of pieces."""
    m = elab.model
    operand = s.operands[0]
    to = clause(s, "to")
    face_name = to.args[0].id if to and isinstance(to.args[0], sx.Name) else ""
    if isinstance(operand, sx.Amount):
        piece, index, face = move.amount_parts(elab, operand, scope)
        source = zones.place_in_clause(elab, s, "from", scope)
        if piece is None or not isinstance(source, ZoneRef):
            if piece is not None:
                m.error("RW0503", s.span, "this `turn` does not say where the pieces are", "add `from ZONE`")
            return
        if face_name not in piece.faces:
            m.unknown("RW0514", s.span, f"face of `{piece.name}`", face_name, [f for f in piece.faces if f])
            return
        other = piece.faces.index(face_name)
        faces = [face] if face is not None else [f for f in range(len(piece.faces)) if f != other]
        if isinstance(operand.count, sx.Name) and operand.count.id == "all":
            parts = [zones.read_zone(elab, source.of(tuple(index), f, s.span)).e for f in faces]
            count = parts[0]
            for part in parts[1:]:
                count = ir.Arith("+", count, part)
        else:
            count = elab.number(operand.count, scope).e
        amount = events.snapshot_number(elab, count, scope, ctx)
        cause = pay.cause_of(elab, s, scope)

        def change() -> None:
            left, moved = scope.body.temp(), scope.body.temp()
            ctx.em.emit(ir.SetTemp(left, amount))
            for i, f in enumerate(faces):
                x = ends.pool(elab, source, piece, index, f, s.span)
                y = ends.pool(elab, source, piece, index, other, s.span)
                if x is None or y is None:
                    return
                last = i == len(faces) - 1
                ctx.em.emit(ir.Transfer(ir.Temp(left), x, y, last, None, moved, piece.name, cause, s.span))
                ctx.em.emit(ir.SetTemp(left, ir.Arith("-", ir.Temp(left), ir.Temp(moved))))

        first = Val(index[0], piece.index[0]) if index else Val(ZERO, INT)
        events.emit_event(
            elab, "turn", [first], amount, cause, zones.zone_symbols(source), scope, ctx, change, s.span, piece.name
        )
        return
    v = elab.expr(operand, scope)
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
    address = linear(elab.layout.face_base[kind.name] - kind.low, [(v.e, 1)])
    symbol = f"{kind.name}.face"
    store = ir.Store(address, IntType(0, len(kind.faces) - 1), ir.Const(kind.faces.index(face_name)), symbol, s.span)
    events.emit_event(
        elab,
        "turn",
        [v],
        ONE,
        pay.cause_of(elab, s, scope),
        {symbol},
        scope,
        ctx,
        lambda: ctx.em.emit(store),
        s.span,
        kind.name,
    )


def set_field(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`set F to V`: a field, a local, or an item of a map."""
    m = elab.model
    node = s.operands[0]
    to = clause(s, "to")
    if to is None or isinstance(to.args[0], sx.Key):
        return  # reported when the line was parsed
    if isinstance(node, sx.Name) and (local := scope.find(node.id)):
        if not local.assignable:
            m.error(
                "RW0517",
                node.span,
                f"`{node.id}` cannot be set: it is a parameter or the answer of a choice",
                f"make a local of it: `let x = {node.id}`",
            )
            return
        local.used = True
        v = need(m, elab.expr(to.args[0], scope, local.type), local.type, to.args[0].span)
        if v.t != ERROR:
            ctx.em.emit(assign(local, kept(m, v, to.args[0].span).e))
        return
    if isinstance(node, sx.Index):
        set_item(elab, s, node, to.args[0], scope, ctx)
        return
    target = field_target(elab, node, scope)
    if target is None:
        return
    address, t, symbol = target
    v = need(m, elab.expr(to.args[0], scope, t), t, to.args[0].span)
    if v.t == ERROR:
        return
    if isinstance(t, IntType) and isinstance(v.t, IntType) and (v.t.low > t.high or v.t.high < t.low):
        m.error("RW0518", to.args[0].span, f"`{m.text(to.args[0].span)}` is {v.t}, and `{m.text(node.span)}` holds {t}")
    store = ir.Store(address, t, v.e, symbol, s.span)
    events.emit_event(elab, "set", [], ONE, ZERO, {symbol}, scope, ctx, lambda: ctx.em.emit(store), s.span, symbol)


def field_target(elab: Elaboration, node: sx.Expr, scope: Scope) -> tuple[ir.Expr, Type, str] | None:
    """The address, type and symbol of a field that is set; None after a message."""
    m = elab.model
    field = None
    thing: ir.Expr | None = None
    if isinstance(node, sx.Name):
        field = m.fields.get(node.id)
    elif isinstance(node, sx.Attr):
        base = names.member_with(elab, node, scope) or elab.expr(node.base, scope)
        if base.t == ERROR:
            return None
        kind = m.kind_of(base.t)
        if kind and isinstance(base.t, MemberType) and base.t.optional:
            m.error(
                "RW0401",
                node.base.span,
                f"`{m.text(node.base.span)}` may be none",
                "test it first: `if ... is not none`",
            )
            return None
        shape = m.shape(kind, node.name) if kind else None
        field = shape if isinstance(shape, FieldSym) else None
        thing = base.e
        if kind and shape is None and node.name not in m.values:
            known = [f for part in m.kind_parts(kind) for f in part.fields]
            help = names.apart(m, kind, node.name)
            m.unknown("RW0260", node.span, f"field of `{kind.name}`", node.name, known, help)
            return None
    if field is None or field.const:
        what = (
            "a constant"
            if field
            else "a zone"
            if isinstance(ref_without_messages(elab, node, scope), ZoneRef)
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


def ref_without_messages(elab: Elaboration, node: sx.Expr, scope: Scope) -> ZoneRef | Val:
    """A value or zone; what is wrong with it is not reported."""
    with elab.model.quietly():
        return elab.ref(node, scope)


def set_item(elab: Elaboration, s: sx.Sentence, node: sx.Index, value: sx.Expr, scope: Scope, ctx: EmitContext) -> None:
    """`set p.debts[o] to k`, `set table[x] to n` of a local map."""
    m = elab.model
    local = scope.find(node.base.id) if isinstance(node.base, sx.Name) else None
    if local is not None:
        t = local.type
        base_slot: int | None = local.slot
    else:
        target = field_target(elab, node.base, scope)
        if target is None:
            return
        address, t, symbol = target
        base_slot = None
    if not isinstance(t, MapType) or isinstance(t, SparseType) or len(t.keys) != len(node.args):
        m.error("RW0416", node.span, f"`{m.text(node.base.span)}` is `{t}`; its items cannot be set one by one")
        return
    at = [within(m, elab.expr(a, scope, k), k, a.span).e for a, k in zip(node.args, t.keys, strict=True)]
    v = need(m, elab.expr(value, scope, t.value), t.value, value.span)
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
    events.emit_event(elab, "set", [], ONE, ZERO, {symbol}, scope, ctx, lambda: ctx.em.emit(store), s.span, symbol)


def show(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`show X to WHO`: these seats learn the things."""
    v = elab.expr(s.operands[0], scope)
    to = clause(s, "to")
    things = (
        v.e
        if isinstance(v.t, SetType)
        else ir.ListOp("to_set", (v.e,))
        if isinstance(v.t, ListType)
        else ir.MakeSet((v.e,))
    )
    seats: ir.Expr = ir.RangeSet(ONE, ir.Cell(ir.Const(pg.SEATS), INT))
    if to and not isinstance(to.args[0], sx.Key) and not (isinstance(to.args[0], sx.Name) and to.args[0].id == "all"):
        who = elab.expr(to.args[0], scope)
        seats = actors.seats_of(elab, who, scope, s.span)
    ctx.em.emit(ir.Show(things, seats, s.span))
