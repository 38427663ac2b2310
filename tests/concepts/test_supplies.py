"""A supply at the owner (docs/manual/03-pieces-and-zones.md): the pieces of each sort lie with the thing that its index
names."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.records.ruling import run_rulings
from tests.concepts.play import answer_all, cell, errors, game, options, play_on_both, start

NATIONS = """
enum Unit: token, city
kind Nation: 1 per Seat decided by owner
    zone stock: unit
    field lost: 0..99
kind Land: 3
    zone units: unit
    zone fort: unit max 1
piece unit by Unit, Nation each numbers from Nation.stock faces calm, angry
table numbers by Unit
    token: 7
    city: 2
kind Seat
    field moves: 0..99
"""


def stock(state: rw.State, nation: str) -> tuple[int, int]:
    """The calm tokens and cities of a nation in its own stock."""
    token, city = (cell(state, f"{nation}.stock", 0, unit, nation) for unit in ("token", "city"))
    return token, city


def test_pieces_begin_at_their_owner_in_the_numbers_of_the_table() -> None:
    s = start(NATIONS + "phase game: choose n in 1..2 by p1 where total(nation_p1.stock) > n\n")
    assert stock(s, "nation_p1") == stock(s, "nation_p2") == (7, 2)
    assert (
        cell(s, "nation_p1.stock", 0, "token", "nation_p2") == cell(s, "nation_p1.stock", 1, "token", "nation_p1") == 0
    )


def test_gain_and_lose_need_not_name_it() -> None:
    s = start(
        NATIONS
        + """
phase game
    for every n in Nation, h in Land: gain 2 unit[token, n] by n to h.units
    gain 9 unit[city, nation_p1] by nation_p1 to land_1.units
    lose 5 unit[token, nation_p2] by nation_p2 from land_2.units
    move 1 unit[token, nation_p2] from land_3.units to land_3.fort
    lose 1 unit[token, nation_p2] by nation_p1 from land_3.fort
    choose n in 1..2 by p1
"""
    )
    assert stock(s, "nation_p1") == (7 - 3 * 2, 0)  # of two cities it can gain no more than two
    assert stock(s, "nation_p2") == (7 - 3 * 2 + 2 + 1, 2)  # two of the five lay there, and the one in the fort
    assert cell(s, "land_3.fort") == 0


def test_a_supply_that_is_empty_gives_no_more() -> None:
    s = start(
        NATIONS
        + """
action settle(n: Nation) of deals
    require n.stock[token, n] >= 4 because "too few tokens"
    gain 4 unit[token, n] by n to land_1.units
action rest(n: Nation) of deals: set n.lost to n.lost + 1
action wait(n: Nation) of deals: set n.lost to n.lost + 2
phase game
    for every i in 1..2: offer deals by nation_p1
    choose n in 1..2 by p1
"""
    )
    assert options(s) == ["settle", "rest", "wait"]
    answer_all(s, "settle")
    assert options(s) == ["rest", "wait"]


RULINGS = """
position held
    given
        seats: 2
        land_1.units: token nation_p1 3, city nation_p2
        land_2.fort: token nation_p2
ruling taken "what lies elsewhere is missing in the supplies"
    given held
    when: do game()
    expect
        nation_p1.stock[token, nation_p1]: 4
        nation_p1.stock[city, nation_p1]: 2
        nation_p2.stock[city, nation_p2]: 1
        nation_p2.stock[token, nation_p2]: 6
phase game: choose n in 1..2 by p1
"""


def test_positions_take_from_the_supply_of_each_owner() -> None:
    made = game(NATIONS + RULINGS, seats=(2, 2))
    assert [str(f) for r in run_rulings(made, ()) for f in r.failures] == []
    too_many = game(NATIONS + RULINGS.replace("nation_p1 3, city", "nation_p1 8, city"), seats=(2, 2))
    failures = [str(f) for r in run_rulings(too_many, ()) for f in r.failures]
    assert len(failures) == 1 and "needs 8 from a supply of 7" in failures[0]


def test_purses_pay_back_to_the_owner() -> None:
    s = start(
        """
piece food by Seat each 9 from Seat.store
purse meal(p: Seat)
    source p.larder[p]
kind Seat
    zone store: food
    zone larder: food
    field fed: 0..9
action eat(p: Seat) of deals
    pay 3 meal by p
    set p.fed to 1
phase game
    for every p in seats: gain 5 food[p] by p to p.larder
    offer deals by p2
    choose n in 1..2 by p1
"""
    )
    assert cell(s, "p2.larder", "p2") == 2 and cell(s, "p2.store", "p2") == 7 and cell(s, "p1.store", "p1") == 4


def test_both_back_ends_agree() -> None:
    program = game(
        NATIONS
        + """
phase game
    for every i in 1..4, n in Nation
        choose h in Land, u in Unit by n
        gain 2 unit[u, n] by n to h.units
        choose k in Land by n
        lose 1 unit[u, n] by n from k.units
        turn all unit[u, n] from k.units to angry
""",
        seats=(2, 2),
    ).program
    for seed in range(6):
        play_on_both(program, seed)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("from Nation.stock", "from Nation.stok", "RW0220"),
        ("piece unit by Unit, Nation", "piece unit by Unit", "RW0229"),
        ("zone stock: unit", "zone stock: unit max 5", "RW0229"),
        ("each numbers", "each nombers", "RW0227"),
        (
            "table numbers by Unit\n    token: 7\n    city: 2",
            "table numbers by Land\n    land_1: 1\n    land_2: 1\n    land_3: 1",
            "RW0227",
        ),
    ],
)
def test_a_supply_has_to_belong_to_the_sort(old: str, new: str, code: str) -> None:
    found = errors(NATIONS.replace(old, new) + "phase game: choose n in 1..2 by p1 where total(land_1.units) > n\n")
    assert [d.code for d in found] == [code]


def test_a_constant_of_the_owner_says_how_many() -> None:
    s = start(
        """
kind Crew
    const hands: 0..20
    zone bench: hand
piece hand by Crew each hands from Crew.bench faces idle, busy
card cooks "Cooks": Crew
    hands: 3
card sailors "Sailors": Crew
    hands: 12
phase game: choose n in 1..2 by p1 where total(cooks.bench) > n
"""
    )
    assert cell(s, "cooks.bench", 0, "cooks") == 3
    assert cell(s, "sailors.bench", 0, "sailors") == 12
    assert cell(s, "cooks.bench", 0, "sailors") == 0
