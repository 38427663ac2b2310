"""All `always` lines as one procedure (docs/manual/14-checks-and-together.md): the first line that finds a member acts
on it, then from the first again, until none acts. Lines of the ruleset come in text order, then those of cards in
source order."""

from __future__ import annotations

from dsl import ir
from dsl import program as pg
from dsl.base.record import dataclass
from dsl.base.types import BOOL, ERROR, INT, IntType, SetType, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj
from dsl.elaborate.core.emit import EmitContext, Emitter
from dsl.elaborate.core.scope import Body, Local, Scope, assign, bind, hidden_local
from dsl.elaborate.events import events, force, order
from dsl.elaborate.events.reactions import YOU
from dsl.elaborate.expressions import folds
from dsl.elaborate.statements import flow
from dsl.symbols.symbols import RoutineSym, RuleLine
from dsl.syntax import nodes as sx


@dataclass(frozen=True, slots=True)
class Check:
    """One line: the test whether it finds a member now, and for a line under `until end of` lists of what its
    records that find one have copied."""

    loop: sx.Loop
    rule: RuleLine
    test: ir.Expr
    lists: list[tuple[Local, ir.Expr]]
    type: Type


def compile_checks(elab: Elaboration) -> None:
    """Make the procedure of all checks, if there are any."""
    m = elab.model
    if not m.checks:
        return
    suspends = elab.suspension.checks_suspend
    elab.checks.suspends = suspends
    number = elab.new_routine_number()
    r = RoutineSym("checks", "checks", m.checks[0][0].span, [], None, (), number, suspends=suspends)
    m.routines["checks"] = r
    body = Body("checks", suspends)
    scope = Scope(body)
    em = Emitter(suspends)
    ctx = EmitContext(r, body, em, address="always")
    elab.routines.locals = []
    reads: set[str] = set()
    acted = hidden_local(m, scope, INT)
    rounds = hidden_local(m, scope, INT)
    checking = ir.Const(pg.CHECKING)
    em.emit(ir.Store(checking, INT, ONE, "checking"))
    em.emit(assign(acted, ONE))
    em.emit(assign(rounds, ZERO))
    limit = ir.Guard(
        ir.Compare("<=", rounds.read, ir.Const(elab.limits.check_rounds)),
        f"state-based checks settle within {elab.limits.check_rounds} rounds",
        tuple(c for loop, _ in m.checks for c in loop.cites),
        m.checks[0][0].span,
    )
    count = assign(rounds, ir.Arith("+", rounds.read, ONE))
    top, end = em.label(), em.label()
    if suspends:
        em.place(top)
        em.instr(ir.Branch(acted.read, end))
    else:
        em.push()
    em.emit(assign(acted, ZERO))
    em.emit(count)
    em.emit(ir.Require(limit))
    checks = [c for loop, rule in m.checks if (c := read_check(elab, loop, rule, scope, reads)) is not None]
    cards = sorted((c for c in checks if c.rule.this), key=lambda c: c.rule.this)
    sorted_by_rank = len({c.rule.this for c in cards}) > 1
    for c in [c for c in checks if not c.rule.this] + ([] if sorted_by_rank else cards):
        emit_lists(c, ctx)
        emit_action(elab, c, conj([ir.Not(acted.read), c.test]), acted, scope, ctx)
    if sorted_by_rank:
        emit_in_source_order(elab, cards, acted, scope, ctx)
    done = ir.Store(checking, INT, ZERO, "checking")
    some_acted = ir.Compare(">", rounds.read, ONE)  # invariants wait until they have come to rest
    tested = ir.IfS(some_acted, (ir.AtomicEnd(events.all_symbols(elab), m.checks[0][0].span),), ())
    if suspends:
        em.instr(ir.Jump(top))
        em.place(end)
        em.emit(done)
        em.emit(tested)
        em.place(epilogue := em.label())
        em.instr(ir.EndList())
        em.instr(ir.Leave())
        proc = ir.Proc("checks", "checks", (), 0, True, cites=limit.cites, span=r.span)
        elab.add_framed(number, proc, body, em, epilogue)
    else:
        em.emit(ir.While(acted.read, em.pop()))
        em.emit(done)
        em.emit(tested)
        elab.out.procs[number] = ir.Proc(
            "checks", "checks", (), body.temps, False, em.pop(), cites=limit.cites, span=r.span
        )
    elab.checks.reads = frozenset(reads)
    elab.checks.proc = number


def check_scope(elab: Elaboration, rule: RuleLine, scope: Scope) -> Scope:
    """Where the expressions of a line stand: `this`, and its owner as `you`."""
    inner = scope.child()
    inner.this = rule.this
    if YOU in scope.names:
        inner.you = scope.names[YOU]
    elif rule.this:
        inner.you = force.owner_local(elab, rule.this, inner)
    inner.known = force.while_facts(elab, rule)
    return inner


