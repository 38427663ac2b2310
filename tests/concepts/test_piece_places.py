"""Lines that are told from where to where counted pieces move (docs/manual/13-triggers.md): they may move pieces from
and to these places."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import cell, errors, game, play_on_both, start

RULES = """
enum Cause: death, thrift
enum Tribe: red, blue
piece migrant by Tribe each 9 from pool faces young, old
piece rebel by Tribe each 9 from den
piece coin
zone pool: migrant
zone den: rebel
zone ground: migrant
kind Land: 3
    zone camp: migrant
    zone post: migrant max 1
    zone heap: migrant by Tribe
    zone cage: rebel
kind Seat
    zone purse: coin
    field n: 0..9
value points_of(p: Seat): int = p.purse
LINES
phase game
    move 3 migrant[red] from pool to land_2.camp
    move 1 migrant[blue] from pool to land_2.camp
    move 2 migrant[blue] from pool to land_3.heap[red]
    BODY
    choose k in 1..2 by p1
    set p1.n to k
"""


def play(lines: str, body: str, **how: object) -> rw.State:
    return start(RULES.replace("LINES", f"rule lines\n    {lines}").replace("BODY", body), **how)


def test_what_moves_brings_more_from_where_it_came() -> None:
    s = play(
        "after move(t: migrant, a, b) where cause is death: move 1 migrant[t] from a to ground",
        "move 1 migrant[red] from land_2.camp to pool as death",
    )
    assert cell(s, "land_2.camp", 0, "red") == 1 and cell(s, "ground", 0, "red") == 1
    assert cell(s, "pool", 0, "red") == 7


def test_what_moves_turns_back() -> None:
    s = play(
        "instead of move(t: migrant, a, b) where cause is death: move amount migrant[t] from a to ground as death",
        "move 2 migrant[red] from land_2.camp to pool as death",
    )
    assert cell(s, "land_2.camp", 0, "red") == 1 and cell(s, "ground", 0, "red") == 2


def test_all_of_a_sort_follows() -> None:
    s = play(
        "after move(t: migrant, a, b) where cause is death: move all migrant[t] from a to b",
        "move 1 migrant[red] from land_2.camp to land_1.camp as death",
    )
    assert cell(s, "land_2.camp", 0, "red") == 0 and cell(s, "land_1.camp", 0, "red") == 3


def test_a_place_may_be_a_slot_or_one_of_zones_by_member() -> None:
    s = play(
        "after move(t: migrant, a, b) where cause is death: move 1 migrant[t] from a to land_1.post",
        "move 1 migrant[blue] from land_3.heap[red] to ground as death",
    )
    assert cell(s, "land_3.heap", "red", 0, "blue") == 0 and cell(s, "land_1.post") == 2
    s = play(
        "after move(t: migrant, a, b) where cause is death: move 1 migrant[t] from land_2.camp to b",
        "move 1 migrant[blue] from land_3.heap[red] to land_3.heap[blue] as death",
    )
    assert cell(s, "land_3.heap", "blue", 0, "blue") == 2


def test_a_full_place_is_a_failed_demand() -> None:
    rules = "after move(t: migrant, a, b) where cause is death: move 1 migrant[t] from land_2.camp to b"
    with pytest.raises(rw.RulesetError, match="1 migrant should"):
        play(rules, "move 1 migrant[red] from land_2.camp to land_1.post as death")


def test_gaining_and_losing_take_what_is_there() -> None:
    s = play(
        "after move(t: migrant, a, b) where cause is death: lose 9 migrant[t] from a as thrift",
        "move 1 migrant[red] from land_2.camp to ground as death",
    )
    assert cell(s, "land_2.camp", 0, "red") == 0 and cell(s, "pool", 0, "red") == 8


def test_an_endless_supply_is_a_place() -> None:
    s = play(
        "after gain(c: coin, a, b) where cause is death: move 2 coin from a to b as thrift",
        "gain 1 coin by p2 as death",
    )
    assert cell(s, "p2.purse") == 3


@pytest.mark.parametrize(
    "line",
    [
        "after move(t: migrant, a, b): move 1 rebel[t] from a to den",  # of other pieces
        "after move(t: migrant, a, b): do put(a)",  # a procedure is told any place
    ],
)
def test_a_place_for_something_else_is_refused(line: str) -> None:
    more = "\nprocedure put(a: place): move 1 migrant[red] from pool to a"
    rules = RULES.replace("LINES", f"rule lines\n    {line}{more if 'put' in line else ''}")
    found = errors(rules.replace("BODY", "move 1 migrant[red] from land_2.camp to ground"))
    assert [d.code for d in found] == ["RW0507"]


def test_both_back_ends_agree() -> None:
    lines = (
        "after move(t: migrant, a, b) where cause is death and amount < 3: move 1 migrant[t] from a to b as thrift"
        "\n    after lose(t: migrant, a, b): gain 1 migrant[t] to b"
    )
    body = """for every i in 1..8
        choose t in Tribe, l in Land, m in Land where total(l.camp) > 0 and l is not m by p1
        lose 1 migrant[t] from l.camp as thrift
        if l.camp[t] > 2: move 1 migrant[t] from l.camp to m.camp as death
        gain 1 migrant[t] to l.camp"""
    program = game(RULES.replace("LINES", f"rule lines\n    {lines}").replace("BODY", body)).program
    assert sum(len(play_on_both(program, seed)) for seed in range(6)) > 30
