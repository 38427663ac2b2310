"""Simulated random games that are one function each: the reports of Python, and what happens where they trap."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from interpreter import Game
from interpreter.backends.low.base.context import GAMES
from interpreter.backends.low.games.driver import NOTED_GAMES
from interpreter.backends.low.games.lowering import lower_noted_games
from interpreter.backends.low.notes import book
from interpreter.backends.low.notes.book import COUNTED, DECIDED, ENDED, MOST_RESULTS
from interpreter.backends.native import noted
from interpreter.backends.native.beginnings import MOST_FAILED
from interpreter.backends.native.cache import Made
from interpreter.backends.native.notes import Course, Row, hand_in, take_rows
from interpreter.backends.native.walks import Chosen, Generators, NativeWalks, Played
from interpreter.backends.wasm import host
from interpreter.core.words import Words
from interpreter.machine.machine import Machine
from tests.concepts.play import game as small
from tests.interpreter.backends.test_low_games import PLAYED, QUESTIONS, rules_asking
from tests.interpreter.random_programs import random_program
from tests.native import needs_wasmtime
from tests.printed import printed
from tests.tools.simulation.test_native import load, report, told
from tests.tools.simulation.test_simulate import RIVALS
from tools.simulation.native import NativePlay
from tools.simulation.playout import Setups

NEVER = 1 << 30  # games


@pytest.fixture(autouse=True)
def from_one_game_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # what a run saves of games that fail lands there
    monkeypatch.setattr(noted, "WORTH", 1)


def compare(game: Game, games: int, most: int = 500) -> None:
    """One function plays games of this ruleset, and the report is that of Python. The first five games are looked at,
    so they are played from question to question."""
    native = NativePlay(game, "wasm", ("random",), {}, most)
    seats = game.program.seats[0]
    batch = native.play(Setups(range(5, 5 + games), (seats,), 3))
    assert sum(outcome.games for outcome in batch.outcomes) == games and native.notice == ""
    assert all(native.walks.noted.beginnings.modules.values()) and native.walks.noted.replayed == 0
    mine = report(game, "wasm", "random", 5 + games, most)
    assert mine.played == mine.finished == 5 + games
    assert told(mine) == told(report(game, "reference", "random", 5 + games, most))


@needs_wasmtime
@pytest.mark.parametrize("name", PLAYED)
def test_reports_are_those_of_python(name: str) -> None:
    compare(load(name), 16)


@needs_wasmtime
@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_counted_as_in_python(question: str) -> None:
    compare(small(rules_asking(question), seats=(2, 2)), 12)


WATCHED = """
field turns: 0..999
kind Seat
    field points: 0..999
value lead: int = sum(p in seats: p.points * p.points)
value own(p: Seat): int = p.points
phase game
    repeat while turns < 200
        for every p in seats
            choose number k in 0..(2 if turns is not 9 else 0) by p
            set p.points to p.points + k
        set turns to turns + 1
"""  # 400 answers, more than readings are kept; two of them without a choice


@needs_wasmtime
def test_watched_values_are_those_of_python() -> None:
    compare(small(WATCHED, seats=(2, 2), manifest="watch: [lead, own]\nresult: {score: own}\n"), 8)


@needs_wasmtime
@pytest.mark.parametrize("winners", ["", ", winners: best"])
def test_cards_and_winners_are_those_of_python(winners: str) -> None:
    """A card is laid away behind the last answer."""
    game = small(RIVALS + "    move low to box\n", seats=(2, 2), manifest="result: {score: points_of" + winners + "}")
    compare(game, 40)
    assert report(game, "wasm", "random", 40).card_usage.places["box", "low"] == 40


@needs_wasmtime
def test_more_different_games_than_there_are_rows_for_are_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "MOST_RESULTS", 4)
    compare(small(WATCHED, seats=(2, 2), manifest="watch: [lead]\nresult: {score: own}\n"), 30)


# ------------------------------------------------------------ where they trap


LONG = """
field turns: 0..99
phase game
    choose number length in 1..20 by p1
    repeat while turns < length
        choose number k in 1..2 by p1
        set turns to turns + 1
