"""Games in pairs: each seed is played under the rules before and after a change, with common random numbers.

Takes the two sets of rules and the parameters of the games; gives a pair of outcomes for each, in their order, whatever
the number of processes. Ctrl-C ends the run and leaves the pairs so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from dsl.driver.reference import RulesetReference
from dsl.files.phrases import FALLBACK, phrase
from interpreter import Game
from tools.base.loading import load_game
from tools.simulation.playout import Outcome, Setup, play_out
from tools.workers.processes import results
from tools.workers.progress import progress, reporting_when_terminated


@dataclass(frozen=True, slots=True)
class Pair:
    """The outcomes of one seed under both sets of rules."""

    before: Outcome
    after: Outcome

    @property
    def setup(self) -> Setup:
        return self.before.setup


@dataclass(frozen=True, slots=True)
class PairTask:
    """What each worker process needs to know: the rules before and after, and who plays, for how long."""

    rules: tuple[RulesetReference, RulesetReference]
    bots: tuple[str, ...]
    max_decisions: int


Games = tuple[Game, Game]


def play_pairs(
    games: Games, task: PairTask, setups: Sequence[Setup], jobs: int, quiet: bool, lang: str = FALLBACK
) -> tuple[list[Pair], bool]:
    """The pairs, and whether the run was interrupted."""
    found: list[Pair] = []
    try:
        with reporting_when_terminated(), progress(len(setups), quiet, phrase(lang, "errata", "pairs")) as advance:
            for pair in results(begin_pairs, task, setups, min(jobs, len(setups)), partial(play_pair, games, task)):
                found.append(pair)
                advance()
    except KeyboardInterrupt:
        return found, True
    return found, False


def play_pair(games: Games, task: PairTask, setup: Setup) -> Pair:
    """One game under each of the two sets of rules, with the same seed."""
    before, after = (play_out(game, setup, task.bots, False, {}, task.max_decisions, common=True) for game in games)
    return Pair(before, after)


def begin_pairs(task: PairTask) -> Callable[[Setup], Pair]:
    """In a worker process: the games come from the cache."""
    before, after = task.rules
    return partial(play_pair, (load_game(before), load_game(after)), task)
