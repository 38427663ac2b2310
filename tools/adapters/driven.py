"""The game under an adapter: a driver and its past, of which a state with a log is made only where that is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from interpreter import Driver, Game, State, apply, copy, legal, load

MAX_DECISIONS = 100_000  # decisions of one game

Step: TypeAlias = int | tuple[int]
"""An answer by its place, or the outcome of a chance event in a tuple."""

Trail: TypeAlias = tuple["Trail", Step] | None
"""All steps of a position, the last one outside: copies of a position share their beginning."""


def loaded(ruleset: str | Path | Game) -> Game:
    """A ruleset by its id or its folder, or one that is loaded."""
    return ruleset if isinstance(ruleset, Game) else load(ruleset)


class Driven:
    """A position that is driven. `begin` gives the state that the driver began with; `trail`: what was taken since."""

    __slots__ = ("driver", "begin", "trail", "_known", "_at")

    def __init__(self, driver: Driver, begin: Callable[[], State]) -> None:
        self.driver, self.begin = driver, begin
        self.trail: Trail = None
        self._known: State | None = None
        self._at: Trail = None  # the end of the steps by which the state is known

    def copy(self) -> Driven:
        """An independent position."""
        other = Driven(self.driver.copy(), self.begin)
        other.trail, other._known, other._at = self.trail, self._known, self._at
        return other

    def answer(self, place: int) -> None:
        """Take the option at this place."""
        self.driver.answer(place)
        self.trail = self.trail, place

    def draw(self, value: int) -> None:
        """Take this outcome of chance."""
        self.driver.draw(value)
        self.trail = self.trail, (value,)

    def take(self, step: Step) -> None:
        """Take a step of another position once more."""
        if isinstance(step, tuple):
            self.draw(step[0])
        else:
            self.answer(step)

    def steps(self, since: Trail = None) -> list[Step]:
        """The steps that were taken after the end of such a trail, the first one first."""
        found, at = [], self.trail
        while at is not since:
            assert at is not None, "a trail that this one goes on from"
            at, step = at
            found.append(step)
        return found[::-1]

    @property
    def state(self) -> State:
        """The position with its log, played once more as far as it is not known. It must not be changed: copies share
        it."""
        if self._known is None:
            self._known = self.begin()
        if self._at is not self.trail:
            state = copy(self._known)
            for step in self.steps(self._at):
                replay(state, step)
            self._known, self._at = state, self.trail
        return self._known

    @property
    def bare(self) -> State:
        """The position for what needs no log; with it only where a plan is open, since others do not see that."""
        return self.state if self.driver.plans else self.driver.state()


def replay(state: State, step: Step) -> None:
    """Take a step in a state with a log."""
    if isinstance(step, tuple):
        assert state.chance is not None, "a chance event is awaited"
        apply(state, next(o for o in state.chance.outcomes if o.code == step[0]))
    else:
        apply(state, legal(state)[step])
