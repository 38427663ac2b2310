"""What happens around an atomic change: `before`, `instead of`, the change, checks, `after` (docs/manual/13-triggers.md
and 14-checks-and-together.md)."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl import program as pg
from dsl.base.span import Span
from dsl.base.types import INT, ListType
from dsl.elaborate.context import ONE, ZERO, conj
from dsl.elaborate.core.emit import Ctx
from dsl.elaborate.core.scope import Local, Scope, Val
from dsl.elaborate.events.order import Heard
from dsl.elaborate.events.reactions import YOU, Reactions
from dsl.program import Limits
from dsl.symbols.symbols import RuleLine


class Events(Reactions):
    check_reads: frozenset[str] = frozenset()
    check_proc: int = -1
    checks_suspend: bool = False
    limits: Limits

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
        self.late.heard(ctx.routine, lines, span)
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

    # ------------------------------------------------------------ checks

    def settle(self, symbols: set[str], scope: Scope, ctx: Ctx, span: Span) -> None:
        """The end of an atomic change: checks to the fixed point, then invariants."""
        self.late.changed(ctx.routine, symbols, span)
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
