"""Trying an action: it begins on a copy of the store as a plan of the one who acts, and runs until that is decided."""

from __future__ import annotations

from dsl.program import FP, PLAN, PLAN_FRAME, PLAN_SEAT, SITE, TIMED, WAIVE
from interpreter.backends.low.base.context import Held, Lowering, Order
from interpreter.backends.low.base.kinds import ANY, Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, either, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.rules.calls import call_plain, push_with
from interpreter.backends.low.scopes.orders import open_scope
from interpreter.backends.low.scopes.possible import POSSIBLE
from interpreter.backends.low.trials.search import COMPLETES
from interpreter.backends.low.trials.store import ENTER, FINISH
from interpreter.backends.low.values.functions import parameters


def write_possible(lo: Lowering, number: int) -> None:
    """Write the function that tries an order; its parameters are those of the procedure, then the captured values."""
    order, program = lo.orders[number], lo.program
    proc = program.procs[order.proc]
    _, bound = parameters(proc.params)
    args = [h for slot in range(len(proc.params)) if isinstance(h := bound[slot], Held)]
    with lo.function(f"{POSSIBLE}{number}", order_parameters(lo, order)) as w:
        at = w.let(low.Call(ENTER))
        for place in (PLAN, PLAN_FRAME, PLAN_SEAT, SITE):
            w.put(place, ZERO)
        if lo.facts.uses_timed or order.waive:
            needed = ONE if order.waive or order.lines else either(word(TIMED), word(WAIVE))
            w.when(needed, lambda: open_scope(lo, order.waive, _captured(order)))
        if proc.suspends:
            push_with(lo, order.proc, args, 0)
            w.put(PLAN, ONE)
            w.put(PLAN_FRAME, word(FP))
            w.put(PLAN_SEAT, _planner(lo, order, args))
        else:
            call_plain(lo, order.proc, args)
        found = w.let(low.Call(COMPLETES, (Num(proc.entry if proc.suspends else 0),)))
        w.call(FINISH, at)
        w.give(found)


def order_parameters(lo: Lowering, order: Order) -> tuple[str, ...]:
    """The parameters of the function that tries an order."""
    names, _ = parameters(lo.program.procs[order.proc].params)
    return (*names, *(f"m{k}" for k in range(sum(count for _, count in order.lines))))


def _captured(order: Order) -> list[tuple[int, list[Held]]]:
    """The timed lines of an order with the parameters that they capture."""
    found, k = [], 0
    for line, count in order.lines:
        found.append((line, [Held(ANY, (f"m{k + j}",)) for j in range(count)]))
        k += count
    return found


def _planner(lo: Lowering, order: Order, args: list[Held]) -> Expr:
    """The seat that plans, or the actor with a minus where that is no seat: his first question names his seat."""
    if not args:
        return ZERO
    actor = args[order.actor]
    if not isinstance(actor.kind, Number):
        raise Unsupported("an actor that is no thing")
    value = Local(actor.names[0])
    seats = lo.program.domains[lo.program.seat_kind].values
    inside = low.Not(Op(">u", add(value, -seats[0]), Num(len(seats) - 1)))
    return low.Choice(inside, value, Op("-", ZERO, value))
