"""`triggers ordered by WHO` (docs/manual/13-triggers.md): a seat says which of several cards at one event comes first.

There is one question for all events, in a procedure of its own; an event that finds lines of several cards calls it,
and so does a second procedure, which works off what waits for the end of a `together`. Lines of the ruleset are never
asked about. Where nobody can be asked, and for cards that nobody orders, it is source order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl import ir
from dsl.base.types import INT, IntType, SetType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, OPEN, ZERO, conj, kind_test
from dsl.elaborate.core.emit import EmitContext, Emitter
from dsl.elaborate.core.scope import Body, Local, Scope, assign, bind, hidden_local
from dsl.elaborate.core.suspension import orders_events
from dsl.elaborate.events import order
from dsl.elaborate.events.order import ReactingLine
from dsl.elaborate.events.orderers import alike, several_cards
from dsl.elaborate.expressions import calls
from dsl.symbols.symbols import KindSym, RoutineSym
from dsl.symbols.types import kind_of_thing

NAME, QUESTION, CARD = "triggers", "first", "card"
FIRST = f"{NAME}.{QUESTION}"  # the address of the question

# ------------------------------------------------------------ the question


def things_type(elab: Elaboration) -> tuple[SetType, list[KindSym]]:
    """The type of a set of cards that wait, and the kinds that are offered: one that has them all, else each."""
    m = elab.model
    kinds = {kind_of_thing(m, t.this).name for t in m.triggers if t.this}
    having = [k for k in m.kinds.values() if kinds <= {part.name for part in m.kind_parts(k)}]
    if having:
        kind = min(having, key=lambda k: len(m.kind_parts(k)))
        return SetType(kind.type), [kind]
    return SetType(IntType(0, m.thing_count)), [m.kinds[name] for name in sorted(kinds)]


def begin(
    elab: Elaboration, params: list[tuple[str, Type]], gives: Type | None = None
) -> tuple[RoutineSym, EmitContext, Scope]:
    """A procedure of this module under construction."""
    d = elab.model.order
    assert d is not None, "nobody orders"
    r = RoutineSym(
        NAME, "procedure", d.span, params, gives, (), elab.new_routine_number(), cites=d.cites, suspends=True
    )
    body = Body(NAME, True)
    scope = Scope(body, address=NAME)
    for name, t in params:
        bind(elab.model, scope, name, t, d.span)
    em = Emitter(True)
    ctx = EmitContext(r, body, em, address=NAME)
    ctx.epilogue = ctx.skip = em.label()
    return r, ctx, scope


def finish(elab: Elaboration, r: RoutineSym, ctx: EmitContext) -> None:
    ctx.em.place(ctx.epilogue)
    ctx.em.instr(ir.EndList())
    ctx.em.instr(ir.Leave())
    proc = ir.Proc(NAME, r.word, tuple(r.params), 0, True, cites=r.cites, span=r.span)
    elab.add_framed(r.proc, proc, ctx.body, ctx.em, ctx.epilogue)


def question(elab: Elaboration) -> int:
    """The number of the procedure that asks a seat for one of a set of cards, and gives it."""
    if elab.memo.first_card < 0:
        things, kinds = things_type(elab)
        seats = elab.model.kinds["Seat"].type
        r, ctx, scope = begin(elab, [("$seat", seats), ("$things", things)], INT)
        elab.memo.first_card = r.proc
        seat, cards = scope.names["$seat"].read, scope.names["$things"].read
        number = hidden_local(elab.model, scope, INT)
        offered: list[ir.Alternative] = []
        chosen: list[ir.Expr] = []
        for k in kinds:
            slot, after = scope.body.temp(), hidden_local(elab.model, scope, k.type)
            own: ir.Expr = cards
            if len(kinds) > 1:
                here = scope.body.temp()
                fits = kind_test(elab.model, ir.Temp(here), k)
                own = ir.Fold("set", ((here, ir.Domain("set", cards)),), fits, (), ir.Temp(here))
            name = k.name if len(kinds) > 1 else ""
            offered.append(
                ir.Alternative(name, ((CARD, slot, ir.Domain("set", own), k.type),), (), ((after.slot, k.type),))
            )
            chosen.append(after.read)
        site = ir.Site(
            ctx.site_address(QUESTION), "one", seat, seat, seats, tuple(offered),
            answer=(number.slot, INT) if len(kinds) > 1 else None, cites=r.cites, span=r.span, temps=scope.body.temps,
        )  # fmt: skip
        elab.out.sites.append(site)
        elab.out.site_bodies.append((len(elab.out.sites) - 1, scope.body))
        ctx.em.instr(ir.Ask(len(elab.out.sites) - 1, ctx.epilogue))
        given = chosen[-1]
        for i, e in reversed(list(enumerate(chosen[:-1], 1))):
            given = ir.If(ir.Compare("==", number.read, ir.Const(i)), e, given)
        ctx.em.instr(ir.Give(given, ctx.epilogue))
        finish(elab, r, ctx)
    return elab.memo.first_card


def ask(elab: Elaboration, seat: ir.Expr, things: Local, turn: Local, tests: list[ir.Expr], ctx: EmitContext) -> None:
    """Let a seat, if there is one, say which of several cards takes its turn."""
    go = ctx.em.label()
    several = ir.Compare(">", ir.Size("set", things.read), ONE)
    ctx.em.instr(ir.Branch(conj([seat, several, *tests]), go))
    ctx.em.instr(ir.CallI(question(elab), (seat, things.read)))
    ctx.em.emit(assign(turn, ir.LastResult()))
    ctx.em.place(go)


# ------------------------------------------------------------ at one event


def asks(elab: Elaboration, lines: Sequence[ReactingLine], ctx: EmitContext) -> bool:
    """Whether a seat may be asked for the order of these lines, all of one word, where this code stands."""
    return several_cards(elab, [h.line for h in lines]) and ctx.em.flat and len(ctx.em.buffers) == 1


def emit_in_order(
    elab: Elaboration,
    lines: list[ReactingLine],
    scope: Scope,
    ctx: EmitContext,
    run: Callable[[ReactingLine, ir.Expr], None],
) -> None:
    """Emit `run(line, when)` for each line: those of the ruleset, then those of cards in the order that seats choose
    as it goes on, or in source order."""
    if not asks(elab, lines, ctx):
        order.emit_in_order(elab, lines, scope, ctx, run)
        return
    for h in [h for h in lines if not h.line.this]:
        run(h, h.when)
    cards = sorted((h for h in lines if h.line.this), key=lambda h: h.line.this)
    em = ctx.em
    numbers = IntType(1, len(cards))
    pending, pick = hidden_local(elab.model, scope, SetType(numbers)), hidden_local(elab.model, scope, numbers)
    mine, turn = hidden_local(elab.model, scope, SetType(numbers)), hidden_local(elab.model, scope, INT)
    em.emit(assign(pending, ir.MakeSet(tuple(ir.If(h.when, ir.Const(i), ZERO) for i, h in enumerate(cards, 1)))))
    top, end = em.label(), em.label()
    em.place(top)
    em.instr(ir.Branch(ir.Compare("!=", pending.read, ZERO), end))
    em.emit(assign(pick, order.lowest_ranked(pending.read, [h.rank or ZERO for h in cards], scope)))
    next_card(elab, cards, pending, pick, turn, scope, ctx)
    its = [ir.If(ir.Compare("==", turn.read, ir.Const(h.line.this)), ir.Const(i), ZERO) for i, h in enumerate(cards, 1)]
    em.emit(assign(mine, ir.Arith("&", pending.read, ir.MakeSet(tuple(its)))))
    em.emit(assign(pending, ir.Arith("&~", pending.read, mine.read)))
    for i, h in enumerate(cards, 1):
        following = em.label()
        em.instr(ir.Branch(ir.InSet(ir.Const(i), mine.read), following))
        run(h, ONE)
        em.place(following)
    em.instr(ir.Jump(top))
    em.place(end)


def next_card(
    elab: Elaboration,
    cards: list[ReactingLine],
    pending: Local,
    pick: Local,
    turn: Local,
    scope: Scope,
    ctx: EmitContext,
) -> None:
    """Set `turn` to the card that is next: that of the line `pick`, the first in source order, or another one that its
    seat prefers. `pending` are the lines left, by their places in `cards`."""
    m = elab.model
    things_t, _ = things_type(elab)
    seat, things = hidden_local(m, scope, INT), hidden_local(m, scope, things_t)

    def of_pick(of: list[ir.Expr]) -> ir.Expr:
        e = of[-1]
        for i, one in reversed(list(enumerate(of[:-1], 1))):
            e = one if one == e else ir.If(ir.Compare("==", pick.read, ir.Const(i)), one, e)
        return e

    same = alike(elab, [h.line for h in cards], True)
    items: list[ir.Expr] = []
    for i, h in enumerate(cards, 1):
        mine: list[ir.Expr] = [ir.InSet(ir.Const(i), pending.read), ir.Compare("==", h.seat, seat.read)]
        for j, other in enumerate(cards[: i - 1], 1):
            if (
                h.line.this in same
                and same[h.line.this] == same.get(other.line.this)
                and h.line.decl is other.line.decl
            ):
                shadows = conj([ir.InSet(ir.Const(j), pending.read), ir.Compare("==", other.seat, seat.read)])
                mine.append(ir.Not(shadows))
        items.append(ir.If(conj(mine), ir.Const(h.line.this), ZERO))
    first, who = of_pick([ir.Const(h.line.this) for h in cards]), of_pick([h.seat for h in cards])
    for local, e in ((turn, first), (seat, who), (things, ir.MakeSet(tuple(items)))):
        ctx.em.emit(assign(local, calls.opened(elab, e)))  # which cards react, all are told
    outside: list[ir.Expr] = [ir.Not(OPEN)] if elab.suspension.has_together else []
    ask(elab, seat.read, things, turn, outside, ctx)


# ------------------------------------------------------------ at the end of what is one


def drain(elab: Elaboration, ctx: EmitContext) -> None:
    """What waits for the end of a `together` comes now."""
    if not orders_events(elab.model):
        ctx.em.instr(ir.Drain())
        return
    skip = ctx.em.label()
    ctx.em.instr(ir.Branch(ir.Not(OPEN), skip))
    ctx.em.instr(ir.CallI(worked_off(elab), ()))
    ctx.em.place(skip)


def worked_off(elab: Elaboration) -> int:
    """The number of the procedure that works off what waits: the lines of the ruleset, then card by card, each with
    all of its lines that wait."""
    if elab.memo.worked_off < 0:
        m = elab.model
        r, ctx, scope = begin(elab, [])
        elab.memo.worked_off = r.proc
        things_t, _ = things_type(elab)
        seat, turn = hidden_local(m, scope, INT), hidden_local(m, scope, INT)
        things = hidden_local(m, scope, things_t)
        after = [t for t in m.triggers if t.this and t.decl.word == "after"]
        everything = ir.Const(sum(1 << this for this in {t.this for t in after}))
        slot = scope.body.temp()
        card = ir.Temp(slot)
        rank = ir.Pending(card, "rank")
        over: tuple[tuple[int, ir.Domain], ...] = ((slot, ir.Domain("set", everything)),)
        top, end = ctx.em.label(), ctx.em.label()
        ctx.em.place(top)
        ctx.em.instr(ir.Drain(ZERO))
        ctx.em.instr(ir.Branch(ir.Fold("any", over, rank, (), None), end))
        ctx.em.emit(assign(turn, ir.Fold("first", over, rank, ((False, rank),), card)))
        ctx.em.emit(assign(seat, ir.Pending(turn.read, "seat")))
        mine = conj([rank, ir.Compare("==", ir.Pending(card, "seat"), seat.read)])
        ctx.em.emit(assign(things, ir.Fold("set", over, mine, (), card)))
        for group in groups(alike(elab, after, False)):
            others = ir.Arith("&", things.read, ir.Const(sum(1 << this for this in group)))
            inner = scope.body.temp()
            one = ir.Fold("first", ((inner, ir.Domain("set", others)),), None, (), ir.Temp(inner))
            fewer = ir.Arith("|", ir.Arith("&~", things.read, others), ir.MakeSet((one,)))
            several = ir.Compare(">", ir.Size("set", others), ONE)
            ctx.em.emit(ir.IfS(several, (assign(things, fewer),), ()))
        ask(elab, seat.read, things, turn, [], ctx)
        ctx.em.instr(ir.Drain(turn.read))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(end)
        finish(elab, r, ctx)
    return elab.memo.worked_off


def groups(first: dict[int, int]) -> list[list[int]]:
    """The copies that come to the same, two or more in each."""
    found: dict[int, list[int]] = {}
    for this, original in first.items():
        found.setdefault(original, []).append(this)
    return [group for group in found.values() if len(group) > 1]
