"""Whole answers in words of the game, taken apart into small decisions.

A person or a ruling says `E3 3, E4 2` or `promote(tail), left`; the machine takes one member, amount or alternative
at a time. All steps are tried on a copy, so an answer is taken wholly or not at all. Items that are left over go to
the next question of the same actor; forced questions in between are answered by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import program as hdr
from interpreter.core.errors import IllegalAnswer
from interpreter.play.reasons import Refused, refusal, turn_reason
from interpreter.rules.names import hint, tokens
from interpreter.rules.payments import GAINING, PAYING, words_before_payment
from interpreter.session.advance import settle, step
from interpreter.session.decision import READY, Decision
from interpreter.session.interrupts import open_decision, spoken
from interpreter.session.matching import Member, best_match, members_named
from interpreter.session.state import State, copy, take_over
from interpreter.session.undo import brings_news

MOST_TOLD = 8  # ways that are told where another one was named


def answer(state: State, items: Sequence[Any] | str, who: str | int | None = None) -> State:
    """Give a whole answer; `who` (actor, seat id or seat number) must be the one asked. IllegalAnswer leaves the
    state unchanged."""
    trial = copy(state)
    play_items(trial, items, who, before=state)
    settle(trial)
    take_over(state, trial)
    return state


def play_items(state: State, items: Sequence[Any] | str, who: str | int | None, before: State | None = None) -> None:
    """Take the answer apart on `state` itself; forced questions after the last item stay open. `before`: where a
    refused answer goes back to; no way is named then for what comes after something new, which the refusal would
    tell."""
    words = tokens(items)
    if not words:
        raise IllegalAnswer("an answer of no words; say what is chosen, `ready` or `decline`")
    seat = 0  # who gave the answer that leads to a payment
    while words:
        decision = state.decision
        if words[0] in (PAYING, GAINING) and (
            decision is None or decision.site.ways is not None or best_match(decision, words)[0] is None
        ):
            words = take_way(state, words[1:], words[0], seat or who, before)
            continue
        if decision is None or (who is not None and not decision.asks(who)) or best_match(decision, words)[0] is None:
            aside = take_aside(state, words, who)
            if aside is not None:
                seat, words = aside
                continue
        if decision is not None and who is not None:
            decision = open_decision(state, who) or decision
        if decision is None:
            raise IllegalAnswer(f"the game is over; nothing is asked that `{' '.join(words)}` could answer")
        if who is not None and not decision.asks(who):
            if forced(state, decision):
                continue
            raise Refused(f"{asked(decision)} is asked at {decision.address}, not {who}", [turn_reason(decision, who)])
        seat, words = decision.seat, take(state, decision, words)


def take_aside(state: State, words: list[str], who: str | int | None) -> tuple[int, list[str]] | None:
    """Take an action `at any moment` that the words name; gives its seat and the words that are left, None if they name
    none."""
    found = spoken(state, words, who)
    if found is None:
        return None
    decision, option, said, used = found
    if option is None:
        raise refusal(decision, said)
    step(state, decision, option, automatic=False)
    return decision.seat, words[used:]


def asked(decision: Decision) -> str:
    """Who is asked, in words."""
    return decision.actor if decision.actor == decision.seat_id else f"{decision.actor} (seat {decision.seat_id})"


def take(state: State, decision: Decision, words: list[str]) -> list[str]:
    """Answer one question with the first of these words; gives the words that are left."""
    if decision.shape in ("some", "amounts"):
        batch = members_named(decision, words)
        if batch:
            return take_members(state, decision, batch, words)
    if decision.site.by_default and forced(state, decision):
        return words
    option, used = best_match(decision, words)
    if option is not None:
        step(state, decision, option, automatic=False)
        return words[used:]
    if forced(state, decision):
        return words
    raise refusal(decision, words)


def take_way(
    state: State, words: list[str], said: str, who: str | int | None, before: State | None = None
) -> list[str]:
    """Pay (`said` is `paying`) or gain (`gaining`) in the way that the words name; forced answers before it are taken.
    Only `who` answers may name a way. Gives the words that are left."""
    other = False  # whether there was something of the other sort instead
    while (decision := state.decision) is not None:
        if (ways := decision.site.ways) is not None and (who is None or decision.asks(who)):
            if ways.gain == (said == GAINING):
                break
            other = True
        if not forced(state, decision):
            decision = None
            break
    if before is not None and brings_news(before, state):
        raise IllegalAnswer(
            f"what `{said}` would say comes after something new, so it can not be said beforehand: give the answer "
            "alone, and ask for the ways then (`pay` in the terminal)"
        )
    if decision is None:
        verb, verbed = ("gain", "gained") if said == GAINING else ("pay", "paid")
        guess = f"; did you mean `{PAYING if said == GAINING else GAINING}`?" if other else ""
        raise IllegalAnswer(
            f"`{said}` says how to {verb}, but nothing is to be {verbed} now for which there are several ways{guess}"
        )
    option, used = best_match(decision, words) if words else (None, 0)
    if option is None:
        raise no_such_way(decision, words)
    step(state, decision, option, automatic=False)
    return words[used:]


def no_such_way(decision: Decision, words: list[str]) -> IllegalAnswer:
    """The refusal of a way that there is not: which there are, and which is the nearest."""
    verb = "gain" if decision.site.ways is not None and decision.site.ways.gain else "pay"
    typed = " ".join(words[: words_before_payment(words)])
    known = [" ".join(option.ids) for option in decision.options]
    told = ", ".join(f"`{way}`" for way in known[:MOST_TOLD])
    more = f" and {len(known) - MOST_TOLD} more" if len(known) > MOST_TOLD else ""
    return IllegalAnswer(
        f"`{typed}` is no way to {verb} at {decision.address}; the ways are {told}{more}{hint(typed, known)}"
    )


def forced(state: State, decision: Decision) -> bool:
    """Take the only possibility, if there is only one."""
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
    if left and (state.decision is None or not fits(state.decision, left)):
        raise refusal(current or decision, left)
    return left + rest


def fits(decision: Decision, words: list[str]) -> bool:
    """Whether words left over can begin an answer to the next question."""
    if decision.shape in ("some", "amounts") and members_named(decision, words):
        return True
    return best_match(decision, words)[0] is not None or decision.forced is not None


def same_question(state: State, before: Decision) -> Decision | None:
    """The pending decision if it is still the long answer of `before`, one step on."""
    now = state.decision
    if now is None or now.number != before.number or now.cursor == 0:
        return None
    return now if state.words[hdr.FP] == before.words[hdr.FP] else None
