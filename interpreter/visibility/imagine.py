"""A position as a seat may imagine it: what the seat knows stays, what it cannot know is drawn anew.

Takes a store and gives a copy of it; the rules go on from there as in any game. Chance that is still to come is new.
The unknown things of a hidden ordered zone lie in a random order, in which each place keeps what is seen of a back.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl.program import ALL, ASKING, SCRIPT
from interpreter.choices.generator import Generator
from interpreter.core import rng
from interpreter.core.words import Words
from interpreter.rules.rules import Rules
from interpreter.visibility.audiences import sees_zone, top_seen, was_shown


def imagined(rules: Rules, words: Words, seat: int, chance: Generator) -> Words:
    """A copy of this store in which `seat` knows no more than it may; chance is drawn, also where it would be asked."""
    store = words[:]
    rng.set_state(store, chance.bits64())
    store[ASKING] = store[SCRIPT] = 0
    for number, zone in rules.cached(ordered_zones):
        size = words[zone.base]
        if size > 1 and not sees_zone(rules, words, number, seat):
            alike: dict[Any, list[int]] = {}  # places of unknown things, by what is seen of their backs
            top = top_seen(rules, words, number, seat)
            for at in range(zone.base + 1, zone.base + 1 + size):
                if words[at] != top and not was_shown(rules, words, words[at], seat):
                    alike.setdefault(rules.backs.get(words[at]), []).append(at)
            for places in alike.values():
                things = sorted(words[at] for at in places)  # so that their order here makes no difference
                chance.shuffle(things)
                for at, thing in zip(places, things, strict=True):
                    store[at] = thing
    return store


def ordered_zones(rules: Rules) -> tuple[tuple[int, ir.ZoneInstance], ...]:
    """The ordered zones that not everybody sees, with their numbers."""
    zones = enumerate(rules.program.zones)
    return tuple((number, zone) for number, zone in zones if zone.kind == "list" and zone.audience != ALL)
