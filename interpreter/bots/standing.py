"""The standing of each seat in a position, as its share of a win: what a search goes by.

At the end these are the winners, who share it. Before that each seat's `evaluate`, less the best of the others', is
turned into a chance by a logistic curve; the scale says how far ahead is far. All of it in whole
numbers, as low code has them.
"""

from __future__ import annotations

from dsl.base.types import SetType
from dsl.program import OVER, SEATS
from interpreter.core.words import Words
from interpreter.machine.shares import CURVE, REACH, STEPS, WHOLE, score_of_seats, winners_of_seats
from interpreter.rules.rules import Rules


def standing(rules: Rules, words: Words, scale: int) -> list[int]:
    """The share of each seat, the first one first. Without winners, scores of seats and `evaluate` all stand alike."""
    program, machine = rules.program, rules.machine
    seats = [rules.names.seat_thing(seat) for seat in range(1, words[SEATS] + 1)]
    if words[OVER]:
        won = winners(rules, words, seats)
        if won is not None:
            return [WHOLE // sum(won) * one if one else 0 for one in won]
    if program.evaluate < 0:
        return [WHOLE // len(seats)] * len(seats)
    worth = [machine.worth(words, seat) for seat in seats]
    return [chance(worth[n] - max((*worth[:n], *worth[n + 1 :]), default=0), scale) for n in range(len(seats))]


def chance(margin: int, scale: int) -> int:
    """The share of a win that a seat may hope for that is ahead by so much."""
    far = REACH * scale
    margin = max(-far, min(far, margin))
    steps = abs(margin) * STEPS // scale
    return CURVE[REACH * STEPS + (steps if margin >= 0 else -steps)]


def winners(rules: Rules, words: Words, seats: list[int]) -> list[bool] | None:
    """Which seats have won; None where the rules do not say it of seats."""
    program, machine = rules.program, rules.machine
    number = winners_of_seats(program)
    if number >= 0:
        found = machine.eval_fn(words, number, [])
        if isinstance(program.functions[number].result, SetType):
            return [bool(found >> seat & 1) for seat in seats]
        return [found == seat for seat in seats]
    number = score_of_seats(program)
    if number < 0:
        return None
    scores = [machine.eval_fn(words, number, [seat]) for seat in seats]
    return [score == max(scores) for score in scores]
