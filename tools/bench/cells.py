"""A measurement of random games: how many, their decisions, and the processor time that they took.

Takes a `Player`. It knows nothing of rulesets. The clock is read after a batch of games, which is about as long as a
measurement: what is called once for many games is measured as that.
"""

from __future__ import annotations

import gc
import time
from dataclasses import dataclass
from typing import NamedTuple, Protocol

SLOW = 4  # times as long as a measurement: a game that takes so long is not played more often to warm up


class PlayedGames(NamedTuple):
    """The games and decisions that were played. `cut`: how many of the games were cut short."""

    games: int
    decisions: int
    cut: int = 0


class Player(Protocol):
    """Plays random games in one way."""

    def begin(self, seed: int) -> None:
        """Seed the random choices: players of the same games play the same ones from a seed."""

    def play(self, games: int) -> PlayedGames:
        """Play so many games, or a few more."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measurement; `seconds` of the processor."""

    games: int
    decisions: int
    seconds: float
    cut: int = 0

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    @property
    def decisions_per_second(self) -> float:
        return self.decisions / self.seconds


def calibrate(player: Player, seconds: float) -> int:
    """The number of games in a batch; the games played to find it also warm up the player."""
    games = 1
    player.begin(0)
    player.play(games)  # writing and compiling code at first use is not play
    begun = time.process_time()
    player.play(games)
    if time.process_time() - begun >= SLOW * seconds:
        return games

    def is_long_enough() -> bool:
        begun = time.process_time()
        player.play(games)
        return time.process_time() - begun >= seconds

    while not (is_long_enough() and is_long_enough()):  # the first may have made code that pays only for many games
        games *= 2
    return games


def measure(player: Player, seconds: float, batch: int, seed: int) -> Measurement:
    """Play batches of games for about so many seconds of processor time; at least one."""
    gc.collect()
    player.begin(seed)
    games = decisions = cut = 0
    begun = time.process_time()
    while True:
        played = player.play(batch)
        games, decisions, cut = games + played.games, decisions + played.decisions, cut + played.cut
        spent = time.process_time() - begun
        if spent >= seconds:
            return Measurement(games, decisions, spent, cut)
