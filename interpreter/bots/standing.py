"""The standing of each seat in a position of the reference, as its share of a win (`interpreter.machine.standing`)."""

from __future__ import annotations

from dsl.base.types import SetType
from dsl.program import SEATS
from interpreter.core.kernel import Row
from interpreter.core.words import Words
from interpreter.machine import standing as judging
from interpreter.machine.standing import score_of_seats, winners_of_seats
from interpreter.rules.rules import Rules


class JudgedStore:
    """A store that is judged (`interpreter.machine.standing.Judged`)."""

    def __init__(self, rules: Rules, store: Words) -> None:
        self.rules, self.store = rules, store
        program = rules.program
        self.winning, self.scoring = winners_of_seats(program), score_of_seats(program)
        self.says_winners, self.by_score = max(self.winning, self.scoring) >= 0, self.scoring >= 0
        self.evaluates = program.evaluate >= 0
        seats = len(rules.machine.seat_things)
        self.worth: Row = [0] * seats
        self.shares: Row = [0] * seats

    def winners(self) -> int:
        found = self.rules.machine.eval_fn(self.store, self.winning, [])
        if isinstance(self.rules.program.functions[self.winning].result, SetType):
            return int(found) >> self.rules.names.seat_thing(1) << 1
        return 1 << self.rules.names.seat_number(found)

    def score(self, seat: int) -> int:
        return int(self.rules.machine.eval_fn(self.store, self.scoring, [self.rules.names.seat_thing(seat)]))

    def evaluated(self, seat: int) -> int:
        return self.rules.machine.worth(self.store, self.rules.names.seat_thing(seat))


def standing(rules: Rules, words: Words, scale: int) -> list[int]:
    """The share of each seat, the first one first."""
    own = JudgedStore(rules, words)
    judging.standing(own, scale)
    return list(own.shares[: words[SEATS]])
