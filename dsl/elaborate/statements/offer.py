"""`offer` and `perform`: actions as options, with all their arguments, run as plans (docs/manual/11-plans.md)."""

from __future__ import annotations

from dsl import ir
from dsl.base.span import Span
from dsl.base.spelling import with_article
from dsl.base.types import INT, BoolType, IntType, MemberType, Type
from dsl.elaborate.alike import choices as alike
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, ZERO, conj
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Local, Scope, Val, assign, hidden_local
from dsl.elaborate.core.types import fits, need
from dsl.elaborate.expressions import actors, names, possible
from dsl.elaborate.statements import choose, do
from dsl.elaborate.statements.guards import guards_of
from dsl.symbols.call_graph import closure, roots, routines_started
from dsl.symbols.symbols import RoutineSym
from dsl.symbols.types import clause, has_clause
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk

# ------------------------------------------------------------ offer and perform


def offer(elab: Elaboration, node: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`offer MENU by p`: a choice among all actions of a menu with all their arguments."""
    m = elab.model
    menu = node.operands[0].id if isinstance(node.operands[0], sx.Name) else ""
    actions = m.menus.get(menu, [])
    if not actions:
        m.unknown("RW0711", node.operands[0].span, "menu", menu or m.text(node.operands[0].span), list(m.menus))
        return
    by = clause(node, "by")
    actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, node.span)
    if actor is None:
        m.error("RW0701", node.span, "who chooses? nobody acts here", "add `by WHO`")
        return
    usable = [r for r in actions if r.params and fits(m, actor.t, r.params[0][1])]
    if not usable:
        m.error(
            "RW0712",
            node.span,
            f"no action of `{menu}` can be taken by a `{actor.t}`",
            "the first parameter of an action is its actor",
        )
        return
    plans: list[tuple[RoutineSym, list[sx.Expr | None]]] = [(r, [None] * (len(r.params) - 1)) for r in usable]
    emit_order(elab, node, menu, plans, actor, scope, ctx)


def perform(elab: Elaboration, node: sx.Sentence, scope: Scope, ctx: EmitContext) -> None:
    """`perform A(...)`: one action ordered, or one of several, or any of a menu."""
    m = elab.model
    by = clause(node, "by")
    actor = actors.actor(elab, by.args[0] if by and not isinstance(by.args[0], sx.Key) else None, scope, node.span)
    plans: list[tuple[RoutineSym, list[sx.Expr | None]]] = []
    for operand in node.operands:
        if isinstance(operand, sx.AnyOf):
            found = m.menus.get(operand.name, [])
            if not found:
                m.unknown("RW0711", operand.span, "menu", operand.name, list(m.menus))
            plans += [(r, [None] * (len(r.params) - 1)) for r in found]
            continue
        name = operand.func.id if isinstance(operand, sx.Call) and isinstance(operand.func, sx.Name) else ""
        r = m.routines.get(name)
        if r is None and name in m.broken:
            continue
        if r is None or r.word != "action" or not isinstance(operand, sx.Call):
            what = with_article(r.word) if r else "not an action"
            m.error(
                "RW0713",
                operand.span,
                f"`{m.text(operand.span)}` is {what}; `perform` orders an action with its arguments",
                "procedures are called by `do`",
            )
            continue
        if len(operand.args) != len(r.params):
            m.error("RW0250", operand.span, f"`{name}` takes {len(r.params)} arguments, but got {len(operand.args)}")
            continue
        first = elab.expr(operand.args[0].value, scope, r.params[0][1]) if operand.args else None
        if actor is None or first is not None:
            actor = first
        plans.append((r, [None if isinstance(a.value, sx.AnyOf) else a.value for a in operand.args[1:]]))
    if actor is None or not plans:
        if not plans:
            return
        m.error("RW0256", node.span, "nobody acts here", "add `by WHO`")
        return
    name = plans[0][0].name if len(plans) == 1 else "perform"
    emit_order(elab, node, name, plans, actor, scope, ctx)


def emit_order(
    elab: Elaboration,
    node: sx.Sentence,
    name: str,
    plans: list[tuple[RoutineSym, list[sx.Expr | None]]],
    actor: Val,
    scope: Scope,
    ctx: EmitContext,
) -> None:
    """Ask for one of the plans (where there is a choice) and run it as a plan of the actor. Inside a plan it must be
    possible; elsewhere what is not possible is skipped."""
    demanded = ctx.routine.word == "action" or ctx.in_plan
    waive = possible.waived_causes(elab, node.clauses, scope)
    mods = possible.value_changes(elab, node.clauses, scope)
    alternatives: list[ir.Alternative] = []
    text_scopes: list[Scope] = []
    calls: list[tuple[RoutineSym, list[ir.Expr]]] = []
    chosen = hidden_local(elab.model, scope, INT)
    you = Local("", actor.t, actor.e)
    # a local does not change, even where `open to` goes on to another member
    if not isinstance(actor.e, ir.FrameVar):
        you = hidden_local(elab.model, scope, actor.t)
        ctx.em.emit(assign(you, actor.e))
    free = False
    outside_orders = runs_outside_orders(elab, ctx.routine)
    for r, given in plans:
        r.used = True
        probe = scope.child()
        probe.nested = True
        temps: list[tuple[str, int, ir.Domain, Type]] = []
        slots: list[tuple[int, Type]] = []
        args: list[ir.Expr] = [you.read]
        inner: list[ir.Expr] = [you.read]
        action_scope = Scope(scope.body)
        action_scope.nested = True
        action_scope.this = r.this
        action_scope.names[r.params[0][0]] = Local(r.params[0][0], r.params[0][1], you.read, used=True)
        for (pname, t), e in zip(r.params[1:], given, strict=False):
            if e is not None:
                v = need(elab.model, elab.expr(e, scope, t), t, e.span)
                given_local = hidden_local(elab.model, scope, t)
                ctx.em.emit(assign(given_local, v.e))
                args.append(given_local.read)
                inner.append(given_local.read)
                probe.names[pname] = Local(pname, t, given_local.read, used=True)
                action_scope.names[pname] = Local(pname, t, given_local.read, used=True)
                continue
            free = True
            d = parameter_domain(elab, r, pname, t, node.span)
            if d is None:
                return
            slot = scope.body.temp()
            temps.append((pname, slot, d, t))
            after = hidden_local(elab.model, scope, t)
            slots.append((after.slot, t))
            args.append(after.read)
            inner.append(ir.Temp(slot))
            probe.names[pname] = Local(pname, t, ir.Temp(slot), slot, used=True)
            action_scope.names[pname] = Local(pname, t, ir.Temp(slot), slot, used=True)
        guards, _ = guards_of(elab, node.clauses, "where", probe, node.cites)
        action_scope.you = Local("you", r.params[0][1], you.read)
        # guards would not see what the order changes
        extra, rest = elab.action_guards(r, action_scope, waive, outside_orders) if not mods else ((), True)
        probe_ir = ir.Possible(r.proc, tuple(inner), waive, mods) if rest else None
        guards, same = alike.of_an_action(elab, scope.body, r, temps, guards + extra)
        alternatives.append(ir.Alternative(r.name, tuple(temps), guards, tuple(slots), probe_ir, same))
        calls.append((r, args))
        text_scopes.append(text_scope(probe, r, given, args))
    if not free and len(plans) == 1 and not has_clause(node, "or decline"):
        only = alternatives[0]
        test = conj([*(g.test for g in only.guards), *([only.probe] if only.probe else [])])
        end = ctx.em.label()
        if demanded:
            ctx.em.emit(ir.Require(ir.Guard(test, elab.model.text(node.span), node.cites, node.span)))
        else:
            ctx.em.instr(ir.Branch(test, end))
        run_action(elab, *calls[0], you, actor, waive, mods, node.span, ctx)
        ctx.em.place(end)
        return
    question_scope = scope.child()
    for (r, given), (_, args) in zip(plans, calls, strict=True):
        question_scope = text_scope(question_scope, r, given, args)
    choose.emit_question(
        elab,
        node,
        ctx,
        question_scope,
        Val(you.read, actor.t),
        "one",
        tuple(alternatives),
        name,
        text_scopes,
        answer=(chosen.slot, INT),
        if_any=not demanded and node.word == "perform",
    )
    end = ctx.em.label()
    for i, (r, args) in enumerate(calls, 1):
        nxt = ctx.em.label()
        ctx.em.instr(ir.Branch(ir.Compare("==", chosen.read, ir.Const(i)), nxt))
        run_action(elab, r, args, you, actor, waive, mods, node.span, ctx)
        ctx.em.instr(ir.Jump(end))
        ctx.em.place(nxt)
    ctx.em.place(end)


def text_scope(scope: Scope, r: RoutineSym, given: list[sx.Expr | None], args: list[ir.Expr]) -> Scope:
    """The names that texts of an ordered action may use: those of `scope`, and the parameters that are given where
    the name is free."""
    inner = scope.child()
    for number, ((name, t), read) in enumerate(zip(r.params, args, strict=False)):
        if (number == 0 or given[number - 1] is not None) and inner.find(name) is None:
            inner.names[name] = Local(name, t, read, used=True)
    return inner


def run_action(
    elab: Elaboration,
    r: RoutineSym,
    args: list[ir.Expr],
    you: Local,
    actor: Val,
    waive: int,
    mods: tuple[tuple[int, tuple[ir.Expr, ...]], ...],
    span: Span,
    ctx: EmitContext,
) -> None:
    """Call an action as a plan of the actor."""
    ctx.em.instr(ir.OpenPlan(actors.seat_of(elab, Val(you.read, actor.t), span)))
    scoped = elab.suspension.has_scopes  # what an order around this one waives or changes is not for this action
    if scoped:
        ctx.em.instr(ir.Scope(True, waive, mods))
    do.call_routine(elab, r, args, ctx, span)
    if scoped:
        ctx.em.instr(ir.Scope(False))
    ctx.em.instr(ir.ClosePlan())


def parameter_domain(elab: Elaboration, r: RoutineSym, name: str, t: Type, span: Span) -> ir.Domain | None:
    """What a parameter of an action ranges over where a menu lists it; None after a message."""
    if isinstance(t, MemberType):
        return ir.Domain("set", names.all_members(elab, t.domain))
    if isinstance(t, BoolType):
        return ir.Domain("range", ZERO, ONE)
    if isinstance(t, IntType) and t != INT:
        return ir.Domain("range", ir.Const(t.low), ir.Const(t.high))
    elab.model.error(
        "RW0714",
        span,
        f"the parameter `{name}` of `{r.address}` is `{t}`; a menu cannot list all its values",
        "menu actions take members or small numbers",
    )
    return None


def runs_outside_orders(elab: Elaboration, r: RoutineSym) -> bool:
    """Whether no action, and nothing that may run inside one, leads to this routine: no order is under way in it."""
    m = elab.model
    if elab.memo.within_orders is None:
        starts = {found.name: routines_started(m, found.block) for found in m.routines.values()}
        actions = [found.name for found in m.routines.values() if found.word == "action"]
        elab.memo.within_orders = closure(starts, [*roots(m), *actions])
    return m.routines.get(r.name) is r and r.name not in elab.memo.within_orders


def has_demand(elab: Elaboration, lines: tuple[sx.Line, ...], seen: set[str]) -> bool:
    """Whether one of these lines may fail: a demand in the sense of docs/manual/11-plans.md."""
    for node in walk(lines):
        if isinstance(node, sx.Choose) and not (has_clause(node, "or decline") or has_clause(node, "if any")):
            return True
        if isinstance(node, sx.Sentence):
            if node.word in ("require", "pay", "perform", "offer") or may_have_listeners(
                elab, node, ("before", "instead of")
            ):
                return True
            if node.word == "move" and node.operands and is_exact_move(elab, node):
                return True
            if node.word == "do":
                call = node.operands[0]
                name = call.func if isinstance(call, sx.Call) else call
                r = elab.model.routines.get(name.id) if isinstance(name, sx.Name) else None
                if r is None:
                    return True
                if r.name not in seen:
                    seen.add(r.name)
                    lines_too = [t.decl.block for t in r.lines if t.decl.word != "after"]
                    if any(has_demand(elab, block, seen) for block in (r.block, *lines_too)):
                        return True
    return False


def may_have_listeners(
    elab: Elaboration, node: sx.Sentence, words: tuple[str, ...] = ("before", "instead of", "after")
) -> bool:
    """Whether a line that begins with one of these words may react to what a sentence does."""
    operand = node.operands[0] if node.operands else None
    what = operand.what if isinstance(operand, sx.Amount) else None
    what = what.base if isinstance(what, sx.Index) else what
    name = what.id if isinstance(what, sx.Name) else ""
    for t in elab.model.triggers:
        if t.decl.name != node.word or t.decl.word not in words:
            continue
        head = t.decl.head
        typed = [a.type.id for a in head.args if isinstance(a.type, sx.Name)] if isinstance(head, sx.Call) else []
        pieces = [n for n in typed if n in elab.model.pieces or n in elab.model.purses]
        of_things = bool(typed) and not pieces and node.word in ("move", "turn")
        if not name or name in pieces or not (pieces or of_things):
            return True
    return False


def is_exact_move(elab: Elaboration, node: sx.Sentence) -> bool:
    """Whether a `move` fails where too few pieces or things are there, or too little room."""
    a = node.operands[0]
    if isinstance(a, sx.Amount):
        return not (isinstance(a.count, sx.Name) and a.count.id == "all")
    if clause(node, "of") is not None:
        return True
    to = clause(node, "to")
    target = to.args[0] if to else None
    name = target.name if isinstance(target, sx.Attr) else target.id if isinstance(target, sx.Name) else ""
    zones = elab.model.all_zones()
    return any(z.name == name and z.cap is not None for z in zones)
