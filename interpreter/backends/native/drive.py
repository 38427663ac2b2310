"""The memory in which bare games are driven, one position at a time.

The position that is driven lies in memory between two calls, so that an answer costs no copy. Whoever holds it is asked
to leave before another position comes in. Forced answers are taken here, and the seat that is asked is told.
"""

from __future__ import annotations

from array import array
from typing import Protocol

from interpreter.backends.low.base.exported import (
    LIST_OUTCOMES,
    OUTCOME_WORDS,
    PERFT,
    SETTLED,
    SETTLES,
    START,
    STEP,
    TAKE_OUTCOME,
    TAKE_ROW,
)
from interpreter.backends.low.base.memory import MERSENNE
from interpreter.backends.native.cache import Made
from interpreter.backends.native.module import NativeModule
from interpreter.backends.native.targets import Instance
from interpreter.core.words import Words


class Holder(Protocol):
    """A position that lies in memory."""

    def leave(self) -> None:
        """Copy out what is needed, since another position comes in."""


class Drive(NativeModule):
    """A module that keeps one position in its memory from answer to answer. `holder`: whose position lies in memory;
    None: nobody's. What runs on gives the numbers of `step` (see `exported`), and raises Trapped where low code gives
    up; then the memory holds nothing."""

    def __init__(self, instance: Instance, made: Made, settles: bool) -> None:
        """`settles`: whether forced answers are taken."""
        super().__init__(instance, made)
        instance.set(SETTLES, int(settles))
        self.holder: Holder | None = None
        self.answer = self.caller(STEP)

    def hold(self, holder: Holder | None) -> None:
        """Let the memory be that of this position."""
        if self.holder is not None and self.holder is not holder:
            self.holder.leave()
        self.holder = holder

    def begin(self, words: Words) -> int:
        """Run on from a store to the next question, or list the options of the one it waits with."""
        return self.caller(START)(self.hand_in(words))

    def answer_row(self, words: Words, row: bytes) -> int:
        """Take the option of this row in a store."""
        size = self.hand_in(words)
        self.instance.write(self.regions.options, array("i", row))
        return self.caller(TAKE_ROW)(size)

    def draw_outcome(self, value: int) -> int:
        """Take an outcome of the chance event that the position waits for."""
        self.caller(TAKE_OUTCOME)(value)
        return self.caller(SETTLED)()

    def outcomes(self) -> list[tuple[int, int]]:
        """The outcomes of the chance event that the position waits for: values and weights."""
        count = self.caller(LIST_OUTCOMES)()
        found = self.memory[self.regions.options : self.regions.options + OUTCOME_WORDS * count]
        return list(zip(found[::OUTCOME_WORDS], found[1::OUTCOME_WORDS], strict=True))

    def words(self, size: int) -> Words:
        """A copy of the store in memory, which has so many words."""
        return array("i", self.instance.read(0, size))

    def kept(self) -> tuple[Words, bytes]:
        """The store and the row of the option with which the last answer began."""
        at = self.regions.kept + MERSENNE
        row, stride = at + 1, self.regions.stride
        return array("i", self.instance.read(row + stride, self.memory[at])), self.instance.read(row, stride)

    def perft(self, words: Words, depth: int) -> int:
        """The number of sequences of so many small decisions from a store; the memory holds nothing then."""
        self.hold(None)
        return self.caller(PERFT)(self.hand_in(words), depth)
