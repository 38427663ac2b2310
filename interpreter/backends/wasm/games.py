"""Random games in WebAssembly, by the module of a program: with the random numbers of Python, and the same results.

Where low code gives up, the game is played again from its beginning by the machine of generated Python, which has the
message of a fault, or goes on if there is none. Where there is no module, `notice` says why, and that machine plays.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from random import Random

from dsl.program import ASKING
from interpreter.backends.low.base.context import DECISIONS, GAMES, SP
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.memory import MERSENNE, Regions
from interpreter.backends.low.form.interpreter import Trapped
from interpreter.backends.low.whole.driver import PLAYOUTS
from interpreter.backends.wasm import host
from interpreter.backends.wasm.cache import PLAYING, instance_of
from interpreter.backends.wasm.host import Instance
from interpreter.core.words import Words
from interpreter.machine.machine import Machine

AT_ONCE = 1000  # games of one call, so that a run can be stopped from the keyboard
TWISTER = 3  # the version of Python's generator, as `getstate` names it
SIGN = 1 << 31


class NativeGames:
    """Plays for a machine. `notice`: why games do not run in WebAssembly; empty if they do, or if none has been played
    yet. `replayed`: the games in which low code gave up."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.notice = ""
        self.replayed = 0
        self._made: tuple[Instance, Regions] | None = None

    def made(self) -> tuple[Instance, Regions] | None:
        """The module of the program; None, with a notice, where there is none."""
        if self._made is None and not self.notice:
            if not host.available():
                self.notice = host.MISSING
            else:
                try:
                    self._made = instance_of(self.machine.program, PLAYING)
                except Unsupported as reason:
                    self.notice = f"this ruleset cannot be played in WebAssembly yet: {reason}"
        return self._made

    def playouts(self, begun: Words, n: int, chance: Random, most: int, ends: list[Words] | None) -> int:
        """Play copies of this store to their ends, as `Machine.playouts` does; gives the number of decisions."""
        made = None if self.machine.checked or begun[ASKING] else self.made()
        if made is None or len(begun) > made[1].top or chance.getstate()[0] != TWISTER:
            return self.machine.playouts(begun, n, chance, most, ends)
        instance, regions = made
        memory = instance.memory
        memory[regions.begun] = len(begun)
        memory[regions.begun + 1 : regions.begun + 1 + len(begun)] = begun
        played = decisions = 0
        while played < n:
            games = 1 if ends is not None else min(n - played, AT_ONCE)
            put_state(memory, regions.mersenne, chance)
            gave_up = False
            try:
                instance.call(PLAYOUTS, games, most)
            except Trapped:
                gave_up = True
            take_state(memory, regions.before if gave_up else regions.mersenne, chance)
            played += instance.get(GAMES)
            decisions += instance.get(DECISIONS)
            if gave_up:
                self.replayed += 1
                decisions += self.machine.playouts(begun, 1, chance, most, ends)
                played += 1
            elif ends is not None:
                ends.append(list(memory[: instance.get(SP)]))
        return decisions


def put_state(memory: MutableSequence[int], at: int, chance: Random) -> None:
    """Write the state of Python's generator into memory."""
    memory[at : at + MERSENNE] = [word - 2 * SIGN if word & SIGN else word for word in chance.getstate()[1]]


def take_state(memory: Sequence[int], at: int, chance: Random) -> None:
    """Let Python's generator go on from a state in memory."""
    words = tuple(word & 2 * SIGN - 1 for word in memory[at : at + MERSENNE])
    chance.setstate((TWISTER, words, None))
