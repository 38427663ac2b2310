"""Games of matches in one process or several: the outcomes come in the order of the games, the same for any number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from dsl.driver.reference import RulesetReference
from dsl.files.phrases import FALLBACK, phrase
from interpreter import Game
from interpreter.bots.scale import scale_of
from interpreter.machine.machine import Machine
from interpreter.rules.rules import NATIVE
from tools.base.loading import load_game
from tools.matches.plan import Bout
from tools.simulation.players import Style, play_one_of
from tools.simulation.playout import MOST_DECISIONS, GameOutcome
from tools.workers.processes import results
from tools.workers.progress import progress
from tools.workers.stopping import stoppable


@dataclass(frozen=True, slots=True)
class MatchTask:
    """What each worker process needs to know."""

    ruleset: str | RulesetReference
    options: tuple[tuple[str, str], ...] = ()
    backend: str = NATIVE
    max_decisions: int = MOST_DECISIONS

    @property
    def style(self) -> Style:
        return Style((), self.options, self.backend, self.max_decisions, looking=False)


Played = tuple[Bout, GameOutcome]


def play_bouts(
    game: Game,
    task: MatchTask,
    bouts: Sequence[Bout],
    jobs: int,
    quiet: bool = True,
    lang: str = FALLBACK,
    deadline: float | None = None,
) -> tuple[list[Played], bool]:
    """What came of each game, and whether Ctrl-C or the deadline ended the run before all were played."""
    found: list[Played] = []
    try:
        with stoppable(deadline), progress(len(bouts), quiet, phrase(lang, "simulate", "games")) as advance:
            if jobs == 1:
                prepare(game)
            for outcome in results(begin_bouts, task, bouts, min(jobs, len(bouts)), partial(play_bout, game, task)):
                found.append((bouts[len(found)], outcome))
                advance()
    except KeyboardInterrupt:
        return found, True
    return found, False


def play_bout(game: Game, task: MatchTask, bout: Bout) -> GameOutcome:
    return play_one_of(game, replace(task.style, bots=bout.bots), bout.setup)


def begin_bouts(task: MatchTask) -> Callable[[Bout], GameOutcome]:
    """In a worker process: the game comes from the cache."""
    game = load_game(task.ruleset, task.backend)
    prepare(game)
    return partial(play_bout, game, task)


def prepare(game: Game) -> None:
    """Make what a search needs once, so that its first decision does not seem to take that long."""
    game.cached(scale_of)
    if not isinstance(game.runner, Machine):
        game.runner.making.instance()
