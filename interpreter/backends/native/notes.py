"""The notes of a module that plays courses of games: what the host writes before them, and reads behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from interpreter.backends.low.bots.choices import GREEDY, RANDOM
from interpreter.backends.low.notes.book import COURSE, Book
from interpreter.backends.low.notes.rows import ROWS, TAKE_ROWS
from interpreter.backends.native.cache import Made
from interpreter.backends.native.rows import halves
from interpreter.backends.native.targets import Instance
from interpreter.core.words import Words

BOTS = {"random": RANDOM, "greedy": GREEDY}
Row: TypeAlias = list[int]  # the words of a result, see `Book`


class Course(NamedTuple):
    """Games that begin alike: how many, the number and the seed of the first one, and by how much both grow from game
    to game."""

    games: int
    number: int
    seed: int
    step: int = 1


def book_of(made: tuple[Instance, Made]) -> Book:
    book = made[1].book
    assert book is not None, "a module with notes"
    return book


def hand_in(made: tuple[Instance, Made], begun: Words, course: Course, bots: Sequence[str] | None) -> None:
    """Write what games begin with into memory."""
    memory, regions, book = made[0].memory, made[1].regions, book_of(made)
    memory[regions.begun] = len(begun)
    memory[regions.begun + 1 : regions.begun + 1 + len(begun)] = begun
    words = [word for value in (course.number, course.seed, course.step) for word in halves(value)]
    memory[book.course : book.course + COURSE] = words
    names = bots or ()
    memory[book.bots : book.bots + 1 + len(names)] = [len(names), *(BOTS[name] for name in names)]


def take_rows(made: tuple[Instance, Made], rows: list[Row]) -> None:
    """Add the rows of results in memory to others, and let there be none."""
    instance, book = made[0], book_of(made)
    words = list(instance.memory[book.results : book.results + instance.get(ROWS) * book.result])
    rows += [words[at : at + book.result] for at in range(0, len(words), book.result)]
    instance.call(TAKE_ROWS)


def add_totals(made: tuple[Instance, Made], totals: list[int]) -> None:
    """Add what was counted since the last call."""
    book, memory = book_of(made), made[0].memory
    for n, count in enumerate(memory[book.totals : book.totals + book.size]):
        totals[n] += count
    memory[book.totals : book.totals + book.size] = [0] * book.size
