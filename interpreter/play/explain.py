"""Explaining to a player or a tool why an answer is not offered.

Takes the words of an answer and gives the reasons against it that the reader may see. `interpreter.explaining` finds
the reasons; nothing is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.core.errors import IllegalAnswer
from interpreter.explaining.reason import Reason, nothing_asked, turn_reason
from interpreter.explaining.reasons import reasons
from interpreter.play.answer import play_items
from interpreter.rules.names import tokens
from interpreter.rules.payments import words_before_payment
from interpreter.session.decision import Decision, Option
from interpreter.session.interrupts import find_moment, open_decision
from interpreter.session.matching import best_match
from interpreter.session.state import State, copy
from interpreter.visibility.cells import options_hidden_from


def explain(
    state: State, items: Sequence[Any] | str | Option, who: str | int | None = None, seat: int = 0
) -> list[Reason]:
    """The reasons why this answer is not offered; empty if it is. `seat` is the reader (0: the one asked)."""
    decision = state.decision
    moment = None if isinstance(items, Option) else find_moment(state, tokens(items), who)
    if moment is not None and (decision is None or best_match(decision, tokens(items))[0] is None):
        asked, option, form, _ = moment
        return open_reasons(asked, [] if option is not None else reasons(asked, form, seat or asked.seat), seat)
    if decision is None:
        return [nothing_asked(state)]
    decision = decision if who is None else open_decision(state, who) or decision
    if who is not None and not decision.asks(who):
        return [turn_reason(decision, who)]
    if isinstance(items, Option):
        items = [*items.ids]
    words = tokens(items)
    end = words_before_payment(words, 1)
    found = reasons(decision, words[:end], seat or decision.seat)
    if not found and end < len(words) and seat in (0, decision.seat):
        return payment_reasons(state, words, who)
    return open_reasons(decision, found, seat)


def open_reasons(decision: Decision, found: list[Reason], seat: int) -> list[Reason]:
    """The reasons that the reader may know, of those found against an answer (none if it is offered)."""
    if seat in (0, decision.seat):
        return found
    told = decision.audience(decision.words)
    if decision.cursor > 0 and told is not None and seat not in told:  # what was answered so far decides it
        return [Reason("guard", "hidden", hidden=True)]
    if not decision.site.always_ask and not options_hidden_from(decision.game, decision.words, seat):
        return found
    open_to_all = [r for r in found if r.kind in ("word", "offer", "type", "guard", "such that")]
    return open_to_all or [Reason("guard", "hidden", hidden=True)]


def payment_reasons(state: State, words: list[str], who: str | int | None) -> list[Reason]:
    """The reasons against the payment that is named after an answer that is offered."""
    try:
        play_items(copy(state), words, who, before=state)
    except IllegalAnswer as refused:
        return [Reason("way", refused.message)]
    return []
