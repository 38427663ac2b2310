"""A position as a seat may imagine it: what the seat knows stays, what it cannot know is drawn anew.

Takes a store and gives a copy of it; the rules go on from there as in any game. Chance that is still to come is new.
The unknown things of a hidden ordered zone lie in a random order, in which each place keeps what is seen of a back.
"""

from __future__ import annotations

from interpreter.choices.generator import Generator
from interpreter.choices.redeal import alike_backs, hidden_zones, redeal
from interpreter.core.words import Words
from interpreter.rules.rules import Rules
from interpreter.visibility.audiences import sees_zone, top_seen, was_shown


def imagined(rules: Rules, words: Words, seat: int, chance: Generator) -> Words:
    """A copy of this store in which `seat` knows no more than it may; chance is drawn, also where it would be asked."""
    store = words[:]
    redeal(SightOfStore(rules, words), store, seat, chance)
    return store


class SightOfStore:
    """What may be known of a store (`interpreter.choices.redeal.Sight`)."""

    def __init__(self, rules: Rules, words: Words) -> None:
        self.rules, self.words = rules, words
        self.zones, self.backs = rules.cached(tables)

    def sees(self, zone: int, seat: int) -> bool:
        return sees_zone(self.rules, self.words, zone, seat)

    def sees_top(self, zone: int, seat: int) -> bool:
        return top_seen(self.rules, self.words, zone, seat) != 0

    def was_shown(self, thing: int, seat: int) -> bool:
        return was_shown(self.rules, self.words, thing, seat)


def tables(rules: Rules) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return hidden_zones(rules.program), alike_backs(rules.program)
