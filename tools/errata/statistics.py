"""What overlays do to random games: the change of length and of scores, with 95% intervals."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from dsl.driver.reference import RulesetReference
from interpreter import Game
from tools.base.stats import Mean, mean_of
from tools.commands.simulate import Task, make_setups, run
from tools.simulation.report import Report


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure before and after; `difference`, with its margin, is how much larger it is after."""

    figure: str
    before: Mean
    after: Mean

    @property
    def difference(self) -> Mean:
        """The difference of the means; its margin is of two independent samples."""
        margins = (self.before.margin, self.after.margin)
        margin = None if None in margins else sum(m * m for m in margins if m is not None) ** 0.5
        return Mean(min(self.before.n, self.after.n), self.after.mean - self.before.mean, margin)

    @property
    def significant(self) -> bool:
        """Whether the interval excludes zero."""
        return self.difference.margin is not None and abs(self.difference.mean) > self.difference.margin


def compare_figures(
    base: tuple[Game, RulesetReference], overlaid: tuple[Game, RulesetReference], games: int, seed: int, quiet: bool
) -> list[FigureChange]:
    """Play random games of both, with the same seeds, and compare their lengths and scores."""
    reports = [simulate_games(game, rules, games, seed, quiet) for game, rules in (base, overlaid)]
    before, after = reports
    found = [FigureChange("length in decisions", mean_of(before.lengths), mean_of(after.lengths))]
    for key in sorted(before.by_seat.keys() & after.by_seat.keys()):
        seats, seat = key
        tallies = before.by_seat[key], after.by_seat[key]
        found.append(FigureChange(f"score of seat {seat} of {seats}", *(mean_of(t.scores) for t in tallies)))
    for actor in before.by_actor.keys() & after.by_actor.keys():
        tallies = before.by_actor[actor], after.by_actor[actor]
        found.append(FigureChange(f"score of {actor}", *(mean_of(t.scores) for t in tallies)))
    return found


def simulate_games(game: Game, rules: RulesetReference, games: int, seed: int, quiet: bool) -> Report:
    """The report of `games` random games of any number of seats, on all processors."""
    task = Task(rules, ("random",), False, ())
    return run(
        game,
        task,
        make_setups(games, game.program.seats, seed),
        os.cpu_count() or 1,
        Path(".rulewright/failures"),
        quiet,
    )
