"""Reasons against an answer of several members, or of amounts: a member, a bound, a condition or a later demand.

Takes the members that were named; those that were given before are in the position. Nothing is changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import program as hdr
from interpreter.choices import options, sequence
from interpreter.explaining.demands import failed_demands
from interpreter.explaining.guards import (
    Temps,
    alternative_reasons,
    as_reasons,
    bounds_text,
    false_guard,
    is_hidden,
    not_offered,
    plan_reasons,
    value_of,
)
from interpreter.explaining.reason import Reason, engine_reason
from interpreter.rules.messages import message
from interpreter.session.decision import Decision
from interpreter.session.matching import Member, answer_value


def whole_reasons(decision: Decision, named: list[Member], seat: int) -> list[Reason]:
    """The reasons why a long answer is not possible: a member that may not be in it, else a condition on the whole."""
    arity = len(decision.site.alternatives[0].binders)
    for values, _ in named:
        found = alternative_reasons(decision, 0, list(values[:arity]), seat)
        if found and found[0].kind not in ("bound", "plan", "order"):
            return found
        outside = _amount_outside(decision, values, seat)
        if outside is not None:
            return [outside]
    temps: Temps = {decision.site.whole_slot: answer_value(decision, named)} if decision.site.whole_slot >= 0 else {}
    written = [g for g in decision.site.such_that if g.text]  # `alike` holds, since the first of alike things are named
    conditions = [false_guard(decision, g, temps, seat, "such that") for g in written]
    found = [r for r in conditions if r is not None]
    alone = list(named[0][0]) if len(named) == 1 else []
    if not found and any(list(o.raw.values) == alone for o in decision.options if o.kind in ("add", "amount")):
        return []
    failed = _failed_by_whole(decision, named) if not found else None
    if failed is not None:
        return failed
    return found or (plan_reasons(decision, 0, alone, {}) if alone else []) or [not_offered(decision)]


def end_reasons(decision: Decision) -> list[Reason]:
    """The reasons why a long answer may not end here: the demands that it fails, else the bounds."""
    failed = _failed_by_whole(decision, []) if decision.shape in ("some", "amounts") else None
    bounds = message("why_incomplete", bounds=bounds_text(decision))
    return failed or [engine_reason("bound", bounds, decision.site.cites)]


def _failed_by_whole(decision: Decision, named: list[Member]) -> list[Reason] | None:
    """The demands that fail if these members, with those that were given before, are the whole answer: empty if it can
    be given; None if its own bounds or conditions rule it out."""
    site, game, room = decision.site, decision.game, [0] * decision.game.temps
    machine = game.machine
    machine.words = decision.words[:]
    left = {values for values, _ in named}
    while left:
        option = next((o for o in sequence.offers(machine, site, room) if o.values in left), None)
        if option is None:
            return None
        left.discard(option.values)
        sequence.take(machine, site, option)
    if options.READY not in sequence.offers(machine, site, room):
        return None
    if not (decision.words[hdr.PLAN] and site.filter):
        return []
    return as_reasons(failed_demands(decision, machine.words, lambda m: options.take(m, options.READY)))


def _amount_outside(decision: Decision, values: Sequence[int], seat: int) -> Reason | None:
    """The reason why an amount is too small or too large for its own member, whatever the rest of the answer is; None
    if it is neither, or if the reader may not see the limits."""
    binders, each = decision.site.alternatives[0].binders, decision.site.each
    if decision.shape != "amounts" or each is None or len(values) <= len(binders):
        return None
    temps: Temps = {slot: value for (_, slot, _, _), value in zip(binders, values, strict=False)}
    if any(is_hidden(decision, e, temps, seat) for e in each):
        return None
    low, high = (value_of(decision, e, temps) for e in each)
    if low <= values[-1] <= high:
        return None
    cites = decision.site.cites
    member = " ".join(
        decision.game.names.text(value, type_) for (_, _, _, type_), value in zip(binders, values, strict=False)
    )
    outside = message("why_amount", amount=str(values[-1]), member=member, range=f"{low}..{high}")
    return engine_reason("domain", outside, cites)
