"""What happens around an atomic change: `before`, `instead of`, the change, checks, `after` (CONCEPTS 13 and 14)."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl import program as pg
from dsl import syntax as sx
from dsl.elaborate.base import ONE, ZERO, conj
from dsl.elaborate.emit import Ctx
from dsl.elaborate.scope import Body, Local, Scope, Val
from dsl.elaborate.sources import Heard, Sources
from dsl.model import RoutineSym, RuleLine
from dsl.program import Limits
from dsl.shapes import clause
from dsl.span import Span
from dsl.types import ERROR, INT, ListType, MemberType, Type

ACCOUNTS = ("gain", "lose", "pay")
YOU = "$you"  # the copied actor of a line under `until end of`


class Events(Sources):
    check_reads: frozenset[str] = frozenset()
    check_proc: int = -1
    checks_suspend: bool = False
    togethers: bool = False  # whether `together` stands anywhere
    limits: Limits

    def routine_number(self) -> int:
        raise NotImplementedError

    def compile_routine(
        self,
        r: RoutineSym,
        scope_setup: Callable[[Scope], None] | None = None,
        line: RuleLine | None = None,
        excluded: frozenset[int] = frozenset(),
    ) -> None:
        raise NotImplementedError

    # ------------------------------------------------------------ one change

    def event(
        self,
        verb: str,
        args: list[Val],
        amount: ir.Expr,
        cause: ir.Expr,
        symbols: set[str],
        scope: Scope,
        ctx: Ctx,
        change: Callable[[], None],
        span: Span,
        what: str,
        actor: Val | None = None,
    ) -> None:
        """An atomic change with the lines that can hear it; without any it is the plain change and the checks. `args`
        is what moves, from where and to where (nothing for a purse), `actor` who gains, loses or pays."""
        lines = [t for t in self.m.triggers if t.decl.name == verb and self.can_hear(t, args, what, actor)]
        lines = [
            t
            for t in lines
            if not (t.number in ctx.excluded and self.reissued(self.view(t, args, actor, amount), ctx) is None)
        ]
        if not lines:
            change()
            self.settle(symbols, scope, ctx, span)
            return
        bound = [self.noted(v, scope, ctx) for v in args]
        payer = self.noted(actor, scope, ctx) if actor is not None else None
        n = self.noted(Val(amount, INT), scope, ctx)
        c = self.noted(Val(cause, INT), scope, ctx)
        seen = [(t, self.view(t, bound, payer, n.e)) for t in lines]
        heard = self.note_lines(seen, n, c, scope, ctx, self.happens(bound, n))
        before, instead, after = (
            [h for h in heard if h.line.decl.word == w] for w in ("before", "instead of", "after")
        )

        def call(h: Heard, when: ir.Expr) -> None:
            self.call_line(h, n, c, scope, ctx, when)

        flat = ctx.em.flat and len(ctx.em.buffers) == 1
        self.in_order(before, scope, ctx, call)
        if instead and not flat:
            self.instead_plain(instead, call, change, symbols, after, scope, ctx, span)
            return
        end = ctx.em.label()

        def replace_event(h: Heard, when: ir.Expr) -> None:
            skip = ctx.em.label()
            ctx.em.instr(ir.Branch(when, skip))
            call(h, ONE)
            ctx.em.instr(ir.Jump(end))
            ctx.em.place(skip)

        self.in_order(instead, scope, ctx, replace_event)
        change()
        self.settle(symbols, scope, ctx, span)
        self.in_order(after, scope, ctx, call)
        if flat:
            ctx.em.place(end)

    def instead_plain(
        self,
        instead: list[Heard],
        call: Callable[[Heard, ir.Expr], None],
        change: Callable[[], None],
        symbols: set[str],
        after: list[Heard],
        scope: Scope,
        ctx: Ctx,
        span: Span,
    ) -> None:
        """A change that lines may replace, inside one statement: no line here suspends."""
        done = self.hidden_local(scope, INT)
        ctx.em.emit(self.assign(done, ZERO))

        def replace_event(h: Heard, when: ir.Expr) -> None:
            ctx.em.push()
            ctx.em.emit(self.assign(done, ONE))
            call(h, ONE)
            ctx.em.emit(ir.IfS(conj([ir.Not(done.read), when]), ctx.em.pop(), ()))

        self.in_order(instead, scope, ctx, replace_event)
        ctx.em.push()
        change()
        self.settle(symbols, scope, ctx, span)
        self.in_order(after, scope, ctx, call)
        ctx.em.emit(ir.IfS(ir.Not(done.read), ctx.em.pop(), ()))

    def note_lines(
        self,
        lines: list[tuple[RuleLine, list[Val]]],
        n: Val,
        c: Val,
        scope: Scope,
        ctx: Ctx,
        happens: ir.Expr = ONE,
    ) -> list[Heard]:
        """Which lines hear an event (if it happens) and who owns their cards, noted as it begins; a lone line that acts
        at once is tested where it acts."""
        if len(lines) == 1 and lines[0][0].decl.word != "after" and lines[0][0].timed < 0:
            t, view = lines[0]
            return [Heard(t, view, conj([happens, self.hears(t, view, n, c, scope, ctx)]), self.owner_of(t))]
        result: list[Heard] = []
        for t, view in lines:
            owner = self.owner_of(t)
            if t.timed >= 0:
                result.append(self.note_timed(t, view, n, c, scope, ctx, owner, happens))
                continue
            flag = self.hidden_local(scope, INT)
            ctx.em.emit(self.assign(flag, conj([happens, self.hears(t, view, n, c, scope, ctx)])))
            result.append(Heard(t, view, flag.read, self.noted(owner, scope, ctx) if owner is not None else None))
        return self.ranked(result, scope, ctx)

    def note_timed(
        self,
        t: RuleLine,
        view: list[Val],
        n: Val,
        c: Val,
        scope: Scope,
        ctx: Ctx,
        owner: Val | None,
        happens: ir.Expr,
    ) -> Heard:
        """A line under `until end of`: lists of what those of its records that hear the event have copied."""
        kept = self.timed_locals(t, scope)
        test = conj([happens, self.hears(t, view, n, c, kept, ctx)])
        lists = self.timed_lists(t, kept, test, scope)
        for local, value in lists:
            ctx.em.emit(self.assign(local, value))
        count = ir.Size("list", lists[0][0].read)
        copies = [Val(local.read, ct) for (local, _), (_, ct) in zip(lists, t.captured, strict=False)]
        noted = self.noted(owner, scope, ctx) if owner is not None else None
        return Heard(t, view, ir.Compare(">", count, ZERO), noted, None, copies, count)

    def timed_locals(self, t: RuleLine, scope: Scope) -> Scope:
        """A scope in which the names that a timed line has copied are temps, in a row."""
        inner = scope.child()
        inner.nested = True
        for name, ct in t.captured:
            local = self.temp_local(inner, name, ct)
            local.used = True
            if name == YOU:
                inner.you = local
        return inner

    def timed_lists(self, t: RuleLine, kept: Scope, test: ir.Expr, scope: Scope) -> list[tuple[Local, ir.Expr]]:
        """For each copied name (or one number, where there is none) a local for the list of its values in the live
        records that pass the test, the oldest first, and that list. Events of one body share the locals: one is over
        before the next begins."""
        slots = [local.slot for local in kept.names.values()]
        first = slots[0] if slots else scope.body.temps
        types = tuple(ct for _, ct in t.captured)
        framed = scope.body.suspends and not scope.nested
        result: list[tuple[Local, ir.Expr]] = []
        for i, ct in enumerate(types or (INT,)):
            key = (t.timed, i, framed)
            if key not in scope.body.shared:
                scope.body.shared[key] = self.hidden_local(scope, ListType(ct, self.limits.timed))
            body: ir.Expr = ir.Temp(slots[i]) if slots else ONE
            value = ir.TimedFold(t.timed, "list", first, test, body, ir.Const(()), types)
            result.append((scope.body.shared[key], value))
        return result

    def noted(self, v: Val, scope: Scope, ctx: Ctx) -> Val:
        """The value as it is now; a local of this routine stays what it is."""
        if isinstance(v.e, (ir.Const, ir.FrameVar)) or isinstance(v.e, ir.Temp) and not ctx.em.flat:
            return v
        local = self.hidden_local(scope, v.t)
        ctx.em.emit(self.assign(local, v.e))
        return Val(local.read, v.t)

    def view(self, t: RuleLine, args: list[Val], actor: Val | None, n: ir.Expr) -> list[Val]:
        """What a line's pattern is matched with: `gain`, `lose` and `pay` are seen as (who, how many, what), or with a
        piece as type of the first name as (index, from, to), like `move`."""
        if t.decl.name not in ACCOUNTS or self.by_piece(t):
            return args
        return [actor, Val(n, INT), Val(ZERO, INT)] if actor is not None else []

    def by_piece(self, t: RuleLine) -> bool:
        head = t.decl.head
        first = head.args[0].type if isinstance(head, sx.Call) and head.args else None
        return isinstance(first, sx.Name) and first.id in self.m.pieces

    def reissued(self, args: list[Val], ctx: Ctx) -> ir.Expr | None:
        """Inside the block of an `instead of` line: whether an event with these arguments is another than the line's
        own. None: it is certainly the same, issued again."""
        own = ctx.line_first
        if own is None or not args or args[0].e == own:
            return None
        return ir.Compare("!=", args[0].e, own)

    def hears(self, t: RuleLine, args: list[Val], n: Val, c: Val, scope: Scope, ctx: Ctx) -> ir.Expr:
        tests = [self.heard(t, args, n, c, scope)]
        other = self.reissued(args, ctx) if t.number in ctx.excluded else None
        if other is not None:
            tests.insert(0, other)
        return conj(tests)

    @staticmethod
    def happens(args: list[Val], n: Val) -> ir.Expr:
        """Whether anything moves: moving none or zero is no event."""
        tests: list[ir.Expr] = []
        if args and isinstance(args[0].t, MemberType) and args[0].t.optional:
            tests.append(ir.Compare("!=", args[0].e, ZERO))
        if not isinstance(n.e, ir.Const) or n.e.value == 0:
            tests.append(ir.Compare(">", n.e, ZERO))
        return conj(tests)

    def can_hear(self, t: RuleLine, args: list[Val], what: str, actor: Val | None = None) -> bool:
        """Whether the types of a verb's arguments can match a line's pattern."""
        head = t.decl.head
        if not isinstance(head, sx.Call) or not head.args:
            return True
        if t.decl.name in ACCOUNTS and not self.by_piece(t):
            if actor is None or len(head.args) > 2 and head.args[2].type not in (None, sx.Name(what)):
                return False
            args = [actor]
            what = ""
        first = head.args[0]
        if first.type is None or not args:
            return first.type is None
        name = first.type.id if isinstance(first.type, sx.Name) else ""
        if name in self.m.pieces or what in self.m.pieces:
            return name == what
        wanted = self.m.kinds.get(name)
        have = args[0].t
        return wanted is not None and isinstance(have, MemberType) and self.overlap(have, wanted.type)

    # ------------------------------------------------------------ one line

    def pattern(self, t: RuleLine, args: list[Val]) -> list[tuple[str, Type, Val, Type | None]]:
        """(name, its type, the argument, the narrowed kind) of each parameter of a line's pattern."""
        head = t.decl.head
        given = head.args if isinstance(head, sx.Call) else ()
        result: list[tuple[str, Type, Val, Type | None]] = []
        for i, p in enumerate(given):
            if i >= len(args):
                if t.decl.name in ("move", "gain", "lose", "pay", "turn", "set"):
                    continue
                break
            name = p.value.id if isinstance(p.value, sx.Name) else "?"
            narrowed: Type | None = None
            have = args[i].t
            if isinstance(p.type, sx.Name) and p.type.id in self.m.kinds:
                narrowed = self.m.kinds[p.type.id].type
            if isinstance(have, MemberType):
                have = MemberType(have.domain, have.low, have.high)
            result.append((name, narrowed or have, args[i], narrowed))
        return result

    def line_scope(self, t: RuleLine, body: Body) -> Scope:
        scope = Scope(body)
        scope.this = t.this
        scope.nested = True
        return scope

    def heard(self, t: RuleLine, args: list[Val], n: Val, c: Val, outer: Scope) -> ir.Expr:
        """Whether line `t` is active and its `where` holds for these arguments."""
        scope = self.line_scope(t, outer.body)
        if t.timed >= 0:
            scope.names |= outer.names
            scope.you = outer.you
        tests: list[ir.Expr] = []
        for name, t_param, arg, narrowed in self.pattern(t, args):
            scope.names[name] = Local(name, t_param, arg.e, used=True)
            if isinstance(narrowed, MemberType) and isinstance(arg.t, MemberType):
                if not self.m.fits_kind(arg.t, narrowed):
                    tests.append(self.of_kind(arg.e, self.m.kinds[narrowed.domain]))
        self.event_words(scope, n, c)
        tests += self.active(t, scope)
        scope = scope.knowing(self.held(t))
        for cl in t.decl.clauses:
            if cl.word == "where" and not isinstance(cl.args[0], sx.Key):
                tests.append(self.test(cl.args[0], scope))
                scope = scope.knowing(self.sure(cl.args[0])[0])
        counter = self.once(t)
        if counter:
            tests.append(ir.Not(ir.Cell(ir.Const(counter), INT)))
        return conj(tests)

    def event_words(self, scope: Scope, n: Val, c: Val) -> None:
        enum = self.m.enums.get("Cause")
        t: Type = MemberType("Cause", 1, enum.type.high, True) if enum else INT
        scope.special = {"cause": Local("cause", t, c.e), "amount": Local("amount", INT, n.e)}

    def active(self, t: RuleLine, scope: Scope) -> list[ir.Expr]:
        """The `while` conditions; a bare predicate applies to `this`."""
        result: list[ir.Expr] = []
        for cond in t.conditions:
            result.append(self.while_test(cond, t.this, scope))
        return result

    def held(self, t: RuleLine) -> frozenset[sx.Expr]:
        """What the `while` conditions of a line prove not to be none."""
        return frozenset().union(*(self.sure(cond)[0] for cond in t.conditions))

    def while_test(self, cond: sx.Expr, this: int, scope: Scope) -> ir.Expr:
        m = self.m
        if isinstance(cond, sx.Name) and this and scope.find(cond.id) is None:
            kind = next(k for k in m.kinds.values() if not k.parts and k.low <= this <= k.high)
            found = self.of_thing(Val(ir.Const(this), kind.type), cond.id, cond.span)
            if isinstance(found, Val):
                return self.need(found, self.bool_type(), cond.span).e
        return self.test(cond, scope)

    @staticmethod
    def bool_type() -> Type:
        from dsl.types import BOOL

        return BOOL

    def once(self, t: RuleLine) -> int:
        """Address of the counter of `once per F`, 0 without."""
        if clause(t.decl, "once per") is None:
            return 0
        return self.lay.counter(f"trigger.{t.number}.{t.this}")

    def line_routine(self, t: RuleLine, args: list[Val], used: frozenset[int]) -> RoutineSym:
        """The block of a line as a procedure; its parameters are the pattern's names, then cause and amount. `used` are
        the `instead of` lines that do not apply again to what the block issues."""
        params: list[tuple[str, Type]] = [(n, ty) for n, ty, _, _ in self.pattern(t, args)]
        owner = self.owner_of(t)
        extra = [*t.captured, *([("$owner", owner.t)] if owner is not None else [])]
        key = ",".join([*(str(ty) for _, ty in params), *(str(n) for n in sorted(used))])
        name = f"{t.decl.word} {t.decl.name}#{t.number}({key})"
        found = self.m.routines.get(name)
        if found:
            return found
        r = RoutineSym(
            name,
            "rule",
            t.decl.span,
            [*params, *extra, ("$cause", INT), ("$amount", INT)],
            None,
            t.decl.block,
            self.routine_number(),
            cites=t.decl.cites,
            this=t.this,
        )
        r.suspends = self.suspends_block(t.decl.block)
        r.used = True
        wheres = [c.args[0] for c in t.decl.clauses if c.word == "where" and not isinstance(c.args[0], sx.Key)]
        self.m.routines[name] = r

        def setup(scope: Scope) -> None:
            c, n = scope.names["$cause"], scope.names["$amount"]
            self.event_words(scope, Val(n.read, INT), Val(c.read, INT))
            known = self.held(t).union(*(self.sure(w)[0] for w in wheres))
            scope.known = frozenset(k for k in known if isinstance(k, sx.Name))
            if owner is not None:
                scope.special["owner"] = scope.names["$owner"]
            if YOU in scope.names:
                scope.you = scope.names[YOU]
            elif owner is not None:
                scope.you = scope.names["$owner"]
            elif t.this:
                scope.you = None
            elif params and self.is_actor_type(params[0][1]):
                scope.you = scope.names[params[0][0]]

        self.compile_routine(r, setup, t, used)
        return r

    def owner_of(self, t: RuleLine) -> Val | None:
        """The owner of the card that a line stands on; not none where the line's conditions say so."""
        local = self.owner_local(t.this, Scope(Body(""))) if t.this else None
        if local is None:
            return None
        sure = sx.Name("owner") in self.held(t) or sx.Attr(sx.Name("this"), "owner") in self.held(t)
        if sure and isinstance(local.type, MemberType):
            return Val(local.read, MemberType(local.type.domain, local.type.low, local.type.high))
        return Val(local.read, local.type)

    def owner_local(self, this: int, scope: Scope) -> Local | None:
        kind = next(k for k in self.m.kinds.values() if not k.parts and k.low <= this <= k.high)
        if "owner" not in kind.fields and "owner" not in self.m.values:
            return None
        found = self.of_thing(Val(ir.Const(this), kind.type), "owner", Span("", 0, 0))
        return Local("you", found.t, found.e) if isinstance(found, Val) and found.t != ERROR else None

    def is_actor_type(self, t: Type) -> bool:
        kind = self.m.kind_of(t)
        return kind is not None and (kind.name == "Seat" or kind.decided_by is not None)

    def suspends_block(self, block: tuple[sx.Line, ...]) -> bool:
        raise NotImplementedError

    def call_line(self, h: Heard, n: Val, c: Val, scope: Scope, ctx: Ctx, when: ir.Expr) -> None:
        """Run a line's block if `when` holds; an `after` line inside a `together` waits for its end. A line under
        `until end of` runs once for each of its records that heard the event; `instead of` and `once per` only for the
        oldest."""
        t = h.line
        used: frozenset[int] = frozenset()
        if t.decl.word == "instead of":
            again = self.reissued(h.view, ctx) is None
            used = (ctx.excluded if again else frozenset()) | {t.number}
        r = self.line_routine(t, h.view, used)
        owner = h.owner or self.owner_of(t)
        own = (owner.e,) if owner is not None else ()
        counter = self.once(t)
        count = ir.Store(ir.Const(counter), INT, ONE, f"counter.trigger.{t.number}.{t.this}") if counter else None

        def given(record: ir.Expr) -> tuple[ir.Expr, ...]:
            copies = (ir.ListItem(kept.e, record) for kept in h.kept)
            return (*(arg.e for _, _, arg, _ in self.pattern(t, h.view)), *copies, *own, c.e, n.e)

        loops = t.timed >= 0 and not counter and t.decl.word != "instead of"
        if not loops:
            self.call_block(t, r, given(ONE), when, count, ctx)
        elif not r.suspends:
            record = self.temp_local(scope.child(), "", INT)
            ctx.em.push()
            self.call_block(t, r, given(record.read), ONE, None, ctx)
            loop = ir.For(record.slot, ir.Domain("range", ONE, h.count), ctx.em.pop())
            ctx.em.emit(ir.IfS(when, (loop,), ()))
        else:
            at = self.hidden_local(scope, INT)
            top, end = ctx.em.label(), ctx.em.label()
            ctx.em.emit(self.assign(at, ONE))
            ctx.em.place(top)
            ctx.em.instr(ir.Branch(conj([when, ir.Compare("<=", at.read, h.count)]), end))
            self.call_block(t, r, given(at.read), ONE, None, ctx)
            ctx.em.emit(self.assign(at, ir.Arith("+", at.read, ONE)))
            ctx.em.instr(ir.Jump(top))
            ctx.em.place(end)

    def call_block(
        self,
        t: RuleLine,
        r: RoutineSym,
        given: tuple[ir.Expr, ...],
        when: ir.Expr,
        count: ir.Stmt | None,
        ctx: Ctx,
    ) -> None:
        stmts: list[ir.Stmt] = [count] if count else []
        if t.decl.word == "after" and self.togethers:
            later: tuple[ir.Stmt, ...] = (*stmts, ir.Defer((), r.proc, given, t.decl.span))
            open_ = ir.Cell(ir.Const(pg.TOGETHER), INT)
            ctx.em.emit(ir.IfS(conj([open_, when]), later, ()))
            when = conj([ir.Not(open_), when])
        if not r.suspends:
            ctx.em.emit(ir.IfS(when, (*stmts, ir.CallS(r.proc, given)), ()))
            return
        skip = ctx.em.label()
        if when != ONE:
            ctx.em.instr(ir.Branch(when, skip))
        if count:
            ctx.em.emit(count)
        ctx.em.instr(ir.CallI(r.proc, given))
        ctx.em.place(skip)

    # ------------------------------------------------------------ checks

    def settle(self, symbols: set[str], scope: Scope, ctx: Ctx, span: Span) -> None:
        """The end of an atomic change: checks to the fixed point, then invariants."""
        if self.check_proc >= 0 and symbols & self.check_reads:
            idle = conj([ir.Not(ir.Cell(ir.Const(pg.TOGETHER), INT)), ir.Not(ir.Cell(ir.Const(pg.CHECKING), INT))])
            if not self.checks_suspend:
                ctx.em.emit(ir.IfS(idle, (ir.CallS(self.check_proc, ()),), ()))
            else:
                skip = ctx.em.label()
                ctx.em.instr(ir.Branch(idle, skip))
                ctx.em.instr(ir.CallI(self.check_proc, ()))
                ctx.em.place(skip)
        ctx.em.emit(ir.AtomicEnd(tuple(sorted(symbols)), span))
