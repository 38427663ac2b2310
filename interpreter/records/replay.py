"""Replay: playing a game again from its log alone.

Answers are found by address and ids, so that a log also fits another build of the ruleset as long as the questions
are the same; chance comes from the seed and script of the save, or from the log where its seed gave other chance than
today. With `verify` every chance outcome and the last store must agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import program as hdr
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.core.question import ASKED_ANY_MOMENT
from interpreter.explaining.reasons import refusal
from interpreter.records.save import FORMAT_VERSION, check_head, initial_state, log_entries, take_early
from interpreter.rules.rules import Rules
from interpreter.session.advance import begin, run_on, step
from interpreter.session.chance import ChanceEvent
from interpreter.session.decision import Decision, Option
from interpreter.session.entry import AUTO, CHANCE, LogEntry
from interpreter.session.interrupts import moment_decision, open_decision
from interpreter.session.setup import DRAW
from interpreter.session.state import State


class ReplayError(Exception):
    """A log that cannot be replayed; `entry` is the number of the line, from 1, or 0 for no line; `told`: what all may
    know of it, without what was answered or drawn."""

    def __init__(self, message: str, entry: int, told: str = "") -> None:
        self.entry = entry
        self.told = told or message
        super().__init__(f"line {entry} of the log: {message}" if entry else message)


def replay(game: Rules, data: dict[str, Any], to: int | None = None, verify: bool = True) -> State:
    """The state after the first `to` lines of the log of a save (None: all of them). Raises SaveError or
    ReplayError."""
    check_head(game, data)
    entries = log_entries(data)
    wanted = len(entries) if to is None else min(to, len(entries))
    other_seed = data["format_version"] != FORMAT_VERSION and data["chance"] == DRAW
    outcomes = logged_chance(entries) if other_seed else []
    state = initial_state(game, {**data, "script": outcomes} if outcomes else data)
    try:
        if state.begun is None:
            begin(state)
        while has_more(state, entries, wanted):
            replay_entry(state, entries)
    except RulesetError as error:
        raise fault_of(state, error) from error
    if verify:
        compare(state.log, entries)
        same_build = data["digest"] == game.program.digest
        if same_build and not outcomes and to is None and state.digest() != data.get("state"):
            raise ReplayError("the replayed store differs from the saved one", 0)
    if to is None:
        take_early(state, data.get("early", []))
    return state


def fault_of(state: State, error: RulesetError) -> ReplayError:
    """The error that the rules have a fault behind this line of the log, or cannot take what comes there."""
    return ReplayError(str(error), len(state.log) + 1, f"the rules cannot go on at {error.where or 'this place'}")


def logged_chance(entries: Sequence[LogEntry]) -> list[Any]:
    """The outcomes of chance in a log, as a script; also the order of nothing."""
    chances = [e for e in entries if e.kind == CHANCE and (e.ids or e.form == "shuffle")]
    return [list(e.ids) if e.form == "shuffle" else e.ids[0] for e in chances]


def replay_entry(state: State, entries: Sequence[LogEntry]) -> None:
    """Take the next answer or outcome of the log."""
    number = len(state.log)
    if state.chance is not None:
        number -= state.words[hdr.DRAWN] > 0
        return _outcomes(state, state.chance, entries[number], number + 1)
    entry, decision = entries[number], state.decision
    if decision is None:
        raise ReplayError("the game is over, but the log goes on", number + 1)
    if entry.kind == CHANCE:
        raise ReplayError(f"chance at {entry.address}, but {decision.actor} is asked at {decision.address}", number + 1)
    if entry.address == ASKED_ANY_MOMENT:
        decision = moment_decision(state, entry.seat) or decision
    elif entry.address == decision.address and entry.actor:
        decision = open_decision(state, entry.actor) or decision
    if entry.address != decision.address:
        raise ReplayError(f"an answer to {entry.address}, but the question is {decision.address}", number + 1)
    try:
        option = find_option(decision, entry)
    except IllegalAnswer as error:
        told = f"what {entry.actor} answered at {entry.address} cannot be answered now"
        raise ReplayError(error.message, number + 1, told) from None
    step(state, decision, option, automatic=entry.kind == AUTO)


def has_more(state: State, entries: Sequence[LogEntry], wanted: int) -> bool:
    """True if the first `wanted` lines go further than what has been played; the line of a shuffle that is asked is
    played in parts."""
    played, drawn = len(state.log), state.words[hdr.DRAWN]
    return played < wanted or (0 < played == wanted and 0 < drawn < len(entries[played - 1].ids))


def _outcomes(state: State, event: ChanceEvent, entry: LogEntry, number: int) -> None:
    """Take the outcomes of the log; those of a shuffle thing by thing, of which the last comes by itself."""
    if (entry.kind, entry.address) != (CHANCE, event.address):
        raise ReplayError(f"{entry.kind} at {entry.address}, but chance is awaited at {event.address}", number)
    before = state.words
    for id_ in entry.ids[state.words[hdr.DRAWN] :]:
        outcome = event.outcome(id_)
        if outcome is None:
            told = f"what chance brought at {entry.address} is not possible now"
            raise ReplayError(f"chance brings {id_} at {entry.address}, which is not possible now", number, told)
        run_on(state, state.words[:], outcome=outcome)
        if state.chance is None or not state.words[hdr.DRAWN]:
            return
        event = state.chance
    if state.words is before:
        raise ReplayError(f"the order at {entry.address} ends too early", number)


def find_option(decision: Decision, entry: LogEntry) -> Option:
    for option in decision.options:
        if option.kind == entry.form and option.ids == entry.ids:
            return option
    raise refusal(decision, list(entry.ids))


def compare(played: Sequence[LogEntry], logged: Sequence[LogEntry], since: int = 0) -> None:
    """Raise ReplayError unless the lines from number `since` on agree in kinds, addresses and ids."""
    for number, (now, then) in enumerate(zip(played[since:], logged[since:], strict=False), since + 1):
        if (now.kind, now.address, now.ids) != (then.kind, then.address, then.ids):
            other = now.kind if (now.kind, now.address) != (then.kind, then.address) else f"another {now.kind}"
            raise ReplayError(
                f"it says {then.kind} {' '.join(then.ids)} at {then.address}, but now it is "
                f"{now.kind} {' '.join(now.ids)} at {now.address}",
                number,
                f"it says {then.kind} at {then.address}, but now it is {other} at {now.address}",
            )
