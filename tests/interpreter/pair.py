"""One game on two machines, the reference and generated Python: whatever is done is done on both and must agree."""

from __future__ import annotations

import random
from typing import Any

from dsl.program import Program
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.core.errors import RulesetError
from interpreter.machine.machine import Machine


class Pair:
    def __init__(self, program: Program, words: list[int], checked: bool = False) -> None:
        self.machines: tuple[Machine, Machine] = Machine(program), PythonMachine(program)
        self.stores = words[:], words[:]
        for m in self.machines:
            m.checked = checked

    def begin(self, words: list[int]) -> None:
        """Another game on the same machines."""
        self.stores = words[:], words[:]
        for m in self.machines:
            m.checked = False
            m.draws.clear()

    def both(self, work: Any) -> Any:
        """Do the same on both; the results, stores and the messages of faults must agree. After a fault the store is
        void: the budget, for one, is only looked at where a stretch ends, so that other routines may be running."""
        found: list[Any] = []
        for m, words in zip(self.machines, self.stores, strict=True):
            try:
                found.append(work(m, words))
            except RulesetError as fault:
                found.append(("fault", fault.message))
        assert found[0] == found[1]
        if not str(found[0]).startswith("('fault'"):
            assert self.stores[0] == self.stores[1]
            assert self.machines[0].draws == self.machines[1].draws
            assert all(type(word) is int for word in self.stores[1])  # a word is never a bool
        return found[0]

    def play(self, entry: int, choices: random.Random, decisions: int) -> int:
        """Play at random; gives the number of decisions."""
        self.both(lambda m, w: m.start(w, entry))
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
                return done  # a fault of the rules, the same on both
        return decisions

    def play_out(self, entry: int, seed: int, most: int) -> int:
        """Play to the end without being watched; gives the number of decisions."""
        self.both(lambda m, w: m.start(w, entry))
        codes: list[Any] = []

        def played(m: Machine, words: list[int]) -> list[Any]:
            codes.clear()
            m.playout(words, random.Random(seed).random, most, lambda option: bool(codes.append(option.code)))
            m.draws.clear()
            return codes[:]

        taken = self.both(played)
        return 0 if taken[:1] == ("fault",) else len(taken)
