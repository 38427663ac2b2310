"""Bare play over a store, for bots, simulations and measurements: no log, no decisions, no texts.

An `Engine` takes a loaded ruleset and works on stores (lists of ints); options are those of the machine. Answers are
recorded by their codes. For logs, views or words use `Game` and `State` instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from dsl.program import ASKING, CHANCE, OVER, SITE
from interpreter.core.errors import RulesetError
from interpreter.core.question import Option
from interpreter.rules.rules import Rules
from interpreter.session.setup import Member, blank_store

MAX_DECISIONS = 1_000_000  # of one playout; more of them are an endless game


@dataclass(frozen=True, slots=True)
class Playouts:
    """The result of random games: how many, their decisions, and the stores at their ends."""

    games: int
    decisions: int
    ends: tuple[list[int], ...] = ()


class Engine:
    def __init__(self, game: Rules) -> None:
        self.game = game
        self.machine = game.machine

    def new(self, seats: int | None = None, options: Mapping[str, Member] | None = None, seed: int = 0) -> list[int]:
        """The store of a new game that has been begun; nothing has run yet."""
        program = self.game.program
        words = blank_store(self.game, program.seats[0] if seats is None else seats, options or {}, seed)
        self.machine.start(words, program.entry)
        return words

    def copy(self, words: list[int]) -> list[int]:
        return words[:]

    def run(self, words: list[int]) -> None:
        """Run to the next question, to chance that is asked, or to the end."""
        self.machine.run(words)

    def options(self, words: list[int]) -> list[Option]:
        """The options of the pending question; none where nothing is asked."""
        return self.machine.options(words)

    def find_option(self, words: list[int], code: Sequence[int]) -> Option | None:
        return self.machine.find_option(words, code)

    def answer(self, words: list[int], code: Sequence[int]) -> None:
        """Take the option with this code and run on; IllegalAnswer, with nothing changed, if it is not offered."""
        self.machine.answer(words, code)

    def draw_option(self, words: list[int], chance: Random) -> Option | None:
        """One option of the pending question, each equally likely but for actions that are `seldom`; None
        where nothing is asked. Quicker than to choose from the list: only what is drawn is tried."""
        return self.machine.draw_option(words, chance.random)

    def playout(self, words: list[int], chance: Random) -> list[tuple[int, ...]]:
        """Play this store to its end, each answer drawn as by `draw_option`; gives their codes."""
        codes: list[tuple[int, ...]] = []

        def note(option: Option) -> bool:
            codes.append(option.code)
            return False

        self.machine.playout(words, chance.random, MAX_DECISIONS, note)
        return codes

    def playouts(self, words: list[int], n: int, seed: int, keep: bool = False) -> Playouts:
        """Play copies of this store to their ends, each with its own generator; `keep`: return the final stores."""
        ends: list[list[int]] | None = [] if keep else None
        player = self.game.native or self.machine
        decisions = player.playouts(self.certain(words), n, Random(seed), MAX_DECISIONS, ends)
        return Playouts(n, decisions, tuple(ends or ()))

    def certain(self, words: list[int]) -> list[int]:
        """A copy of this store, run on as far as no chance and no decision is needed: all games from it begin alike."""
        store = words[:]
        if not (store[SITE] or store[ASKING] or store[OVER]):
            store[ASKING] = 1
            self.machine.run(store)
            store[ASKING] = store[CHANCE] = 0
        return store

    def perft(self, words: list[int], depth: int) -> int:
        """The number of different sequences of `depth` small decisions from here; chance is drawn, not branched."""
        if depth == 0:
            return 1
        store = words[:]
        if not store[SITE]:
            self.run(store)
        if store[CHANCE]:
            raise RulesetError("sequences of decisions cannot be counted where chance is asked")
        options = self.options(store)
        if depth == 1:
            return len(options)
        found = 0
        for option in options:
            after = store[:]
            self.machine.take(after, option)
            found += self.perft(after, depth - 1)
        return found
