"""What bots judge positions by, worked out in native code.

Stores that are judged one after another differ little, so only the words that changed are written into memory. Where
low code gives up, or there is no module, the machine of generated Python judges, with the same results.
"""

from __future__ import annotations

from typing import Any

from interpreter.backends.low.form.interpreter import Trapped
from interpreter.backends.low.whole.worth import WORTH
from interpreter.backends.native.cache import JUDGING, made_or_why
from interpreter.backends.native.targets import WASM, target_called
from interpreter.core.words import Words
from interpreter.machine.machine import Machine

STRETCH, PART = 512, 32  # words that are compared at once, and those of them that are written at once


class NativeJudge:
    """Judges for a machine. `notice`: why nothing is judged in native code; empty if it is, or if nothing has been
    judged yet. `given_up`: how often low code gave up."""

    def __init__(self, machine: Machine, target: str = WASM) -> None:
        self.machine, self.target = machine, target_called(target)
        self.notice = ""
        self.given_up = 0
        self.held: list[int] = []  # the words that stand in memory
        self._call: Any = None

    def worth(self, words: Words, base: Words, seat: int) -> int:
        """What a position is worth to a seat, as `Machine.worth` says it."""
        if self._call is None and not self.notice:
            self.make()
        if self._call is not None and len(words) <= len(self.held):
            self.put(words)
            try:
                return int(self._call(seat))
            except Trapped:
                self.given_up += 1
        return self.machine.worth(words, base, seat)

    def make(self) -> None:
        """Load the module, or make it; say in `notice` why there is none."""
        found, self.notice = made_or_why(
            self.machine.program, JUDGING, self.target, "positions of this ruleset cannot be judged"
        )
        if found is None:
            return
        instance, made = found
        self.memory = instance.memory
        self.held = list(self.memory[: made.regions.top])
        self._call = instance.caller(WORTH)

    def put(self, words: Words) -> None:
        """Write a store into memory."""
        held, memory = self.held, self.memory
        for start in range(0, len(words), STRETCH):
            stretch = words[start : start + STRETCH]
            if held[start : start + len(stretch)] != stretch:
                for at in range(start, start + len(stretch), PART):
                    part = words[at : at + PART]
                    end = at + len(part)
                    if held[at:end] != part:
                        memory[at:end] = held[at:end] = part
