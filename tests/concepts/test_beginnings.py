"""What a game begins with (docs/manual/02-kinds-and-actors.md and 03-pieces-and-zones.md): fields stand within their
bounds, pieces lie in their supply."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import cell, errors, start

FIELDS = """
enum Season: wet, dry, cold
kind Tree: 2
    field height: 2..6
    field age: 3..9 = 4
    field season: Season
    field last: Season or none
    field best: Season = cold
    field open: bool
    field lit: bool = true
    field lot: 2..3 by Season
    field rate: 1..9 = 7 by Season
    field marks: 5..7 by Season, Tree
kind Bush: 2
kind Rock: 2
kind Plant: Tree, Rock
    field size: 3..6
field depth: -9..-2
field shift: -3..3
field chosen: Tree
field other: Tree = tree_2
field seen: set of Tree
kind Seat
    field level: 2..6
value points_of(p: Seat): int = p.level
phase game
    for every p in seats
        choose number n in 2..3 by p
        if n is 9: set p.level to n
"""


@pytest.mark.parametrize(
    "path, value",
    [
        ("p1.level", 2),
        ("p2.level", 2),
        ("tree_1.height", 2),
        ("tree_2.age", 4),
        ("tree_2.season", "wet"),
        ("tree_1.last", "none"),
        ("tree_1.best", "cold"),
        ("tree_1.open", False),
        ("tree_2.lit", True),
        ("rock_2.size", 3),
        ("depth", -2),
        ("shift", 0),
        ("chosen", "tree_1"),
        ("other", "tree_2"),
        ("seen", []),
    ],
)
def test_a_field_begins_within_its_bounds(path: str, value: object) -> None:
    assert cell(start(FIELDS), path) == value


@pytest.mark.parametrize("season", ["wet", "dry", "cold"])
def test_each_item_of_a_field_begins_within_its_bounds(season: str) -> None:
    s = start(FIELDS)
    assert cell(s, "tree_2.lot", season) == 2 and cell(s, "tree_1.rate", season) == 7
    assert cell(s, "tree_2.marks", season, "tree_1") == 5


def test_the_view_shows_a_field_as_it_begins() -> None:
    s = start(FIELDS)
    assert rw.view(s, 1)["state"]["Tree.season"]["tree_1"] == "wet"


def test_pieces_that_begin_in_a_zone_are_counted() -> None:
    # 3: without `each` the supply never runs out, and is no zone.
    rules = """
piece coin from bank
zone bank: coin
kind Seat
    zone purse: coin
phase game
    for every p in seats
        choose number n in 1..2 by p
        gain n coin by p to p.purse
"""
    (found,) = errors(rules)
    assert found.code == "RW0227" and "nothing says how many there are" in found.message
    s = start(rules.replace("coin from bank", "coin each 9 from bank"))
    rw.answer(s, "2")
    assert cell(s, "p1.purse") == 2 and cell(s, "bank") == 7
