"""The use of cards in many games: the zones in which each was, and the answers that named it.

`CardTracker` follows one game and returns a `CardUsage` of plain data; those of several games can be added. Copies of a
card count as one. Cards that were never in a zone, or never chosen, point to rules that do not work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dsl.program import Program
from interpreter import Game
from interpreter.core.question import RawOption
from interpreter.core.words import Words, new_store
from interpreter.rules.rules import Rules
from interpreter.rules.site_texts import Answers


@dataclass(slots=True)
class CardUsage:
    """`places`: (zone, card) -> games in which it was there; `chosen`: (action or question, card) -> times."""

    places: Counter[tuple[str, str]] = field(default_factory=Counter)
    chosen: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: CardUsage) -> None:
        self.places.update(other.places)
        self.chosen.update(other.chosen)

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

    def __init__(self, game: Game) -> None:
        self.game = game
        self.places = game.cached(card_places)
        self.last_places = new_store()
        self.seen: set[tuple[str, str]] = set()

    def update(self, words: Words) -> None:
        """Take note of the places where the cards are now."""
        places = self.places
        now = words[places.low : places.high]
        if now == self.last_places:
            return
        zones, before = self.game.program.zones, self.last_places or new_store([0] * len(now))
        for name, at in places.cards:
            place = now[at]
            if place and place != before[at]:
                self.seen.add((zones[place].symbol, name))
        self.last_places = now

    def usage(self, answers: Iterable[tuple[int, RawOption]]) -> CardUsage:
        """The usage of the cards in a game with these answers: number of the question, and option. Ways to pay are no
        choice of cards."""
        usage = CardUsage(Counter(self.seen))
        program = self.game.program
        firsts = first_copies(program)
        for (number, option), times in Counter(answers if program.cards else ()).items():
            known = self.game.answers[number]
            for card in named_cards(known, option, firsts) if known.site.payment is None else ():
                usage.chosen[known.case(option) or known.site.address, card] += times
        return usage


def first_copies(program: Program) -> dict[str, str]:
    """Id of a copy -> id of its card."""
    return {program.thing_ids[copy]: program.thing_ids[first] for copy, first in program.copies.items()}


def named_cards(answers: Answers, option: RawOption, firsts: Mapping[str, str]) -> Iterator[str]:
    """The cards among the things that an option names; its own name, as of a case or of declining, is none."""
    for id_, domain in zip(answers.ids(option), answers.domains(option), strict=False):
        card = firsts.get(id_, id_)
        if domain and card in answers.program.cards:
            yield card


class CardPlaces(NamedTuple):
    """The words of a store that tell where cards are, and the name of each card with the index of its word in them."""

    low: int
    high: int
    cards: tuple[tuple[str, int], ...]


def card_places(rules: Rules) -> CardPlaces:
    program = rules.program
    names = {t: program.thing_ids[program.copies.get(t, t)] for t in range(len(program.thing_ids))}
    found = [(name, program.placed[t]) for t, name in names.items() if name in program.cards and program.placed[t]]
    low = min((at for _, at in found), default=0)
    high = max((at for _, at in found), default=-1) + 1
    return CardPlaces(low, high, tuple((name, at - low) for name, at in found))
