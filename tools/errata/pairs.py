"""Games in pairs: each seed is played under the rules before and after a change, with common random numbers.

Takes the two sets of rules and the parameters of the games; gives a pair of outcomes for each, in their order, whatever
the number of processes and whoever plays. Ctrl-C ends the run and leaves the pairs so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from dsl.driver.reference import RulesetReference
from dsl.files.phrases import FALLBACK, phrase
from interpreter import Game
from interpreter.rules.rules import NATIVE
from tools.base.loading import load_game
from tools.simulation.players import Play, Style, player_for
from tools.simulation.playout import GameOutcome, GameSetup
from tools.workers.processes import Pace, results
from tools.workers.progress import progress
from tools.workers.stopping import stoppable


@dataclass(frozen=True, slots=True)
class Pair:
    """The outcomes of one seed under both sets of rules."""

    before: GameOutcome
    after: GameOutcome

    @property
    def setup(self) -> GameSetup:
        return self.before.setup


@dataclass(frozen=True, slots=True)
class PairTask:
    """What each worker process needs to know: the rules before and after, and who plays, for how long, by which back
    end."""

    rules: tuple[RulesetReference, RulesetReference]
    bots: tuple[str, ...]
    max_decisions: int
    backend: str = NATIVE

    @property
    def style(self) -> Style:
        return Style(self.bots, (), self.backend, self.max_decisions, common=True, looking=False)


Games = tuple[Game, Game]
PlayPairs = Callable[
    [Sequence[GameSetup]], tuple[list[Pair], str]
]  # with why native code plays no longer, as in `Batch`


def play_pairs(
    games: Games, task: PairTask, setups: Sequence[GameSetup], jobs: int, quiet: bool, lang: str = FALLBACK
) -> tuple[list[Pair], bool, str]:
    """The pairs, whether the run was interrupted, and why native code does not play; empty if it does, or is not asked
    for."""
    found: list[Pair] = []
    play, notice = players_of(games, task)
    jobs = min(jobs, len(setups))
    pace = Pace(play, jobs, len(setups), notice is not None)
    try:
        with stoppable(), progress(len(setups), quiet, phrase(lang, "errata", "pairs")) as advance:
            for pairs, told in results(begin_pairs, task, pace.parts(setups), jobs, pace.play):
                notice = notice or told
                for pair in pairs:
                    found.append(pair)
                    advance()
    except KeyboardInterrupt:
        return found, True, notice or ""
    return found, False, notice or ""


def players_of(games: Games, task: PairTask) -> tuple[PlayPairs, str | None]:
    """What plays pairs of games; also as `player_for` says it."""
    (before, notice), (after, other) = (player_for(game, task.style) for game in games)
    return partial(play_all_pairs, before, after), notice or other


def play_all_pairs(before: Play, after: Play, setups: Sequence[GameSetup]) -> tuple[list[Pair], str]:
    """A game under each of the two sets of rules for each seed."""
    first, second = before(setups), after(setups)
    pairs = [Pair(*both) for both in zip(first.outcomes, second.outcomes, strict=True)]
    return pairs, first.notice or second.notice


def begin_pairs(task: PairTask) -> PlayPairs:
    """In a worker process: the games come from the cache."""
    before, after = task.rules
    return players_of((load_game(before, task.backend), load_game(after, task.backend)), task)[0]
