"""A ladder: matches of each level of play against the next, and what they say of the levels as Elo.

Each match counts half a win more for either side, so that a level that has lost all games has a place, too. The
interval of an Elo is that of the middle 95% of samples of the pairs of games, drawn again with what was drawn put back.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tools.base.stats import quantile
from tools.matches.bradley_terry import elo
from tools.matches.tally import MatchResult, Wins

SAMPLES = 400
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Rung:
    """A level with its Elo above the first one."""

    level: str
    elo: float
    low: float
    high: float


@dataclass(slots=True)
class Ladder:
    """`asked`: the games that each match was to have; `interrupted`: stopped before that."""

    ruleset: str
    digest: str
    seats: int
    seed: int
    asked: int
    max_decisions: int
    matches: list[MatchResult]
    rungs: list[Rung]
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """All but `times` is the same for each run with this seed."""
        return {
            "ruleset": self.ruleset,
            "digest": self.digest,
            "seats": self.seats,
            "seed": self.seed,
            "games": self.asked,
            "max_decisions": self.max_decisions,
            "interrupted": self.interrupted,
            "matches": [match.to_json() for match in self.matches],
            "elo": [
                {"level": rung.level, "elo": round(rung.elo, 1), "elo_95": [round(rung.low, 1), round(rung.high, 1)]}
                for rung in self.rungs
            ],
            "times": [match.times_to_json() for match in self.matches],
        }


def steps_of(levels: Sequence[str]) -> list[tuple[str, str]]:
    """The matches of a ladder."""
    return list(pairwise(levels))


def rungs_of(matches: Sequence[MatchResult], seed: int) -> list[Rung]:
    """The levels of a ladder, the first one first."""
    levels = [matches[0].first, *(match.second for match in matches)]
    found = elo(wins_between([match.wins for match in matches]))
    chance, samples = random.Random(seed), []
    for _ in range(SAMPLES):
        drawn = [chance.choices(match.pairs, k=len(match.pairs)) for match in matches]
        samples.append(elo(wins_between([(sum(a for a, _ in pairs), sum(b for _, b in pairs)) for pairs in drawn])))
    rungs = []
    for n, level in enumerate(levels):
        column = [sample[n] for sample in samples]
        rungs.append(Rung(level, found[n], quantile(column, 0.025), quantile(column, 0.975)))
    return rungs


def wins_between(steps: Sequence[Wins]) -> list[list[float]]:
    """How often each level has beaten each other one, from the wins of the lower and the higher one of each step."""
    places = range(len(steps) + 1)
    wins = [[0.0] * len(places) for _ in places]
    for n, (low, high) in enumerate(steps):
        wins[n][n + 1] = low + HALF
        wins[n + 1][n] = high + HALF
    return wins