"""


@needs_wasmtime
def test_games_that_trap_are_played_from_question_to_question() -> None:
    """A game of twenty-one answers is stopped; after a few of them all are played so."""
    game = small(LONG, seats=(1, 1))
    native = NativePlay(game, "wasm", ("random",), {}, 19)
    native.play(Setups(range(5, 205), (1,), 3))
    assert native.walks.noted.replayed == MOST_FAILED and native.notice == ""
    mine = report(game, "wasm", "random", 205, 19)
    assert 0 < mine.unfinished < 40
    assert told(mine) == told(report(game, "reference", "random", 205, 19))


@needs_wasmtime
def test_faults_are_told_as_in_python() -> None:
    game = small(
        "field drawn: 0..9\nphase game\n    choose number k in 0..9 by p1\n    set drawn to k + 1\n", seats=(1, 1)
    )
    mine = report(game, "wasm", "random", 60)
    assert mine.finished and mine.failures and told(mine) == told(report(game, "reference", "random", 60))


# ------------------------------------------------------------ the meaning of the low form, and random programs


def choose_never(words: Words, generators: Generators, turn: int) -> Chosen:
    raise AssertionError("random games choose nothing")


def rows_of(played: Played) -> tuple[Counter[tuple[int, ...]], list[int], list[int]]:
    """The figures of games with how often they came, the games that were left, and what was counted."""
    figures: Counter[tuple[int, ...]] = Counter()
    for row in played.rows:
        figures[tuple(row[ENDED:])] += row[COUNTED]
    return figures, played.left, played.totals


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel"])
def test_by_the_meaning_of_the_low_form(name: str) -> None:
    game = load(name)
    begun = game.engine.new(seed=1)
    lowered = lower_noted_games(game.program, begun)
    runner, rows = printed(lowered.module), list[Row]()
    made = Made(b"", lowered.regions, (), lowered.book)
    hand_in((runner, made), begun, Course(3, 5, 8), None)
    runner.call(NOTED_GAMES, 0, 3, 500)
    assert runner.get(GAMES) == 3
    take_rows((runner, made), rows)
    walked = NativeWalks(game.machine, "wasm")
    walked.noted.beginnings.worth = NEVER
    figures = rows_of(Played(rows, [], []))[0]
    if host.available():
        assert figures == rows_of(walked.play(begun, Course(3, 5, 8), 500, None, choose_never))[0]
    assert sum(figures.values()) == 3 and all(row[DECIDED] for row in rows)
    assert lowered.book is not None and lowered.book.most_results <= MOST_RESULTS


QUICK, BATCH, BATCHES = 20, 100, 5


def compare_random(seed: int) -> bool:
    """Games of a random program with and without one function; whether one function played some of them."""
    program, words = random_program(seed)
    machine = Machine(program)
    machine.start(words, program.entry)
    mine, other = NativeWalks(machine), NativeWalks(machine)
    other.noted.beginnings.worth = NEVER
    course = Course(5, 0, seed)
    found = [rows_of(walks.play(words, course, 25, None, choose_never)) for walks in (mine, other)]
    assert found[0] == found[1]
    return any(mine.noted.beginnings.modules.values()) and mine.noted.replayed < 5


@needs_wasmtime
def test_random_programs() -> None:
    assert sum(map(compare_random, range(QUICK))) >= QUICK // 10


@needs_wasmtime
@pytest.mark.soak
@pytest.mark.parametrize("first", range(QUICK, QUICK + BATCH * BATCHES, BATCH))
def test_many_random_programs(first: int) -> None:
    assert sum(map(compare_random, range(first, first + BATCH))) >= BATCH // 10
