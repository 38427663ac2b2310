"""The modules that play whole games, each for the games that begin with one store: made where enough are asked for; and
how many games a call plays: few enough that a run can be stopped from the keyboard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import perf_counter
from typing import TypeAlias

from dsl.program import Program
from interpreter.backends.analysis.fixed_seats import game_key
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.native.cache import Made
from interpreter.backends.native.targets import Instance
from interpreter.core.words import Words

WORTH = 500  # games of one beginning, from which on a module that plays them whole is made
MOST_ASKED = 1000  # beginnings of which games are counted
MOST_MODULES = 16
MOST_FAILED = 3  # games of a module that had to be played again; then it is not used any more

Beginning: TypeAlias = tuple[tuple[int, ...], bool]
"""The part that is the same in all games of a module, and whether it notes what each seat knows."""

Make: TypeAlias = Callable[[Words, bool], tuple[Instance, Made]]


class Beginnings:
    """The modules of whole games, by the store with which they begin. `make`: makes the module of a beginning, or
    raises Unsupported; `worth`: from how many games on; `modules`: those made so far; None: there is none."""

    def __init__(self, program: Program, make: Make, worth: int = WORTH) -> None:
        self.program, self.make, self.worth = program, make, worth
        self.modules: dict[Beginning, tuple[Instance, Made] | None] = {}
        self._asked: Counter[Beginning] = Counter()
        self._failed: Counter[Beginning] = Counter()

    def module_for(self, begun: Words, knowing: bool, n: int) -> tuple[Instance, Made] | None:
        """The module for `n` more games from this store; None: they are played from question to question."""
        key = game_key(self.program, begun), knowing
        if key not in self.modules and self._is_worth_it(key, n):
            try:
                self.modules[key] = self.make(begun, knowing)
            except Unsupported:
                self.modules[key] = None
        return self.modules.get(key)

    def _is_worth_it(self, key: Beginning, n: int) -> bool:
        if len(self.modules) >= MOST_MODULES:
            return False
        if len(self._asked) > MOST_ASKED:
            self._asked.clear()
        self._asked[key] += n
        return self._asked[key] >= self.worth

    def failed(self, begun: Words, knowing: bool) -> bool:
        """Note that a game had to be played again; gives whether the module is not used any more."""
        key = game_key(self.program, begun), knowing
        if self.modules.get(key) is None:
            return False
        self._failed[key] += 1
        if self._failed[key] >= MOST_FAILED:
            self.modules[key] = None
        return self.modules[key] is None


AT_ONCE = 1000  # games of the first call
STOPPABLE = 0.05  # seconds of one call


class CallPace:
    """The number of games in one call of native code. `games`: of the next call, as many as take about as long as a
    call may, but no more than `most`."""

    def __init__(self, most: int) -> None:
        self.games, self.most = min(AT_ONCE, most), most

    def play(self, left: int, work: Callable[[int], bool]) -> bool:
        """Let `work` play so many of the games that are left; gives what it gives."""
        games, begin = min(left, self.games), perf_counter()
        whole = work(games)
        if games == self.games and perf_counter() - begin < STOPPABLE / 2:
            self.games = min(2 * self.games, self.most)
        return whole
