"""Orderers of the cards that react to one event (docs/manual/13-triggers.md), and the copies of a card that are alike.

Takes the line `triggers ordered by WHO` and the lines that react; gives seats as expressions. Asked for by
`dsl.elaborate.events.chosen`, and by what puts blocks on the list of an open `together`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import INT, MemberType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO
from dsl.elaborate.core.scope import Local, Scope, Val, assign, hidden_local
from dsl.elaborate.core.suspension import orders_events
from dsl.elaborate.events import force, noted
from dsl.elaborate.events.order import ReactingLine
from dsl.elaborate.expressions import actors
from dsl.symbols import copies
from dsl.symbols.symbols import RuleLine
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

OWNER = sx.Name("owner")

# ------------------------------------------------------------ who orders


def orderer_node(elab: Elaboration) -> sx.Expr | None:
    """The expression behind `by`; None where nobody orders, or after a message."""
    d = elab.model.order
    arg = d.clauses[0].args[0] if d is not None and d.clauses else None
    return None if isinstance(arg, sx.Key) else arg


def several_cards(elab: Elaboration, lines: Sequence[RuleLine]) -> bool:
    """Whether lines of several cards react in the same way, and a seat orders them."""
    words = {t.decl.word for t in lines}
    several = any(len({t.this for t in lines if t.this and t.decl.word == word}) > 1 for word in words)
    return several and orders_events(elab.model)


def orderer(elab: Elaboration, t: RuleLine, owner: Val | None, scope: Scope) -> ir.Expr:
    """The seat that orders the card of a line; 0 where nobody does. `owner` is that of the card as its event began."""
    node = orderer_node(elab)
    if node is None or not t.this:
        return ZERO
    if node == OWNER:
        return seat_of(elab, owner, node.span) if owner is not None else ZERO
    inner = force.line_scope(t, scope.body)
    if owner is not None:
        inner.special["owner"] = Local("owner", owner.t, owner.e)
    return seat_of(elab, elab.expr(node, inner), node.span)


def seat_of(elab: Elaboration, who: Val, span: Span) -> ir.Expr:
    """The seat that decides for somebody; 0 for nobody."""
    if not isinstance(who.t, MemberType) or not who.t.optional:
        return actors.seat_of(elab, who, span)
    sure = Val(who.e, MemberType(who.t.domain, who.t.low, who.t.high))
    seat = actors.seat_of(elab, sure, span)
    return seat if seat == who.e else ir.If(who.e, seat, ZERO)


def tags(elab: Elaboration, t: RuleLine, owner: Val | None, scope: Scope) -> tuple[ir.Expr, ...]:
    """The order of a block that waits for the end of a `together`; empty where nobody orders."""
    if not orders_events(elab.model):
        return ()
    if not t.this:
        return ZERO, ZERO, ZERO
    rank = ir.Arith("+", noted.rank_as_it_began(elab, t), ONE)
    return ir.Const(t.this), orderer(elab, t, owner, scope), rank


def with_seats(elab: Elaboration, lines: list[ReactingLine], scope: Scope, found: list[ir.Stmt]) -> list[ReactingLine]:
    """The lines with the seats that order their cards, as the event begins; what works that out is added to `found`."""
    if not orders_events(elab.model) or len({h.line.this for h in lines if h.line.this}) < 2:
        return lines
    node = orderer_node(elab)
    own = node == OWNER or any(isinstance(n, sx.Name) and n.id in ("this", "owner") for n in walk(node))
    seats: dict[int, ir.Expr] = {}
    keys = [h.line.this if own else min(h.line.this, 1) for h in lines]
    for key, h in zip(keys, lines, strict=True):
        if key not in seats:
            seat = orderer(elab, h.line, h.owner, scope)
            if not isinstance(seat, (ir.Const, ir.FrameVar)):
                local = hidden_local(elab.model, scope, INT)
                found.append(assign(local, seat))
                seat = local.read
            seats[key] = seat
    return [replace(h, seat=seats[key]) for key, h in zip(keys, lines, strict=True)]


# ------------------------------------------------------------ cards that are alike


def alike(elab: Elaboration, lines: Sequence[RuleLine], one_event: bool) -> dict[int, int]:
    """The copies of a card that come to the same for their owner, each with the first of them: no line of theirs names
    `this`, nor what is told of the event unless all wait for one."""
    if orderer_node(elab) != OWNER:
        return {}
    first = copies.original_things(elab.model)
    found: dict[int, int] = {}
    for this in sorted({t.this for t in lines}):
        own = [t.decl for t in lines if t.this == this]
        if not any(names_own(d, one_event) for d in own):
            found[this] = first.get(this, this)
    return found


def names_own(d: sx.Decl, one_event: bool) -> bool:
    """Whether the block of a line names something that another copy of its card may see differently."""
    told = {"this"}
    if not one_event:
        told |= {"amount", "cause"}
        told |= (
            {a.value.id for a in d.head.args if isinstance(a.value, sx.Name)} if isinstance(d.head, sx.Call) else set()
        )
    return any(isinstance(n, sx.Name) and n.id in told for n in walk(d.block))
