"""Bare play over a store, for bots, simulations and measurements: no log, no decisions, no texts.

An `Engine` takes a loaded ruleset and works on stores; options are those of the machine. Answers are
recorded by their codes. For logs, views or words use `Game` and `State` instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from dsl.program import ASKING, CHANCE, OVER, SITE
from interpreter.backends.low.form.nodes import Trapped
from interpreter.core.errors import RulesetError
from interpreter.core.question import RawOption
from interpreter.core.words import Words
from interpreter.machine.faults import not_offered
from interpreter.machine.invariants import checking
from interpreter.machine.machine import Machine
from interpreter.rules.rules import Rules
from interpreter.session.driver import drive_of
from interpreter.session.setup import Member, blank_store

if TYPE_CHECKING:
    from interpreter.backends.native.runner import NativeRunner

MAX_DECISIONS = 1_000_000  # of one playout; more of them are an endless game


@dataclass(frozen=True, slots=True)
class Playouts:
    """The result of random games: how many, their decisions, and the stores at their ends."""

    games: int
    decisions: int
    ends: tuple[Words, ...] = ()


class Engine:
    """Play over bare stores, without logs. `checked`: whether invariants and places are tested in what it plays."""

    def __init__(self, game: Rules, checked: bool = False) -> None:
        self.game, self.checked = game, checked
        self.machine = game.machine

    def new(self, seats: int | None = None, options: Mapping[str, Member] | None = None, seed: int = 0) -> Words:
        """The store of a new game that has been begun; nothing has run yet."""
        program = self.game.program
        words = blank_store(self.game, program.seats[0] if seats is None else seats, options or {}, seed)
        self.machine.start(words, program.entry)
        return words

    def copy(self, words: Words) -> Words:
        return words[:]

    def run(self, words: Words) -> None:
        """Run to the next question, to chance that is asked, or to the end."""
        self._ready().run(words)

    def options(self, words: Words) -> list[RawOption]:
        """The options of the pending question; none where nothing is asked."""
        return self._ready().options(words)

    def find_option(self, words: Words, code: Sequence[int]) -> RawOption | None:
        """The option with this code, if it is offered."""
        wanted = tuple(code)
        return next((o for o in self.options(words) if o.code == wanted), None)

    def answer(self, words: Words, code: Sequence[int]) -> None:
        """Take the option with this code and run on; IllegalAnswer, with nothing changed, if it is not offered."""
        option = self.find_option(words, code)
        if option is None:
            raise not_offered(self.game.program, words, code)
        self._ready().take(words, option)

    def _ready(self) -> Machine | NativeRunner:
        """The game's runner, checked as these playouts are, with no draws of the call before left in it."""
        runner = self.game.runner
        runner.checked = self.checked
        runner.draws.clear()
        return runner

    def draw_option(self, words: Words, chance: Random) -> RawOption | None:
        """One option of the pending question, each equally likely but for actions that are `seldom`; None
        where nothing is asked. Quicker than to choose from the list: only what is drawn is tried."""
        with checking(self.machine, self.checked):
            return self.machine.draw_option(words, chance.random)

    def playout(self, words: Words, chance: Random) -> list[tuple[int, ...]]:
        """Play this store to its end, each answer drawn as by `draw_option`; gives their codes."""
        codes: list[tuple[int, ...]] = []

        def note(option: RawOption) -> bool:
            codes.append(option.code)
            return False

        with checking(self.machine, self.checked):
            self.machine.playout(words, chance.random, MAX_DECISIONS, note)
        return codes

    def playouts(self, words: Words, n: int, seed: int, keep: bool = False) -> Playouts:
        """Play copies of this store to their ends, each with its own generator; `keep`: return the final stores."""
        ends: list[Words] | None = [] if keep else None
        player = self.game.native or self.machine
        begun = self.certain(words)
        with checking(self.machine, self.checked):
            decisions = player.playouts(begun, n, Random(seed), MAX_DECISIONS, ends)
        return Playouts(n, decisions, tuple(ends or ()))

    def certain(self, words: Words) -> Words:
        """A copy of this store, run on as far as no chance and no decision is needed: all games from it begin alike."""
        store = words[:]
        if not (store[SITE] or store[ASKING] or store[OVER]):
            store[ASKING] = 1
            self.run(store)
            store[ASKING] = store[CHANCE] = 0
        return store

    def perft(self, words: Words, depth: int) -> int:
        """The number of different sequences of `depth` small decisions from here; chance is drawn, not branched. In
        native code where that can be had."""
        drive = drive_of(self.game) if depth else None
        if drive is not None and not words[ASKING] and len(words) <= drive.top:
            try:
                return drive.perft(words, depth)
            except Trapped:
                pass  # a fault, or what low code cannot do: the reference says which
        return self._perft(words, depth)

    def divide(self, words: Words, depth: int) -> list[tuple[RawOption, int]]:
        """`perft` for each option of the next question, in their order: after it come `depth - 1` more decisions."""
        store = self._asked(words)
        found = []
        for option in self.options(store):
            after = store[:]
            self._ready().take(after, option)
            found.append((option, self.perft(after, depth - 1)))
        return found

    def _asked(self, words: Words) -> Words:
        """A copy of this store, run on to the next question."""
        store = words[:]
        if not store[SITE]:
            self.run(store)
        if store[CHANCE]:
            raise RulesetError("sequences of decisions cannot be counted where chance is asked")
        return store

    def _perft(self, words: Words, depth: int) -> int:
        """`perft` by the reference."""
        if depth == 0:
            return 1
        store = self._asked(words)
        options = self.options(store)
        if depth == 1:
            return len(options)
        found = 0
        for option in options:
            after = store[:]
            self._ready().take(after, option)
            found += self._perft(after, depth - 1)
        return found
