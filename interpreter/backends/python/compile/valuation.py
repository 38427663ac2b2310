"""What bots judge by, in many stores that differ little from each other, as the options of a question do.

What the functions below it gave in a first store, the base, is remembered. In another store only those are worked out
again that may read (`analysis.footprint`) a word that differs from the base.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress, count
from operator import ne
from typing import Any

from dsl.program import HEADER
from interpreter.backends.analysis.footprint import Footprints
from interpreter.backends.python.compile.cache import VALUES, names_of

STRETCH = 48  # words that are compared at once
TRIAL, LEAST_HITS = 400, 120  # calls after which a function must have been answered from memory so often

Args = tuple[Any, ...]
Written = Callable[..., Any]  # a written function: the store, then its arguments


class Remembered:
    """What one function gave, by its arguments: in the base, with the addresses that it may read, and in the store that
    is looked at (`here`) where that may be different. `footprints`: these addresses; None: not only declared state."""

    __slots__ = ("base", "here", "footprints")

    def __init__(self) -> None:
        self.base: dict[Args, tuple[frozenset[int], Any]] = {}
        self.here: dict[Args, Any] = {}
        self.footprints: dict[Args, frozenset[int] | None] = {}


class Valuation:
    """Works out the function of a program that bots judge by, for one machine."""

    def __init__(self, m: Any) -> None:
        self.footprints, self.state_words = Footprints(m.program), m.program.state_words
        self.words: list[int] = []  # the base
        self.stretches: list[tuple[int, list[int]]] = []  # of the base, with the addresses at which they begin
        self.changed: set[int] = set()  # addresses at which the store that is looked at differs from the base
        self.remembered: dict[int, Remembered] = {}  # by number of the function
        self.names, module = names_of(m, VALUES)
        self.evaluate = f"_f{m.program.evaluate}"
        for number in module.functions:
            self.remember(number, self.names[f"_f{number}"])

    def begin(self, words: list[int]) -> None:
        """Take another store as the base; what may be different in it is forgotten."""
        changed = self.differences(words)
        for known in self.remembered.values():
            known.here.clear()
            base = known.base
            for key in [key for key, (footprint, _) in base.items() if not footprint.isdisjoint(changed)]:
                del base[key]
        self.words = words
        starts = range(HEADER, self.state_words, STRETCH)
        self.stretches = [(start, words[start : start + STRETCH]) for start in starts]

    def value(self, words: list[int], seat: int) -> Any:
        """What the position of a seat is worth in a store."""
        for known in self.remembered.values():
            known.here.clear()
        self.changed.clear()
        self.changed |= self.differences(words)
        return self.names[self.evaluate](words, seat)

    def differences(self, words: list[int]) -> set[int]:
        """The addresses of declared state at which a store differs from the base."""
        found: set[int] = set()
        for start, one in self.stretches:
            other = words[start : start + STRETCH]
            if one != other:
                found.update(compress(count(start), map(ne, one, other)))
        return found

    def remember(self, number: int, work: Written) -> None:
        """Answer calls of a function from memory where that is certain, unless it turns out to be so too seldom."""
        known = self.remembered[number] = Remembered()
        base, here, footprints, changed = known.base, known.here, known.footprints, self.changed
        calls = misses = 0

        def value(words: list[int], *key: Any) -> Any:
            nonlocal calls, misses
            calls += 1
            entry = base.get(key)
            if entry is not None and entry[0].isdisjoint(changed):
                return entry[1]
            found = here.get(key)
            if found is not None:
                return found
            misses += 1
            if calls == TRIAL and calls - misses < LEAST_HITS:
                self.names[f"_f{number}"] = work
                del self.remembered[number]
            found = work(words, *key)
            if key not in footprints:
                told = all(type(arg) is int for arg in key)
                footprints[key] = self.footprints.of(number, key) if told else None
            footprint = footprints[key]
            if footprint is not None and footprint.isdisjoint(changed):
                base[key] = footprint, found
            else:
                here[key] = found
            return found

        self.names[f"_f{number}"] = value
