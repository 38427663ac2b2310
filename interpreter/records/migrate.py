"""Migrating a saved game to other rules, as far as its decisions are still possible.

Takes a game and a save of the same ruleset in another build (errata, variants, another printing), plays the logged
decisions with the logged outcomes of chance, and stops at the first line that is no longer possible or no longer the
same. The result is a game of the new rules from its first line on; the save is not changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dsl import program as hdr
from interpreter.core.errors import RulesetError
from interpreter.records.replay import ReplayError, compare, fault_of, has_more, logged_chance, replay_entry
from interpreter.records.save import SaveError, check_head, initial_state, log_entries, take_early
from interpreter.rules.rules import Rules
from interpreter.session.advance import begin
from interpreter.session.entry import LogEntry
from interpreter.session.state import State, copy


@dataclass(frozen=True, slots=True)
class Migrated:
    """A migrated game. `state`: the game under the new rules after the first `kept` of the `lines` of the old log;
    `difference`: how the next line differs, empty if all were kept; `told`: what of it everybody may know, without what
    was answered or drawn."""

    state: State
    kept: int
    lines: int
    difference: str = ""
    told: str = ""


def migrate(game: Rules, data: dict[str, Any]) -> Migrated:
    """Play the log of a save under the rules of `game`, with the answers that were given before their turn. Raises
    SaveError if it is not a valid save of this ruleset, and ReplayError if the beginning already differs."""
    check_head(game, data)
    entries = log_entries(data)
    outcomes = logged_chance(entries)
    seed = continuation_seed(data["seed"], outcomes) if outcomes else data["seed"]
    state = initial_state(game, {**data, "script": outcomes, "seed": seed})
    difference = None if state.begun is not None else _try_step(state, begin, entries)
    if difference is not None:
        raise ReplayError(f"the beginning already differs: {difference}", 0, difference.told)
    while difference is None and has_more(state, entries, len(entries)):
        before = copy(state)
        difference = _try_step(state, lambda s: replay_entry(s, entries), entries)
        if difference is not None:
            state = before
    state.script = state.script[: state.words[hdr.SCRIPT]]
    if difference is None:
        try:
            take_early(state, data.get("early", []))
        except SaveError as lost:
            difference = ReplayError(str(lost), 0)
    if difference is None:
        return Migrated(state, len(state.log), len(entries))
    return Migrated(state, len(state.log), len(entries), str(difference), difference.told)


def _try_step(state: State, step: Callable[[State], None], entries: Sequence[LogEntry]) -> ReplayError | None:
    """Take a step; gives how it differs from the log, None if it does not."""
    played = len(state.log)
    try:
        step(state)
        compare(state.log, entries, played)
    except ReplayError as error:
        return error
    except RulesetError as error:
        return fault_of(state, error)
    if len(state.log) <= len(entries):
        return None
    more = state.log[len(entries)]
    return ReplayError(f"the log ends, but now {more.kind} at {more.address} follows", 0)


def continuation_seed(seed: int, outcomes: Sequence[Any]) -> int:
    """The seed for the chance events after the log; the old one would reveal them."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {len(outcomes)}".encode(), digest_size=4).digest(), "little")
