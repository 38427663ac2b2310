"""Loops in which several may answer: `open to` and `at once` (docs/manual/12-loops-and-orders.md)."""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import INT, ListType, MapType, MemberType, SetType, Type, width
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj, linear
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Scope, assign, bind, hidden_local
from dsl.elaborate.statements import choose, flow, loops
from dsl.symbols.types import has_clause
from dsl.syntax import nodes as sx


def open_to(elab: Elaboration, node: sx.Loop, scope: Scope, ctx: EmitContext) -> None:
    """`open to`: every member who has not declined since the last change may answer; sequential drivers ask in
    order."""
    m = elab.model
    only = node.block[0] if len(node.block) == 1 else None
    if not isinstance(only, sx.Choose) and not (isinstance(only, sx.Sentence) and only.word in ("offer", "perform")):
        m.error("RW0608", node.span, "the body of `open to` is one `offer` or `choose` by the member")
        return
    d, t = loops.frozen_domain(elab, node, scope)
    if not isinstance(t, MemberType):
        return
    b = node.binders[0]
    inner = scope.child()
    members, declined = hidden_local(m, scope, SetType(t)), hidden_local(m, scope, SetType(t))
    count = hidden_local(m, scope, INT)
    x = bind(m, inner, b.name, t, b.span)
    ctx.em.emit(assign(members, d.a if d.kind == "set" else ir.ListOp("to_set", (d.a,))))
    ctx.em.emit(assign(declined, ZERO))
    ctx.em.emit(assign(count, ZERO))
    ctx.em.emit(assign(x, ZERO))
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
    limit = ir.Compare("<", count.read, ir.Const(elab.limits.open_to))
    ctx.em.instr(
        ir.Branch(conj([ir.Compare("!=", waiting, ZERO), limit, loops.while_condition(elab, node.clauses, scope)]), end)
    )
    ctx.em.emit(assign(x, pick))
    ctx.em.emit(assign(count, ir.Arith("+", count.read, ONE)))
    first = len(elab.out.sites)
    assert only is not None
    elab.line(only, inner, ctx.inside(skip=no))
    for i in range(first, min(first + 1, len(elab.out.sites))):
        elab.out.sites[i] = replace(elab.out.sites[i], open_to=(waiting, x.slot), always_ask=True)
    ctx.em.emit(assign(declined, ZERO))
    ctx.em.instr(ir.Jump(top))
    ctx.em.place(no)
    ctx.em.emit(assign(declined, ir.Arith("|", declined.read, ir.MakeSet((x.read,)))))
    ctx.em.instr(ir.Jump(top))
    ctx.em.place(end)


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
            site, audience=audience, waits=site.audience is None, at_once=(first, at.slot)
        )
        for slot, st in [*(s for a in site.alternatives for s in a.slots), *([site.answer] if site.answer else [])]:
            offset = linear(-t.low * width(st), [(x.read, width(st))])
            answers.append((slot, st, scope.body.frame(MapType((t,), st)), offset))
    for slot, st, stored, offset in answers:
        ctx.em.emit(ir.SetFrame(stored, st, ir.FrameVar(slot, st), offset))
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
        ctx.em.emit(ir.SetFrame(slot, st, ir.FrameItem(stored, offset, st)))
    for i in sites:
        confirm(elab, i, ctx, apply)
    for asked in asking.pending_cases or ():
        choose.run_cases(elab, *asked, ctx.inside(skip=apply))
    flow.block(elab, node.block[len(choices) :], inner, ctx.inside(skip=apply))
    ctx.em.instr(ir.Jump(apply))
    ctx.em.place(end)


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
