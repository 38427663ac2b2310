"""The status of a trial: what a demand that is not met, the end of a plan, or a limit of tries becomes in low code.

Where nothing is being tried, each of them traps or means nothing. In a trial it is an ordinary outcome: a global, set
once, says which came first; whoever called tests it and goes back, down to the trial, which reads it and clears it.
What is done before it is seen is done on a copy of the store, so a test that comes late costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from dsl.program import PLAN, PLAN_FRAME, PLAN_SEAT, TOGETHER
from interpreter.backends.low.base.context import LOOKING, PROBING, STATUS, Lowering
from interpreter.backends.low.base.make import ZERO, num, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Reason


class Status(IntEnum):
    """The end of a trial; less 1 it is what the trial gives: 0 no, 1 yes, 2 not decided within the limit of tries."""

    FAILED = 1
    SETTLED = 2
    UNDECIDED = 3
    ENDED = 4  # no trial: a demand that is not met ends the action whose plan is committed


NO, YES, UNKNOWN = range(3)  # what a trial gives
LATE = "late_action"  # the function that gives the base of the action that such a demand ends; 0: none


def become(lo: Lowering, status: Status) -> None:
    """Set the status unless it is set."""
    lo.w.emit(low.If(low.Not(Global(STATUS)), (low.SetGlobal(STATUS, num(status)),)))


def settle(lo: Lowering) -> None:
    """The plan that is being tried can be completed."""
    if lo.trials.tries:
        lo.w.when(Global(PROBING), lambda: become(lo, Status.SETTLED))


def fail(lo: Lowering) -> None:
    """A demand is not met: the trial has failed; outside of one this gives up."""
    if not lo.trials.tries:
        lo.w.trap(Reason.FAULT)
        return
    lo.w.trap_if(low.Not(Global(PROBING)), Reason.FAULT)
    become(lo, Status.FAILED)


def demand(lo: Lowering, test: Expr) -> None:
    """Fail unless a test holds. After the commit point of an action that ends the action, except in checked games."""
    if not lo.trials.tries:
        lo.w.trap_if(low.Not(test), Reason.FAULT)
        return

    def end_action() -> None:
        hard: Expr = low.Either(word(TOGETHER), low.Not(low.Call(LATE)))
        if lo.checked:
            hard = low.Either(low.Not(Global(LOOKING)), hard)
        lo.w.trap_if(hard, Reason.FAULT)
        become(lo, Status.ENDED)

    lo.w.when(low.Not(test), lambda: lo.w.when(Global(PROBING), lambda: become(lo, Status.FAILED), end_action))


def fail_if(lo: Lowering, test: Expr, then: Callable[[], None] | None = None) -> None:
    """Fail if a test holds; `then` writes what else is done in a trial."""

    def failing() -> None:
        fail(lo)
        if lo.trials.tries and then is not None:
            then()

    lo.w.when(test, failing)


def stop(lo: Lowering) -> None:
    """Go back to the caller if the trial has come to its end."""
    if lo.trials.tries and lo.w.way_out is not None:
        lo.w.emit(low.If(Global(STATUS), (lo.w.way_out,)))


def end_plan(lo: Lowering) -> None:
    """End the open plan."""
    for at in (PLAN, PLAN_FRAME, PLAN_SEAT):
        lo.w.put(at, ZERO)
    settle(lo)
