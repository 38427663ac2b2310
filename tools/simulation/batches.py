"""Games of a run in parts: how many are played at once, and what comes of them.

Native code plays many games in the time of one call, so parts grow as long as they take little time; a run can be
stopped between them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tools.simulation.answer_usage import AnswerUsage
from tools.simulation.card_usage import CardUsage
from tools.simulation.playout import Outcome, Setup

SOON, LATE = 0.1, 0.5  # seconds after which a part is thought to be short or long
LARGEST = 1024  # games of a part
PARTS = 16  # of each process, at least


@dataclass(slots=True)
class Batch:
    """Outcomes of some games in their order, the usage of those that have none of their own, and why native code plays
    no longer (empty: it does, or never did)."""

    outcomes: list[Outcome]
    card_usage: CardUsage = field(default_factory=CardUsage)
    answer_usage: AnswerUsage = field(default_factory=AnswerUsage)
    notice: str = ""


class Pace:
    """Divides games into parts, for one process or several; `native`: whether more than one game is worth while."""

    def __init__(self, play: Callable[[Sequence[Setup]], Batch], jobs: int, games: int, native: bool) -> None:
        self.work, self.grows = play, native and jobs == 1
        self.size = max(1, min(games // (jobs * PARTS), LARGEST)) if native and jobs > 1 else 1

    def parts(self, setups: Sequence[Setup]) -> Iterator[Sequence[Setup]]:
        at = 0
        while at < len(setups):
            part = setups[at : at + self.size]
            at += len(part)
            yield part

    def play(self, setups: Sequence[Setup]) -> Batch:
        """Play a part in this process."""
        begun = time.perf_counter()
        found = self.work(setups)
        spent = time.perf_counter() - begun
        if self.grows and spent < SOON:
            self.size = min(2 * self.size, LARGEST)
        elif self.grows and spent > LATE:
            self.size = max(self.size // 2, 1)
        return found
