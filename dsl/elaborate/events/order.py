"""The order of several lines at once (docs/manual/06-activity-and-scope.md and 13-triggers.md): ruleset lines in text
order, then those of cards in source order.

Triggers, checks and sources of purses share the order: by owner from the active seat on, ownerless ones last; then
by the place of the card, zones as they are declared, and the position in an ordered one; then by number. The active
seat is the value or field `active` of the ruleset, else the first seat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from dsl import ir
from dsl import program as pg
from dsl.base.record import dataclass
from dsl.base.span import NOWHERE
from dsl.base.types import ERROR, INT, IntType, ListType, MemberType, SetType, width
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj, linear
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Body, Scope, Val, assign, hidden_local, temp_local
from dsl.elaborate.core.types import overlap
from dsl.elaborate.expressions import actors, names
from dsl.symbols.symbols import KindSym, RuleLine
from dsl.symbols.types import kind_of_thing


@dataclass(frozen=True, slots=True)
class ReactingLine:
    """A line that may react to an event: the arguments as it takes them, whether it reacts (`when`), and the owner
    of its card as the event began. Of a line under `until end of` also lists of what those of its records that react
    have copied, and their number."""

    line: RuleLine
    args: list[Val]
    when: ir.Expr
    owner: Val | None
    rank: ir.Expr | None = None  # its place in source order as the event began, where there are several cards
    captured: list[Val] = field(default_factory=list)
    count: ir.Expr = ONE
    seat: ir.Expr = ZERO  # the seat that orders its card, where there are several; 0: none


# ------------------------------------------------------------ the order


def source_rank(elab: Elaboration, this: int) -> ir.Expr:
    """A number for a card by which sources are put in order, the lowest first."""
    kind = kind_of_thing(elab.model, this)
    if kind.name not in elab.memo.rank_functions:
        body = Body(f"source order of {kind.name}")
        thing = temp_local(elab.model, Scope(body), "x", kind.type)
        current, elab.values.current = elab.values.current, ""
        place, depth = place_rank(elab, kind, thing.read, body)
        e = linear(
            0,
            [(turn_distance(elab, owner_of_thing(elab, kind, thing.read)), len(elab.layout.zones) * depth), (place, 1)],
        )
        elab.values.current = current
        elab.memo.rank_functions[kind.name] = elab.add_function(body.name, [("x", kind.type)], body, INT, e, kind.span)
    return ir.CallFn(elab.memo.rank_functions[kind.name], (ir.Const(this),))


def place_rank(elab: Elaboration, kind: KindSym, thing: ir.Expr, body: Body) -> tuple[ir.Expr, int]:
    """Where a thing is, as a number: its zone, then its position there; and the factor by which a zone counts."""
    base = elab.layout.place.get(kind.name, 0)
    if not base:
        return ZERO, 1
    place = ir.Cell(linear(base - kind.low, [(thing, 1)]), INT, f"{kind.name}.place")
    depth = 1
    position: ir.Expr = ZERO
    for z in elab.model.all_zones():
        if not (z.kind and z.ordered and z.cap != 1 and overlap(z.kind.type, kind.type)):
            continue
        t = elab.layout.zones[z.first].type
        assert isinstance(t, ListType)
        depth = max(depth, t.cap + 1)
        number = (z.owner.high - z.owner.low + 1 if z.owner else 1) * z.per_holder
        items = ir.Cell(linear(z.base - z.first * width(t), [(place, width(t))]), t, z.symbol)
        slot = body.temp()
        at = ir.Fold(
            "sum",
            ((slot, ir.Domain("range", ONE, ir.Size("list", items))),),
            ir.Compare("==", ir.ListItem(items, ir.Temp(slot)), thing),
            (),
            ir.Temp(slot),
        )
        here = conj(
            [
                ir.Compare(">=", place, ir.Const(z.first)),
                ir.Compare("<", place, ir.Const(z.first + number)),
            ]
        )
        position = ir.If(here, at, position)
    return linear(0, [(place, depth), (position, 1)]), depth


def owner_of_thing(elab: Elaboration, kind: KindSym, thing: ir.Expr) -> Val | None:
    """The owner of a thing; None where its kind has none."""
    if "owner" not in kind.fields and "owner" not in elab.model.values:
        return None
    found = names.find_attribute(elab, Val(thing, kind.type), "owner", NOWHERE)
    return found if isinstance(found, Val) and found.t != ERROR else None


def turn_distance(elab: Elaboration, owner: Val | None) -> ir.Expr:
    """How many seats after the active one an owner comes; cards without an owner come last."""
    seats = ir.Cell(ir.Const(pg.SEATS), INT)
    if owner is None:
        return seats
    seat, active = actors.owning_seat(elab, owner, 0), active_seat(elab)
    distance = ir.Arith("-", seat, active)
    later = ir.If(ir.Compare(">=", seat, active), distance, ir.Arith("+", distance, seats))
    return ir.If(seat, later, seats)


def active_seat(elab: Elaboration) -> ir.Expr:
    """The active seat of the ruleset, else the first."""
    value, found = elab.model.values.get("active"), elab.model.fields.get("active")
    if (
        value is not None
        and not value.params
        and isinstance(value.result, MemberType)
        and value.result.domain == "Seat"
    ):
        return names.call_value(elab, "active", [], NOWHERE).e
    if found is not None and isinstance(found.type, MemberType) and found.type.domain == "Seat":
        found.used = True  # the order of reactions is read from it
        return ir.Cell(ir.Const(found.base), found.type, found.name)
    return ONE


# ------------------------------------------------------------ at one event


def emit_in_order(
    elab: Elaboration,
    lines: list[ReactingLine],
    scope: Scope,
    ctx: EmitContext,
    run: Callable[[ReactingLine, ir.Expr], None],
) -> None:
    """Emit `run(line, when)` for each line, in source order."""
    cards = [h for h in lines if h.line.this]
    for h in [h for h in lines if not h.line.this]:
        run(h, h.when)
    if len({h.line.this for h in cards}) < 2:
        for h in cards:
            run(h, h.when)
    else:
        emit_by_rank(elab, sorted(cards, key=lambda h: h.line.this), scope, ctx, run)


def emit_by_rank(
    elab: Elaboration,
    cards: list[ReactingLine],
    scope: Scope,
    ctx: EmitContext,
    run: Callable[[ReactingLine, ir.Expr], None],
) -> None:
    """Emit the lines of cards: each time the pending one that comes first in source order."""
    em = ctx.em
    numbers = IntType(1, len(cards))
    pending, pick = hidden_local(elab.model, scope, SetType(numbers)), hidden_local(elab.model, scope, numbers)
    listening = tuple(ir.If(h.when, ir.Const(i), ZERO) for i, h in enumerate(cards, 1))
    em.emit(assign(pending, ir.MakeSet(listening)))
    best = lowest_ranked(pending.read, [h.rank or ZERO for h in cards], scope)
    some = ir.Compare("!=", pending.read, ZERO)
    step = (assign(pick, best), assign(pending, ir.Arith("&~", pending.read, ir.MakeSet((pick.read,)))))
    flat = em.flat and len(em.buffers) == 1
    top, end = em.label(), em.label()
    if flat:
        em.place(top)
        em.instr(ir.Branch(some, end))
    else:
        em.push()
    for statement in step:
        em.emit(statement)
    for i, h in enumerate(cards, 1):
        chosen = ir.Compare("==", pick.read, ir.Const(i))
        if flat:
            following = em.label()
            em.instr(ir.Branch(chosen, following))
            run(h, ONE)
            em.instr(ir.Jump(top))
            em.place(following)
        else:
            em.push()
            run(h, ONE)
            em.emit(ir.IfS(chosen, em.pop(), ()))
    if flat:
        em.place(end)
    else:
        em.emit(ir.While(some, em.pop()))


def lowest_ranked(numbers: ir.Expr, ranks: list[ir.Expr], scope: Scope) -> ir.Expr:
    """The one with the lowest rank in a set of numbers from 1; `ranks` are in the order of the numbers."""
    slot = scope.body.temp()
    key = ranks[-1]
    for i, rank in reversed(list(enumerate(ranks[:-1], 1))):
        key = ir.If(ir.Compare("==", ir.Temp(slot), ir.Const(i)), rank, key)
    return ir.Fold("first", ((slot, ir.Domain("set", numbers)),), None, ((False, key),), ir.Temp(slot))
