"""Actors and deciders: `by` and `you`, the seat that decides for an actor, the zone in which an actor holds a
piece; and the order of the seats round the table.

Takes a typed value or the clause that names somebody; gives the value, the seat as an expression, or a message.
"""

from __future__ import annotations

from dsl import ir
from dsl import program as pg
from dsl.base.span import Span
from dsl.base.types import ERROR, INT, ListType, MemberType, SetType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, ZERO, linear
from dsl.elaborate.core.scope import Scope, Val, ZoneRef
from dsl.elaborate.core.types import fits, need
from dsl.elaborate.expressions import names
from dsl.symbols.symbols import PieceSym, RoutineSym
from dsl.syntax import nodes as sx

ROUND_WORDS = ("next", "previous", "seats from")


def actor(elab: Elaboration, node: sx.Expr | None, scope: Scope, span: Span) -> Val | None:
    """The one who acts: the expression after `by`, else `you`; None if nobody does, or after a message."""
    if node is not None:
        v = elab.expr(node, scope)
        return None if v.t == ERROR else v
    if scope.you is None:
        return None
    scope.you.used = True
    return Val(scope.you.read, scope.you.type)


def zone_of_actor(elab: Elaboration, piece: PieceSym, actor: Val | None, span: Span) -> ZoneRef | None:
    """The only zone of the actor that counts this piece; None after a message."""
    m = elab.model
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
        m.error("RW0401", span, "whoever `by` names may be none", "test it first")
        return None
    kind = m.kinds[actor.t.domain]
    zones = [z for z in kind.zones.values() if z.piece is piece and z is not piece.home]
    if len(zones) != 1 or zones[0].key:
        text = "has no zone" if not zones else "has several zones"
        m.error("RW0513", span, f"`{kind.name}` {text} of `{piece.name}`", "say which: `from ZONE` or `to ZONE`")
        return None
    return ZoneRef(zones[0], actor.e, span=span)


def seat_of(elab: Elaboration, actor: Val, span: Span) -> ir.Expr:
    """The seat that decides for an actor."""
    m = elab.model
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
    found = names.find_attribute(
        elab, Val(actor.e, MemberType(actor.t.domain, actor.t.low, actor.t.high)), kind.decided_by, span
    )
    if not isinstance(found, Val) or not isinstance(found.t, MemberType) or found.t.domain != "Seat":
        m.error(
            "RW0521",
            kind.decided_span,
            f"`decided by {kind.decided_by}` must be a field or value that gives a Seat",
        )
        return ZERO
    return found.e


def seats_of(elab: Elaboration, who: Val, scope: Scope, span: Span) -> ir.Expr:
    """The set of the seats that decide for an actor, or for those of a set of actors; none adds nothing."""
    if not isinstance(who.t, SetType):
        return ir.MakeSet((seat_of(elab, who, span),))
    kind = elab.model.kind_of(who.t.elem)
    if (kind is not None and kind.name == "Seat") or who.e == ir.MakeSet(()):
        return who.e
    if isinstance(who.e, ir.MakeSet):
        seats = [(item, seat_of(elab, Val(item, who.t.elem), span)) for item in who.e.items]
        return ir.MakeSet(tuple(seat if is_somebody(item) else ir.If(item, seat, ZERO) for item, seat in seats))
    slot = scope.body.temp()
    member = Val(ir.Temp(slot), who.t.elem)
    return ir.Fold("set", ((slot, ir.Domain("set", who.e)),), None, (), seat_of(elab, member, span))


def is_somebody(e: ir.Expr) -> bool:
    """Whether a member that is written out is certainly not none."""
    return isinstance(e, ir.FrameVar) and isinstance(e.type, MemberType) and not e.type.optional


def is_actor_type(elab: Elaboration, t: Type) -> bool:
    """Whether a value of this type can act: a seat, or a thing for which a seat decides."""
    kind = elab.model.kind_of(t)
    return kind is not None and (kind.name == "Seat" or kind.decided_by is not None)


def owning_seat(elab: Elaboration, val: Val, depth: int) -> ir.Expr:
    """The seat that decides for a thing, or for its owner, or for the owner's owner; 0 if none does."""
    kind = elab.model.kind_of(val.t)
    if kind is None or depth > 4:
        return ZERO
    if kind.name == "Seat":
        return val.e
    sure = Val(val.e, MemberType(kind.name, kind.low, kind.high))
    found = names.find_attribute(elab, sure, kind.decided_by or "owner", kind.span)
    if not isinstance(found, Val):
        return ZERO
    return ir.If(val.e, owning_seat(elab, found, depth + 1), ZERO)


def around(elab: Elaboration, word: str, node: sx.Expr, scope: Scope) -> Val:
    """The seat after or before a seat, or all seats in their order with this one as the first. Seats at the table have
    the numbers from 1 on."""
    seat = elab.model.kinds["Seat"].type
    p = need(elab.model, elab.expr(node, scope, seat), seat, node.span)
    if p.t == ERROR:
        return BAD
    seats = ir.Cell(ir.Const(pg.SEATS), INT)
    if word == "next":
        return Val(linear(1, [(ir.Arith("mod", p.e, seats), 1)]), seat)
    if word == "previous":
        return Val(linear(1, [(ir.Arith("mod", linear(-2, [(p.e, 1)]), seats), 1)]), seat)
    rest = ir.ListOp("to_list", (ir.RangeSet(ir.Const(1), linear(-1, [(p.e, 1)])),))
    first = ir.ListOp("to_list", (ir.RangeSet(p.e, seats),))
    return Val(ir.ListOp("concat", (first, rest)), ListType(seat, seat.high))


def note_effect_actor(elab: Elaboration, r: RoutineSym, actor: Val | None, span: Span) -> None:
    """Note the kind of `you` in an effect: all uses must agree on it."""
    if actor is None:
        return
    t = actor.t
    if isinstance(t, MemberType):
        t = MemberType(t.domain, t.low, t.high)
    known = elab.routines.effect_you.get(r.proc)
    if known is None:
        elab.routines.effect_you[r.proc] = t
    elif not fits(elab.model, t, known):
        elab.model.error("RW0617", span, f"the effect is used by a `{t}` here and by a `{known}` elsewhere")
