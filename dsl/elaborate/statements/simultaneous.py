"""Loops in which several may answer: `open to` and `at once` (docs/manual/12-loops-and-orders.md)."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import INT, IntType, ListType, MapType, MemberType, SetType, Type, width
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj, key_offset, linear
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, assign, bind, hidden_local
from dsl.elaborate.expressions import folds
from dsl.elaborate.statements import choose, flow, loops
from dsl.symbols.types import has_clause
from dsl.syntax import nodes as sx


def open_to(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """`open to`: every member for whom its `where` holds now, who has not declined since the last change, and has an
    answer left, may answer; sequential drivers ask in order. Without a bound of its own the loop ends at the limit of
    the ruleset."""
    m = elab.model
    only = node.block[0] if len(node.block) == 1 else None
    if not isinstance(only, sx.Choose) and not (isinstance(only, sx.Sentence) and only.word in ("offer", "perform")):
        m.error("RW0608", node.span, "the body of `open to` is one `offer` or `choose` by the member")
        return
    everybody = replace(node, clauses=tuple(c for c in node.clauses if c.word == "with"))
    d, t = loops.frozen_domain(elab, everybody, scope)
    if not isinstance(t, MemberType):
        return
    b = node.binders[0]
    inner = scope.child()
    loops.add_where_facts(elab, node, inner)
    members, declined = hidden_local(m, scope, SetType(t)), hidden_local(m, scope, SetType(t))
    count = hidden_local(m, scope, INT)
    x = bind(m, inner, b.name, t, b.span)
    ctx.em.emit(assign(members, d.a if d.kind == "set" else ir.ListOp("to_set", (d.a,))))
    ctx.em.emit(assign(declined, ZERO))
    ctx.em.emit(assign(count, ZERO))
    ctx.em.emit(assign(x, ZERO))
    top, no, end = ctx.em.label(), ctx.em.label(), ctx.em.label()
    answers = Answerers(elab, node, t, scope)
    answers.begin(members.read, ctx)
    slot = scope.body.temp()
    waiting = answers.left(ir.Arith("&~", members.read, declined.read))
    pick = ir.Fold(
        "first",
        ((slot, ir.Domain("set", waiting)),),
        None,
        ((True, ir.Compare(">", ir.Temp(slot), x.read)),),
        ir.Temp(slot),
    )
    ctx.em.place(top)
    tests = [ir.Compare("!=", waiting, ZERO)]
    if not answers.bounded:
        tests.append(ir.Compare("<", count.read, ir.Const(elab.limits.open_to)))
    ctx.em.instr(ir.Branch(conj([*tests, loops.while_condition(elab, node.clauses, scope)]), end))
    ctx.em.emit(assign(x, pick))
    ctx.em.emit(assign(count, ir.Arith("+", count.read, ONE)))
    first = len(elab.out.sites)
    assert only is not None
    elab.line(only, inner, ctx.inside(skip=no))
    for i in range(first, min(first + 1, len(elab.out.sites))):
        elab.out.sites[i] = replace(elab.out.sites[i], open_to=(waiting, x.slot), always_ask=True)
    ctx.em.emit(assign(declined, ZERO))
    answers.count(x.read, ctx)
    ctx.em.instr(ir.Jump(top))
    ctx.em.place(no)
    ctx.em.emit(assign(declined, ir.Arith("|", declined.read, ir.MakeSet((x.read,)))))
    ctx.em.instr(ir.Jump(top))
    ctx.em.place(end)


class Answerers:
    """Who may answer in a loop `open to`: by its `where`, and by bounds on the answers that were given, `at most 4 per
    p` on those of each, `at most 20` on all together. All of it is worked out anew each time."""

    def __init__(self, elab: Elaboration, node: sx.Loop, t: MemberType, scope: Scope) -> None:
        self.type = t
        self.slot = scope.body.temp()
        self.each: list[ir.Expr] = []
        self.together: list[ir.Expr] = []
        member = scope.child()
        member.nested = True
        name = node.binders[0].name
        member.names[name] = Local(name, t, ir.Temp(self.slot), self.slot, used=True)
        self.where, _ = folds.where_clauses(elab, node.clauses, member)
        for before, c, after in zip((None, *node.clauses), node.clauses, (*node.clauses[1:], None), strict=False):
            what = c.args[0] if c.args else None
            if c.word == "per" and (before is None or before.word != "at most"):
                elab.model.error(
                    "RW0706", c.span, f"`{elab.model.text(c.span)}` bounds nothing", "write `at most n` before"
                )
            if c.word == "per" and not (isinstance(what, sx.Name) and what.id == name):
                said = elab.model.text(what.span if isinstance(what, sx.Name) else c.span)
                elab.model.unknown("RW0704", c.span, "name of this loop", said, [name])
            if c.word != "at most" or what is None or isinstance(what, sx.Key):
                continue
            if after is not None and after.word == "per":
                self.each.append(elab.number(what, member).e)
            else:
                self.together.append(elab.number(what, scope).e)
        self.bounded = bool(self.each or self.together)
        self.given = scope.body.frame(MapType((t,), INT)) if self.each else -1
        self.all = hidden_local(elab.model, scope, INT) if self.together else None

    def offset(self, member: ir.Expr) -> ir.Expr:
        return key_offset((self.type,), [member])

    def begin(self, members: ir.Expr, ctx: EmitContext) -> None:
        if self.each:
            zero = ir.SetFrame(self.given, INT, ZERO, self.offset(ir.Temp(self.slot)))
            ctx.em.emit(ir.For(self.slot, ir.Domain("set", members), (zero,)))
        if self.all is not None:
            ctx.em.emit(assign(self.all, ZERO))

    def left(self, members: ir.Expr) -> ir.Expr:
        """Those of the members who may still answer."""
        tests: list[ir.Expr] = [] if self.where is None else [self.where]
        tests += [ir.Compare("<", self.all.read, e) for e in self.together if self.all is not None]
        given = ir.FrameItem(self.given, self.offset(ir.Temp(self.slot)), INT)
        tests += [ir.Compare("<", given, e) for e in self.each]
        domain = ((self.slot, ir.Domain("set", members)),)
        return ir.Fold("set", domain, conj(tests), (), ir.Temp(self.slot)) if tests else members

    def count(self, member: ir.Expr, ctx: EmitContext) -> None:
        """Count an answer."""
        if self.each:
            at = self.offset(member)
            ctx.em.emit(ir.SetFrame(self.given, INT, ir.Arith("+", ir.FrameItem(self.given, at, INT), ONE), at))
        if self.all is not None:
            ctx.em.emit(assign(self.all, ir.Arith("+", self.all.read, ONE)))


def at_once(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """`at once`: all members answer before any answer is applied; the slots are hidden from the others."""
    m = elab.model
    choices: list[sx.Choose] = []
    for inner_line in node.block:
        if not isinstance(inner_line, sx.Choose):
            break
        choices.append(inner_line)
    if not choices or len(node.binders) != 1:
        m.error("RW0609", node.span, "the body of an `at once` loop begins with choices by its member")
        return
    d, t = loops.frozen_domain(elab, node, scope)
    if not isinstance(t, MemberType):
        return
    b = node.binders[0]
    inner = scope.child()
    order = hidden_local(m, scope, ListType(t, loops.max_length(elab, node, t)))
    at = hidden_local(m, scope, INT)
    x = bind(m, inner, b.name, t, b.span)
    source = d.a if d.kind == "list" else ir.ListOp("to_list", (d.a,))
    ctx.em.emit(assign(order, source))
    ctx.em.emit(assign(at, ONE))
    answered = hidden_local(m, scope, SetType(t))
    ctx.em.emit(assign(answered, ZERO))
    top, second, apply, end = (ctx.em.label() for _ in range(4))
    more = ir.Compare("<=", at.read, ir.Size("list", order.read))
    step = assign(at, ir.Arith("+", at.read, ONE))
    ctx.em.place(top)
    ctx.em.instr(ir.Branch(more, second))
    ctx.em.emit(assign(x, ir.ListItem(order.read, at.read)))
    ctx.em.emit(step)
    test = loops.while_condition(elab, node.clauses, inner)
    if test != ONE:
        ctx.em.instr(ir.Branch(test, second))
    first = len(elab.out.sites)
    asking = ctx.inside(skip=top, pending_cases=[])
    for c in choices:
        elab.tables.choices[c.word](elab, c, inner, asking)
    sites = range(first, len(elab.out.sites))
    answers: list[tuple[int, Type, int, ir.Expr]] = []
    for i in sites:
        site = elab.out.sites[i]
        audience = ir.MakeSet((site.seat,))
        site = elab.out.sites[i] = replace(
            site, audience=audience, waits=site.audience is None, at_once=(first, at.slot, order.slot)
        )
        for slot, st in site.answer_slots():
            offset = linear(-t.low * width(st), [(x.read, width(st))])
            answers.append((slot, st, scope.body.frame(MapType((t,), st)), offset))
    for slot, st, stored, offset in answers:
        ctx.em.emit(ir.SetFrame(stored, with_unset(st), ir.FrameVar(slot, with_unset(st)), offset))
    ctx.em.emit(assign(answered, ir.Arith("|", answered.read, ir.MakeSet((x.read,)))))
    ctx.em.instr(ir.Jump(top))
    ctx.em.place(second)
    ctx.em.emit(assign(at, ONE))
    ctx.em.place(apply)
    ctx.em.instr(ir.Branch(more, end))
    ctx.em.emit(assign(x, ir.ListItem(order.read, at.read)))
    ctx.em.emit(step)
    if test != ONE:
        ctx.em.instr(ir.Branch(test, end))
    ctx.em.instr(ir.Branch(ir.InSet(x.read, answered.read), apply))
    for slot, st, stored, offset in answers:
        ctx.em.emit(ir.SetFrame(slot, with_unset(st), ir.FrameItem(stored, offset, with_unset(st))))
    for i in sites:
        confirm(elab, i, ctx, apply)
    for asked in asking.pending_cases or ():
        choose.run_cases(elab, *asked, ctx.inside(skip=apply))
    flow.block(elab, node.block[len(choices) :], inner, ctx.inside(skip=apply))
    ctx.em.instr(ir.Jump(apply))
    ctx.em.place(end)


def with_unset(t: Type) -> Type:
    """The type of an answer that is kept: numbers of a case that was not chosen are 0."""
    return replace(t, low=min(t.low, 0), high=max(t.high, 0)) if isinstance(t, IntType) else t


def confirm(elab: Elaboration, number: int, ctx: EmitContext, skip: int) -> None:
    """Ask again for an answer that is no longer legal."""
    site = elab.out.sites[number]
    good = ctx.em.label()
    ctx.em.instr(ir.Confirm(number, good))
    if site.cursor >= 0 and site.answer is not None:
        ctx.em.emit(ir.SetFrame(site.cursor, INT, ZERO))
        ctx.em.emit(ir.SetFrame(*site.answer, ir.Const(0 if isinstance(site.answer[1], SetType) else ())))
    ctx.em.instr(ir.Ask(number, skip))
    ctx.em.place(good)


def for_every(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """`for every`: one member after the other, or all `at once`."""
    (at_once if has_clause(node, "at once") else loops.for_every)(elab, node, scope, ctx)
