"""Margins of `evaluate` in games of the greedy bot, from the middle of each third of a game, with what came of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dsl.files.phrases import phrase
from dsl.program import SEATS
from interpreter import Game, Option, State, result
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words
from interpreter.session.chance import ChanceEvent
from interpreter.session.chance import Outcome as ChanceOutcome
from tools.base.loading import load_game
from tools.matches.logistic import Reading
from tools.matches.play import MatchTask
from tools.simulation.bots import GreedyBot
from tools.simulation.drivers import play_by_bots
from tools.simulation.playout import GameSetup
from tools.simulation.walk import Walk
from tools.workers.processes import results
from tools.workers.progress import progress
from tools.workers.stopping import stoppable

THIRDS = 3
MOST_KEPT = 120  # stores of one game


@dataclass(slots=True)
class Stops:
    """Stores of a game at equal distances, at most so many."""

    stores: list[Words]
    every: int = 1
    passed: int = 0

    def note(self, words: Words) -> None:
        if self.passed % self.every == 0:
            self.stores.append(words[:])
        self.passed += 1
        if len(self.stores) > MOST_KEPT:
            self.stores, self.every = self.stores[::2], 2 * self.every


def game_readings(game: Game, task: MatchTask, setup: GameSetup) -> list[list[Reading]]:
    """The readings of all seats in each third of a greedy game; none where it does not end, or nobody has won."""
    walk = Walk(game, setup.seats, dict(task.options), setup.seed, False)
    bot, stops = GreedyBot(setup.seed), Stops([])

    def choose(state: State) -> Option:
        stops.note(walk.words)
        return bot.choose(state)

    def draw(event: ChanceEvent) -> ChanceOutcome:
        raise AssertionError("chance is drawn by the machine")

    try:
        walk.begin()
        play_by_bots(walk, choose, draw, task.max_decisions)
    except RulesetError:
        return []
    found = None if walk.unfinished else result(walk.state(), walk.actors)
    if found is None or not found.winners or not stops.stores:
        return []
    shares = {seat: 1 / len(found.winners) for seat in found.winners}
    middles = (stops.stores[len(stops.stores) * (2 * third + 1) // (2 * THIRDS)] for third in range(THIRDS))
    return [
        [(float(margin), shares.get(seat, 0.0)) for seat, margin in enumerate(margins(game, store), 1)]
        for store in middles
    ]


def margins(game: Game, words: Words) -> list[int]:
    """How far each seat is ahead of the best other one."""
    worth = [game.machine.worth(words, game.names.seat_thing(seat)) for seat in range(1, words[SEATS] + 1)]
    return [own - max((*worth[:n], *worth[n + 1 :]), default=0) for n, own in enumerate(worth)]


def play_readings(
    game: Game, task: MatchTask, games: int, seats: int, seed: int, jobs: int, lang: str
) -> list[list[list[Reading]]]:
    """The readings of those of so many games that ended with a winner."""
    setups = [GameSetup(number, seats, seed * 1_000_000 + number) for number in range(games)]
    found = []
    with stoppable(), progress(games, False, phrase(lang, "simulate", "games")) as advance:
        for readings in results(begin_readings, task, setups, min(jobs, games), partial(game_readings, game, task)):
            found.append(readings)
            advance()
    return [readings for readings in found if readings]


def begin_readings(task: MatchTask) -> Callable[[GameSetup], list[list[Reading]]]:
    """In a worker process: the game comes from the cache."""
    return partial(game_readings, load_game(task.ruleset, task.backend), task)
