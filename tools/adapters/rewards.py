"""What a finished game is worth to each seat: the rewards that learning libraries maximise.

`Rewards` reads the manifest's `result`. `score` takes the ruleset's own scores, `wins` turns them into a game of which
the sum is zero. An unfinished game is worth 0 to everybody.
"""

from __future__ import annotations

from dsl.base.types import IntType
from dsl.program import Program
from interpreter import State
from tools.base.scores import result

SCORE, WINS = "score", "wins"


class Rewards:
    """How rewards are counted for a program. `bounds` are the least and the most that a game can be worth to a seat; if
    they are not given, they are those of the score's type, which is wide where it is a plain `int`."""

    def __init__(self, program: Program, form: str = "", bounds: tuple[float, float] | None = None) -> None:
        number = program.result.get("score", -1)
        self.form = form or (SCORE if number >= 0 else WINS)
        if self.form not in (SCORE, WINS):
            raise ValueError(f"rewards are `{SCORE}` or `{WINS}`, not `{form}`")
        if self.form == SCORE and number < 0:
            raise ValueError(f"`{program.id}` names no `score` under `result` in its manifest; ask for `{WINS}`")
        self.least, self.most = -1.0, 1.0
        if self.form == SCORE:
            type_ = program.functions[number].result
            assert isinstance(type_, IntType), "the checker lets only numbers be scores"
            self.least, self.most = bounds or (float(type_.low), float(type_.high))

    def of(self, state: State) -> list[float]:
        """The reward of each seat, the first seat's first."""
        if not state.over:
            return [0.0] * state.seats
        found = result(state)
        if self.form == SCORE:
            scores = [float(found.seats.get(seat, 0)) for seat in range(1, state.seats + 1)]
            if not all(self.least <= score <= self.most for score in scores):
                raise ValueError(f"the scores {scores} are not within the bounds {self.least}..{self.most}")
            return scores
        return shares(state.seats, found.winning_seats)


def shares(seats: int, winners: list[int]) -> list[float]:
    """The winners share one point, which the losers pay alike. Nothing for anybody where all or none have won."""
    losers = seats - len(winners)
    if not winners or not losers:
        return [0.0] * seats
    return [1 / len(winners) if seat in winners else -1 / losers for seat in range(1, seats + 1)]
