"""A name that is declared twice is one mistake: what uses it in the second meaning is not reported as unknown."""

from __future__ import annotations

import pytest

from tests.concepts.play import errors

RULES = """
option night: off, on = off
kind Seat
    field x: 0..9
phase night(p: Seat)
    choose k in 1..2 by p
    set p.x to 3 + k
phase game
    for every p in seats: USE
    if night is on: set p1.x to 1
"""


@pytest.mark.parametrize(
    "use",
    [
        "do night(p)",
        "perform night(p)",
        "stop night",
        "at end of night: set p.x to 2",
        "offer night by p",
        "set p.x to (1 if running(night) else 2)",
        "gain 1 night by p",
        "set p.x to night(p)",
    ],
)
def test_an_option_and_a_phase_of_one_name_are_one_error(use: str) -> None:
    found = errors(RULES.replace("USE", use))
    assert [d.code for d in found][:1] == ["RW0202"] and len(found) == 1, found


@pytest.mark.parametrize(
    "first, second", [("piece fruit", "zone fruit: coin"), ("value fruit: int = 1", "enum fruit: a")]
)
def test_other_declarations_of_one_name(first: str, second: str) -> None:
    rules = f"{first}\n{second}\npiece coin\nkind Seat\n    zone purse: coin\nphase game: gain 1 coin by p1\n"
    assert [d.code for d in errors(rules)] == ["RW0202"]
