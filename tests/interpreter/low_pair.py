"""One game by the reference and in low code: at each question all words and all options must agree.

Where low code gives up, the reference must have a fault, or the game goes on from its store; `given_up` counts the
latter, which is allowed but slow.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from dsl.program import SITE, Program
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.interpreter import Interpreter, Trapped
from interpreter.backends.low.whole.lowering import lower
from interpreter.backends.low.whole.stepper import Runner, Stepper
from interpreter.core.errors import RulesetError
from interpreter.machine.machine import Machine

MakeRunner = Callable[[low.Module], Runner]


class LowPair:
    """Raises Unsupported for a program that cannot be lowered."""

    def __init__(self, program: Program, make: MakeRunner = Interpreter) -> None:
        self.program, self.machine = program, Machine(program)
        lowered = lower(program)
        self.stepper = Stepper(lowered.regions, make(lowered.module))
        self.words: list[int] = []
        self.given_up = self.faults = 0

    def play(self, words: list[int], choices: random.Random, decisions: int) -> int:
        """Begin a game in this store and play it at random; gives the number of decisions."""
        self.words = words[:]
        self.machine.start(self.words, self.program.entry)
        self.stepper.load(self.words)
        if not self.both(lambda: self.machine.run(self.words), self.stepper.run):
            return 0
        for done in range(decisions):
            if not self.words[SITE]:
                return done
            options = self.machine.options(self.words)
            index = choices.randrange(len(options))
            option = options[index]
            if not self.both(
                partial(self.machine.take, self.words, option),
                partial(self.stepper.answer, index),
            ):
                return done
        return decisions

    def both(self, by_reference: Callable[[], None], in_low_code: Callable[[], None]) -> bool:
        """Do the same in both; false after a fault of the rules."""
        try:
            by_reference()
        except RulesetError as fault:
            self.faults += 1
            try:
                in_low_code()
            except Trapped:
                return False
            raise AssertionError(f"low code did not notice: {fault.message}") from None
        try:
            in_low_code()
        except Trapped:
            self.given_up += 1
            self.stepper.load(self.words)
            self.stepper.run()
        assert self.stepper.words == self.words
        assert self.stepper.options == self.machine.options(self.words)
        return True
