"""One game played twice, by the reference and in native code: whatever is done is done in both and must agree."""

from __future__ import annotations

import random
from typing import Any

from dsl.program import SITE, Program
from interpreter.backends.native.games import NativeGames
from interpreter.backends.native.making import Making
from interpreter.backends.native.runner import NativeRunner
from interpreter.backends.native.targets import WASM
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words, new_store
from interpreter.machine.machine import Machine


class Pair:
    """`given_up`: how often low code left to the reference what was no fault of the rules. `in_native_code`: false
    where the program has no module, so that the reference plays both games."""

    def __init__(self, program: Program, words: Words, checked: bool = False, target: str = WASM) -> None:
        self.program, self.target = program, target
        self.machine, self.runner = Machine(program), NativeRunner(Machine(program), target)
        self.machine.checked = self.runner.checked = checked
        if self.runner.eager:
            self.making.wait()
        self.stores = new_store(words), new_store(words)
        self.given_up = 0

    @property
    def making(self) -> Making:
        return self.runner.making

    @property
    def in_native_code(self) -> bool:
        return not self.making.notice

    @property
    def has_module(self) -> bool:
        """Whether native code has played by now."""
        return self.runner.checked in self.runner._modules

    def begin(self, words: Words) -> None:
        """Another game by the same two."""
        self.stores = new_store(words), new_store(words)
        for m in (self.machine, self.runner):
            m.checked = False
            m.draws.clear()

    def both(self, work: Any) -> Any:
        """Do the same in both; the results, the stores, what was noted and the messages of faults must agree. After a
        fault the store is void: the reference may have gone further than low code."""
        found: list[Any] = []
        before = self.runner.given_up
        for m, words in zip((self.machine, self.runner), self.stores, strict=True):
            try:
                found.append(work(m, words))
            except RulesetError as fault:
                found.append(("fault", fault.message))
        assert found[0] == found[1]
        if not str(found[0]).startswith("('fault'"):
            self.given_up += self.runner.given_up - before
            self.agree()
        return found[0]

    def agree(self) -> None:
        """The stores, the options, the draws, the store with which a plan began, and what was withheld are the same."""
        one, other = self.machine, self.runner
        assert self.stores[0].tolist() == self.stores[1].tolist()
        if self.stores[0][SITE]:
            assert one.offers == other.offers
        assert one.draws == other.draws
        assert one.plan_start.tolist() == other.plan_start.tolist()
        assert one.undecided == other.undecided

    def start(self, entry: int) -> None:
        """Call the procedure that begins the game; both begin with the store of the reference."""
        one, other = self.stores
        self.machine.start(one, entry)
        other[:] = one

    def play(self, entry: int, choices: random.Random, decisions: int) -> int:
        """Play at random; gives the number of decisions."""
        self.start(entry)
        if self.both(lambda m, w: m.run(w)) is not None:
            return 0
        return self.go_on(choices, decisions)

    def go_on(self, choices: random.Random, decisions: int) -> int:
        """Answer at random from a question on; gives the number of decisions."""
        for done in range(decisions):
            options = self.both(lambda m, w: m.options(w))
            if not options:
                return done
            option = choices.choice(options)
            if self.both(lambda m, w, o=option: m.take(w, o)) is not None:
                return done  # a fault of the rules, the same in both
        return decisions

    def play_out(self, entry: int, seed: int, most: int) -> int:
        """Play random games to their ends; gives the number of decisions."""
        self.start(entry)
        games = NativeGames(self.runner.machine, self.target, making=self.making)
        found: list[Any] = []
        for player in (self.machine, games):
            ends: list[Words] = []
            try:
                decisions = player.playouts(self.stores[0], 2, random.Random(seed), most, ends)
                found.append((decisions, [words.tolist() for words in ends]))
            except RulesetError as fault:
                found.append(fault.message)
        assert found[0] == found[1]
        return found[0][0] if isinstance(found[0], tuple) else 0
