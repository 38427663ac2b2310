"""Procedures: prologue, body, end list, checks, `after` lines; deferred blocks, checks, purses, strips, effects."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl import program as pg
from dsl import syntax as sx
from dsl.collect import clause
from dsl.elaborate.base import ONE, ZERO, conj
from dsl.elaborate.emit import Ctx, Emitter
from dsl.elaborate.lines import Lines
from dsl.elaborate.reads import cells_read
from dsl.elaborate.scope import Body, Local, Scope, Val, ZoneRef
from dsl.model import PieceSym, PurseSym, RoutineSym, RuleLine
from dsl.span import Span
from dsl.types import ERROR, INT, MemberType, Type


class Routines(Lines):
    next_proc: int

    def routine_number(self) -> int:
        self.next_proc += 1
        return self.next_proc - 1

    def suspends_block(self, block: tuple[sx.Line, ...]) -> bool:
        return self.sus.of_block(block)

    # ------------------------------------------------------------ one routine

    def compile_routine(
        self,
        r: RoutineSym,
        setup: Callable[[Scope], None] | None = None,
        line: RuleLine | None = None,
        excluded: frozenset[int] = frozenset(),
    ) -> None:
        m = self.m
        self.current = ""
        body = Body(r.name, r.suspends)
        scope = Scope(body, this=r.this, address=r.name)
        params = list(r.params)
        if r.word in ("effect", "strip", "icon"):
            params.append(("$you", self.effect_you.get(r.proc, m.kinds["Seat"].type)))
        for name, t in params:
            local = self.bind(scope, name, t, r.span)
            local.param = True
        if r.word in ("effect", "strip", "icon"):
            scope.you = scope.names["$you"]
        elif r.actor or (r.word in ("procedure", "rule") and r.captured and "$you" in scope.names):
            scope.you = scope.names[params[0][0]] if r.actor else scope.names["$you"]
        if setup is not None:
            setup(scope)
        em = Emitter(r.suspends)
        name = r.name.split("#")[0]
        ctx = Ctx(r, body, em, address=name, line=line)
        if line is not None:
            ctx.excluded = excluded
            ctx.line_first = scope.names[params[0][0]].read if params[0][0] != "$cause" else None
        self.locals_seen = []
        if not r.suspends:
            self.block(r.block, scope, ctx)
            self.procs[r.proc] = ir.Proc(
                name,
                r.word,
                tuple(params),
                body.temps,
                False,
                em.pop(),
                cites=tuple(m.cites.get(name, ())),
                span=r.span,
            )
        else:
            self.framed_routine(r, params, body, scope, em, ctx, frozenset() if line is not None else excluded)
        if r.gives is not None and not self.always_gives(r.block):
            m.error(
                "RW0811",
                r.span,
                f"`{r.name}` should give a `{r.gives}`, but it can end without `give`",
                "end every branch with `give ...`",
            )
        for local in self.locals_seen:
            if not local.used and local.type != ERROR:
                m.warn("RW0812", local.span, f"`{local.name}` is never used", "leave it out, or use it")

    def always_gives(self, block: tuple[sx.Line, ...]) -> bool:
        if not block:
            return False
        last = block[-1]
        match last:
            case sx.Sentence(word="give"):
                return True
            case sx.If(then=then, orelse=orelse):
                return bool(orelse) and self.always_gives(then) and self.always_gives(orelse)
            case sx.Section(word="step", block=inner):
                return self.always_gives(inner)
            case sx.Choose(shape="cases", block=cases):
                return all(isinstance(c, sx.Case) and self.always_gives(c.block) for c in cases)
        return False

    def framed_routine(
        self,
        r: RoutineSym,
        params: list[tuple[str, Type]],
        body: Body,
        scope: Scope,
        em: Emitter,
        ctx: Ctx,
        used: frozenset[int],
    ) -> None:
        """Body, end list, checks, after lines, leave. `used` are `instead of` lines that stand behind this call
        already."""
        m = self.m
        epilogue = em.label()
        leave = em.label()
        ctx.epilogue = ctx.skip = epilogue
        if r.gives is not None:
            ctx.result = body.frame(r.gives)
        for address in self.resets.get(r.name, ()):
            em.emit(ir.Store(ir.Const(address), INT, ZERO, "counter"))
        if r.name in self.once_actions:
            em.emit(ir.Store(ir.Const(self.once_actions[r.name]), INT, ONE, f"counter.action.{r.name}"))
        args = [Val(scope.names[n].read, t) for n, t in r.params]
        zero = Val(ZERO, INT)
        flags: list[tuple[RuleLine, Local]] = []
        for t in r.lines:
            if t.decl.word == "after":
                flag = self.hidden_local(scope, INT)
                em.emit(self.assign(flag, self.heard(t, args, zero, zero, scope)))
                flags.append((t, flag))
        for t in r.lines:
            if t.decl.word == "before":
                skip = em.label()
                em.instr(ir.Branch(self.heard(t, args, zero, zero, scope), skip))
                self.call_line(t, args, zero, zero, scope, ctx, ONE)
                em.place(skip)
        for t in r.lines:
            if t.decl.word == "instead of":
                if r.gives is not None:
                    m.error("RW0813", t.decl.span, f"`{r.name}` gives a value, so nothing can stand instead of it")
                    continue
                skip = em.label()
                em.instr(ir.Branch(self.heard(t, args, zero, zero, scope), skip))
                self.call_line(t, args, zero, zero, scope, ctx.inside(excluded=used, line_first=None), ONE)
                em.instr(ir.Jump(leave))
                em.place(skip)
        if r.word == "strip":
            self.strip_body(r, scope, ctx)
        else:
            self.block(r.block, scope, ctx)
        em.place(epilogue)
        em.instr(ir.EndList())
        self.settle(set(self.check_reads), scope, ctx, r.span)
        for t, flag in flags:
            self.call_line(t, args, zero, zero, scope, ctx, flag.read)
        if r.gives is not None:
            em.instr(ir.Give(ir.FrameVar(ctx.result, r.gives), leave))
        em.place(leave)
        em.instr(ir.Leave())
        base = len(self.code)
        instrs, at = em.link(base)
        self.code.extend(instrs)
        name = r.name.split("#")[0]
        self.procs[r.proc] = ir.Proc(
            name,
            r.word,
            tuple(params),
            body.temps,
            True,
            (),
            base,
            at[epilogue],
            body.words,
            tuple(m.cites.get(name, ())),
            r.span,
        )

    # ------------------------------------------------------------ at end of

    def defer_block(self, node: sx.Section, scope: Scope, ctx: Ctx) -> None:
        """The block becomes a procedure; the names it uses are copied when it is put on the list."""
        m = self.m
        frame = node.head.id if isinstance(node.head, sx.Name) else ""
        target = m.routines.get(frame)
        if target is None:
            m.unknown("RW0207", node.span, "routine", frame, list(m.routines))
            return
        names: list[Local] = []
        for line in node.block:
            for local in self.captured_names(line, set(), scope):
                if local not in names:
                    names.append(local)
        if scope.you is not None and scope.you not in names:
            names.append(scope.you)
        params = [("$you" if n is scope.you else n.name, n.type) for n in names]
        if scope.you is not None and scope.find(scope.you.name) is scope.you:
            params = [(n.name, n.type) for n in names]
        r = RoutineSym(
            f"{ctx.routine.name}#end{self.next_proc}",
            "procedure",
            node.span,
            params,
            None,
            node.block,
            self.routine_number(),
            this=ctx.routine.this,
            captured=1,
        )
        r.suspends = True
        self.later.append((r, scope.you.name if scope.you is not None else ""))
        m.routines[r.name] = r
        r.used = True
        for n in names:
            n.used = True
        ctx.em.emit(ir.Defer((target.proc,), r.proc, tuple(n.read for n in names), node.span))
        self.max_deferred = max(self.max_deferred, len(names))

    # ------------------------------------------------------------ checks

    def compile_checks(self) -> None:
        """All `always` lines as one procedure: the first member that satisfies the first line acts, then from the
        first again."""
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
        for loop, rule in m.checks:
            inner = scope.child()
            inner.this = rule.this
            if rule.this:
                inner.you = self.owner_local(rule.this, inner)
            probe = inner.child()
            probe.nested = True
            binders, types = self.binders(loop.binders, probe)
            where, _ = self.where(loop.clauses, probe)
            if any(t == ERROR for t in types):
                continue
            if len(binders) != 1:
                m.error("RW0607", loop.span, "a check has one name", "use `any` or a set of things for the second")
                continue
            active = [self.while_test(c, rule.this, inner) for c in rule.conditions]
            (slot, d), t = binders[0], types[0]
            for e in (*([where] if where is not None else []), d.a, *active):
                reads |= cells_read(e, self.functions)
            test = conj([ir.Not(acted.read), *active, ir.Fold("any", ((slot, d),), where, (), None)])
            x = self.bind(inner, loop.binders[0].name, t, loop.binders[0].span)
            best = ir.Fold("first", ((slot, d),), where, (), ir.Temp(slot))
            if suspends:
                nxt = em.label()
                em.instr(ir.Branch(test, nxt))
                em.emit(self.assign(acted, ONE))
                em.emit(self.assign(x, best))
                em.emit(ir.Note(rule.address or "always", loop.cites))
                self.block(loop.block, inner, ctx.inside(skip=nxt))
                em.place(nxt)
            else:
                em.push()
                em.emit(self.assign(acted, ONE))
                em.emit(self.assign(x, best))
                em.emit(ir.Note(rule.address or "always", loop.cites))
                self.block(loop.block, inner, ctx)
                em.emit(ir.IfS(test, em.pop(), ()))
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
        over = self.temp_local(scope, "", INT)
        scope.special = {"over": Local("over", INT, over.read, over.slot)}
        for line in p.decl.block:
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
                case sx.Decl(word="default"):
                    keys += self.keys(line.clauses, scope)
                case _:
                    m.error("RW0822", line.span, "a purse holds `source`, `change`, `require` and `default` lines")
        for rule in p.extra:
            inner = scope.child()
            inner.this = rule.this
            made = self.purse_source(rule.decl, inner, None, rule)
            self.add(sources, made)
        if not sources:
            m.error("RW0823", p.span, f"the purse `{p.name}` has no source", "add `source ZONE`")
        self.purse_code[p.number] = ir.Purse(
            p.name, tuple(p.params), body.temps, tuple(sources), change, over.slot, tuple(requires), keys
        )

    @staticmethod
    def add(sources: list[ir.PurseSource], made: ir.PurseSource | None) -> None:
        if made is not None:
            sources.append(made)

    def purse_source(
        self, d: sx.Decl, scope: Scope, each: tuple[int, ir.Domain] | None, rule: RuleLine | None = None
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
        tests: list[ir.Expr] = []
        for c in d.clauses:
            if c.word == "where" and not isinstance(c.args[0], sx.Key):
                tests.append(self.test(c.args[0], scope))
        if rule is not None:
            tests += [self.while_test(c, rule.this, scope) for c in rule.conditions]
        limit = clause(d, "max")
        most = self.number(limit.args[0], scope).e if limit and not isinstance(limit.args[0], sx.Key) else None
        counter = 0
        if rule is not None and clause(d, "once per"):
            counter = self.lay.counter(f"source.{rule.this}.{d.name}")
            most = ir.If(ir.Cell(ir.Const(counter), INT), ZERO, most or ir.Const(999_999))
        slot, domain = each if each is not None else (-1, None)
        first = clause(d, "first") is not None
        return ir.PurseSource(slot, domain, pool, worth, target, first, conj(tests) if tests else None, most, counter)

    def purse_payment(self, s: sx.Sentence, a: sx.Amount, name: str, actor: Val | None, scope: Scope, ctx: Ctx) -> None:
        m = self.m
        p = m.purses[name]
        if len(p.params) != 1 or actor is None:
            m.error("RW0511", s.span, f"whose `{name}` is it? nobody acts here", "add `by WHO`")
            return
        who = self.need(actor, p.params[0][1], s.span)
        n = self.number(a.count, scope)
        cause = self.cause(s, scope)
        amount = self.keep(n.e, scope, ctx)
        pay = ir.Pay(p.number, (who.e,), amount, s.word == "gain", cause, s.span)
        symbols = {e.symbol for e in self.lay.entries if e.sort in ("pieces", "slot")}

        def change() -> None:
            if s.word == "lose":
                payable = ir.Payable(p.number, (who.e,), amount)
                ctx.em.emit(ir.IfS(payable, (pay,), ()))
            else:
                ctx.em.emit(pay)

        def event() -> None:
            self.event(s.word, [], amount, cause, symbols, scope, ctx, change, s.span, name, who)

        self.unless_waived(cause if s.word == "pay" else ZERO, ctx, event)

    # ------------------------------------------------------------ strips

    def strip_body(self, r: RoutineSym, scope: Scope, ctx: Ctx) -> None:
        _, name = r.name.rsplit(".", 1)
        decl = self.m.strips[(r.this, name)]
        assert decl.head is not None
        self.strip_part(decl.head, scope, ctx)

    def strip_part(self, e: sx.Expr, scope: Scope, ctx: Ctx) -> None:
        """`/` asks, `+` does all, `->` puts the rest on the end list of the routine that resolves the strip."""
        m = self.m
        match e:
            case sx.StripExpr("+", items):
                for item in items:
                    self.strip_part(item, scope, ctx)
            case sx.StripExpr("->", (first, *rest)):
                self.strip_part(first, scope, ctx)
                for item in rest:
                    self.defer_strip(item, item.span, scope, ctx)
            case sx.StripExpr("/", items):
                cases = tuple(sx.Case(self.strip_label(i, n), (), (), (), span=i.span) for n, i in enumerate(items, 1))
                node = sx.Choose("choose", "cases", None, (), (sx.Clause("or decline"),), cases, span=e.span)
                self.strip_choice(node, items, scope, ctx)
            case sx.Call() | sx.Name():
                target, args = (e.func, e.args) if isinstance(e, sx.Call) else (e, ())
                name = target.id if isinstance(target, sx.Name) else ""
                icon = m.routines.get(name)
                if icon is None or icon.word != "icon":
                    m.unknown(
                        "RW0831",
                        e.span,
                        "icon",
                        name or m.text(e.span),
                        [x.name for x in m.routines.values() if x.word == "icon"],
                    )
                    return
                icon.used = True
                self.icon(icon, args, e.span, scope, ctx)
            case _:
                m.error("RW0832", e.span, "a strip is made of icons, `/`, `+` and `->`")

    def icon(self, icon: RoutineSym, args: tuple[sx.Arg, ...], span: Span, scope: Scope, ctx: Ctx) -> None:
        """An icon whose leading demands fail is skipped."""
        given: list[ir.Expr] = []
        assert scope.you is not None
        self.effect_actor(icon, Val(scope.you.read, scope.you.type), span)
        params = icon.params
        lone = Scope(scope.body)
        lone.nested = True
        lone.you = scope.you
        if len(args) != len(params):
            self.m.error("RW0250", span, f"`{icon.name}` takes {len(params)} arguments, I read {len(args)}")
            return
        for (pname, t), a in zip(params, args, strict=True):
            v = self.argument(a.value, t, scope)
            given.append(v.e)
            lone.names[pname] = Local(pname, t, v.e, used=True)
        guards, _ = self.action_guards(icon, lone)
        test = conj([g.test for g in guards])
        skip = ctx.em.label()
        if test != ONE:
            ctx.em.instr(ir.Branch(test, skip))
        call = (*given, scope.you.read)
        if icon.suspends:
            ctx.em.instr(ir.CallI(icon.proc, call))
        else:
            ctx.em.emit(ir.CallS(icon.proc, call))
        ctx.em.place(skip)

    def strip_label(self, e: sx.Expr, n: int) -> str:
        target = e.func if isinstance(e, sx.Call) else e
        return target.id if isinstance(target, sx.Name) else f"way_{n}"

    def strip_choice(self, node: sx.Choose, items: tuple[sx.Expr, ...], scope: Scope, ctx: Ctx) -> None:
        assert scope.you is not None
        chosen = self.hidden_local(scope, INT)
        alternatives = tuple(ir.Alternative(c.name, (), (), ()) for c in node.block if isinstance(c, sx.Case))
        end = ctx.em.label()
        self.finish(
            node,
            ctx.inside(skip=end),
            scope,
            Val(scope.you.read, scope.you.type),
            "one",
            alternatives,
            "one",
            [scope],
            answer=(chosen.slot, INT),
        )
        for i, item in enumerate(items, 1):
            nxt = ctx.em.label()
            ctx.em.instr(ir.Branch(ir.Compare("==", chosen.read, ir.Const(i)), nxt))
            self.strip_part(item, scope, ctx)
            ctx.em.instr(ir.Jump(end))
            ctx.em.place(nxt)
        ctx.em.place(end)

    def defer_strip(self, item: sx.Expr, span: Span, scope: Scope, ctx: Ctx) -> None:
        """The part behind `->` as a deferred procedure."""
        assert scope.you is not None
        number = self.routine_number()
        r = RoutineSym(
            f"{ctx.routine.name}#after{number}",
            "afterwards",
            span,
            [("$you", scope.you.type)],
            None,
            (),
            number,
            this=ctx.routine.this,
            suspends=True,
        )
        self.m.routines[r.name] = r
        self.later_strips.append((r, item))
        holders = tuple(sorted(x.proc for x in self.m.routines.values() if x.name in self.resolvers))
        ctx.em.emit(ir.Defer(holders, number, (scope.you.read,), span))
        self.max_deferred = max(self.max_deferred, 1)

    def resolve_strip(self, node: sx.Sentence, scope: Scope, ctx: Ctx) -> None:
        """`resolve c.strip by p`."""
        m = self.m
        operand = node.operands[0]
        by = clause(node, "by")
        actor = self.actor(by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, node.span)
        if not isinstance(operand, sx.Attr):
            m.error("RW0833", operand.span, "`resolve` takes the strip of a card", "write `resolve CARD.STRIP by WHO`")
            return
        card = self.expr(operand.base, scope)
        kind = m.kind_of(card.t)
        if kind is None or actor is None:
            if card.t != ERROR:
                m.error("RW0833", operand.span, f"`{m.text(operand.base.span)}` is `{card.t}`, which has no strips")
            return
        if operand.name not in kind.strips:
            m.unknown("RW0234", operand.span, f"strip of `{kind.name}`", operand.name, list(kind.strips))
            return
        table = [0] * (m.thing_count + 1)
        procs: list[int] = []
        for (thing, strip), _ in m.strips.items():
            if strip == operand.name and kind.low <= thing <= kind.high:
                r = next(
                    x
                    for x in m.routines.values()
                    if x.word == "strip" and x.this == thing and x.name.endswith(f".{strip}")
                )
                table[thing] = r.proc
                procs.append(r.proc)
                self.effect_actor(r, actor, node.span)
        m.tables_data.append(tuple(table))
        number = ir.TableGet(len(m.tables_data) - 1, card.e)
        skip = ctx.em.label()
        ctx.em.instr(ir.Branch(number, skip))
        ctx.em.instr(ir.Enter(number, (actor.e,), tuple(procs)))
        ctx.em.place(skip)


def is_member(t: Type) -> bool:
    return isinstance(t, MemberType)
