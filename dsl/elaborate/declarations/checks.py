"""All `always` lines as one procedure (docs/manual/14-checks-and-together.md): the first line that finds a member acts
on it, then from the first again, until none acts. Lines of the ruleset come in text order, then those of cards in
source order."""

from __future__ import annotations

from dsl import ir
from dsl import program as pg
from dsl.base.record import dataclass
from dsl.base.types import ERROR, INT, IntType, SetType, Type
from dsl.elaborate.context import ONE, ZERO, conj
from dsl.elaborate.core.emit import Ctx, Emitter
from dsl.elaborate.core.scope import Body, Local, Scope
from dsl.elaborate.declarations.routines import Routines
from dsl.elaborate.events.reactions import YOU
from dsl.symbols.symbols import RoutineSym, RuleLine
from dsl.syntax import nodes as sx


@dataclass(frozen=True, slots=True)
class Check:
    """One line: whether it finds a member now, and for a line under `until end of` lists of what its records that find
    one have copied."""

    loop: sx.Loop
    rule: RuleLine
    test: ir.Expr
    lists: list[tuple[Local, ir.Expr]]
    type: Type


class Checks(Routines):
    def compile_checks(self) -> None:
        m = self.m
        if not m.checks:
            return
        suspends = self.sus.checks_suspend
        self.checks_suspend = suspends
        number = self.routine_number()
        r = RoutineSym("checks", "checks", m.checks[0][0].span, [], None, (), number, suspends=suspends)
        m.routines["checks"] = r
        body = Body("checks", suspends)
        scope = Scope(body)
        em = Emitter(suspends)
        ctx = Ctx(r, body, em, address="always")
        self.locals_seen = []
        reads: set[str] = set()
        acted = self.hidden_local(scope, INT)
        rounds = self.hidden_local(scope, INT)
        checking = ir.Const(pg.CHECKING)
        em.emit(ir.Store(checking, INT, ONE, "checking"))
        em.emit(self.assign(acted, ONE))
        em.emit(self.assign(rounds, ZERO))
        limit = ir.Guard(
            ir.Compare("<=", rounds.read, ir.Const(self.limits.check_rounds)),
            f"state-based checks come to rest within {self.limits.check_rounds} rounds",
            tuple(c for loop, _ in m.checks for c in loop.cites),
            m.checks[0][0].span,
        )
        count = self.assign(rounds, ir.Arith("+", rounds.read, ONE))
        top, end = em.label(), em.label()
        if suspends:
            em.place(top)
            em.instr(ir.Branch(acted.read, end))
        else:
            em.push()
        em.emit(self.assign(acted, ZERO))
        em.emit(count)
        em.emit(ir.Require(limit))
        checks = [c for loop, rule in m.checks if (c := self.read_check(loop, rule, scope, reads)) is not None]
        cards = sorted((c for c in checks if c.rule.this), key=lambda c: c.rule.this)
        sorted_by_rank = len({c.rule.this for c in cards}) > 1
        for c in [c for c in checks if not c.rule.this] + ([] if sorted_by_rank else cards):
            self.look(c, ctx)
            self.act(c, conj([ir.Not(acted.read), c.test]), acted, scope, ctx)
        if sorted_by_rank:
            self.by_source(cards, acted, scope, ctx)
        done = ir.Store(checking, INT, ZERO, "checking")
        if suspends:
            em.instr(ir.Jump(top))
            em.place(end)
            em.emit(done)
            em.place(epilogue := em.label())
            em.instr(ir.EndList())
            em.instr(ir.Leave())
            base = len(self.code)
            instrs, at = em.link(base)
            self.code.extend(instrs)
            self.procs[number] = ir.Proc(
                "checks", "checks", (), body.temps, True, (), base, at[epilogue], body.words, limit.cites, r.span
            )
        else:
            em.emit(ir.While(acted.read, em.pop()))
            em.emit(done)
            self.procs[number] = ir.Proc(
                "checks", "checks", (), body.temps, False, em.pop(), cites=limit.cites, span=r.span
            )
        self.check_reads = frozenset(reads)
        self.check_proc = number

    def check_scope(self, rule: RuleLine, scope: Scope) -> Scope:
        """Where the expressions of a line stand: `this`, and its owner as `you`."""
        inner = scope.child()
        inner.this = rule.this
        if YOU in scope.names:
            inner.you = scope.names[YOU]
        elif rule.this:
            inner.you = self.owner_local(rule.this, inner)
        inner.known = self.held(rule)
        return inner

    def read_check(self, loop: sx.Loop, rule: RuleLine, scope: Scope, reads: set[str]) -> Check | None:
        kept = self.timed_locals(rule, scope)
        inner = self.check_scope(rule, kept)
        inner.nested = True
        active = [self.while_test(c, rule.this, inner) for c in rule.conditions]
        binders, types = self.binders(loop.binders, inner)
        where, _ = self.where(loop.clauses, inner)
        if any(t == ERROR for t in types):
            return None
        if len(binders) != 1:
            self.m.error("RW0607", loop.span, "a check has one name", "use `any` or a set of things for the second")
            return None
        (slot, d), t = binders[0], types[0]
        for e in (*([where] if where is not None else []), d.a, *active):
            reads |= self.reading.cells(e)
        self.checks_read.append((loop, (*active, *((d.a, where) if where is not None else ()))))
        self.late.check(loop, self.reading.cells((*active, d.a, where)))
        test = conj([*active, ir.Fold("any", ((slot, d),), where, (), None)])
        if rule.timed < 0:
            return Check(loop, rule, test, [], t)
        lists = self.timed_lists(rule, kept, test, scope)
        return Check(loop, rule, ir.Compare("!=", lists[0][0].read, ir.Const(())), lists, t)

    def look(self, c: Check, ctx: Ctx) -> None:
        for local, value in c.lists:
            ctx.em.emit(self.assign(local, value))

    def act(self, c: Check, test: ir.Expr, acted: Local, scope: Scope, ctx: Ctx) -> None:
        """If the test holds, the block of a line for the first member, with what its oldest record has copied."""
        em = ctx.em
        nxt = em.label()
        if em.flat:
            em.instr(ir.Branch(test, nxt))
        else:
            em.push()
        em.emit(self.assign(acted, ONE))
        kept = scope.child()
        for (name, t), (values, _) in zip(c.rule.captured, c.lists, strict=False):
            local = self.bind(kept, name, t)
            em.emit(self.assign(local, ir.ListItem(values.read, ONE)))
        inner = self.check_scope(c.rule, kept)
        probe = inner.child()
        probe.nested = True
        binders, _ = self.binders(c.loop.binders, probe)
        where, _ = self.where(c.loop.clauses, probe)
        x = self.bind(inner, c.loop.binders[0].name, c.type, c.loop.binders[0].span)
        em.emit(self.assign(x, ir.Fold("first", tuple(binders), where, (), ir.Temp(binders[0][0]))))
        em.emit(ir.Note(c.rule.address or "always", c.loop.cites))
        if em.flat:
            self.block(c.loop.block, inner, ctx.inside(skip=nxt))
            em.place(nxt)
        else:
            self.block(c.loop.block, inner, ctx)
            em.emit(ir.IfS(test, em.pop(), ()))

    def by_source(self, cards: list[Check], acted: Local, scope: Scope, ctx: Ctx) -> None:
        """Of the cards' lines that find a member the first in source order acts."""
        numbers = IntType(1, len(cards))
        found, pick = self.hidden_local(scope, SetType(numbers)), self.hidden_local(scope, INT)
        for c in cards:
            self.look(c, ctx)
        finding = ir.MakeSet(tuple(ir.If(c.test, ir.Const(i), ZERO) for i, c in enumerate(cards, 1)))
        ctx.em.emit(self.assign(found, ir.If(acted.read, ZERO, finding)))
        first = self.first_of(found.read, [self.source_rank(c.rule.this) for c in cards], scope)
        ctx.em.emit(self.assign(pick, ir.If(ir.Compare("!=", found.read, ZERO), first, ZERO)))
        for i, c in enumerate(cards, 1):
            self.act(c, ir.Compare("==", pick.read, ir.Const(i)), acted, scope, ctx)
