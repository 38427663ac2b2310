"""Recorded games played by two sets of rules in step: where they diverge, if they do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dsl.files.phrases import FALLBACK, phrase, phrases_of
from interpreter import Game, LogEntry, ReplayError, RulesetError, SaveError, State, apply, legal, result, save
from interpreter.records.replay import replay_entry
from interpreter.records.save import check_head, initial_state, log_entries
from interpreter.rules.layout import entry_at
from interpreter.session.advance import begin
from interpreter.session.log import narrate

MAX_ENTRIES = 20_000


@dataclass(frozen=True, slots=True)
class GameComparison:
    """Where a recorded game diverges: the number of the entry (0: the game begins differently) and the difference."""

    game: str
    entries: int
    entry: int | None  # None: it does not diverge
    last_decision: str  # the last one before it, as text
    difference: str


def sample_games(game: Game, number: int, seed: int, lang: str = FALLBACK) -> Iterator[tuple[str, dict[str, Any]]]:
    """Games of random bots as saves, named by seats and seed; the numbers of seats take turns."""
    low, high = game.program.seats
    for i in range(number):
        seats, own = low + i % (high - low + 1), seed * 1_000_000 + i
        state, chooser = game.new(seats=seats, seed=own), random.Random(own)
        while not state.over and len(state.log) < MAX_ENTRIES:
            apply(state, chooser.choice(legal(state)))
        yield phrase(lang, "errata", "sample", seats=seats, seed=own), save(state)


def compare_game(name: str, base: Game, overlaid: Game, data: dict[str, Any], lang: str = FALLBACK) -> GameComparison:
    """Play a save by both rules and find where they diverge, in words of a language."""
    entries = log_entries(data)

    def comparison(entry: int | None, difference: str) -> GameComparison:
        last = a.log[entry - 2] if entry and 1 < entry <= len(a.log) + 1 else None
        return GameComparison(name, len(entries), entry, entry_text(a, last, lang) if last else "", difference)

    check_head(base, data)
    a = initial_state(base, data)
    begin(a)
    try:
        b = initial_state(overlaid, data)
        begin(b)
    except (SaveError, RulesetError) as fault:
        return comparison(0, str(fault))
    same_layout = base.program.layout == overlaid.program.layout
    while (difference := state_difference(a, b, same_layout, lang)) is None:
        if len(a.log) >= len(entries):
            return comparison(None, "")
        replay_entry(a, entries)
        try:
            replay_entry(b, entries)
        except (ReplayError, RulesetError) as fault:
            return comparison(len(b.log) + 1, str(fault))
    return comparison(min(len(a.log), len(b.log)) + 1, difference)


def state_difference(a: State, b: State, same_layout: bool, lang: str) -> str | None:
    """How two states differ after the same decisions; None where they do not, as far as people can see."""
    say = phrases_of(lang, "errata")
    if len(a.log) != len(b.log):
        return say("by_itself")
    if a.log and build_independent(a.log[-1]) != build_independent(b.log[-1]):
        return say("against", a=entry_text(a, a.log[-1], lang), b=entry_text(b, b.log[-1], lang))
    if a.over or b.over:
        if a.over != b.over:
            return say("over")
        scores = result(a), result(b)
        return None if scores[0] == scores[1] else say("scores", a=scores[0].scores, b=scores[1].scores)
    x, y = a.decision, b.decision
    if x is not None and y is not None:
        if (x.address, x.actor) != (y.address, y.actor):
            return say("asked", a=x.actor, at=x.address, b=y.actor, other=y.address)
        options = [{o.text(lang) for o in legal(s)} for s in (a, b)]
        if options[0] != options[1]:
            only = [", ".join(sorted(options[i] - options[1 - i])[:4]) or say("nothing") for i in (0, 1)]
            return say("only", at=x.address, a=only[0], b=only[1])
    if same_layout and a.words != b.words:
        at = next((i for i, pair in enumerate(zip(a.words, b.words, strict=False)) if pair[0] != pair[1]), 0)
        entry = entry_at(a.game, at)
        if entry is not None:
            return say("differs", name=entry[0].symbol)
    return None


def build_independent(entry: LogEntry) -> tuple[Any, ...]:
    """The parts of an entry that two builds of a ruleset have in common: no numbers of one of them."""
    return entry.kind, entry.address, entry.ids, entry.actor


def entry_text(state: State, entry: LogEntry, lang: str) -> str:
    """An entry in a language, or its address and ids where the ruleset has no sentence for it."""
    return narrate(state.game, entry, None, lang) or f"{entry.address} {' '.join(entry.ids)}".strip()
