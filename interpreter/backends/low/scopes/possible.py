"""`possible`, the test that an action could be completed: a call of the function that tries it.

The arguments are worked out in the store as it is; the function copies it, and puts it back.
"""

from __future__ import annotations

from dsl import ir
from interpreter.backends.low.base.context import PROBING, Held, Lowering, NumberMaker, Order
from interpreter.backends.low.base.kinds import ANY, Unsupported, kind_of
from interpreter.backends.low.base.status import UNKNOWN, YES, Status, become
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Num, Op, Reason
from interpreter.backends.low.values.functions import fitted, flat

POSSIBLE = "possible"  # the function that tries an order: what `status` calls NO, YES or UNKNOWN


def tried(lo: Lowering, e: ir.Possible) -> Expr:
    """The outcome of the trial of an action."""
    if lo.trials.may_fail((e.args, e.mods)):
        raise Unsupported("an argument that may fail, of an action that is tried")
    params = lo.program.procs[e.proc].params
    if len(params) != len(e.args):
        raise Unsupported("an action with other arguments than its own")
    held = [fitted(lo, arg, kind_of(t)) for arg, (_, t) in zip(e.args, params, strict=True)]
    held += [_word(lo, value) for _, values in e.mods for value in values]
    order = Order(e.proc, e.actor, e.waive, tuple((line, len(values)) for line, values in e.mods))
    if order not in lo.orders:
        lo.orders.append(order)
    return lo.w.let(low.Call(lo.want(POSSIBLE, lo.orders.index(order)), flat(held)), "tried")


def _word(lo: Lowering, value: ir.Expr) -> Held:
    """A value that a timed line captures: a number of one word."""
    return fitted(lo, value, ANY)


def number(lo: Lowering, e: ir.Possible) -> Expr:
    """A test that the action can be completed. One that is not decided within the limit ends the trial around it, if
    there is one, and else counts as no, which is a fault in a checked game."""
    found = tried(lo, e)
    open_still = lo.w.written(lambda: become(lo, Status.UNDECIDED))
    lo.w.emit(low.If(low.Both(Op("==", found, Num(UNKNOWN)), Global(PROBING)), open_still))
    if lo.checked:
        lo.w.trap_if(low.Both(Op("==", found, Num(UNKNOWN)), low.Not(Global(PROBING))), Reason.FAULT)
    return Op("==", found, Num(YES))


NUMBERS: dict[type, NumberMaker] = {ir.Possible: number}
