"""Among numbers 0 is a member like any other; among things it is none, which is no member of anything."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, game

RULES = """
kind Seat
    field least: 0..9
    field other: 0..9 = 4
    field in_set: 0..1
    field in_list: 0..1
    field members: 0..9
phase game
    for every p in seats
        choose number n in 0..4 by p
        set p.in_set to 0
        set p.in_list to 0
        if n in {p.least, p.other}: set p.in_set to 1
        if n in list(k in 0..1): set p.in_list to 1
        set p.members to size({n, p.other})
"""


@pytest.mark.parametrize(
    ("n", "in_set", "in_list", "members"), [(0, 1, 1, 2), (1, 0, 1, 2), (3, 0, 0, 2), (4, 1, 0, 1)]
)
def test_zero_is_a_number(n: int, in_set: int, in_list: int, members: int) -> None:
    state = game(RULES).new(2)
    answer_all(state, str(n))
    p1 = rw.view(state, 1)["state"]
    found = [p1[f"Seat.{name}"]["p1"] for name in ("in_set", "in_list", "members")]
    assert found == [in_set, in_list, members]
