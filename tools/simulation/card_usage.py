"""The use of cards in many games: the zones in which each was, and the answers that named it.

`CardTracker` follows one game and returns a `CardUsage` of plain data; those of several games can be added. Copies of a
card count as one. Cards that were never in a zone, or never chosen, point to rules that do not work.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dsl.program import Program
from interpreter import State
from interpreter.session.entry import CHANCE


@dataclass(slots=True)
class CardUsage:
    """`places`: (zone, card) -> games in which it was there; `chosen`: (action or question, card) -> times."""

    places: Counter[tuple[str, str]] = field(default_factory=Counter)
    chosen: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: CardUsage) -> None:
        self.places += other.places
        self.chosen += other.chosen

    def to_json(self, program: Program) -> dict[str, Any]:
        """For each zone or action and each kind: how many cards, how many times, and the cards that never occurred."""
        return {
            "zones": self.table(self.places, program),
            "answers": self.table(self.chosen, program),
        }

    def never_chosen(self, program: Program) -> dict[str, list[str]]:
        """The cards of each kind that no answer named; kinds without any named card are left out."""
        named = {card for _, card in self.chosen}
        kinds = {program.cards[card] for card in named}
        left = {kind: [c for c, k in program.cards.items() if k == kind and c not in named] for kind in sorted(kinds)}
        return {kind: cards for kind, cards in left.items() if cards}

    def table(self, counts: Counter[tuple[str, str]], program: Program) -> dict[str, dict[str, Any]]:
        cards: dict[str, list[str]] = {}
        for card, kind in program.cards.items():
            cards.setdefault(kind, []).append(card)
        rows: dict[str, dict[str, Any]] = {}
        for where, kind in sorted({(where, program.cards[card]) for where, card in counts}):
            never = [card for card in cards[kind] if not counts[where, card]]
            seen = sum(counts[where, card] for card in cards[kind])
            rows[f"{where}: {kind}"] = {"cards": len(cards[kind]) - len(never), "times": seen, "never": never}
        return rows


class CardTracker:
    """Follows the places of the cards in one game."""

    def __init__(self, state: State) -> None:
        program = state.game.program
        self.names = {thing: program.thing_ids[first] for thing, first in program.copies.items()}
        card_things = [t for t, name in enumerate(program.thing_ids) if self.names.get(t, name) in program.cards]
        self.things = [(t, program.placed[t]) for t in card_things if program.placed[t]]
        self.low = min((at for _, at in self.things), default=0)
        self.high = max((at for _, at in self.things), default=-1) + 1
        self.last_places: list[int] = []
        self.seen: set[tuple[str, str]] = set()

    def update(self, state: State) -> None:
        """Take note of the places where the cards are now."""
        now = state.words[self.low : self.high]
        if now == self.last_places:
            return
        program, before = state.game.program, self.last_places or [0] * len(now)
        for thing, at in self.things:
            place = now[at - self.low]
            if place and place != before[at - self.low]:
                name = self.names.get(thing, program.thing_ids[thing])
                self.seen.add((program.zones[place].symbol, name))
        self.last_places = now

    def usage(self, state: State) -> CardUsage:
        usage = CardUsage(Counter(self.seen))
        names = {state.game.program.thing_ids[t]: name for t, name in self.names.items()}
        for entry in state.log:
            for word in entry.ids if entry.kind != CHANCE else ():
                card = names.get(word, word)
                if card in state.game.program.cards:
                    usage.chosen[entry.case or entry.address, card] += 1
        return usage
