"""`random` and `shuffle`: what chance brings."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ERROR, INT, IntType, MapType, MemberType, SetType, Type, bounds
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, Val, ZoneRef, assign, bind, hidden_local, temp_local
from dsl.elaborate.events import events
from dsl.elaborate.expressions import folds, zones
from dsl.elaborate.statements import choose
from dsl.symbols.layout import pool_type
from dsl.symbols.types import clause, has_clause
from dsl.syntax import nodes as sx

DRAWN_TOGETHER = "draw one after the other, or one thing of a kind: `kind Throw by Pips, Pips`, `random t in Throw`"


def draw_several(
    elab: Elaboration,
    node: sx.Choose,
    members: ir.Expr,
    t: Type,
    weights: ir.Expr | None,
    scope: Scope,
    ctx: EmitContext,
    address: str,
) -> None:
    """Several members, drawn one after the other: `exactly n`, or `at most n` as far as there are any."""
    b, em = node.binders[0], ctx.em
    audience = choose.audience_of(elab, node, scope)
    size = clause(node, "exactly") or clause(node, "at most")
    if size is None or isinstance(size.args[0], sx.Key):
        elab.model.error("RW0715", node.span, "nothing says how many are drawn", "add `exactly N`, or `at most N`")
        scope.names[b.name] = Local(b.name, ERROR, ZERO)
        return
    left, pool, one = (
        hidden_local(elab.model, scope, INT),
        hidden_local(elab.model, scope, SetType(t)),
        hidden_local(elab.model, scope, t),
    )
    em.emit(assign(left, elab.number(size.args[0], scope).e))
    em.emit(assign(pool, members))
    drawn = bind(elab.model, scope, b.name, SetType(t), b.span)
    em.emit(assign(drawn, ZERO))
    top, end = em.label(), em.label()
    em.place(top)
    more = [ir.Compare(">", left.read, ZERO)]
    if size.word == "at most":
        more.append(ir.Compare("!=", pool.read, ZERO))
    em.instr(ir.Branch(conj([*more]), end))
    em.instr(ir.Chance("member", pool.read, None, one.slot, t, address, -1, node.span, audience, weights))
    em.emit(assign(drawn, ir.Arith("|", drawn.read, ir.MakeSet((one.read,)))))
    em.emit(assign(pool, ir.Arith("&~", pool.read, ir.MakeSet((one.read,)))))
    em.emit(assign(left, ir.Arith("-", left.read, ONE)))
    em.instr(ir.Jump(top))
    em.place(end)


def draw(elab: Elaboration, node: sx.Choose, scope: Scope, ctx: EmitContext) -> None:
    """`random`: one or several members, numbers or pieces by chance."""
    m = elab.model
    b = node.binders[0]
    choose.report_second_name(elab, node, DRAWN_TOGETHER)
    probe = scope.child()
    skip = ctx.skip or ctx.epilogue
    empty = skip if has_clause(node, "if any") or has_clause(node, "or decline") else -1
    address = ctx.site_address(b.name)
    audience = choose.audience_of(elab, node, scope)
    by = clause(node, "by")
    plain = clause(node, "where") is None and by is None
    if (node.shape == "number" or isinstance(b.domain, sx.RangeExpr)) and plain:
        d, t = folds.binder_domain(elab, b.domain, probe)
        after = bind(m, scope, b.name, t, b.span)
        ctx.em.instr(ir.Chance("number", d.a, d.b, after.slot, t, address, empty, node.span, audience))
        return
    ref = elab.ref(b.domain, probe)
    if isinstance(ref, ZoneRef) and ref.zone.piece is not None and ref.zone.cap != 1:
        piece = ref.zone.piece
        if by is not None:
            message = f"`{piece.name}` is drawn by its numbers: each piece is equally likely"
            m.error("RW0448", by.span, message, "leave out `by`")
            return
        if len(piece.index) != 1 or len(piece.faces) > 1:
            message = f"one `{piece.name}` cannot be drawn: it must have exactly one index and no faces"
            m.error("RW0710", b.span, message)
            return
        ref.zone.used = True
        t = piece.index[0]
        assert isinstance(pool_type(ref.zone), MapType)
        counts = zones.read_zone(elab, ref).e
        if not plain:
            inner = scope.child()
            inner.nested = True
            local = temp_local(m, inner, b.name, t, b.span)
            where, _ = folds.where_clauses(elab, node.clauses, inner)
            here = zones.read_zone(elab, ref.of((local.read,), None, b.span)).e
            each = ((local.slot, ir.Domain("range", ir.Const(t.low), ir.Const(t.high))),)
            counts = ir.Fold("table", each, where, (), here, 0, False, ((t.low, t.high),))
        after = bind(m, scope, b.name, t, b.span)
        ctx.em.instr(ir.Chance("piece", counts, None, after.slot, t, address, empty, node.span, audience))
        return
    d, t = folds.binder_domain(elab, b.domain, probe)
    inner = scope.child()
    inner.nested = True
    local = temp_local(m, inner, b.name, t, b.span)
    where, inner = folds.where_clauses(elab, node.clauses, inner)
    members = ir.Fold("set", ((local.slot, d),), where, (), ir.Temp(local.slot))
    weights = weights_of(elab, by, (local.slot, d), where, t, inner) if by is not None else None
    if node.shape == "some":
        draw_several(elab, node, members, t, weights, scope, ctx, address)
        return
    after = bind(m, scope, b.name, t, b.span)
    ctx.em.instr(ir.Chance("member", members, None, after.slot, t, address, empty, node.span, audience, weights))


def weights_of(
    elab: Elaboration, by: sx.Clause, binder: tuple[int, ir.Domain], where: ir.Expr | None, t: Type, scope: Scope
) -> ir.Expr | None:
    """`by W`: a table of how likely each member is."""
    node = by.args[0]
    if len(by.args) > 1 or isinstance(node, sx.Key):
        elab.model.error("RW0448", by.span, "a draw has one weight", "add several of them up with `+`")
        return None
    if not isinstance(t, MemberType | IntType) or t == INT:
        if t != ERROR:
            elab.model.error(
                "RW0448", by.span, f"members of `{t}` cannot be weighted", "draw from a set of things, or a range"
            )
        return None
    weight = elab.number(node, scope)
    return ir.Fold("table", (binder,), where, (), weight.e, 0, False, (bounds(t),))


def shuffle(elab: Elaboration, s: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`shuffle Z`: an ordered zone gets a new order."""
    m = elab.model
    ref = elab.ref(s.operands[0], scope)
    if isinstance(ref, Val) or not ref.zone.ordered:
        m.error(
            "RW0611",
            s.span,
            f"`{m.text(s.operands[0].span)}` has no order to shuffle",
            "declare the zone `ordered`",
        )
        return
    ref.zone.used = True
    ctx.em.instr(ir.Chance("shuffle", zones.zone_instance(ref), None, -1, None, f"{ctx.address}.shuffle", -1, s.span))
    events.settle(elab, {ref.zone.symbol}, scope, ctx, s.span)
