"""A game in low code, decision by decision: a store is written into the memory of a module that runs, and read back.

What runs the module is a `Runner`: the interpreter of the low form, or a host of a target.
"""

from __future__ import annotations

from typing import Any, Protocol

from dsl.program import SITE
from interpreter.backends.low.base.context import BEGIN, COUNT, RELIST, SP
from interpreter.backends.low.base.memory import Regions
from interpreter.backends.low.rules.questions import KIND_NAMES, NUMBER, PICK, VALUES
from interpreter.backends.low.whole.driver import ANSWER, RUN
from interpreter.core.question import DECLINE, READY, Option


class Runner(Protocol):
    """Something that runs a module. `memory` can be read and written by slices of words with a sign."""

    memory: Any

    def call(self, name: str, *args: int) -> int:
        """The result of an exported function. Raises Trapped where it gives up."""

    def get(self, name: str) -> int:
        """The value of a global."""


class Stepper:
    def __init__(self, regions: Regions, runner: Runner) -> None:
        self.regions, self.runner = regions, runner

    def load(self, words: list[int]) -> None:
        """Go on with this store."""
        self.runner.memory[: len(words)] = words
        self.runner.call(BEGIN, len(words))

    @property
    def words(self) -> list[int]:
        """The store as it is now."""
        return list(self.runner.memory[: self.runner.get(SP)])

    def run(self) -> None:
        """Run to the next question or the end."""
        if self.runner.memory[SITE]:
            self.runner.call(RELIST)
        else:
            self.runner.call(RUN)

    def answer(self, index: int) -> None:
        """Take an option, and run on."""
        self.runner.call(ANSWER, index)

    @property
    def options(self) -> list[Option]:
        """The options of the pending question; none if there is no question."""
        if not self.runner.memory[SITE]:
            return []
        first, stride = self.regions.options, self.regions.stride
        return [read_option(self.runner.memory, first + n * stride) for n in range(self.runner.get(COUNT))]


def read_option(memory: Any, at: int) -> Option:
    """The option whose row stands at an address."""
    kind, code, count = memory[at : at + VALUES]
    name = KIND_NAMES[kind]
    if name == DECLINE.kind:
        return DECLINE
    if name == READY.kind:
        return READY
    values = tuple(memory[at + VALUES : at + VALUES + count])
    return Option(name, (code, *values), code - 1 if kind in (PICK, NUMBER) else 0, values)


def write_option(memory: Any, at: int, option: Option) -> None:
    """Write the row of an option at an address."""
    row = [KIND_NAMES.index(option.kind), option.code[0], len(option.values), *option.values]
    memory[at : at + len(row)] = row
