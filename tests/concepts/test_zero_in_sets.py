"""Among numbers 0 is a member like any other; among things it is none, which is no member of anything. A number
below 0 is no member either, and a fault."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.everywhere import HERE, fault, played
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


BELOW = """
kind Seat
    field known: 0..9
field pile: -5..20 = {pile}
phase game
    let written = {{pile, 2}}
    let gathered = set(k in 1..4: k + pile)
    let tops = tied(k in pile..3 with lowest k mod 2)
    for every p in seats
        choose number n in 0..4 by p
        set p.known to size(written) + size(gathered) + size(tops)
"""


@pytest.mark.parametrize("target", HERE)
def test_a_number_that_might_be_below_zero_can_be_a_member(target: str) -> None:
    state = played(BELOW.format(pile=1), target=target)
    assert rw.view(state, 1)["state"]["Seat.known"] == {"p1": 7, "p2": 7}


@pytest.mark.parametrize("target", HERE)
def test_a_number_below_zero_is_no_member(target: str) -> None:
    assert "a set holds numbers from 0 on" in fault(BELOW.format(pile=-3), target=target)
