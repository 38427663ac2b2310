"""Recorded games played by two sets of rules in step: where they part, if they do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interpreter import Game, LogEntry, ReplayError, RulesetError, SaveError, State, apply, legal, save
from interpreter.records.replay import one
from interpreter.records.save import begun, head, log_entries
from interpreter.rules.layout import entry_at
from interpreter.session.advance import begin
from interpreter.session.log import narrate
from tools.base.scores import result

MOST_ENTRIES = 20_000


@dataclass(frozen=True, slots=True)
class Parting:
    """Where a recorded game goes another way: the number of the entry (0: it begins otherwise) and how."""

    game: str
    entries: int
    entry: int | None  # None: it does not part
    told: str  # what was decided last before it
    how: str


def sample_games(game: Game, number: int, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Games of random bots as saves, named by seats and seed; the numbers of seats take turns."""
    low, high = game.program.seats
    for i in range(number):
        seats, own = low + i % (high - low + 1), seed * 1_000_000 + i
        state, chooser = game.new(seats=seats, seed=own), random.Random(own)
        while not state.over and len(state.log) < MOST_ENTRIES:
            apply(state, chooser.choice(legal(state)))
        yield f"{seats} seats, seed {own}", save(state)


def parting(name: str, base: Game, laid: Game, data: dict[str, Any]) -> Parting:
    """Play a save by both rules and say where they part."""
    entries = log_entries(data)

    def parted(entry: int | None, how: str) -> Parting:
        last = a.log[entry - 2] if entry and 1 < entry <= len(a.log) + 1 else None
        return Parting(name, len(entries), entry, told(a, last) if last else "", how)

    head(base, data)
    a = begun(base, data)
    begin(a)
    try:
        b = begun(laid, data)
        begin(b)
    except (SaveError, RulesetError) as fault:
        return parted(0, str(fault))
    alike = base.program.layout == laid.program.layout
    while (how := differs(a, b, alike)) is None:
        if len(a.log) >= len(entries):
            return parted(None, "")
        one(a, entries)
        try:
            one(b, entries)
        except (ReplayError, RulesetError) as fault:
            return parted(len(b.log) + 1, str(fault))
    return parted(min(len(a.log), len(b.log)) + 1, how)


def differs(a: State, b: State, alike: bool) -> str | None:
    """How two states differ after the same decisions; None: not visibly."""
    if len(a.log) != len(b.log):
        return "an answer follows by itself under one of the two, and is asked for under the other"
    if a.log and meant(a.log[-1]) != meant(b.log[-1]):
        return f"{told(a, a.log[-1])}, against: {told(b, b.log[-1])}"
    if a.over or b.over:
        if a.over != b.over:
            return "the game is over in one of them"
        scores = result(a), result(b)
        return None if scores[0] == scores[1] else f"scores {scores[0].seats} against {scores[1].seats}"
    x, y = a.decision, b.decision
    if x is not None and y is not None:
        if (x.address, x.actor) != (y.address, y.actor):
            return f"{x.actor} is asked `{x.address}`, against {y.actor} `{y.address}`"
        options = [{o.text("en") for o in legal(s)} for s in (a, b)]
        if options[0] != options[1]:
            only = [", ".join(sorted(options[i] - options[1 - i])[:4]) or "nothing" for i in (0, 1)]
            return f"at `{x.address}` only before: {only[0]}; only after: {only[1]}"
    if alike and a.words != b.words:
        at = next((i for i, pair in enumerate(zip(a.words, b.words, strict=False)) if pair[0] != pair[1]), 0)
        entry = entry_at(a.game, at)
        if entry is not None:
            return f"`{entry[0].symbol}` differs"
    return None


def meant(entry: LogEntry) -> tuple[Any, ...]:
    """An entry without the numbers of one build."""
    return entry.kind, entry.address, entry.ids, entry.actor


def told(state: State, entry: LogEntry) -> str:
    return narrate(state.game, entry, None) or f"{entry.address} {' '.join(entry.ids)}".strip()
