"""The standing of each seat as its share of a win, compiled from `interpreter.machine.standing`."""

from __future__ import annotations

from dsl.base.types import SetType
from interpreter.backends.low.base.context import FRESH, Lowering
from interpreter.backends.low.base.make import ONE, add
from interpreter.backends.low.bots.foresight import SEAT, WORTH
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Num, Op
from interpreter.backends.low.generators.store import STORE
from interpreter.backends.low.kernel.context import Host
from interpreter.backends.low.kernel.values import Sort, Typed
from interpreter.backends.low.values.functions import FUNCTION
from interpreter.machine.standing import score_of_seats, winners_of_seats


class LowJudged(Host):
    """The store, which is judged (`interpreter.machine.standing.Judged`)."""

    def __init__(self, lo: Lowering) -> None:
        super().__init__(lo)
        program, self.store = lo.program, STORE
        things = program.domains[program.seat_kind].values
        self.before = things[0] - 1  # the thing of the first seat, less 1
        self.worth, self.shares = Typed(_room(lo, 2 * len(things)), Sort.LONGS), Typed(_room(lo, len(things)), Sort.ROW)
        self.winning, self.scoring = winners_of_seats(program), score_of_seats(program)
        self.says_winners, self.by_score = max(self.winning, self.scoring) >= 0, self.scoring >= 0
        self.evaluates = program.evaluate >= 0

    def winners(self) -> Expr:
        self.lo.w.call(FRESH)
        found = low.Call(self.lo.want(FUNCTION, self.winning))
        if isinstance(self.lo.program.functions[self.winning].result, SetType):
            return Op("<<", Op(">>u", found, Num(self.before + 1)), ONE)
        return Op("<<", ONE, add(found, -self.before))

    def score(self, seat: Expr) -> Expr:
        self.lo.w.call(FRESH)
        return low.Call(self.lo.want(FUNCTION, self.scoring), (add(seat, self.before),))

    def evaluated(self, seat: Expr) -> Expr:
        self.lo.w.emit(low.SetGlobal(SEAT, seat))
        return low.Call(WORTH)


def _room(lo: Lowering, words: int) -> Num:
    return Num(lo.memory.room(words))
