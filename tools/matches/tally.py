"""The result of a match: wins of both bots, with Wilson's interval, and the time that they took.

A tie is a fraction of a win for each winner. A game that fails, or is not over after the most decisions that it may
have, is lost for both, as is one that the game itself has won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.base.stats import share_interval
from tools.matches.plan import PAIR
from tools.matches.play import Played
from tools.simulation.playout import GameOutcome

Wins = tuple[float, float]  # of both bots


@dataclass(slots=True)
class MatchResult:
    """`first` and `second`: the names of the bots. `pairs`: what both have won in the two games of each seed."""

    first: str
    second: str
    pairs: list[Wins] = field(default_factory=list)
    unfinished: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)
    spent: dict[str, tuple[int, float]] = field(default_factory=dict)  # by each bot: decisions, seconds

    @property
    def games(self) -> int:
        return PAIR * len(self.pairs)

    @property
    def wins(self) -> Wins:
        return sum(a for a, _ in self.pairs), sum(b for _, b in self.pairs)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the share of all games that the second bot has won."""
        return share_interval(self.wins[1], self.games)

    def seconds(self, bot: str) -> float | None:
        """Of the processor, for one decision; None if it had none."""
        decisions, seconds = self.spent.get(bot, (0, 0.0))
        return seconds / decisions if decisions else None

    def to_json(self) -> dict[str, Any]:
        """Without times, which differ from run to run."""
        low, high = self.interval
        return {
            "first": self.first,
            "second": self.second,
            "games": self.games,
            "wins_of_first": round(self.wins[0], 4),
            "wins_of_second": round(self.wins[1], 4),
            "share_of_second_95": [round(low, 4), round(high, 4)],
            "not_finished": self.unfinished,
            "failures": self.failures,
        }

    def times_to_json(self) -> dict[str, float | None]:
        found = {bot: self.seconds(bot) for bot in (self.first, self.second)}
        return {bot: None if spent is None else round(spent, 6) for bot, spent in found.items()}


def tally(matches: Sequence[tuple[str, str]], played: Sequence[Played]) -> list[MatchResult]:
    """The results of matches by the games that were played. Of a pair only one game of which was, nothing counts."""
    found = [MatchResult(*bots) for bots in matches]
    games: list[list[GameOutcome]] = [[] for _ in matches]
    for bout, outcome in played:
        games[bout.match].append(outcome)
    for match, outcomes in zip(found, games, strict=True):
        whole = outcomes[: len(outcomes) // PAIR * PAIR]
        for outcome in whole:
            count(match, outcome)
        wins = [wins_of(match, outcome) for outcome in whole]
        match.pairs = [(a + c, b + d) for (a, b), (c, d) in zip(wins[::PAIR], wins[1::PAIR], strict=True)]
    return found


def count(match: MatchResult, outcome: GameOutcome) -> None:
    match.unfinished += outcome.unfinished
    if outcome.failure is not None:
        row = {"kind": outcome.failure.kind, "message": outcome.failure.message}
        match.failures.append({**row, "game": outcome.setup.number, "seed": outcome.setup.seed})
    for bot, (decisions, seconds) in outcome.spent.items():
        known, before = match.spent.get(bot, (0, 0.0))
        match.spent[bot] = known + decisions, before + seconds


def wins_of(match: MatchResult, outcome: GameOutcome) -> Wins:
    """The shares of the win that the seats of each bot have."""
    bots, found = (match.first, match.second), [0.0, 0.0]
    if outcome.failure is None and not outcome.unfinished:
        for seat, share in outcome.seat_wins.items():
            found[bots.index(outcome.setup.bot_of(seat, bots))] += share
    return found[0], found[1]
