"""The elaborator as a whole: in which order things are made, and what is looked at once everything is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import BOOL, INT, PLACE, Type
from dsl.elaborate.context import ZERO
from dsl.elaborate.core.emit import Ctx, Emitter
from dsl.elaborate.core.reads import nodes
from dsl.elaborate.core.scope import Body, Local, Scope, Val
from dsl.elaborate.core.suspension import CHANGES, Suspension
from dsl.elaborate.declarations.audiences import Owners
from dsl.elaborate.events.timed import TimedRule
from dsl.program import Limits
from dsl.symbols.call_graph import mentions
from dsl.symbols.collect import Collector
from dsl.symbols.constants import Constants
from dsl.symbols.copies import copies_by_name, with_copies
from dsl.symbols.layout import Layout
from dsl.symbols.symbols import KindSym, Model, RoutineSym, RuleLine
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx


class Elaborator(Owners):
    def __init__(
        self,
        model: Model,
        layout: Layout,
        collector: Collector,
        limits: Limits,
        seats: tuple[int, int],
        records: Callable[[KindSym, dict[str, Type]], dict[str, dict[str, Any]]],
        locale: dict[str, dict[str, str]],
        timed: dict[TimedRule, RuleLine],
    ) -> None:
        super().__init__(model, layout)
        self.timed_rules, self.timed_found = timed, {}
        self.timed = list(timed.values())
        self.rank_functions = {}
        self.copy_tables = {}
        self.joined_tables = {}
        copies = copies_by_name(model)
        self.locale = {lang: with_copies(texts, copies) for lang, texts in locale.items()} if copies else locale
        self.collector = collector
        self.limits = limits
        self.seats_range = seats
        self.constants = Constants(model, collector, records)
        self.constants.run()
        self.sus = Suspension(model)
        self.togethers = self.sus.together
        self.value_reads: dict[str, dict[str, Span]] = {}
        self.value_at = {v.fn: v.name for v in model.values.values()}
        self.effect_you: dict[int, Type] = {}
        self.plans: dict[str, tuple[str, str]] = {}
        self.later: list[tuple[RoutineSym, str]] = []
        self.later_strips: list[tuple[RoutineSym, sx.Expr]] = []
        self.locals_seen: list[Local] = []
        self.site_bodies: list[tuple[int, Body]] = []
        self.max_deferred = 0
        self.in_bots = False
        self.next_proc = len(model.routines) + 1
        self.invariants: list[ir.Invariant] = []
        self.resolvers = {r.name for r in model.routines.values() if mentions(model, r.block).resolves}
        for name in self.resolvers:
            model.routines[name].suspends = True
        self.read_before = None
        self.once_actions: dict[str, int] = {}
        self.resets: dict[str, list[int]] = {}

    def run(self) -> None:
        """Make everything; diagnostics gather in the model."""
        self.counters()
        for v in self.m.values.values():
            self.compile_value(v)
        self.complete_audiences()
        for p in self.m.purses.values():
            self.compile_purse(p)
        self.compile_checks()
        for words in (("phase", "action", "procedure"), ("effect", "strip"), ("icon",)):
            for r in [r for r in self.m.routines.values() if r.word in words and r.proc not in self.procs]:
                self.compile_routine(r)
        self.compile_moments()
        self.rest()
        self.unheard()
        self.grades()
        for v in self.m.values.values():
            if any(line.timed >= 0 for line in v.lines):
                self.compile_value(v)
        self.dependencies()
        self.invariant_functions()

    def grades(self) -> None:
        """The grade of every action that nothing orders."""
        for r in list(self.m.routines.values()):
            if r.word == "action" and r.name not in self.plans:
                scope = Scope(Body(r.name), this=r.this, address=r.name)
                for name, t in r.params:
                    self.temp_local(scope, name, t).used = True
                if r.actor:
                    scope.you = scope.names[r.params[0][0]]
                self.action_guards(r, scope)

    def unheard(self) -> None:
        """Lines on verbs that no event of this ruleset can match are still read, so that their mistakes are found."""
        for t in self.m.triggers:
            name = f"{t.decl.word} {t.decl.name}#{t.number}("
            if (
                t.decl.name in self.m.routines
                or t.decl.name not in CHANGES
                or any(r.startswith(name) for r in self.m.routines)
            ):
                continue
            head = t.decl.head
            first = head.args[0].type if isinstance(head, sx.Call) and head.args else None
            what = first.id if isinstance(first, sx.Name) else ""
            kind, piece = self.m.kinds.get(what), self.m.pieces.get(what)
            t0: Type = kind.type if kind else piece.index[0] if piece and piece.index else INT
            who = Val(ZERO, kind.type if kind else self.m.kinds["Seat"].type)
            args = self.view(t, [Val(ZERO, t0), Val(ZERO, PLACE), Val(ZERO, PLACE)], who, ZERO)
            self.m.note("RW0814", t.decl.span, "no event of this ruleset can start this line")
            self.heard(t, args, Val(ZERO, INT), Val(ZERO, INT), self.timed_locals(t, Scope(Body(name))))
            self.line_routine(t, args, frozenset())

    def rest(self) -> None:
        """Blocks that became procedures of their own while others were made."""
        while self.later or self.later_strips:
            while self.later:
                r, you = self.later.pop(0)

                def setup(scope: Scope, you: str = you) -> None:
                    if you and you in scope.names:
                        scope.you = scope.names[you]
                    elif "$you" in scope.names:
                        scope.you = scope.names["$you"]

                self.compile_routine(r, setup)
            while self.later_strips:
                self.strip_rest(*self.later_strips.pop(0))

    def strip_rest(self, r: RoutineSym, item: sx.Expr) -> None:
        body = Body(r.name, True)
        scope = Scope(body, this=r.this, address=r.name)
        scope.you = self.bind(scope, "$you", r.params[0][1])
        em = Emitter(True)
        ctx = Ctx(r, body, em, address=r.name.split("#")[0])
        ctx.epilogue = ctx.skip = em.label()
        self.strip_part(item, scope, ctx)
        em.place(ctx.epilogue)
        em.instr(ir.EndList())
        em.instr(ir.Leave())
        base = len(self.code)
        instrs, at = em.link(base)
        self.code.extend(instrs)
        self.procs[r.proc] = ir.Proc(
            r.name.split("#")[0],
            r.word,
            tuple(r.params),
            body.temps,
            True,
            (),
            base,
            at[ctx.epilogue],
            body.words,
            (),
            r.span,
        )

    def counters(self) -> None:
        """Words for `once per F`, and where they are reset."""
        m = self.m

        def reset(c: sx.Clause | None, address: int) -> None:
            name = c.args[0].id if c and isinstance(c.args[0], sx.Name) else ""
            if name in m.routines:
                for r in (m.routines[name], *m.routines[name].others):
                    self.resets.setdefault(r.name, []).append(address)
            elif c is not None:
                m.unknown("RW0207", c.span, "routine", name, list(m.routines))

        for t in m.triggers:
            if clause(t.decl, "once per"):
                reset(clause(t.decl, "once per"), self.lay.counter(f"trigger.{t.number}.{t.this}"))
        for r in m.routines.values():
            c = next((x for x in r.clauses if x.word == "once per"), None)
            if c is not None:
                self.once_actions[r.name] = self.lay.counter(f"action.{r.name}")
                r.suspends = True
                reset(c, self.once_actions[r.name])
        for p in m.purses.values():
            for rule in p.extra:
                if clause(rule.decl, "once per"):
                    reset(clause(rule.decl, "once per"), self.source_counter(p.name, rule))

    def invariant_functions(self) -> None:
        for d in self.m.invariants:
            body = Body(d.name)
            scope = Scope(body, address=d.name)
            if d.value is None:
                continue
            e = self.test(d.value, scope)
            fn = self.function(f"invariant.{d.name}", [], body, BOOL, e, d.span)
            self.invariants.append(ir.Invariant(d.name, fn, frozenset(self.reading.cells(e)), d.cites, d.span))

    # ------------------------------------------------------------ once everything is there

    def finish_sites(self) -> list[ir.Site]:
        """Temps of the whole body, and `always_ask` where hidden cells decide what can be chosen."""
        hidden = {e.symbol for e in self.lay.entries if e.audience != "all"}
        demanding = self.demanding()
        for number, body in self.site_bodies:
            site = self.sites[number]
            asked = any(
                self.reading.cells(part) & hidden
                for part in (site.alternatives, site.bounds, site.such_that, site.keys)
            )
            self.sites[number] = replace(
                site, temps=max(body.temps, site.temps), always_ask=site.always_ask or asked, filter=number in demanding
            )
        return self.sites

    def demanding(self) -> set[int]:
        """Sites after which a demand may still fail while a plan is open: the options there must be tried."""
        planned = self.plan_procs()
        result: set[int] = set()
        for proc in self.procs.values():
            if proc is None or not proc.suspends or proc.entry < 0:
                continue
            number = next((n for n, p in self.procs.items() if p is proc), -1)
            inside = number in planned
            end = proc.epilogue
            at = proc.entry
            while at < len(self.code) and not isinstance(self.code[at], ir.Leave):
                at += 1
            asks = [i for i in range(proc.entry, max(at, end) + 1) if isinstance(self.code[i], ir.Ask)]
            opens = [i for i in range(proc.entry, max(at, end) + 1) if isinstance(self.code[i], ir.OpenPlan)]
            for i in asks:
                if not inside and not any(o < i for o in opens):
                    continue
                later = self.code[i + 1 : max(at, end) + 1]
                if inside or any(self.demands(instr) for instr in later):
                    ask = self.code[i]
                    assert isinstance(ask, ir.Ask)
                    result.add(ask.site)
        return result

    def demands(self, instr: ir.Instr) -> bool:
        if isinstance(instr, (ir.CallI, ir.Enter, ir.Ask)):
            return True
        return any(isinstance(n, (ir.Require, ir.Pay)) or isinstance(n, ir.Transfer) and n.exact for n in nodes(instr))

    def plan_procs(self) -> set[int]:
        """Procedures that run inside a plan: actions, and all that they call."""
        todo = [r.proc for r in self.m.routines.values() if r.word == "action"]
        for i, instr in enumerate(self.code):
            if isinstance(instr, ir.OpenPlan):
                for later in self.code[i + 1 :]:
                    if isinstance(later, ir.ClosePlan):
                        break
                    if isinstance(later, ir.CallI):
                        todo.append(later.proc)
                    elif isinstance(later, ir.Enter):
                        todo += later.choices
        seen: set[int] = set()
        while todo:
            n = todo.pop()
            if n in seen:
                continue
            seen.add(n)
            proc = self.procs.get(n)
            if proc is None or not proc.suspends:
                continue
            at = proc.entry
            while at < len(self.code):
                instr = self.code[at]
                if isinstance(instr, ir.CallI):
                    todo.append(instr.proc)
                elif isinstance(instr, ir.Enter):
                    todo += instr.choices
                elif isinstance(instr, ir.Leave):
                    break
                at += 1
        return seen
