"""Events around an atomic change: `before`, `instead of`, the change, checks, `after` (docs/manual/13-triggers.md
and 14-checks-and-together.md)."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl import program as pg
from dsl.base.span import Span
from dsl.base.types import INT, ListType
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, OPEN, ZERO, conj
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, Val, assign, hidden_local, temp_local
from dsl.elaborate.events import chosen, noted, orderers, reactions
from dsl.elaborate.events.order import ReactingLine
from dsl.elaborate.events.reactions import YOU
from dsl.symbols.symbols import RuleLine

# ------------------------------------------------------------ one change


def emit_event(
    elab: Elaboration,
    verb: str,
    args: list[Val],
    amount: ir.Expr,
    cause: ir.Expr,
    symbols: set[str],
    scope: Scope,
    ctx: EmitContext,
    change: Callable[[], None],
    span: Span,
    what: str,
    actor: Val | None = None,
) -> None:
    """An atomic change with the lines that can react to it; without any it is the plain change and the checks.
    `args` is what moves, from where and to where (nothing for a purse), `actor` who gains, loses or pays; `symbols`
    is what `change` writes."""
    lines = [t for t in elab.model.triggers if t.decl.name == verb and reactions.can_listen(elab, t, args, what, actor)]
    lines = [t for t in lines if not comes_from(elab, t, reactions.line_args(elab, t, args, actor, amount), ctx)]
    elab.late_demands.note_listeners(ctx.routine, lines, span)
    if orderers.several_cards(elab, lines):
        elab.late_demands.note_order(ctx.routine, span)
    if not lines:
        change()
        settle(elab, symbols, scope, ctx, span)
        return
    args_now = [snapshot(elab, v, scope, ctx) for v in args]
    payer = snapshot(elab, actor, scope, ctx) if actor is not None else None
    amount_now = snapshot(elab, Val(amount, INT), scope, ctx)
    cause_now = snapshot(elab, Val(cause, INT), scope, ctx)
    candidates = [(t, reactions.line_args(elab, t, args_now, payer, amount_now.e)) for t in lines]
    listeners = find_listeners(
        elab, candidates, amount_now, cause_now, scope, ctx, reactions.occurs_test(args_now, amount_now)
    )
    before, instead, after = (
        [h for h in listeners if h.line.decl.word == w] for w in ("before", "instead of", "after")
    )

    def call(h: ReactingLine, when: ir.Expr) -> None:
        reactions.call_line(elab, h, amount_now, cause_now, scope, ctx, when)

    flat = ctx.em.flat and len(ctx.em.buffers) == 1
    chosen.emit_in_order(elab, before, scope, ctx, call)
    if instead and not flat:
        emit_replaceable(elab, instead, call, change, symbols, after, scope, ctx, span)
        return
    end = ctx.em.label()

    def replace_event(h: ReactingLine, when: ir.Expr) -> None:
        skip = ctx.em.label()
        ctx.em.instr(ir.Branch(when, skip))
        call(h, ONE)
        ctx.em.instr(ir.Jump(end))
        ctx.em.place(skip)

    chosen.emit_in_order(elab, instead, scope, ctx, replace_event)
    change()
    settle(elab, symbols, scope, ctx, span)
    chosen.emit_in_order(elab, after, scope, ctx, call)
    if flat:
        ctx.em.place(end)


def comes_from(elab: Elaboration, t: RuleLine, args: list[Val], ctx: EmitContext) -> bool:
    """Whether an event certainly comes from the block of this line, and is the event that the line has replaced."""
    return reactions.fresh_test(elab, t, args, ctx) == ZERO


def emit_replaceable(
    elab: Elaboration,
    instead: list[ReactingLine],
    call: Callable[[ReactingLine, ir.Expr], None],
    change: Callable[[], None],
    symbols: set[str],
    after: list[ReactingLine],
    scope: Scope,
    ctx: EmitContext,
    span: Span,
) -> None:
    """A change that lines may replace, inside one statement: no line here suspends."""
    done = hidden_local(elab.model, scope, INT)
    ctx.em.emit(assign(done, ZERO))

    def replace_event(h: ReactingLine, when: ir.Expr) -> None:
        ctx.em.push()
        ctx.em.emit(assign(done, ONE))
        call(h, ONE)
        ctx.em.emit(ir.IfS(conj([ir.Not(done.read), when]), ctx.em.pop(), ()))

    chosen.emit_in_order(elab, instead, scope, ctx, replace_event)
    ctx.em.push()
    change()
    settle(elab, symbols, scope, ctx, span)
    chosen.emit_in_order(elab, after, scope, ctx, call)
    ctx.em.emit(ir.IfS(ir.Not(done.read), ctx.em.pop(), ()))


def find_listeners(
    elab: Elaboration,
    lines: list[tuple[RuleLine, list[Val]]],
    amount: Val,
    cause: Val,
    scope: Scope,
    ctx: EmitContext,
    occurs: ir.Expr = ONE,
) -> list[ReactingLine]:
    """Which lines react to an event (if it `occurs`) and who owns their cards, noted as it begins; a single line
    that acts at once is tested where it acts."""
    if len(lines) == 1 and lines[0][0].decl.word != "after" and lines[0][0].timed < 0:
        t, args = lines[0]
        return [
            ReactingLine(
                t,
                args,
                conj([occurs, reactions.listens_test(elab, t, args, amount, cause, scope, ctx)]),
                noted.owner_as_it_began(elab, t),
            )
        ]
    result: list[ReactingLine] = []
    for t, args in lines:
        owner = noted.owner_as_it_began(elab, t)
        if t.timed >= 0:
            result.append(find_timed_listener(elab, t, args, amount, cause, scope, ctx, owner, occurs))
            continue
        flag = hidden_local(elab.model, scope, INT)
        ctx.em.emit(assign(flag, conj([occurs, reactions.listens_test(elab, t, args, amount, cause, scope, ctx)])))
        result.append(
            ReactingLine(t, args, flag.read, snapshot(elab, owner, scope, ctx) if owner is not None else None)
        )
    seats: list[ir.Stmt] = []
    return noted.with_ranks(elab, orderers.with_seats(elab, result, scope, seats), scope, ctx, seats)


def find_timed_listener(
    elab: Elaboration,
    t: RuleLine,
    args: list[Val],
    amount: Val,
    cause: Val,
    scope: Scope,
    ctx: EmitContext,
    owner: Val | None,
    occurs: ir.Expr,
) -> ReactingLine:
    """A line under `until end of`: lists of what those of its records that react have copied."""
    inner = captured_scope(elab, t, scope)
    test = conj([occurs, reactions.listens_test(elab, t, args, amount, cause, inner, ctx)])
    lists = captured_lists(elab, t, inner, test, scope)
    for local, value in lists:
        ctx.em.emit(assign(local, value))
    count = ir.Size("list", lists[0][0].read)
    copies = [Val(local.read, ct) for (local, _), (_, ct) in zip(lists, t.captured, strict=False)]
    owner_now = snapshot(elab, owner, scope, ctx) if owner is not None else None
    return ReactingLine(t, args, ir.Compare(">", count, ZERO), owner_now, None, copies, count)


def captured_scope(elab: Elaboration, t: RuleLine, scope: Scope) -> Scope:
    """A scope in which the names that a timed line has copied are temps, in a row."""
    inner = scope.child()
    inner.nested = True
    for name, ct in t.captured:
        local = temp_local(elab.model, inner, name, ct)
        local.used = True
        if name == YOU:
            inner.you = local
    return inner


def captured_lists(
    elab: Elaboration, t: RuleLine, inner: Scope, test: ir.Expr, scope: Scope
) -> list[tuple[Local, ir.Expr]]:
    """For each copied name (or one number, where there is none) a local for the list of its values in the live
    records that pass the test, the oldest first, and that list. Events of one body share the locals: one is over
    before the next begins."""
    slots = [local.slot for local in inner.names.values()]
    first = slots[0] if slots else scope.body.temps
    types = tuple(ct for _, ct in t.captured)
    framed = scope.body.suspends and not scope.nested
    result: list[tuple[Local, ir.Expr]] = []
    for i, ct in enumerate(types or (INT,)):
        key = (t.timed, i, framed)
        if key not in scope.body.shared:
            scope.body.shared[key] = hidden_local(elab.model, scope, ListType(ct, elab.limits.timed))
        body: ir.Expr = ir.Temp(slots[i]) if slots else ONE
        value = ir.TimedFold(t.timed, "list", first, test, body, ir.Const(()), types)
        result.append((scope.body.shared[key], value))
    return result


def snapshot(elab: Elaboration, v: Val, scope: Scope, ctx: EmitContext) -> Val:
    """The value as it is now, in a local; a constant or a local of this routine is kept as it is."""
    if isinstance(v.e, (ir.Const, ir.FrameVar)) or isinstance(v.e, ir.Temp) and not ctx.em.flat:
        return v
    local = hidden_local(elab.model, scope, v.t)
    ctx.em.emit(assign(local, v.e))
    return Val(local.read, v.t)


# ------------------------------------------------------------ checks


def settle(
    elab: Elaboration, symbols: set[str], scope: Scope, ctx: EmitContext, span: Span, several: bool = False
) -> None:
    """The end of an atomic change: checks to the fixed point, then invariants. `several`: of a `together`, inside
    which other events may have changed anything."""
    elab.late_demands.note_change(ctx.routine, symbols, span)
    if elab.checks.proc >= 0 and symbols & elab.checks.reads:
        idle = conj([ir.Not(OPEN), ir.Not(ir.Cell(ir.Const(pg.CHECKING), INT))])
        if not elab.checks.suspends:
            ctx.em.emit(ir.IfS(idle, (ir.CallS(elab.checks.proc, ()),), ()))
        else:
            skip = ctx.em.label()
            ctx.em.instr(ir.Branch(idle, skip))
            ctx.em.instr(ir.CallI(elab.checks.proc, ()))
            ctx.em.place(skip)
    ctx.em.emit(ir.AtomicEnd(all_symbols(elab) if several else tuple(sorted(symbols)), span))


def all_symbols(elab: Elaboration) -> tuple[str, ...]:
    """The symbols of all declared state."""
    return tuple(sorted(e.symbol for e in elab.layout.entries))


def has_triggers(elab: Elaboration) -> bool:
    """Whether the ruleset has any rule line that reacts."""
    return bool(elab.model.triggers)


def snapshot_number(elab: Elaboration, e: ir.Expr, scope: Scope, ctx: EmitContext) -> ir.Expr:
    """The number as it is now, whatever changes later in the same sentence."""
    if isinstance(e, (ir.Const, ir.Temp)):
        return e
    slot = scope.body.temp()
    if ctx.em.flat and has_triggers(elab):
        local = hidden_local(elab.model, scope, INT)
        ctx.em.emit(assign(local, e))
        return local.read
    ctx.em.emit(ir.SetTemp(slot, e))
    return ir.Temp(slot)
