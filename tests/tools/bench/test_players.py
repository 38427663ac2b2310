"""The players of the bench play the games that they are said to play; the clock is one of the tests' own."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from interpreter import load
from interpreter.backends.wasm import host
from tools.base.loading import load_game
from tools.bench import cells, given_up, peers
from tools.bench import courses as courses_module
from tools.bench.cells import PlayedGames, Player
from tools.bench.courses import LONGEST, courses_to_follow, draw, rare_numbers
from tools.bench.players import (
    ADAPTER,
    BULK,
    DRIVER,
    PETTINGZOO,
    PRINTED,
    REFERENCE,
    SESSION,
    SIMULATE,
    VECTOR,
    WAYS,
    SteppingPlayer,
)

native = pytest.mark.skipif(not host.available(), reason="the package `wasmtime` is not installed")


class Counting:
    """A player for whom a game takes 1/1024 of a second, by a clock of its own."""

    def __init__(self) -> None:
        self.played: list[int] = []
        self.now = 0.0

    def begin(self, seed: int) -> None:
        self.seed = seed

    def play(self, games: int) -> PlayedGames:
        self.played.append(games)
        self.now += games / 1024
        return PlayedGames(games, 3 * games, games // 2)


def test_a_cell_is_as_long_as_it_is_said_and_holds_whole_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Counting()
    monkeypatch.setattr(cells.time, "process_time", lambda: player.now)
    batch = cells.calibrate(player, 4 / 1024)
    assert batch == 4 and player.played == [1, 1, 1, 2, 4, 4], "a batch that is long enough is played again"
    cell = cells.measure(player, 18 / 1024, batch, 7)
    assert player.seed == 7
    assert (cell.games, cell.decisions, cell.cut) == (20, 60, 10)
    assert (cell.seconds, cell.games_per_second, cell.decisions_per_second) == (20 / 1024, 1024, 3072)


def test_long_games_are_not_played_again_to_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Counting()
    monkeypatch.setattr(cells.time, "process_time", lambda: player.now)
    assert cells.calibrate(player, 1 / (cells.SLOW * 1024)) == 1 and player.played == [1, 1]


def test_code_that_is_made_for_many_games_is_no_part_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    class Making(Counting):
        def play(self, games: int) -> PlayedGames:
            if games == 2 and self.played.count(2) == 0:
                self.now += 1
            return super().play(games)

    player = Making()
    monkeypatch.setattr(cells.time, "process_time", lambda: player.now)
    assert cells.calibrate(player, 4 / 1024) == 4 and player.played == [1, 1, 1, 2, 2, 4, 4]


def tally(player: Player | None, games: int = 20) -> PlayedGames:
    assert player is not None
    player.begin(3)
    return player.play(games)


@pytest.mark.parametrize("name", ["nim", "kuhn_poker", "love_letter"])
def test_drivers_sessions_and_the_reference_play_the_same_games(name: str) -> None:
    game = load(name)
    found = [tally(WAYS[way](game, 2)) for way in (DRIVER, SESSION, REFERENCE, PRINTED)]
    assert found[0].games == 20 and found[0].decisions >= 20
    assert found == found[:1] * 4


@native
def test_games_in_bulk_are_those_of_the_reference() -> None:
    """`simulate` plays others, since its seeds are mixed in another way; of nim all games have as many stones."""
    nim = load("nim")
    bulk = tally(WAYS[BULK](nim, 2), 30)
    assert bulk == tally(WAYS[BULK](load("nim", backend=REFERENCE), 2), 30)
    simulated = tally(WAYS[SIMULATE](nim, 2), 30)
    assert simulated != bulk and simulated.games == 30 and 4 * 30 <= simulated.decisions <= 16 * 30


def test_a_game_that_is_driven_is_cut_short() -> None:
    player = SteppingPlayer(lambda chance: LONGEST if chance.random() < 0.5 else 3)
    found = tally(player, 100)
    assert 20 < found.cut < 80 and found.decisions == LONGEST * found.cut + 3 * (100 - found.cut)
    assert tally(SteppingPlayer(lambda chance: LONGEST, longest=0)).cut == 0


@native
def test_answers_that_are_seldom_are_laid_down() -> None:
    """Else each random game of Through the Ages would end after a few answers, when somebody resigns."""
    game = load("through_the_ages")
    laid_down = courses_to_follow(game, 2)
    assert len(laid_down) == courses_module.GAMES and courses_to_follow(load("nim"), 2) == []
    assert min(len(course.answers) for course in laid_down) > 100
    driven = tally(WAYS[DRIVER](game, 2), 4)
    assert driven == tally(WAYS[SESSION](game, 2), 4) and driven.decisions > 4 * 100
    assert rare_numbers(game, 2) and not rare_numbers(load("nim"), 2)


def test_what_is_rare_is_drawn_seldom() -> None:
    """And where there is nothing else."""
    random = Random(1).random
    taken = [draw(random, [7, 8], {8}) for _ in range(2000)]
    assert 0 < taken.count(8) < 20
    assert 800 < [draw(random, [7, 8], ()) for _ in range(2000)].count(8) < 1200
    assert {draw(random, [8], {8}) for _ in range(50)} == {8}


@pytest.mark.parametrize("way", [ADAPTER, PETTINGZOO, VECTOR])
def test_what_learners_use_plays_whole_games(way: str) -> None:
    """Four to sixteen stones are taken in nim, one to a game in which only the last is forced."""
    player = WAYS[way](load("nim"), 2)
    module = {ADAPTER: "pyspiel", PETTINGZOO: "pettingzoo", VECTOR: "tools.adapters.vector"}[way]
    if player is None:
        assert find_spec(module) is None or not host.available()
        pytest.skip(f"{module} is not installed")
    found = tally(player, 200)
    assert found.games >= 200 and found.cut == 0 and 3 * found.games <= found.decisions <= 16 * found.games
    assert found == tally(player, 200) or way == VECTOR  # where games are in play when it stops


@pytest.mark.parametrize("name, low, high", [("kuhn_poker", 2, 3), ("goofspiel", 24, 24), ("connect_four", 7, 42)])
def test_open_spiel_plays_whole_games(name: str, low: int, high: int) -> None:
    """With explicit chance, with simultaneous moves (its last cards play themselves), and in turns."""
    pytest.importorskip("pyspiel", reason="the extra `spiel` is not installed")
    player = peers.spiel_player(name)
    assert player is not None and peers.spiel_player("last_apple") is None
    player.begin(3)
    assert all(low <= player.play(1).decisions <= high for _ in range(30))


@native
def test_what_native_code_gives_up_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each way; and it is counted where it happens, by a driver whose memory is taken from it."""
    found = given_up.count_given_up(load("nim"), 2, 5)
    assert {*found} >= {DRIVER, SESSION, BULK, SIMULATE}
    assert all(one.given_up == 0 and one.decisions > 10 for one in found.values())
    assert found[DRIVER] == found[SESSION]


@native
def test_what_is_given_up_shows(apples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.backends.low.form.nodes import Reason, Trapped
    from interpreter.backends.native.drive import Drive
    from interpreter.backends.native.module import NativeModule

    def trap(*_: object) -> int:
        raise Trapped(Reason.GAP)

    game = load_game(apples)
    game.driver()
    monkeypatch.setattr(Drive, "begin", trap)
    monkeypatch.setattr(NativeModule, "take", trap)
    by_driver = given_up.by_driver(game, 2, 3)
    by_session = given_up.by_session(game, 2, 3)
    assert by_driver is not None and by_session is not None
    assert by_driver.given_up == 3 and by_session.given_up >= by_session.decisions == by_driver.decisions
