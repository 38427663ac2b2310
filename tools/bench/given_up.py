"""The number of decisions that native code gives up in random games, which the reference then makes.

It should be none. A decision of `Engine.playouts` and `simulate` is an answer, forced ones included; the other ways are
asked only what there is a choice for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from interpreter import Game
from interpreter.backends.native.games import NativeGames
from interpreter.backends.native.runner import NativeRunner
from interpreter.session.driver import drive_of
from tools.bench.courses import courses
from tools.bench.players import (
    BULK,
    DRIVER,
    SESSION,
    SIMULATE,
    VECTOR,
    BulkPlayer,
    SimulatePlayer,
    vector_player,
)

SEED = 1
MANY = 100_000  # decisions: of games in bulk that are so long one is enough


class GivenUp(NamedTuple):
    decisions: int
    given_up: int


def by_driver(game: Game, seats: int, games: int) -> GivenUp | None:
    drive, decisions, given_up = drive_of(game), 0, 0
    if drive is None:
        return None
    for course in courses(game, seats, games):
        driver = game.driver(seats, seed=course.seed)
        given_up += drive.holder is not driver
        for place in course.answers:
            driver.answer(place)
            given_up += drive.holder is not driver  # the reference has taken it away from there
        decisions += len(course.answers)
    return GivenUp(decisions, given_up)


def by_session(game: Game, seats: int, games: int) -> GivenUp | None:
    runner = game.runner
    if not isinstance(runner, NativeRunner):
        return None
    before = runner.given_up
    played = courses(game, seats, games)  # by a session
    return GivenUp(sum(len(course.answers) for course in played), runner.given_up - before)


def by_vector(game: Game, seats: int, games: int) -> GivenUp | None:
    player = vector_player(game, seats)
    if player is None:
        return None
    player.begin(SEED)
    decisions = player.play(games).decisions
    return GivenUp(decisions, player.env.given_up)


def in_bulk(game: Game, seats: int, games: int) -> GivenUp | None:
    player, native = BulkPlayer(game, seats), game.native
    if not isinstance(native, NativeGames):
        return None
    before = native.given_up + native.replayed
    player.begin(SEED)
    decisions = player.play(1).decisions
    if decisions < MANY:
        decisions += player.play(games - 1).decisions
    return GivenUp(decisions, native.given_up + native.replayed - before)


def by_simulate(game: Game, seats: int, games: int) -> GivenUp | None:
    player = SimulatePlayer(game, seats)
    if player.native.notice:
        return None
    player.begin(SEED)
    decisions = player.play(games).decisions
    return GivenUp(decisions, player.native.walks.given_up + player.native.walks.replayed)


COUNTED: dict[str, Callable[[Game, int, int], GivenUp | None]] = {
    DRIVER: by_driver, SESSION: by_session, VECTOR: by_vector, BULK: in_bulk, SIMULATE: by_simulate,
}  # fmt: skip


def count_given_up(game: Game, seats: int, games: int) -> dict[str, GivenUp]:
    """Play so many random games in each way that runs natively; what was given up, by the key of the way."""
    found = {key: count(game, seats, games) for key, count in COUNTED.items()}
    return {key: value for key, value in found.items() if value is not None}
