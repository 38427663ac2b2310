"""Games in pairs: each seed is played under the rules before and after a change, with common random numbers.

Takes the two sets of rules and the parameters of the games; gives a pair of outcomes for each, in their order, whatever
the number of processes. Ctrl-C ends the run and leaves the pairs so far.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dsl.driver.reference import RulesetReference
from interpreter import Game
from tools.base.loading import load_game
from tools.commands.simulate import leave_signals_to_parent, progress
from tools.simulation.playout import Outcome, Setup, play_out


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
    games: Games, task: PairTask, setups: Sequence[Setup], jobs: int, quiet: bool
) -> tuple[list[Pair], bool]:
    """The pairs, and whether the run was interrupted."""
    found: list[Pair] = []
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # a terminated run reports as after Ctrl-C
    try:
        with progress(len(setups), quiet, "pairs of games") as advance:
            for pair in pairs(games, task, setups, min(jobs, len(setups))):
                found.append(pair)
                advance()
    except KeyboardInterrupt:
        return found, True
    finally:
        signal.signal(signal.SIGTERM, before)
    return found, False


def pairs(games: Games, task: PairTask, setups: Sequence[Setup], jobs: int) -> Iterator[Pair]:
    if jobs == 1:
        for setup in setups:
            yield play_pair(games, task, setup)
        return
    with multiprocessing.Pool(jobs, initializer=begin_worker, initargs=(task,)) as pool:
        yield from pool.imap(play_pair_in_worker, setups)


def play_pair(games: Games, task: PairTask, setup: Setup) -> Pair:
    """One game under each of the two sets of rules, with the same seed."""
    before, after = (play_out(game, setup, task.bots, False, {}, task.max_decisions, common=True) for game in games)
    return Pair(before, after)


_worker: tuple[Games, PairTask] | None = None


def begin_worker(task: PairTask) -> None:
    """Prepare a worker process; the games come from the cache."""
    global _worker
    leave_signals_to_parent()
    before, after = task.rules
    _worker = (load_game(before), load_game(after)), task


def play_pair_in_worker(setup: Setup) -> Pair:
    assert _worker is not None
    games, task = _worker
    return play_pair(games, task, setup)
