"""Actions `at any moment` (docs/manual/11-plans.md) as one procedure of their own: a question, then
the action as a plan.

It takes the declared actions and gives a procedure with the seat as its parameter, which a driver starts on top of a
pending question. Nothing in the rules calls it.
"""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from dsl.base.types import INT, Type
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ZERO
from dsl.elaborate.core.emit import EmitContext, Emitter
from dsl.elaborate.core.scope import Body, Local, Scope, Val, bind, hidden_local
from dsl.elaborate.declarations import plans
from dsl.elaborate.expressions import actors
from dsl.elaborate.statements import choose, do, offer
from dsl.symbols.symbols import RoutineSym
from dsl.syntax import nodes as sx

NAME = "any_moment"


def compile_moments(elab: Elaboration) -> None:
    """Make the procedure of all actions `at any moment`, if there are any."""
    actions = [
        r for r in elab.model.menus.get("at any moment", []) if r.params and actors.is_actor_type(elab, r.params[0][1])
    ]
    if not actions:
        return
    seats = elab.model.kinds["Seat"].type
    r = RoutineSym(
        NAME, "moment", actions[0].span, [("$seat", seats)], None, (), elab.new_routine_number(), suspends=True
    )
    body = Body(NAME, True)
    scope = Scope(body, address=NAME)
    seat = bind(elab.model, scope, "$seat", seats)
    em = Emitter(True)
    ctx = EmitContext(r, body, em, address=NAME)
    ctx.epilogue = ctx.skip = em.label()
    scoped = any(isinstance(i, ir.Scope) for i in elab.out.code)
    if scoped:  # what the running `perform` waives or changes is not for this action
        em.instr(ir.Scope(True))
    chosen = hidden_local(elab.model, scope, INT)
    made = [moment_option(elab, a, seat, scope) for a in actions]
    node = sx.Sentence("offer", (), (), span=actions[0].span)
    choose.emit_question(
        elab,
        node,
        ctx,
        scope,
        Val(seat.read, seats),
        "one",
        tuple(a for a, _, _ in made),
        "action",
        [s for _, _, s in made],
        answer=(chosen.slot, INT),
        if_any=True,
    )
    # asked even where nothing is possible, so that it shows why
    elab.out.sites[-1] = replace(elab.out.sites[-1], always_ask=True)
    for i, (action, (_, args, _)) in enumerate(zip(actions, made, strict=True), 1):
        nxt = em.label()
        em.instr(ir.Branch(ir.Compare("==", chosen.read, ir.Const(i)), nxt))
        em.instr(ir.OpenPlan(seat.read))
        do.call_routine(elab, action, args, ctx)
        em.instr(ir.ClosePlan())
        em.place(nxt)
    em.place(ctx.epilogue)
    if scoped:
        em.instr(ir.Scope(False))
    em.instr(ir.EndList())
    em.instr(ir.Leave())
    proc = ir.Proc(NAME, r.word, tuple(r.params), 0, True, span=r.span)
    elab.add_framed(r.proc, proc, body, em, ctx.epilogue)
    elab.out.moment_proc = r.proc


def moment_option(
    elab: Elaboration, r: RoutineSym, seat: Local, scope: Scope
) -> tuple[ir.Alternative, list[ir.Expr], Scope]:
    """One action with all actors that the seat decides for: its alternative, its arguments once it is chosen, the
    scope of its texts."""
    r.used = True
    probe = scope.child()
    probe.nested = True
    action_scope = Scope(scope.body)
    action_scope.nested = True
    action_scope.this = r.this
    temps: list[tuple[str, int, ir.Domain, Type]] = []
    slots: list[tuple[int, Type]] = []
    args: list[ir.Expr] = []
    tried: list[ir.Expr] = []
    guards: tuple[ir.Guard, ...] = ()
    for i, (name, t) in enumerate(r.params):
        read = seat.read
        if i or t != seat.type:
            slot = scope.body.temp()
            temps.append((name, slot, offer.parameter_domain(elab, r, name, t, r.span) or ir.Domain("set", ZERO), t))
            after = hidden_local(elab.model, scope, t)
            slots.append((after.slot, t))
            args.append(after.read)
            read = ir.Temp(slot)
        else:
            args.append(seat.read)
        tried.append(read)
        probe.names[name] = Local(name, t, read, used=True)
        action_scope.names[name] = Local(name, t, read, used=True)
        if not i:
            action_scope.you = Local("you", t, read)
            if read is not seat.read:
                mine = ir.Compare("==", actors.seat_of(elab, Val(read, t), r.span), seat.read)
                guards = (ir.Guard(mine, f"the seat decides for {name}", r.cites, r.span),)
    own, rest = plans.action_guards(elab, r, action_scope)
    trial = ir.Possible(r.proc, tuple(tried)) if rest else None
    return ir.Alternative(r.name, tuple(temps), guards + own, tuple(slots), trial), args, probe
