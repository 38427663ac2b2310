"""Whole answers in words of the game, split into small decisions.

A person or a ruling writes `E3 3, E4 2` or `promote(tail), left`; the machine takes one member, amount or alternative
at a time. All steps are tried on a copy, so an answer is taken completely or not at all. Items that are left over go to
the next question of the same actor; forced questions in between are answered automatically.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dsl import program as hdr
from interpreter.core.errors import IllegalAnswer
from interpreter.explaining.reason import Refused, engine_reason, nothing_asked, turn_reason
from interpreter.explaining.reasons import refusal
from interpreter.play.ways import NAMING, Naming, take_forced, take_payment
from interpreter.rules.messages import message
from interpreter.rules.names import tokens
from interpreter.session.advance import early_option, is_early, settle, step
from interpreter.session.decision import READY, Decision
from interpreter.session.interrupts import find_moment, open_decision
from interpreter.session.matching import Member, best_match, members_named
from interpreter.session.state import State, copy, successor, take_over


@dataclass(slots=True)
class AnswerNotes:
    """Notes of the questions that an answer comes across. `only`: addresses of those whose only answer it names;
    `passed`: those that gave their only answer before it, with the words that they did not take; `taker`: the actor
    whose question took words last, empty before the first."""

    only: list[str] = field(default_factory=list)
    passed: list[tuple[Decision, list[str]]] = field(default_factory=list)
    taker: str = ""

    def took(self, decision: Decision, was_only: bool) -> None:
        """A question has taken words; `was_only`: it had no other answer."""
        self.taker = decision.actor
        self.passed.clear()
        if was_only:
            self.only.append(decision.address)


def answer(state: State, items: Sequence[Any] | str, who: str | int | None = None) -> State:
    """Give a whole answer; `who` (actor, seat id or seat number) must be the one asked. IllegalAnswer leaves the
    state unchanged."""
    trial = successor(state)
    play_items(trial, items, who, before=state)
    settle(trial)
    take_over(state, trial)
    return state


def play_items(
    state: State,
    items: Sequence[Any] | str,
    who: str | int | None,
    before: State | None = None,
    notes: AnswerNotes | None = None,
) -> None:
    """Take the answer step by step on `state` itself; forced questions after the last item stay open. `before`: the
    state that a refused answer goes back to; then a way to pay that follows new information may not be named, since
    the refusal would reveal it. `notes`: where is written what the answer comes across."""
    words = tokens(items)
    if not words:
        raise IllegalAnswer("empty answer; give a choice, `ready` or `decline`")
    notes = notes or AnswerNotes()
    seat = 0  # who gave the answer that leads to a payment
    naming = Naming(state, words, who, before, play_items) if not NAMING.isdisjoint(words) else None
    while words:
        decision = state.decision
        if decision is not None and (early := early_option(decision)) is not None:
            step(state, decision, early, automatic=False)  # forced answers have led to who has answered before
            continue
        if (
            naming is not None
            and words[0] in NAMING
            and (decision is None or decision.site.payment is not None or best_match(decision, words)[0] is None)
        ):
            words = take_payment(state, words, naming, seat or who)
            continue
        if decision is None or (who is not None and not decision.asks(who)) or best_match(decision, words)[0] is None:
            moment = take_moment(state, words, who)
            if moment is not None:
                seat, words = moment
                continue
        if decision is not None and who is not None:
            decision = open_decision(state, who) or decision
        if decision is None:
            idle = nothing_asked(state)
            raise Refused(f"{idle.text} that `{' '.join(words)}` could answer", [idle])
        if who is not None and not decision.asks(who):
            if take_forced(state, decision):
                continue
            asked = f"{asked_text(decision)} is asked at {decision.address}, not {who}"
            raise Refused(asked, [turn_reason(decision, who)])
        seat, words = decision.seat, take_answer(state, decision, words, notes)


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


def take_answer(state: State, decision: Decision, words: list[str], notes: AnswerNotes) -> list[str]:
    """Answer one question with the first of these words; gives the words that are left."""
    if decision.shape in ("some", "amounts"):
        batch = members_named(decision, words)
        if batch:
            return take_members(state, decision, batch, words, notes)
    if decision.site.by_default and take_forced(state, decision):
        return words
    option, used = best_match(decision, words)
    if option is not None:
        notes.took(decision, not decision.cursor and decision.forced is not None)
        step(state, decision, option, automatic=False)
        return words[used:]
    if take_forced(state, decision):
        notes.passed.append((decision, words))
        while (rest := same_question(state, decision)) is not None and take_forced(state, rest):
            pass  # its `ready`, too, so that a word `ready` belongs to the next question
        return words
    raise refusal(decision, words)


def take_members(
    state: State, decision: Decision, batch: list[Member], words: list[str], notes: AnswerNotes
) -> list[str]:
    """Give the named members in the machine's order, then `ready`; members that it does not take stay in the words. A
    word `ready` behind them says that there are no others."""
    open_: dict[tuple[int, ...], list[str]] = dict(batch)
    rest = words[sum(len(w) for _, w in batch) :]
    current: Decision | None = decision
    taken, only = False, not decision.cursor
    while current is not None and open_:
        option = next((o for o in current.options if o.kind in ("add", "amount") and o.raw.values in open_), None)
        if option is None:
            break
        del open_[option.raw.values]
        only = only and current.forced is not None
        step(state, current, option, automatic=False)
        taken = True
        current = same_question(state, current)
    if not taken:
        if answers_next(state, decision, words, rest[:1] == [READY]):
            notes.passed.append((decision, words))
            take_forced(state, decision)
            return words
        raise incomplete(decision, [w for ws in open_.values() for w in ws])
    notes.took(decision, only)
    if current is not None:
        ready = next((o for o in current.options if o.kind == READY), None)
        if ready is None:
            raise incomplete(current, [w for ws in open_.values() for w in ws] or [READY])
        step(state, current, ready, automatic=current.forced is not None)
        rest = rest[1:] if rest[:1] == [READY] else rest
    left = [w for ws in open_.values() for w in ws]
    if left:
        try:
            play_items(copy(state), left, None)
        except IllegalAnswer:  # they belong to this answer, which is complete without them
            raise refusal(decision, [w for _, ws in batch for w in ws]) from None
    return left + rest


def answers_next(state: State, decision: Decision, words: list[str], no_others: bool) -> bool:
    """True if the words answer what is asked behind the open question, which has only one answer itself, or go on with
    it. `no_others`: they name all members of an answer, so that it has none which gave itself."""
    trial = copy(state)
    if not take_forced(trial, decision):
        return False
    while no_others and (rest := same_question(trial, decision)) is not None:
        if not take_forced(trial, rest):
            return False
    try:
        play_items(trial, words, None)
    except IllegalAnswer:
        return False
    return True


def incomplete(decision: Decision, words: list[str]) -> IllegalAnswer:
    """The refusal of an answer of several members; it names the one that must be in it, if that is all that stands in
    the way."""
    refused = refusal(decision, words)
    found = refused.reasons if isinstance(refused, Refused) else ()
    if decision.forced is None or any(reason.kind != "bound" for reason in found):
        return refused
    member = " ".join(decision.forced.ids)
    return Refused(
        f"the answer at {decision.address} is not complete: `{member}` must be in it",
        [engine_reason("bound", message("why_must", member=member), decision.site.cites)],
    )


def same_question(state: State, before: Decision) -> Decision | None:
    """The pending decision if it still belongs to the long answer of `before`, one step later."""
    now = state.decision
    if now is not None and is_early(state, before):
        now = now.members_behind(False).get(before.place)
    if now is None or now.number != before.number or now.cursor == 0:
        return None
    return now if now.words[hdr.FP] == before.words[hdr.FP] else None
