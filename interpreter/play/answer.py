"""Whole answers in words of the game, split into small decisions.

A person or a ruling writes `E3 3, E4 2` or `promote(tail), left`; the machine takes one member, amount or alternative
at a time. All steps are tried on a copy, so an answer is taken completely or not at all. Items that are left over go to
the next question of the same actor; forced questions in between are answered automatically.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import program as hdr
from interpreter.core.errors import IllegalAnswer
from interpreter.play.reasons import Refused, refusal, turn_reason
from interpreter.play.undo import has_new_information
from interpreter.rules.names import hint, tokens
from interpreter.rules.payments import GAINING, PAYING, words_before_payment
from interpreter.session.advance import settle, step
from interpreter.session.decision import READY, Decision
from interpreter.session.interrupts import find_moment, open_decision
from interpreter.session.matching import Member, best_match, members_named
from interpreter.session.state import State, copy, take_over

MAX_LISTED = 8  # payments that a refusal lists


def answer(state: State, items: Sequence[Any] | str, who: str | int | None = None) -> State:
    """Give a whole answer; `who` (actor, seat id or seat number) must be the one asked. IllegalAnswer leaves the
    state unchanged."""
    trial = copy(state)
    play_items(trial, items, who, before=state)
    settle(trial)
    take_over(state, trial)
    return state


def play_items(state: State, items: Sequence[Any] | str, who: str | int | None, before: State | None = None) -> None:
    """Take the answer step by step on `state` itself; forced questions after the last item stay open. `before`: the
    state that a refused answer goes back to; then a payment that follows new information may not be named, since the
    refusal would reveal it."""
    words = tokens(items)
    if not words:
        raise IllegalAnswer("empty answer; give a choice, `ready` or `decline`")
    seat = 0  # who gave the answer that leads to a payment
    while words:
        decision = state.decision
        if words[0] in (PAYING, GAINING) and (
            decision is None or decision.site.payment is not None or best_match(decision, words)[0] is None
        ):
            words = take_payment(state, words[1:], words[0], seat or who, before)
            continue
        if decision is None or (who is not None and not decision.asks(who)) or best_match(decision, words)[0] is None:
            moment = take_moment(state, words, who)
            if moment is not None:
                seat, words = moment
                continue
        if decision is not None and who is not None:
            decision = open_decision(state, who) or decision
        if decision is None:
            raise IllegalAnswer(f"the game is over; nothing is asked that `{' '.join(words)}` could answer")
        if who is not None and not decision.asks(who):
            if take_forced(state, decision):
                continue
            asked = f"{asked_text(decision)} is asked at {decision.address}, not {who}"
            raise Refused(asked, [turn_reason(decision, who)])
        seat, words = decision.seat, take_answer(state, decision, words)


def take_moment(state: State, words: list[str], who: str | int | None) -> tuple[int, list[str]] | None:
    """Take the action `at any moment` that the words name; gives its seat and the words that are left. None if they
    name no such action."""
    found = find_moment(state, words, who)
    if found is None:
        return None
    decision, option, form, used = found
    if option is None:
        raise refusal(decision, form)
    step(state, decision, option, automatic=False)
    return decision.seat, words[used:]


def asked_text(decision: Decision) -> str:
    """The actor that is asked, with the seat if it differs, as text."""
    return decision.actor if decision.actor == decision.seat_id else f"{decision.actor} (seat {decision.seat_id})"


def take_answer(state: State, decision: Decision, words: list[str]) -> list[str]:
    """Answer one question with the first of these words; gives the words that are left."""
    if decision.shape in ("some", "amounts"):
        batch = members_named(decision, words)
        if batch:
            return take_members(state, decision, batch, words)
    if decision.site.by_default and take_forced(state, decision):
        return words
    option, used = best_match(decision, words)
    if option is not None:
        step(state, decision, option, automatic=False)
        return words[used:]
    if take_forced(state, decision):
        return words
    raise refusal(decision, words)


def take_payment(
    state: State, words: list[str], keyword: str, who: str | int | None, before: State | None = None
) -> list[str]:
    """Pay (`keyword` is `paying`) or gain (`gaining`) as the words name it, after taking forced answers before it. Only
    answers of `who` may name a payment. Gives the words that are left."""
    other = False  # whether there was a payment of the other kind instead
    while (decision := state.decision) is not None:
        if (payment := decision.site.payment) is not None and (who is None or decision.asks(who)):
            if payment.gain == (keyword == GAINING):
                break
            other = True
        if not take_forced(state, decision):
            decision = None
            break
    if before is not None and has_new_information(before, state):
        raise IllegalAnswer(
            f"what `{keyword}` names comes after new information, so it cannot be named in advance: give the answer "
            "alone, and ask for the ways then (`pay` in the terminal)"
        )
    if decision is None:
        verb, noun = ("gain", "gain") if keyword == GAINING else ("pay", "payment")
        guess = f"; did you mean `{PAYING if keyword == GAINING else GAINING}`?" if other else ""
        raise IllegalAnswer(f"`{keyword}` says how to {verb}, but there is no {noun} now with a choice of ways{guess}")
    option, used = best_match(decision, words) if words else (None, 0)
    if option is None:
        raise unknown_payment(decision, words)
    step(state, decision, option, automatic=False)
    return words[used:]


def unknown_payment(decision: Decision, words: list[str]) -> IllegalAnswer:
    """The refusal of a payment that is not offered, with those that are and the nearest of them."""
    verb = "gain" if decision.site.payment is not None and decision.site.payment.gain else "pay"
    typed = " ".join(words[: words_before_payment(words)])
    known = [" ".join(option.ids) for option in decision.options]
    listed = ", ".join(f"`{payment}`" for payment in known[:MAX_LISTED])
    more = f" and {len(known) - MAX_LISTED} more" if len(known) > MAX_LISTED else ""
    return IllegalAnswer(
        f"`{typed}` is not a way to {verb} at {decision.address}; possible: {listed}{more}{hint(typed, known)}"
    )


def take_forced(state: State, decision: Decision) -> bool:
    """Take the forced option, if there is one; gives whether there was."""
    option = decision.forced
    if option is not None:
        step(state, decision, option, automatic=True)
    return option is not None


def take_members(state: State, decision: Decision, batch: list[Member], words: list[str]) -> list[str]:
    """Give the named members in the machine's order, then `ready`; members that it does not take stay in the words."""
    open_: dict[tuple[int, ...], list[str]] = dict(batch)
    rest = words[sum(len(w) for _, w in batch) :]
    current: Decision | None = decision
    taken = False
    while current is not None and open_:
        option = next((o for o in current.options if o.kind in ("add", "amount") and o.raw.values in open_), None)
        if option is None:
            break
        del open_[option.raw.values]
        step(state, current, option, automatic=False)
        taken = True
        current = same_question(state, current)
    if not taken:
        raise refusal(decision, next(iter(open_.values())))
    if current is not None:
        ready = next((o for o in current.options if o.kind == READY), None)
        if ready is None:
            raise refusal(current, next(iter(open_.values())) if open_ else [READY])
        step(state, current, ready, automatic=current.forced is not None)
        rest = rest[1:] if rest[:1] == [READY] else rest
    left = [w for ws in open_.values() for w in ws]
    if left and (state.decision is None or not can_begin_answer(state.decision, left)):
        raise refusal(current or decision, left)
    return left + rest


def can_begin_answer(decision: Decision, words: list[str]) -> bool:
    """Whether words that are left over can begin an answer to the next question."""
    if decision.shape in ("some", "amounts") and members_named(decision, words):
        return True
    return best_match(decision, words)[0] is not None or decision.forced is not None


def same_question(state: State, before: Decision) -> Decision | None:
    """The pending decision if it still belongs to the long answer of `before`, one step later."""
    now = state.decision
    if now is None or now.number != before.number or now.cursor == 0:
        return None
    return now if state.words[hdr.FP] == before.words[hdr.FP] else None
