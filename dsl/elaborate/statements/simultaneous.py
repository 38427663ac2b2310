"""Loops in which several may answer: `open to` and `at once` (docs/manual/12-loops-and-orders.md)."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import INT, ListType, MapType, MemberType, SetType, Type, width
from dsl.elaborate.context import ONE, ZERO, conj, linear
from dsl.elaborate.core.emit import Ctx
from dsl.elaborate.core.scope import Local, Scope
from dsl.elaborate.statements.loops import Loops
from dsl.syntax import nodes as sx


class Several(Loops):
    """The members are frozen as in other loops; whose answer comes first does not follow from their order."""

    # tied in by `choices`
    def choose(self, node: sx.Choose, scope: Scope, ctx: Ctx) -> None:
        raise NotImplementedError

    def run_cases(self, chosen: Local, bodies: list[tuple[sx.Case, Scope]], ctx: Ctx) -> None:
        raise NotImplementedError

    def open_to(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        """Every member who has not declined since the last change may answer; sequential drivers ask in order."""
        m = self.m
        only = node.block[0] if len(node.block) == 1 else None
        if not isinstance(only, sx.Choose) and not (
            isinstance(only, sx.Sentence) and only.word in ("offer", "perform")
        ):
            m.error("RW0608", node.span, "the body of `open to` is one `offer` or `choose` by the member")
            return
        d, t = self.frozen_domain(node, scope)
        if not isinstance(t, MemberType):
            return
        b = node.binders[0]
        inner = scope.child()
        members, declined = self.hidden_local(scope, SetType(t)), self.hidden_local(scope, SetType(t))
        count = self.hidden_local(scope, INT)
        x = self.bind(inner, b.name, t, b.span)
        ctx.em.emit(self.assign(members, d.a if d.kind == "set" else ir.ListOp("to_set", (d.a,))))
        ctx.em.emit(self.assign(declined, ZERO))
        ctx.em.emit(self.assign(count, ZERO))
        ctx.em.emit(self.assign(x, ZERO))
        top, no, end = ctx.em.label(), ctx.em.label(), ctx.em.label()
        slot = scope.body.temp()
        waiting = ir.Arith("&~", members.read, declined.read)
        pick = ir.Fold(
            "first",
            ((slot, ir.Domain("set", waiting)),),
            None,
            ((True, ir.Compare(">", ir.Temp(slot), x.read)),),
            ir.Temp(slot),
        )
        ctx.em.place(top)
        limit = ir.Compare("<", count.read, ir.Const(self.limits.open_to))
        ctx.em.instr(
            ir.Branch(conj([ir.Compare("!=", waiting, ZERO), limit, self.while_clause(node.clauses, scope)]), end)
        )
        ctx.em.emit(self.assign(x, pick))
        ctx.em.emit(self.assign(count, ir.Arith("+", count.read, ONE)))
        first = len(self.sites)
        assert only is not None
        self.line(only, inner, ctx.inside(skip=no))
        for i in range(first, min(first + 1, len(self.sites))):
            self.sites[i] = replace(self.sites[i], open_to=(waiting, x.slot), always_ask=True)
        ctx.em.emit(self.assign(declined, ZERO))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(no)
        ctx.em.emit(self.assign(declined, ir.Arith("|", declined.read, ir.MakeSet((x.read,)))))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(end)

    def at_once(self, node: sx.Loop, scope: Scope, ctx: Ctx) -> None:
        """All members answer before any answer is applied; the slots are hidden from the others."""
        m = self.m
        lead: list[sx.Choose] = []
        for inner_line in node.block:
            if not isinstance(inner_line, sx.Choose):
                break
            lead.append(inner_line)
        if not lead or len(node.binders) != 1:
            m.error("RW0609", node.span, "the body of an `at once` loop begins with choices by its member")
            return
        d, t = self.frozen_domain(node, scope)
        if not isinstance(t, MemberType):
            return
        b = node.binders[0]
        inner = scope.child()
        order = self.hidden_local(scope, ListType(t, self.list_cap(node, t)))
        at = self.hidden_local(scope, INT)
        x = self.bind(inner, b.name, t, b.span)
        source = d.a if d.kind == "list" else ir.ListOp("to_list", (d.a,))
        ctx.em.emit(self.assign(order, source))
        ctx.em.emit(self.assign(at, ONE))
        answered = self.hidden_local(scope, SetType(t))
        ctx.em.emit(self.assign(answered, ZERO))
        top, second, apply, end = (ctx.em.label() for _ in range(4))
        more = ir.Compare("<=", at.read, ir.Size("list", order.read))
        step = self.assign(at, ir.Arith("+", at.read, ONE))
        ctx.em.place(top)
        ctx.em.instr(ir.Branch(more, second))
        ctx.em.emit(self.assign(x, ir.ListItem(order.read, at.read)))
        ctx.em.emit(step)
        test = self.while_clause(node.clauses, inner)
        if test != ONE:
            ctx.em.instr(ir.Branch(test, second))
        first = len(self.sites)
        asking = ctx.inside(skip=top, later=[])
        for c in lead:
            self.choose(c, inner, asking)
        sites = range(first, len(self.sites))
        answers: list[tuple[int, Type, int, ir.Expr]] = []
        for i in sites:
            site = self.sites[i]
            told = ir.MakeSet((site.seat,))
            site = self.sites[i] = replace(site, audience=told, waits=site.audience is None, at_once=(first, at.slot))
            for slot, st in [*(s for a in site.alternatives for s in a.slots), *([site.answer] if site.answer else [])]:
                offset = linear(-t.low * width(st), [(x.read, width(st))])
                answers.append((slot, st, scope.body.frame(MapType((t,), st)), offset))
        for slot, st, kept, offset in answers:
            ctx.em.emit(ir.SetFrame(kept, st, ir.FrameVar(slot, st), offset))
        ctx.em.emit(self.assign(answered, ir.Arith("|", answered.read, ir.MakeSet((x.read,)))))
        ctx.em.instr(ir.Jump(top))
        ctx.em.place(second)
        ctx.em.emit(self.assign(at, ONE))
        ctx.em.place(apply)
        ctx.em.instr(ir.Branch(more, end))
        ctx.em.emit(self.assign(x, ir.ListItem(order.read, at.read)))
        ctx.em.emit(step)
        if test != ONE:
            ctx.em.instr(ir.Branch(test, end))
        ctx.em.instr(ir.Branch(ir.InSet(x.read, answered.read), apply))
        for slot, st, kept, offset in answers:
            ctx.em.emit(ir.SetFrame(slot, st, ir.FrameItem(kept, offset, st)))
        for i in sites:
            self.confirm(i, ctx, apply)
        for asked in asking.later or ():
            self.run_cases(*asked, ctx.inside(skip=apply))
        self.block(node.block[len(lead) :], inner, ctx.inside(skip=apply))
        ctx.em.instr(ir.Jump(apply))
        ctx.em.place(end)

    def confirm(self, number: int, ctx: Ctx, skip: int) -> None:
        """An answer that is no longer legal is asked for again."""
        site = self.sites[number]
        good = ctx.em.label()
        ctx.em.instr(ir.Confirm(number, good))
        if site.cursor >= 0 and site.answer is not None:
            ctx.em.emit(ir.SetFrame(site.cursor, INT, ZERO))
            ctx.em.emit(ir.SetFrame(*site.answer, ir.Const(0 if isinstance(site.answer[1], SetType) else ())))
        ctx.em.instr(ir.Ask(number, skip))
        ctx.em.place(good)
