"""Shares of a win: the curve that turns a margin into one, and the values of a program that say who has won.

Numbers and facts of a program that the search of a bot goes by, here and in low code.
"""

from __future__ import annotations

from math import exp

from dsl.base.types import MemberType, SetType
from dsl.program import Program

WHOLE = 1 << 16  # a whole win
STEPS, REACH = 64, 8  # of the curve: its steps for each scale, and how many scales it goes to either side
CURVE = tuple(round(WHOLE / (1 + exp(-n / STEPS))) for n in range(-REACH * STEPS, REACH * STEPS + 1))
MOST_THINGS = 63  # numbers of seats that low code tells winners by


def winners_of_seats(program: Program) -> int:
    """The function that says which seats have won; -1 where there is none."""
    number = program.result.get("winners", -1)
    result = program.functions[number].result if number >= 0 else None
    member = result.elem if isinstance(result, SetType) else result
    of_seats = isinstance(member, MemberType) and member.domain == program.seat_kind and member.high <= MOST_THINGS
    return number if of_seats else -1


def score_of_seats(program: Program) -> int:
    """The function that gives the score of a seat, where the highest one wins; -1 where there is none."""
    number = program.result.get("score", -1)
    if program.result.get("winners", -1) >= 0 or number < 0:
        return -1
    params = program.functions[number].params
    type_ = params[0][1] if params else None
    return number if isinstance(type_, MemberType) and type_.domain == program.seat_kind else -1
