"""A drafting game: three rounds, in which everybody takes one card of a hidden hand and passes the rest on.

It is not a test itself.
"""

from __future__ import annotations

import interpreter as rw
from tests.concepts.play import game

DRAFT = """
enum Cause: dealt, taken, passed
kind Card: 15
    field worth: 0..15
zone box: Card seen by nobody
kind Seat
    zone hand: Card seen by owner
    zone coming: Card seen by owner
    zone table: Card
value points(p: Seat): int = sum(c in p.table: c.worth)
phase game
    let all_cards = list(c in Card)
    for every i in 1..size(all_cards): set all_cards[i].worth to i
    for every c in Card: move c to box
    for every p in seats, i in 1..4
        random c in box
        move c to p.hand as dealt
    for every i in 1..3: do draft()
procedure draft()
    for every p in seats at once
        choose c in p.hand by p
        move c to p.table as taken
    for every p in seats: move p.hand to next(p).coming as passed
    for every p in seats: move p.coming to p.hand as passed
"""
DRAFTED = "result: {score: points}\nevaluate: points\n"


def draft(backend: str = "") -> rw.Game:
    found = game(DRAFT, seats=(2, 3), manifest=DRAFTED)
    return rw.Game(found.program, backend) if backend else found
