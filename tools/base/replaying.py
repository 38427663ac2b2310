"""Replay saved games entry by entry, for the commands that inspect them.

Takes the JSON of a save; yields the states along the log. A log that cannot be followed ends the
command with a message.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from interpreter import Game, ReplayError, RulesetError, SaveError, State
from interpreter.records.replay import replay_entry
from interpreter.records.save import check_head, initial_state, log_entries
from interpreter.session.advance import begin
from interpreter.session.entry import CHANCE, LogEntry
from tools.base.errors import CommandEnd, UserError


def read_log(data: dict[str, Any], file: Path) -> list[LogEntry]:
    try:
        return log_entries(data)
    except (SaveError, KeyError, TypeError) as fault:
        raise UserError(f"'{file}' is damaged as a saved game: {fault}.") from None


def replay_states(game: Game, data: dict[str, Any], file: Path, to: int | None = None) -> Iterator[State]:
    """Yield the state (one object, which changes) at the start, then after each answer of the log, up to entry `to`."""
    try:
        check_head(game, data)
        entries = read_log(data, file)
        state = initial_state(game, data)
        begin(state)
        yield state
        wanted = len(entries) if to is None else to
        while len(state.log) < wanted:
            replay_entry(state, entries)
            yield state
    except SaveError as fault:
        raise UserError(f"'{file}' cannot be replayed: {fault}.") from None
    except (ReplayError, RulesetError) as fault:
        raise CommandEnd(1, f"the log of '{file}' does not lead on: {fault}") from None


def state_before_decision(game: Game, data: dict[str, Any], file: Path, at: int | None) -> tuple[State, LogEntry, int]:
    """The state before the answer with log number `at` (from 1; the last one if None), the entry, and its number.

    The number of a chance outcome means the answer that led to it.
    """
    entries = read_log(data, file)
    answers = [n for n, e in enumerate(entries, 1) if e.kind != CHANCE]
    if not answers:
        raise UserError(f"'{file}' holds no decision yet: nothing can be traced.")
    if at is not None and not 1 <= at <= len(entries):
        raise UserError(
            f"--at should be a number from 1 to {len(entries)}, the entries of this log, but {at} was given."
        )
    number = max((n for n in answers if at is None or n <= at), default=answers[0])
    *_, state = replay_states(game, data, file, number - 1)
    return state, entries[number - 1], number