def read_check(elab: Elaboration, loop: sx.Loop, rule: RuleLine, scope: Scope, reads: set[str]) -> Check | None:
    """The test of one check; adds what it reads to `reads`. None after a message."""
    record_scope = events.captured_scope(elab, rule, scope)
    inner = check_scope(elab, rule, record_scope)
    inner.nested = True
    active = [force.while_test(elab, c, rule.this, inner) for c in rule.conditions]
    binders, types = folds.bind_members(elab, loop.binders, inner)
    where, _ = folds.where_clauses(elab, loop.clauses, inner)
    if any(t == ERROR for t in types):
        return None
    if len(binders) != 1:
        first, second = (b.name for b in loop.binders[:2])
        way = f"write `always for every {first} in .. where any({second} in ..: CONDITION)`; its block may have a loop"
        elab.model.error("RW0607", loop.binders[1].span, "a check takes one name", way)
        return None
    (slot, d), t = binders[0], types[0]
    for e in (*([where] if where is not None else []), d.a, *active):
        reads |= elab.reading.cells(e)
    elab.findings.checks.append((loop, (*active, *((d.a, where) if where is not None else ()))))
    elab.late_demands.add_check(loop, elab.reading.cells((*active, d.a, where)))
    test = conj([*active, ir.Fold("any", ((slot, d),), where, (), None)])
    if rule.timed < 0:
        return Check(loop, rule, test, [], t)
    lists = events.captured_lists(elab, rule, record_scope, test, scope)
    return Check(loop, rule, ir.Compare("!=", lists[0][0].read, ir.Const(())), lists, t)


def emit_lists(c: Check, ctx: EmitContext) -> None:
    """Compute the lists of a check under `until end of`."""
    for local, value in c.lists:
        ctx.em.emit(assign(local, value))


def emit_action(elab: Elaboration, c: Check, test: ir.Expr, acted: Local, scope: Scope, ctx: EmitContext) -> None:
    """If the test holds, run the block of a line for the first member, with what its oldest record has copied."""
    em = ctx.em
    nxt = em.label()
    if em.flat:
        em.instr(ir.Branch(test, nxt))
    else:
        em.push()
    em.emit(assign(acted, ONE))
    record_scope = scope.child()
    for (name, t), (values, _) in zip(c.rule.captured, c.lists, strict=False):
        local = bind(elab.model, record_scope, name, t)
        em.emit(assign(local, ir.ListItem(values.read, ONE)))
    inner = check_scope(elab, c.rule, record_scope)
    probe = inner.child()
    probe.nested = True
    binders, _ = folds.bind_members(elab, c.loop.binders, probe)
    where, _ = folds.where_clauses(elab, c.loop.clauses, probe)
    x = bind(elab.model, inner, c.loop.binders[0].name, c.type, c.loop.binders[0].span)
    em.emit(assign(x, ir.Fold("first", tuple(binders), where, (), ir.Temp(binders[0][0]))))
    em.emit(ir.Note(c.rule.address or "always", c.loop.cites))
    if em.flat:
        flow.block(elab, c.loop.block, inner, ctx.inside(skip=nxt))
        em.place(nxt)
    else:
        flow.block(elab, c.loop.block, inner, ctx)
        em.emit(ir.IfS(test, em.pop(), ()))


def emit_in_source_order(elab: Elaboration, cards: list[Check], acted: Local, scope: Scope, ctx: EmitContext) -> None:
    """Of the cards' lines that find a member the first in source order acts."""
    numbers = IntType(1, len(cards))
    found, pick = hidden_local(elab.model, scope, SetType(numbers)), hidden_local(elab.model, scope, INT)
    for c in cards:
        emit_lists(c, ctx)
    finding = ir.MakeSet(tuple(ir.If(c.test, ir.Const(i), ZERO) for i, c in enumerate(cards, 1)))
    ctx.em.emit(assign(found, ir.If(acted.read, ZERO, finding)))
    first = order.lowest_ranked(found.read, [order.source_rank(elab, c.rule.this) for c in cards], scope)
    ctx.em.emit(assign(pick, ir.If(ir.Compare("!=", found.read, ZERO), first, ZERO)))
    for i, c in enumerate(cards, 1):
        emit_action(elab, c, ir.Compare("==", pick.read, ir.Const(i)), acted, scope, ctx)


def compile_invariants(elab: Elaboration) -> None:
    """Make the functions of all invariants."""
    for d in elab.model.invariants:
        body = Body(d.name)
        scope = Scope(body, address=d.name)
        if d.value is None:
            continue
        e = elab.test(d.value, scope)
        fn = elab.add_function(f"invariant.{d.name}", [], body, BOOL, e, d.span)
        elab.out.invariants.append(ir.Invariant(d.name, fn, frozenset(elab.reading.cells(e)), d.cites, d.span))
