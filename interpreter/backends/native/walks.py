"""Games by bots in native code, with figures of each: random games, and games in which each seat has a bot.

The module plays and notes; the host hands in a store and seeds, and reads rows of figures and totals. Where low code
gives up, the reference carries out the answer, or the caller chooses it; low code goes on behind
it. Where that cannot be, the caller has to play the whole game itself.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import NamedTuple, TypeAlias

from dsl.program import ASKING, CHANCE, SITE
from interpreter.backends.low.base.context import CANDIDATES, DRAWN, GAMES
from interpreter.backends.low.base.exported import COUNT, SP
from interpreter.backends.low.base.memory import MOST_ROWS
from interpreter.backends.low.bots.choices import RANDOM
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.low.generators.bot_numbers import STATE
from interpreter.backends.low.notes.book import MOST_SEATS, ROW_MOMENT, ROW_OPTION, ROW_SITE, Book
from interpreter.backends.low.notes.rows import ROWS
from interpreter.backends.low.notes.trace import TRACE
from interpreter.backends.low.whole.noting import ANSWERS_OF
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
from interpreter.backends.native.cache import CHECKED, PLAIN, Made, made_or_why
from interpreter.backends.native.games import ENOUGH, decide, kept, too_often
from interpreter.backends.native.noted import NotedGames
from interpreter.backends.native.notes import BOTS, Course, Row, add_totals, book_of, hand_in, take_rows
from interpreter.backends.native.rows import option_of, put_generator, row_of, state_at
from interpreter.backends.native.targets import WASM, Instance, target_called
from interpreter.choices.generator import Generator
from interpreter.core.question import RawOption
from interpreter.core.words import Words, new_store
from interpreter.machine.machine import Machine

MOST_SEED = 1 << 62
PATIENT = {True: 100_000, False: 200}  # answers of one call: of random games, and of games by bots
NEVER = -1  # the number of no answer


class Chosen(NamedTuple):
    """A bot's choice: the option, the seat that acts out of turn with it (0: the question's own), and the store of its
    question."""

    option: RawOption
    moment: int
    words: Words


Generators: TypeAlias = dict[
    int, tuple[Generator, Generator]
]  # by sort of bot: for choices, and for actions at any moment
Choose: TypeAlias = Callable[[Words, Generators, int], Chosen]  # the last: by how many seats the bots are moved
Draw: TypeAlias = Callable[[Words, int, dict[str, int]], int]
"""The outcomes of chance where it is asked: the store, the seed of the game, and how often each event has come so far,
by its address, which counts on."""


class Played(NamedTuple):
    """The outcome of a course: rows of figures, each with how many games came out so (one, if chance is asked) and
    which of the course was the first one; the games that the caller must play, by their place in the course; and what
    was counted."""

    rows: list[Row]
    left: list[int]
    totals: list[int]


def undrawn(words: Words, seed: int, times: dict[str, int]) -> int:
    """A stand-in for the chance of games in which it is not asked; raises AssertionError if it is."""
    raise AssertionError("chance is drawn by the machine")


class NativeWalks:
    """Plays for a machine. `notice`: why games do not run in native code; empty if they do, or if none has been played
    yet. `given_up`: how often the machine or the caller decided instead of low code; `replayed`: games that it did not
    play to their ends. `noted`: plays random games as one function each."""

    def __init__(self, machine: Machine, target: str = WASM, draw: Draw = undrawn, checked: bool = False) -> None:
        """`checked`: whether invariants and places are tested; `draw`: for games whose chance is asked."""
        self.machine, self.target, self.draw, self.checked = machine, target_called(target), draw, checked
        self.notice = ""
        self.given_up = self.replayed = self.answers = 0
        self._made: tuple[Instance, Made] | None = None
        self.noted = NotedGames(machine.program, self.target)

    def made(self) -> tuple[Instance, Made] | None:
        """The module of the program; None, with a notice, where there is none."""
        if self._made is None and not self.notice:
            self._made, self.notice = made_or_why(
                self.machine.program,
                CHECKED if self.checked else PLAIN,
                self.target,
                "games of this ruleset cannot be simulated",
            )
            if self._made is not None and (why := self._made[1].walks):
                self._made, self.notice = None, f"games of this ruleset cannot be simulated natively yet: {why}"
        return self._made

    @property
    def book(self) -> Book:
        assert self._made is not None, "games that were played"
        return book_of(self._made)

    @property
    def memory(self) -> MutableSequence[int]:
        assert self._made is not None
        found: MutableSequence[int] = self._made[0].memory
        return found

    def play(self, begun: Words, course: Course, most: int, bots: Sequence[str] | None, choose: Choose) -> Played:
        """Play games from copies of this store; None for `bots` plays at random. `choose` chooses where low code gives
        up. One game alone may be looked at behind it: by `trace`, `final` and `look_again`."""
        made, size = self.made(), course.games
        if made is None or len(begun) > made[1].regions.top or not 0 <= course.seed < MOST_SEED - size * course.step:
            return Played([], list(range(size)), [])
        hand_in(made, begun, course, bots)
        rows: list[Row] = []
        left: list[int] = []
        done, totals = 0, [0] * self.book.size
        whole_games = bots is None and size > 1 and not self.checked and not begun[ASKING]
        while done < size:
            games = size - done
            if whole_games:
                done, games = self.noted.play(begun, course, done, most, rows, totals)
            if not games:
                break
            whole = self._play(made, done, games, most, bots is None, choose, rows)
            done += made[0].get(GAMES)
            if not whole:
                end = size if self._gives_up(made) else done + 1
                left += range(done, end)
                self.replayed += 1
                done = end
        take_rows(made, rows)
        self._gives_up(made)
        add_totals(made, totals)
        self.answers += self._answers(totals)
        return Played(rows, left, totals)

    def look_again(
        self,
        begun: Words,
        course: Course,
        most: int,
        bots: Sequence[str] | None,
        choose: Choose,
        stops: Sequence[int],
        look: Callable[[Words], None],
    ) -> bool:
        """Play a course of one game once more, and look at its store in front of some of its answers, by their numbers;
        false if that cannot be. Nothing of it counts."""
        made = self.made()
        assert made is not None, "a game that was played"
        hand_in(made, begun, course, bots)
        whole = self._play(made, 0, 1, most, bots is None, choose, [], stops, look)
        take_rows(made, [])
        add_totals(made, [0] * self.book.size)
        return whole

    def _play(
        self,
        made: tuple[Instance, Made],
        first: int,
        games: int,
        most: int,
        drawing: bool,
        choose: Choose,
        rows: list[Row],
        stops: Sequence[int] = (),
        look: Callable[[Words], None] | None = None,
    ) -> bool:
        """Play games; false if the one behind those that are over must be played by the caller. Rows are taken where
        there is no room for more. `look` is called with
        the store in front of the answers with the numbers `stops`."""
        waiting = iter(stops)
        stop = next(waiting, NEVER)
        instance = made[0]
        work: tuple[str, tuple[int, ...]] = WALKS, (first, games, most, int(drawing))
        instance.set(GAMES, 0)
        while True:
            if instance.get(ROWS) >= self.book.most_results:
                take_rows(made, rows)
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
            if self.given_up % ENOUGH == 0 and self._gives_up(made):
                return False
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
        machine.checked = self.checked
        if drawing:
            generators = self._generators()
            drawn = decide(machine, words, option, generators[RANDOM][0].random)
            self._put_generators(generators)
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
            instance.write(regions.options + n * regions.stride, row_of(offer))
        instance.set(COUNT, len(offers))
        instance.set(DRAWN, int(drawing and bool(offers)))
        return TAKEN_BY_HOST, (len(words),)

    def _draw(self, words: Words) -> None:
        """Go on where chance is asked, and count the events on."""
        keyed, memory = self.book.keyed, self.memory
        times = dict(zip(keyed.events, memory[keyed.kept : keyed.kept + len(keyed.events)], strict=True))
        while words[CHANCE]:
            self.machine.draw(words, self.draw(words, state_at(memory, keyed.seed), times))
        memory[keyed.times : keyed.times + len(times)] = [times[address] for address in keyed.events]

    def _choose(self, made: tuple[Instance, Made], choose: Choose) -> tuple[str, tuple[int, ...]]:
        """Let the caller choose, and write what it has chosen into memory."""
        instance, regions, book = made[0], made[1].regions, self.book
        memory = instance.memory
        words, _ = kept(memory, regions)
        generators = self._generators()
        chosen = choose(words, generators, memory[book.bots + MOST_SEATS + 1])
        self._put_generators(generators)
        memory[: len(chosen.words)] = chosen.words
        instance.write(regions.options, row_of(chosen.option))
        instance.set(COUNT, 1)
        return CHOSEN_BY_HOST, (len(chosen.words), chosen.moment)

    def _answers(self, totals: Sequence[int]) -> int:
        """The answers that were counted."""
        return sum(totals[at] for at in self.book.answers)

    def _gives_up(self, made: tuple[Instance, Made]) -> bool:
        """True once low code has given up too often; the notice then says so."""
        book = self.book
        if not self.notice and self.given_up > ENOUGH:
            answers = self.answers + self._answers(self.memory[book.totals : book.totals + book.size])
            self.notice = too_often(made[1], self.given_up, answers)
        return bool(self.notice)

    def _generators(self) -> Generators:
        """The generators as they stood when the store was kept."""
        found: Generators = {sort: (Generator(0), Generator(0)) for sort in BOTS.values()}
        for at, generator in places_of(found):
            generator.state = state_at(self.memory, self.book.kept + at)
        return found

    def _put_generators(self, generators: Generators) -> None:
        for at, generator in places_of(generators):
            put_generator(self.memory, self.book.states + at, generator)

    def trace(self) -> list[tuple[int, int, RawOption]]:
        """The answers of the game that was played last: the number of the question, the seat that gave it out of turn
        (0: none), and the option."""
        assert self._made is not None
        book, memory = self.book, self.memory
        end = self._made[0].get(TRACE)
        return [
            (memory[at + ROW_SITE], memory[at + ROW_MOMENT], option_of(memory[at + ROW_OPTION : at + book.row]))
            for at in range(book.trace, end, book.row)
        ]

    def final(self) -> Words:
        """The store of the game that was played last, as it is now."""
        assert self._made is not None
        return new_store(self.memory[: self._made[0].get(SP)])


def places_of(generators: Generators) -> list[tuple[int, Generator]]:
    """Each generator with its place among them in memory."""
    return [((2 * sort + k) * STATE, own) for sort, pair in generators.items() for k, own in enumerate(pair)]
