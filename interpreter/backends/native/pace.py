"""How many games a call of native code plays: few enough that a run can be stopped from the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

AT_ONCE = 1000  # games of the first call
STOPPABLE = 0.05  # seconds of one call


class Pace:
    """`games`: of the next call, as many as take about as long as a call may, but no more than `most`."""

    def __init__(self, most: int) -> None:
        self.games, self.most = min(AT_ONCE, most), most

    def play(self, left: int, work: Callable[[int], bool]) -> bool:
        """Let `work` play so many of the games that are left; gives what it gives."""
        games, begin = min(left, self.games), perf_counter()
        whole = work(games)
        if games == self.games and perf_counter() - begin < STOPPABLE / 2:
            self.games = min(2 * self.games, self.most)
        return whole
