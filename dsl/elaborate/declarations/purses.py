"""Purses: sources, change and default ways, and paying from them (docs/manual/15-purses.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import ir
from dsl import program as pg
from dsl.base.types import INT
from dsl.elaborate.context import ONE, ZERO, conj
from dsl.elaborate.core.emit import Ctx
from dsl.elaborate.core.scope import Body, Local, Scope, Val, ZoneRef
from dsl.elaborate.declarations.values import kept_types
from dsl.elaborate.events.reactions import YOU
from dsl.elaborate.events.timed import Timed
from dsl.elaborate.expressions.paying import plain, sharing
from dsl.symbols.symbols import PieceSym, PurseSym, RuleLine
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx


class Purses(Timed):
    # ------------------------------------------------------------ purses

    def compile_purse(self, p: PurseSym) -> None:
        m = self.m
        body = Body(p.name)
        scope = Scope(body, address=p.name)
        for name, t in p.params:
            self.temp_local(scope, name, t).used = True
        sources: list[ir.PurseSource] = []
        change: ir.Pool | None = None
        requires: list[ir.Expr] = []
        keys: tuple[tuple[bool, ir.Expr], ...] = ()
        scope.special = {}
        if self.by_cause(p):
            known = self.temp_local(scope, "", self.cause_type())  # behind the arguments, as `purse_args` gives it
            scope.special["cause"] = Local("cause", known.type, known.read, known.slot)
        over = self.temp_local(scope, "", INT)
        scope.special |= {"over": Local("over", INT, over.read, over.slot)}
        worth = f"worth_of({p.name})"  # what sources read it depends on; `require` and `default` do not matter to it
        for line in p.decl.block:
            self.current = worth if isinstance(line, sx.Loop) or getattr(line, "word", "") == "source" else ""
            match line:
                case sx.Decl(word="source"):
                    self.add(sources, self.purse_source(line, scope, None))
                case sx.Loop(word="for every", binders=(binder,), block=block):
                    for inner_line in block:
                        if isinstance(inner_line, sx.Decl) and inner_line.word == "source":
                            inner = scope.child()
                            d, t = self.domain(binder.domain, inner)
                            local = self.temp_local(inner, binder.name, t, binder.span)
                            self.add(sources, self.purse_source(inner_line, inner, (local.slot, d)))
                case sx.Decl(word="change", head=head) if head is not None:
                    ref = self.ref(head, scope)
                    if (
                        isinstance(ref, ZoneRef)
                        and ref.zone.piece is not None
                        and len(ref.index) == len(ref.zone.piece.index)
                    ):
                        change = self.pool(ref, ref.zone.piece, list(ref.index), 0, line.span)
                    else:
                        m.error("RW0821", line.span, "`change from` names a zone of counted pieces")
                case sx.Sentence(word="require", operands=(cond,)):
                    requires.append(self.test(cond, scope))
                case sx.Decl(word="default", head=sx.Name("ask")):
                    pass  # `Suspension.asks`
                case sx.Decl(word="default"):
                    keys += self.keys(line.clauses, scope)
                case _:
                    m.error("RW0822", line.span, "a purse holds `source`, `change`, `require` and `default` lines")
        self.current = worth
        ordered = len({rule.this for rule in p.extra if rule.this}) > 1
        for rule in sorted(p.extra, key=lambda rule: rule.this):
            made = self.added_source(p, rule, scope)
            if made is not None:
                rank = self.source_rank(rule.this) if ordered and rule.this else None
                sources.append(replace(made, rank=rank))
        self.current = ""
        if not sources:
            m.error("RW0823", p.span, f"the purse `{p.name}` has no source", "add `source ZONE`")
        self.purse_code[p.number] = ir.Purse(
            p.name, tuple(p.params), body.temps, tuple(sources), change, over.slot, tuple(requires), keys
        )
        params = (*p.params, ("cause", self.cause_type())) if self.by_cause(p) else tuple(p.params)
        self.functions[self.worth_base + p.number] = ir.Function(
            worth, params, body.temps, INT, total_worth(sources), p.decl.cites, p.span
        )

    def added_source(self, p: PurseSym, rule: RuleLine, scope: Scope) -> ir.PurseSource | None:
        """A `source` line outside the purse. That of a card pays for its owner, one under `until end of` for the one
        who acted."""
        inner = scope.child()
        inner.this = rule.this
        inner.nested = True
        each = self.live_records(rule, inner) if rule.timed >= 0 else None
        active = [self.while_test(c, rule.this, inner) for c in rule.conditions]
        inner.known = self.held(rule)
        payer, kind = p.params[0]
        whose = self.owner_of(rule) if rule.timed < 0 else None
        if inner.you is not None:
            whose = Val(inner.you.read, inner.you.type)
        if whose is not None and self.m.kind_of(whose.t) is self.m.kind_of(kind):
            active.append(ir.Compare("==", scope.names[payer].read, whose.e))
        return self.purse_source(rule.decl, inner, each, rule, active, p.name)

    def live_records(self, rule: RuleLine, scope: Scope) -> tuple[int, ir.Domain]:
        """A temp for the number of a live record of a line under `until end of`, and all these numbers; the names that
        the line has copied are read from that record."""
        first, number = scope.body.temps, scope.body.temps + len(rule.captured)
        scope.body.temps = number + 1
        types = kept_types(rule)

        def copies(body: ir.Expr) -> ir.Expr:
            return ir.TimedFold(rule.timed, "list", first, None, body, ir.Const(()), types)

        for i, (name, t) in enumerate(rule.captured):
            local = Local(name, t, ir.ListItem(copies(ir.Temp(first + i)), ir.Temp(number)), used=True)
            scope.names[name] = local
            if name == YOU:
                scope.you = local
        return number, ir.Domain("range", ONE, ir.Size("list", copies(ONE)))

    @staticmethod
    def add(sources: list[ir.PurseSource], made: ir.PurseSource | None) -> None:
        if made is not None:
            sources.append(made)

    def purse_source(
        self,
        d: sx.Decl,
        scope: Scope,
        each: tuple[int, ir.Domain] | None,
        rule: RuleLine | None = None,
        active: Sequence[ir.Expr] = (),
        purse: str = "",
    ) -> ir.PurseSource | None:
        m = self.m
        assert d.head is not None
        ref = self.ref(d.head, scope)
        if not isinstance(ref, ZoneRef) or ref.zone.piece is None:
            m.error("RW0821", d.span, f"a source is a zone of counted pieces, and `{m.text(d.head.span)}` is not")
            return None
        piece: PieceSym = ref.zone.piece
        pool = self.pool(ZoneRef(ref.zone, ref.holder, (), None, d.span), piece, list(ref.index), ref.face or 0, d.span)
        if pool is None:
            return None
        worth_clause = clause(d, "worth")
        worth = (
            self.number(worth_clause.args[0], scope).e
            if worth_clause and not isinstance(worth_clause.args[0], sx.Key)
            else ONE
        )
        to = clause(d, "to")
        target: ir.Pool | None = None
        if to and not isinstance(to.args[0], sx.Key):
            back = self.ref(to.args[0], scope)
            if isinstance(back, ZoneRef):
                target = self.pool(back, piece, list(ref.index), 0, d.span)
        elif piece.supply and piece.supply in m.zones:
            target = self.pool(ZoneRef(m.zones[piece.supply], None), piece, list(ref.index), 0, d.span)
        else:
            target = ir.Pool("endless", None, None, f"{piece.name} supply")
        tests: list[ir.Expr] = [*active]
        for c in d.clauses:
            if c.word == "where" and not isinstance(c.args[0], sx.Key):
                tests.append(self.test(c.args[0], scope))
        limit = clause(d, "max")
        most = self.number(limit.args[0], scope).e if limit and not isinstance(limit.args[0], sx.Key) else None
        counter = 0
        if rule is not None and clause(d, "once per"):
            counter = self.source_counter(purse, rule)
            most = ir.If(ir.Cell(ir.Const(counter), INT), ZERO, most or ir.Const(999_999))
        slot, domain = each if each is not None else (-1, None)
        first = clause(d, "first") is not None
        closed = clause(d, "never back") is not None
        where = conj(tests) if tests else None
        return ir.PurseSource(slot, domain, pool, worth, target, first, where, most, counter, never_back=closed)

    def source_counter(self, purse: str, rule: RuleLine) -> int:
        """Address of the counter of `once per F`: lines of one card that pay into one purse are counted together."""
        limit = clause(rule.decl, "once per")
        frame = limit.args[0].id if limit and isinstance(limit.args[0], sx.Name) else ""
        which = f"{rule.this} per {frame}" if rule.this else str(rule.number)
        return self.lay.counter(f"source.{purse}.{which}")

    def purse_payment(self, s: sx.Sentence, a: sx.Amount, name: str, actor: Val | None, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        p = m.purses[name]
        if len(p.params) != 1 or actor is None:
            m.error("RW0511", s.span, f"whose `{name}` is it? nobody acts here", "add `by WHO`")
            return
        who = self.need(actor, p.params[0][1], s.span)
        n = self.number(a.count, scope)
        cause = self.cause(s, scope)
        if s.word == "lose":  # as much as can be paid
            slot = scope.body.temp()
            limit = ((slot, ir.Domain("range", ZERO, n.e)),)
            payable = self.can_pay(p, who.e, cause, ir.Temp(slot))
            if isinstance(payable, ir.Payable):
                n = Val(ir.Fold("max", limit, payable, (), ir.Temp(slot)), n.t)
            else:
                n = Val(ir.Arith("max", ZERO, ir.Arith("min", n.e, self.purse_worth_of(p, who.e, cause))), n.t)
        amount = self.keep(n.e, scope, ctx)
        choosing = self.sus.several(name, s.word == "gain") and self.may_choose(ctx)
        if choosing:  # a question may lie between, so they are kept in the frame
            who, amount = self.noted(who, scope, ctx), self.noted(Val(amount, INT), scope, ctx).e
        symbols = {e.symbol for e in self.lay.entries if e.sort in ("pieces", "slot")}

        def change() -> None:
            way: ir.Expr | None = None
            if choosing:
                way = self.way(s, p, who, amount, cause, scope, ctx)
            args = self.purse_args(p, who.e, cause)
            ctx.em.emit(ir.Pay(p.number, args, amount, s.word == "gain", cause, s.span, way))

        def event() -> None:
            self.event(s.word, [], amount, cause, symbols, scope, ctx, change, s.span, name, who)

        self.unless_waived(cause if s.word == "pay" else ZERO, ctx, event)

    def may_choose(self, ctx: Ctx) -> bool:
        """Whether there can be a question how to pay or to gain: this is no part of a single moment."""
        return not ctx.together and ctx.em.flat and len(ctx.em.buffers) == 1

    def way(
        self, s: sx.Sentence, p: PurseSym, who: Val, amount: ir.Expr, cause: ir.Expr, scope: Scope, ctx: Ctx
    ) -> ir.Expr:
        """The choice among the ways to pay or to gain, by number; 0 where there is nothing to choose, inside a
        `together`, or where it is somebody else than the one whose plan is open. Unless the purse says `default ask`,
        the first is taken where nobody wishes another."""
        gain = s.word == "gain"
        chosen = self.hidden_local(scope, INT)
        end = ctx.em.label()
        ctx.em.emit(self.assign(chosen, ZERO))
        ways = ir.Ways(p.number, self.purse_args(p, who.e, cause), amount, gain)
        two = replace(ways, most=2)
        planner = ir.Cell(ir.Const(pg.PLAN_SEAT), INT)
        acts = ir.Or((ir.Compare("==", who.e, planner), ir.Not(ir.Cell(ir.Const(pg.PLAN), INT))))
        if scope.you is not None:
            acts = ir.Or((ir.Compare("==", who.e, scope.you.read), *acts.items))
        apart = ir.Not(ir.Cell(ir.Const(pg.TOGETHER), INT))
        ctx.em.instr(ir.Branch(conj([acts, apart, ir.Compare(">", two, ONE)]), end))
        slot = scope.body.temp()
        number = ("way", slot, ir.Domain("range", ONE, ways), INT)
        ways_of = (ir.Alternative("", (number,), (), ()),)
        here = ctx.inside(skip=end)
        name = p.name if s.word == "pay" else f"{s.word}_{p.name}"
        self.finish(s, here, scope, who, "number", ways_of, name, [scope], answer=(chosen.slot, INT))
        self.sites[-1] = replace(self.sites[-1], ways=ways, by_default=not self.sus.asks(p.name))
        ctx.em.place(end)
        return chosen.read


def total_worth(sources: Sequence[ir.PurseSource]) -> ir.Expr:
    """What all sources hold together, as far as they count now; exact where `plain` says so, else never too little."""
    total: ir.Expr = ZERO
    for s in sources:
        if len(lines := sharing(s, sources)) == 1 or not plain(lines):
            total = ir.Arith("+", total, worth_of(s, s.worth))
        elif s is lines[0]:
            part: ir.Expr = ZERO
            most: ir.Expr = ZERO
            for line in lines:
                assert line.most is not None, "what has a counter has a limit"
                part = ir.Arith("+", part, worth_of(line, line.worth))
                most = ir.Arith("max", most, line.most if line.where is None else ir.If(line.where, line.most, ZERO))
            total = ir.Arith("+", total, ir.Arith("min", part, ir.Arith("*", most, s.worth)))
    return total


def worth_of(s: ir.PurseSource, each: ir.Expr) -> ir.Expr:
    """What a source holds, where each piece counts so much."""
    pool = s.pool
    assert pool.address is not None
    held: ir.Expr = ir.Cell(pool.address, INT, pool.symbol)
    if pool.kind == "slot":
        assert pool.code is not None
        held = ir.Compare("==", held, pool.code)
    if s.most is not None:
        held = ir.Arith("min", held, s.most)
    worth = ir.Arith("*", held, each)
    if s.domain is not None:
        return ir.Fold("sum", ((s.slot, s.domain),), s.where, (), worth)
    return ir.If(s.where, worth, ZERO) if s.where is not None else worth
