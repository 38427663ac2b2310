"""`gain`, `lose` and `pay` of a purse, the causes of changes, and payments that may be waived.

Takes the sentence, its amount and who acts; emits the payment with its event, and where there are several payments
to choose from, the choice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dsl import ir
from dsl import program as pg
from dsl.base.types import INT
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ONE, OPEN, ZERO, conj
from dsl.elaborate.core.emit import EmitContext
from dsl.elaborate.core.scope import Scope, Val, assign, hidden_local
from dsl.elaborate.core.types import kept, need
from dsl.elaborate.events import events
from dsl.elaborate.expressions import names, paying
from dsl.elaborate.statements import choose
from dsl.symbols.symbols import PurseSym
from dsl.symbols.types import clause
from dsl.syntax import nodes as sx


def cause_of(elab: Elaboration, s: sx.Sentence, scope: Scope) -> ir.Expr:
    """The cause after `as`; 0 without one."""
    c = clause(s, "as")
    if c is None:
        return ZERO
    enum = elab.model.enums.get("Cause")
    node = c.args[0]
    assert not isinstance(node, sx.Key)
    if enum is None:
        if "Cause" not in elab.model.broken:
            elab.model.broken.add("Cause")
            elab.model.error("RW0501", c.span, "there is no enum of causes", "declare `enum Cause: ...`")
        return ZERO
    if isinstance(node, sx.Name) and scope.find(node.id) is None and node.id != "cause":
        member = names.find_member(elab, node.id, enum.type, node.span)
        if member is None:
            elab.model.unknown("RW0208", node.span, "cause", node.id, enum.members)
            return ZERO
        return member.e
    wanted = paying.cause_type(elab)
    return need(elab.model, elab.expr(node, scope, wanted), wanted, node.span).e


def unless_waived(cause: ir.Expr, ctx: EmitContext, pay: Callable[[], None]) -> None:
    """A payment with its event, left out where `perform ... without` waives its cause."""
    if cause == ZERO:
        pay()
    elif ctx.em.flat and len(ctx.em.buffers) == 1:
        end = ctx.em.label()
        ctx.em.instr(ir.Branch(ir.Not(ir.Waived(cause)), end))
        pay()
        ctx.em.place(end)
    else:
        ctx.em.push()
        pay()
        ctx.em.emit(ir.IfS(ir.Not(ir.Waived(cause)), ctx.em.pop(), ()))


def purse_payment(
    elab: Elaboration, s: sx.Sentence, a: sx.Amount, name: str, actor: Val | None, scope: Scope, ctx: EmitContext
) -> None:
    """`gain`, `lose` or `pay` an amount of a purse."""
    m = elab.model
    p = m.purses[name]
    if len(p.params) != 1 or actor is None:
        m.error("RW0511", s.span, f"who owns this `{name}`? nobody acts here", "add `by WHO`")
        return
    who = need(m, actor, p.params[0][1], s.span)
    n = kept(m, elab.number(a.count, scope), a.count.span)
    cause = cause_of(elab, s, scope)
    if s.word == "lose":  # as much as can be paid
        slot = scope.body.temp()
        limit = ((slot, ir.Domain("range", ZERO, n.e)),)
        payable = paying.can_pay(elab, p, who.e, cause, ir.Temp(slot))
        if isinstance(payable, ir.Payable):
            n = Val(ir.Fold("max", limit, payable, (), ir.Temp(slot)), n.t)
        else:
            n = Val(ir.Arith("max", ZERO, ir.Arith("min", n.e, paying.purse_worth(elab, p, who.e, cause))), n.t)
    amount = events.snapshot_number(elab, n.e, scope, ctx)
    choosing = elab.suspension.has_payment_choice(name, s.word == "gain") and can_ask(ctx)
    if choosing:  # a question may come between, so they go into the frame
        who, amount = events.snapshot(elab, who, scope, ctx), events.snapshot(elab, Val(amount, INT), scope, ctx).e
    symbols = {e.symbol for e in elab.layout.entries if e.sort in ("pieces", "slot")}

    def change() -> None:
        payment: ir.Expr | None = None
        if choosing:
            payment = choose_payment(elab, s, p, who, amount, cause, scope, ctx)
        args = paying.purse_args(elab, p, who.e, cause)
        ctx.em.emit(ir.Pay(p.number, args, amount, s.word == "gain", cause, s.span, payment))

    def event() -> None:
        events.emit_event(elab, s.word, [], amount, cause, symbols, scope, ctx, change, s.span, name, who)

    unless_waived(cause if s.word == "pay" else ZERO, ctx, event)


def can_ask(ctx: EmitContext) -> bool:
    """Whether a question how to pay or to gain can stand here: not within one moment."""
    return not ctx.together_depth and ctx.em.flat and len(ctx.em.buffers) == 1


def choose_payment(
    elab: Elaboration,
    s: sx.Sentence,
    p: PurseSym,
    who: Val,
    amount: ir.Expr,
    cause: ir.Expr,
    scope: Scope,
    ctx: EmitContext,
) -> ir.Expr:
    """The choice among the payments, by number; 0 where there is nothing to choose, inside a `together`, or where
    the payer is not the one whose plan is open. Unless the purse says `default ask`, the first is taken where nobody
    wishes another."""
    gain = s.word == "gain"
    chosen = hidden_local(elab.model, scope, INT)
    end = ctx.em.label()
    ctx.em.emit(assign(chosen, ZERO))
    payments = ir.Payments(p.number, paying.purse_args(elab, p, who.e, cause), amount, gain)
    two_payments = replace(payments, most=2)
    planner = ir.Cell(ir.Const(pg.PLAN_SEAT), INT)
    acts = ir.Or((ir.Compare("==", who.e, planner), ir.Not(ir.Cell(ir.Const(pg.PLAN), INT))))
    if scope.you is not None:
        acts = ir.Or((ir.Compare("==", who.e, scope.you.read), *acts.items))
    ctx.em.instr(ir.Branch(conj([acts, ir.Not(OPEN), ir.Compare(">", two_payments, ONE)]), end))
    slot = scope.body.temp()
    number = ("way", slot, ir.Domain("range", ONE, payments), INT)
    alternatives = (ir.Alternative("", (number,), (), ()),)
    here = ctx.inside(skip=end)
    name = p.name if s.word == "pay" else f"{s.word}_{p.name}"
    choose.emit_question(elab, s, here, scope, who, "number", alternatives, name, [scope], answer=(chosen.slot, INT))
    elab.out.sites[-1] = replace(
        elab.out.sites[-1], payment=payments, by_default=not elab.suspension.asks_each_payment(p.name)
    )
    ctx.em.place(end)
    return chosen.read
