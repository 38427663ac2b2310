"""The standing of each seat in a position, as its share of a win: what a search goes by.

At the end these are the winners, who share it. Before that each seat's `evaluate`, less the best of the others', is
turned into a chance by a logistic curve; the scale says how far ahead is far. All of it in whole numbers. Kernel
functions, run by `interpreter.bots.standing` and compiled for native code.
"""

from __future__ import annotations

from math import exp
from typing import Protocol

from dsl.base.types import MemberType, SetType
from dsl.program import OVER, SEATS, Program
from interpreter.core.kernel import Bits, Longs, Row, kernel

WHOLE = 1 << 16  # a whole win
STEPS, REACH = 64, 8  # of the curve: its steps for each scale, and how many scales it goes to either side
MIDDLE = REACH * STEPS  # where the curve stands for a margin of 0
CURVE = tuple(round(WHOLE / (1 + exp(-n / STEPS))) for n in range(-MIDDLE, MIDDLE + 1))
MOST_THINGS = 63  # numbers of seats that low code tells winners by
LOWEST = -(1 << 62)


class Judged(Protocol):
    """A position that is judged. `worth`, `shares`: memory for a number of each seat, the first one first."""

    worth: Longs
    shares: Row
    says_winners: bool
    by_score: bool
    evaluates: bool

    @property
    def store(self) -> Row: ...

    def winners(self) -> Bits: ...
    def score(self, seat: int) -> int: ...
    def evaluated(self, seat: int) -> int: ...


@kernel
def standing(at: Judged, scale: int) -> None:
    """Write the share of each seat. Without winners, scores of seats and `evaluate` all stand alike."""
    seats = at.store[SEATS]
    if at.says_winners and at.store[OVER]:
        share_win(at, seats)
    elif at.evaluates:
        share_chances(at, seats, scale)
    else:
        for n in range(seats):
            at.shares[n] = WHOLE // seats


@kernel
def share_win(at: Judged, seats: int) -> None:
    won, count = winners(at, seats), 0
    for n in range(seats):
        count += won >> n + 1 & 1
    for n in range(seats):
        at.shares[n] = WHOLE // count if won >> n + 1 & 1 else 0


@kernel
def winners(at: Judged, seats: int) -> Bits:
    """The numbers of the seats that have won, as a set."""
    won: Bits = 0
    if at.by_score:
        most = LOWEST
        for n in range(seats):
            at.worth[n] = at.score(n + 1)
            most = max(most, at.worth[n])
        for n in range(seats):
            if at.worth[n] == most:
                won |= 1 << n + 1
    else:
        won = at.winners()
    return won


@kernel
def share_chances(at: Judged, seats: int, scale: int) -> None:
    for n in range(seats):
        at.worth[n] = at.evaluated(n + 1)
    for n in range(seats):
        other = LOWEST if seats > 1 else 0
        for k in range(seats):
            if k != n:
                other = max(other, at.worth[k])
        at.shares[n] = chance(at.worth[n] - other, scale)


@kernel
def chance(margin: int, scale: int) -> int:
    """The share of a win that a seat may hope for that is ahead by so much."""
    steps = min(max(margin, -margin), REACH * scale) * STEPS // scale
    return CURVE[MIDDLE + steps if margin >= 0 else MIDDLE - steps]


# ------------------------------------------------------------ what a program says of winners


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
