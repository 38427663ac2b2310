"""Games by bots in native code, with figures of each: random games, and games in which each seat has a bot.

The module plays and notes; the host hands in stores and seeds, and reads rows of figures and totals. Where low code
gives up, the machine of generated Python carries out the answer, or the caller chooses it; low code goes on behind
it. Where that cannot be, the caller has to play the whole game itself.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from dsl.program import CHANCE, SITE
from interpreter.backends.low.base.context import CANDIDATES, COUNT, DRAWN, GAMES, SP
from interpreter.backends.low.base.memory import MERSENNE, MOST_ROWS
from interpreter.backends.low.bots.choices import GREEDY, RANDOM
from interpreter.backends.low.bots.stores import STATE
from interpreter.backends.low.form.interpreter import Trapped
from interpreter.backends.low.notes.book import ANSWERED, MOST_GAMES, MOST_SEATS, ROW_MOMENT, ROW_OPTION, ROW_SITE, Book
from interpreter.backends.low.notes.trace import TRACE
from interpreter.backends.low.whole.generator import KEYED
from interpreter.backends.low.whole.noting import ANSWERS_OF
from interpreter.backends.low.whole.stepper import read_option, write_option
from interpreter.backends.low.whole.walks import (
    CHOSEN_BY_HOST,
    GO_ON,
    PATIENCE,
    PHASE,
    STOP_AT,
    TAKEN_BY_HOST,
    WALKS,
    Phase,
)
from interpreter.backends.native.cache import CHECKING, WALKING, Made, made_or_why
from interpreter.backends.native.games import decide, kept, put_state, take_state, too_often
from interpreter.backends.native.targets import WASM, Instance, target_called
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.choices.keyed import KeyedRandom
from interpreter.core.question import Option
from interpreter.core.words import Words
from interpreter.machine.machine import Machine

BOTS = {"random": RANDOM, "greedy": GREEDY}
MOST_SEED = 1 << 62
PATIENT = {True: 100_000, False: 200}  # answers of one call: of random games, and of games by bots
HALF = 1 << 31
NEVER = -1  # the number of no answer


class Start(NamedTuple):
    """A game: the three words of its generator, by how many seats the bots are moved, and the seed of the bots."""

    rng: tuple[int, int, int]
    turn: int
    seed: int


class Chosen(NamedTuple):
    """What a bot has chosen: the option, the seat that acts out of turn with it (0: the question's own), and the store
    of its question."""

    option: Option
    moment: int
    words: Words


Generators: TypeAlias = dict[int, tuple[Random, Random]]  # by sort of bot: for choices, and for actions at any moment
Choose: TypeAlias = Callable[[Words, Generators, int], Chosen]  # the last: by how many seats the bots are moved
Draw: TypeAlias = Callable[[Words, int, dict[str, int]], int]
"""What chance gives where it is asked: the store, the seed of the game, and how often each event has come so far, by
its address, which counts on."""
Row: TypeAlias = list[int]


def undrawn(words: Words, seed: int, times: dict[str, int]) -> int:
    """For games whose chance is not asked."""
    raise AssertionError("chance is drawn by the machine")


class NativeWalks:
    """Plays for a machine. `notice`: why games do not run in native code; empty if they do, or if none has been played
    yet. `given_up`: how often the machine or the caller decided instead of low code; `replayed`: games that it did not
    play to their ends."""

    def __init__(self, machine: Machine, target: str = WASM, draw: Draw = undrawn, checked: bool = False) -> None:
        """`checked`: whether invariants and places are tested; `draw`: for games whose chance is asked."""
        self.machine, self.target, self.draw, self.checked = machine, target_called(target), draw, checked
        self.notice = ""
        self.given_up = self.replayed = self.answers = 0
        self._made: tuple[Instance, Made] | None = None

    def made(self) -> tuple[Instance, Made] | None:
        """The module of the program; None, with a notice, where there is none."""
        if self._made is None and not self.notice:
            self._made, self.notice = made_or_why(
                self.machine.program,
                CHECKING if self.checked else WALKING,
                self.target,
                "games of this ruleset cannot be simulated",
            )
        return self._made

    @property
    def book(self) -> Book:
        assert self._made is not None and self._made[1].book is not None, "a module that plays games by bots"
        return self._made[1].book

    @property
    def memory(self) -> MutableSequence[int]:
        assert self._made is not None
        found: MutableSequence[int] = self._made[0].memory
        return found

    def play(
        self, begun: Words, starts: Sequence[Start], most: int, bots: Sequence[str] | None, choose: Choose
    ) -> list[Row | None]:
        """Play games from copies of this store; None for `bots` plays at random. Gives the figures of each, None for
        one that the caller must play. `choose` chooses where low code gives up."""
        made = self.made()
        if made is None or len(begun) > made[1].regions.top or len(starts) > MOST_GAMES:
            return [None] * len(starts)
        self._hand_in(made, begun, starts, bots)
        instance, book = made[0], self.book
        memory = instance.memory
        found: list[Row | None] = []
        while len(found) < len(starts):
            first = len(found)
            whole = self._play(made, first, len(starts) - first, most, bots is None, choose)
            for n in range(first, first + instance.get(GAMES)):
                at = book.results + n * book.result
                found.append(list(memory[at : at + book.result]))
            self.answers += sum(row[ANSWERED] for row in found[first:] if row)
            if not whole:
                found.append(None)
                self.replayed += 1
        self.notice = self.notice or too_often(made[1], self.given_up, self.answers)
        return found

    def look_again(
        self,
        begun: Words,
        start: Start,
        most: int,
        bots: Sequence[str] | None,
        choose: Choose,
        stops: Sequence[int],
        look: Callable[[Words], None],
    ) -> bool:
        """Play a game once more, and look at its store in front of some of its answers, by their numbers; false if that
        cannot be. Nothing of it counts."""
        made = self.made()
        assert made is not None, "a game that was played"
        self._hand_in(made, begun, [start], bots)
        whole = self._play(made, 0, 1, most, bots is None, choose, stops, look)
        self.totals()
        return whole

    def _hand_in(
        self, made: tuple[Instance, Made], begun: Words, starts: Sequence[Start], bots: Sequence[str] | None
    ) -> None:
        """Write what games begin with into memory."""
        memory, regions, book = made[0].memory, made[1].regions, self.book
        memory[regions.begun] = len(begun)
        memory[regions.begun + 1 : regions.begun + 1 + len(begun)] = begun
        rows = [w for s in starts for w in (*s.rng, s.turn, *halves(s.seed))]
        memory[book.games : book.games + len(rows)] = rows
        names = bots or ()
        memory[book.bots : book.bots + 1 + len(names)] = [len(names), *(BOTS[name] for name in names)]

    def _play(
        self,
        made: tuple[Instance, Made],
        first: int,
        games: int,
        most: int,
        drawing: bool,
        choose: Choose,
        stops: Sequence[int] = (),
        look: Callable[[Words], None] | None = None,
    ) -> bool:
        """Play games; false if the one behind those that are over must be played by the caller. `look` is called with
        the store in front of the answers with the numbers `stops`."""
        waiting = iter(stops)
        stop = next(waiting, NEVER)
        instance = made[0]
        work: tuple[str, tuple[int, ...]] = WALKS, (first, games, most, int(drawing))
        instance.set(GAMES, 0)
        while True:
            instance.set(PATIENCE, PATIENT[drawing])
            instance.set(STOP_AT, stop)
            try:
                if instance.call(work[0], *work[1]):
                    return True
                if look is not None and instance.get(ANSWERS_OF) == stop:
                    look(self.final())
                    stop = next(waiting, NEVER)
                work = GO_ON, ()
                continue
            except Trapped:
                phase = instance.get(PHASE)
            if phase == Phase.NOTING:
                return False
            self.given_up += 1
            try:
                if phase == Phase.RUNNING:
                    work = self._run(made, drawing)
                else:
                    work = self._choose(made, choose)
            except Exception:  # of rules or of the machine: the caller plays the game anew, which tells it
                return False
            if not work[0]:
                return False

    def _run(self, made: tuple[Instance, Made], drawing: bool) -> tuple[str, tuple[int, ...]]:
        """Let the machine carry out an answer, or begin a game, and write the store and its options into memory."""
        instance, regions, machine = made[0], made[1].regions, self.machine
        memory = instance.memory
        words, option = kept(memory, regions)
        if isinstance(machine, PythonMachine):
            machine.prepare()
        machine.checked = self.checked
        if drawing:
            chance = Random()
            take_state(memory, regions.kept, chance)
            drawn = decide(machine, words, option, chance.random)
            put_state(memory, regions.mersenne, chance)
            offers = [] if drawn is None else [drawn]
            instance.set(CANDIDATES, machine.candidates)
        else:
            machine.draws.clear()
            if option is None:
                machine.run(words)
            else:
                machine.take(words, option)
            self._draw(words)
            offers = list(machine.offers) if words[SITE] else []
        if len(offers) > MOST_ROWS or len(words) > regions.top:
            return "", ()
        memory[: len(words)] = words
        for n, offer in enumerate(offers):
            write_option(memory, regions.options + n * regions.stride, offer)
        instance.set(COUNT, len(offers))
        instance.set(DRAWN, int(drawing and bool(offers)))
        return TAKEN_BY_HOST, (len(words),)

    def _draw(self, words: Words) -> None:
        """Go on where chance is asked, and count the events on."""
        keyed, memory = self.book.keyed, self.memory
        times = dict(zip(keyed.events, memory[keyed.kept : keyed.kept + len(keyed.events)], strict=True))
        seed = memory[keyed.seed] & 2 * HALF - 1 | memory[keyed.seed + 1] << 32
        while words[CHANCE]:
            self.machine.draw(words, self.draw(words, seed, times))
        memory[keyed.times : keyed.times + len(times)] = [times[address] for address in keyed.events]

    def _choose(self, made: tuple[Instance, Made], choose: Choose) -> tuple[str, tuple[int, ...]]:
        """Let the caller choose, and write what it has chosen into memory."""
        instance, regions, book = made[0], made[1].regions, self.book
        memory = instance.memory
        words, _ = kept(memory, regions)
        generators: Generators = {}
        for sort in BOTS.values():
            at = book.kept + 2 * sort * STATE
            generators[sort] = generator_at(memory, at), generator_at(memory, at + STATE)
        chosen = choose(words, generators, memory[book.bots + MOST_SEATS + 1])
        for sort, own in generators.items():
            for k, chance in enumerate(own):
                if isinstance(chance, KeyedRandom):
                    break  # the next choice has another key
                put_state(memory, book.states + (2 * sort + k) * STATE, chance)
        memory[: len(chosen.words)] = chosen.words
        write_option(memory, regions.options, chosen.option)
        instance.set(COUNT, 1)
        return CHOSEN_BY_HOST, (len(chosen.words), chosen.moment)

    def totals(self) -> list[int]:
        """What was counted since the last call."""
        book, memory = self.book, self.memory
        found = list(memory[book.totals : book.totals + book.size])
        memory[book.totals : book.totals + book.size] = [0] * book.size
        return found

    def trace(self) -> list[tuple[int, int, Option]]:
        """The answers of the game that was played last: the number of the question, the seat that gave it out of turn
        (0: none), and the option."""
        assert self._made is not None
        book, memory = self.book, self.memory
        end = self._made[0].get(TRACE)
        return [
            (memory[at + ROW_SITE], memory[at + ROW_MOMENT], read_option(memory, at + ROW_OPTION))
            for at in range(book.trace, end, book.row)
        ]

    def final(self) -> Words:
        """The store of the game that was played last, as it is now."""
        assert self._made is not None
        return list(self.memory[: self._made[0].get(SP)])


def generator_at(memory: MutableSequence[int], at: int) -> Random:
    """The generator of a bot whose state lies at an address."""
    if memory[at + MERSENNE - 1] == KEYED:
        return KeyedRandom(memory[at] & 2 * HALF - 1 | (memory[at + 1] & 2 * HALF - 1) << 32)
    chance = Random()
    take_state(memory, at, chance)
    return chance


def halves(value: int) -> tuple[int, int]:
    """A long number as two words with a sign."""
    low, high = value & 2 * HALF - 1, value >> 32 & 2 * HALF - 1
    return low - 2 * (low & HALF), high - 2 * (high & HALF)
