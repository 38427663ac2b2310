"""Random games in native code, by the module of a program: with the random numbers of Python, and the same results.

Where low code gives up, the reference plays the same decision, which has the message of a fault, or
goes on if there is none; where decisions are not kept, it plays the game again from its beginning. Where there is no
module, or low code gives up too often, `notice` says why, and the reference plays.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence, Sequence
from random import Random
from typing import Final

from dsl.program import ASKING
from interpreter.backends.low.base.context import DECISIONS, DRAWN, GAMES
from interpreter.backends.low.base.exported import BEGIN, COUNT, SP
from interpreter.backends.low.base.memory import MERSENNE
from interpreter.backends.low.base.regions import Regions
from interpreter.backends.low.form.nodes import Reason, Trapped
from interpreter.backends.low.whole.driver import PLAYOUTS, RESUME
from interpreter.backends.native.beginnings import WORTH, Beginnings, CallPace
from interpreter.backends.native.cache import Made, instance_for_games
from interpreter.backends.native.making import Making
from interpreter.backends.native.rows import option_of, row_of
from interpreter.backends.native.targets import WASM, Instance, target_called
from interpreter.choices.draw import Rng
from interpreter.core.question import RawOption
from interpreter.core.words import Words, new_store
from interpreter.machine.machine import Machine

FEW = 10  # games: for more of them the module is waited for
ENOUGH = 50  # decisions at which low code gave up, before that is thought to be often
OFTEN = 4  # a share of one in so many is too often
TWISTER = 3  # the version of Python's generator, as `getstate` names it
SIGNED: Final = "i"  # words of memory
UNSIGNED: Final = "I"  # those of Python's generator


class NativeGames:
    """Plays for a machine. `notice`: why games do not run in native code; empty if they do, or if none has been played
    yet. `replayed`: the games that were played again by the machine; `given_up`: the decisions that it made instead of
    low code, of all `decisions`. `beginnings`: the modules that play whole games, each from `worth` games on."""

    def __init__(self, machine: Machine, target: str = WASM, worth: int = WORTH, making: Making | None = None) -> None:
        """`making`: the module, where others use it as well; else it is made when it is first asked for."""
        self.machine = machine
        self.making = making or Making(machine.program, target_called(target), False, eager=True)
        self.target = self.making.target
        self.notice = ""
        self.replayed = self.given_up = self.decisions = 0
        self._made: tuple[Instance, Made] | None = None
        self.beginnings = Beginnings(machine.program, self._made_for, worth)

    def made(self) -> tuple[Instance, Made] | None:
        """The module of the program; None where it is not there yet, or, with a notice, where there is none."""
        if self._made is None and not self.notice:
            self._made, self.notice = self.making.instance(), self.making.notice
        return self._made

    def _made_for(self, begun: Words, knowing: bool) -> tuple[Instance, Made]:
        return instance_for_games(self.machine.program, begun, knowing, self.target)

    def playouts(self, begun: Words, n: int, chance: Random, most: int, ends: list[Words] | None) -> int:
        """Play copies of this store to their ends, as `Machine.playouts` does; gives the number of decisions."""
        if n > FEW:
            self.making.wait()
        made, knowing = None, ends is not None
        if not self.machine.checked and not begun[ASKING]:
            made = self.beginnings.module_for(begun, knowing, n) or self.made()
        if made is None or len(begun) > made[1].regions.top or chance.getstate()[0] != TWISTER:
            return self.making.spend(lambda: self.machine.playouts(begun, n, chance, most, ends))
        instance, regions = made[0], made[1].regions
        memory = instance.memory
        memory[regions.begun] = len(begun)
        memory[regions.begun + 1 : regions.begun + 1 + len(begun)] = begun
        played, decisions, pace = 0, 0, CallPace(1 if ends is not None else n)
        while played < n and not self.notice:
            put_state(memory, regions.mersenne, chance)
            finished = pace.play(n - played, lambda games: self._play(made, games, chance, most))
            played += instance.get(GAMES)
            decisions += instance.get(DECISIONS)
            if not finished:
                self.replayed += 1
                decisions += self.machine.playouts(begun, 1, chance, most, ends)
                played += 1
                if self.beginnings.failed(begun, knowing):
                    self.decisions += decisions
                    return decisions + self.playouts(begun, n - played, chance, most, ends)
            elif ends is not None:
                ends.append(new_store(memory[: instance.get(SP)]))
            self.notice = too_often(made[1], self.given_up, self.decisions + decisions)
        self.decisions += decisions
        return decisions + (self.machine.playouts(begun, n - played, chance, most, ends) if played < n else 0)

    def _play(self, made: tuple[Instance, Made], games: int, chance: Random, most: int) -> bool:
        """Play games from the store in memory; false if the last one has to be played again from its beginning."""
        instance, regions = made[0], made[1].regions
        work, given_up = PLAYOUTS, self.given_up
        while True:
            try:
                instance.call(work, games, most)
                take_state(instance.memory, regions.mersenne, chance)
                return True
            except Trapped as trapped:
                if not regions.keeps or trapped.reason == Reason.ENDLESS:
                    take_before(instance.memory, regions, chance)
                    return False
            self.given_up += 1
            self._decide(instance, regions, chance)
            work = RESUME
            if self.given_up - given_up > ENOUGH:
                games = min(games, instance.get(GAMES) + 1)  # to see whether this pays

    def _decide(self, instance: Instance, regions: Regions, chance: Random) -> None:
        """Play by the machine the decision at which low code gave up, and write what follows into memory."""
        memory, machine = instance.memory, self.machine
        take_state(memory, regions.kept, chance)
        words, option = kept(memory, regions)
        drawn = decide(machine, words, option, chance.random)
        keep_before(memory, regions)
        put_state(memory, regions.mersenne, chance)
        memory[: len(words)] = words
        instance.call(BEGIN, len(words))
        if drawn is not None:
            instance.write(regions.options, row_of(drawn))
            instance.set(COUNT, 1)
            instance.set(DRAWN, 1)


def too_often(made: Made, given_up: int, decisions: int) -> str:
    """The notice that low code gave up at too many of so many decisions; empty if it did not."""
    if given_up <= ENOUGH or OFTEN * given_up <= decisions:
        return ""
    gaps = f": {made.gaps[0]}" if made.gaps else ""
    return f"low code gives up too often in this ruleset{gaps}"


def kept(memory: Sequence[int], regions: Regions) -> tuple[Words, RawOption | None]:
    """The store in memory that was kept, and the option that was taken there; None: there was none yet."""
    length = regions.kept + MERSENNE
    row, first = length + 1, length + 1 + regions.stride
    option = None if memory[row] < 0 else option_of(memory[row:first])
    return new_store(memory[first : first + memory[length]]), option


def decide(machine: Machine, words: Words, option: RawOption | None, rng: Rng) -> RawOption | None:
    """Take an answer (None: only run on) as `Machine.playout` does; gives the answer that is drawn for the next
    question, None if the game is over."""
    machine.rng = rng
    try:
        machine.draws.clear()
        if option is None:
            machine.run(words)
        else:
            machine.take(words, option)
        return machine.drawn() or machine.draw_option(words, rng)
    finally:
        machine.rng = None


def put_state(memory: MutableSequence[int], at: int, chance: Random) -> None:
    """Write the state of Python's generator into memory."""
    memory[at : at + MERSENNE] = memoryview(array(UNSIGNED, chance.getstate()[1])).cast("B").cast(SIGNED).tolist()


def take_state(memory: Sequence[int], at: int, chance: Random) -> None:
    """Let Python's generator go on from a state in memory."""
    words = memoryview(array(SIGNED, memory[at : at + MERSENNE])).cast("B").cast(UNSIGNED)
    chance.setstate((TWISTER, tuple(words), None))


def keep_before(memory: MutableSequence[int], regions: Regions) -> None:
    """Keep the state with which the game began, before another one is written."""
    if not memory[regions.before + MERSENNE]:
        words = MERSENNE - 1
        memory[regions.before : regions.before + words] = memory[regions.mersenne : regions.mersenne + words]
        memory[regions.before + MERSENNE] = 1


def take_before(memory: MutableSequence[int], regions: Regions, chance: Random) -> None:
    """Let Python's generator go on from where it stood at the beginning of the game."""
    keep_before(memory, regions)
    take_state(memory, regions.before, chance)
