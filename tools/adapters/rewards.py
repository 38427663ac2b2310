"""The rewards of a finished game for each seat, which learning libraries maximise.

`Rewards` reads the manifest's `result`. `score` takes the ruleset's own scores, `wins` makes a zero-sum game of them.
The rewards of an unfinished game are 0.
"""

from __future__ import annotations

from dsl.base.types import IntType, ListType, MemberType, SetType
from dsl.program import Program
from interpreter import State, result
from interpreter.play.result import kind_of_actors

SCORE, WINS = "score", "wins"


class Rewards:
    """The rewards of a program's games. `bounds` are the lowest and the highest reward of a seat, by default those
    of the score's type, which is wide for a plain `int`. Raises `ValueError` for a form that the program does not
    support."""

    def __init__(self, program: Program, form: str = "", bounds: tuple[float, float] | None = None) -> None:
        number = program.result.get("score", -1)
        self.form = form or (SCORE if number >= 0 else WINS)
        if self.form not in (SCORE, WINS):
            raise ValueError(f"rewards are `{SCORE}` or `{WINS}`, not `{form}`")
        if self.form == SCORE and number < 0:
            raise ValueError(f"`{program.id}` names no `score` under `result` in its manifest; ask for `{WINS}`")
        self.is_zero_sum = self.form == WINS or program.zero_sum
        # Actors that are no seats belong to a seat by what they have decided, which only a log tells.
        self.by_actors = kind_of_actors(program) is not None or _wins_by_actor(program)
        self.lowest, self.highest = -1.0, 1.0
        if self.form == SCORE:
            type_ = program.functions[number].result
            assert isinstance(type_, IntType), "the checker lets only numbers be scores"
            self.lowest, self.highest = bounds or (float(type_.low), float(type_.high))

    def of(self, state: State) -> list[float]:
        """The reward of each seat, in the order of the seats; raises `ValueError` for a score out of bounds."""
        if not state.over:
            return [0.0] * state.seats
        found = result(state)
        if self.form == SCORE:
            scores = [float(found.scores.get(seat, 0)) for seat in range(1, state.seats + 1)]
            if not all(self.lowest <= score <= self.highest for score in scores):
                raise ValueError(f"the scores {scores} are not within the bounds {self.lowest}..{self.highest}")
            return scores
        return win_rewards(state.seats, found.winners)


def _wins_by_actor(program: Program) -> bool:
    """True if winners may be actors that are no seats."""
    number = program.result.get("winners", -1)
    type_ = program.functions[number].result if number >= 0 else None
    inner = type_.elem if isinstance(type_, (SetType, ListType)) else type_
    return isinstance(inner, MemberType) and inner.domain != program.seat_kind


def win_rewards(seats: int, winners: list[int]) -> list[float]:
    """The winners share one point, to which the losers contribute equally; 0 for each seat if all or none have won."""
    losers = seats - len(winners)
    if not winners or not losers:
        return [0.0] * seats
    return [1 / len(winners) if seat in winners else -1 / losers for seat in range(1, seats + 1)]
