"""A game in low code, decision by decision: a store is written into the memory of a module that runs, and read back.

What runs the module is a `Runner`: the interpreter of the low form, or a host of a target.
"""

from __future__ import annotations

from typing import Any, Protocol

from dsl.program import SITE
from interpreter.backends.low.base.exported import BEGIN, COUNT, RELIST, SP
from interpreter.backends.low.base.regions import Regions
from interpreter.backends.low.whole.driver import ANSWER, RUN
from interpreter.backends.native.rows import option_of
from interpreter.core.question import RawOption
from interpreter.core.words import Words, new_store


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

    def load(self, words: Words) -> None:
        """Go on with this store."""
        self.runner.memory[: len(words)] = words
        self.runner.call(BEGIN, len(words))

    @property
    def words(self) -> Words:
        """The store as it is now."""
        return new_store(self.runner.memory[: self.runner.get(SP)])

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
    def options(self) -> list[RawOption]:
        """The options of the pending question; none if there is no question."""
        if not self.runner.memory[SITE]:
            return []
        return [option_at(self.runner.memory, self.regions, n) for n in range(self.runner.get(COUNT))]


def option_at(memory: Any, regions: Regions, n: int) -> RawOption:
    """The n-th option in memory."""
    at = regions.options + n * regions.stride
    return option_of(memory[at : at + regions.stride])
