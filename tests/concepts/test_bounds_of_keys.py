"""Numbers outside of the bounds of keys, parameters and values: a message, and nothing beside is read or written."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import cell, game, start

BASE = """\
kind Card: 5
field trail: 0..999999999
procedure note(n: 0..9): set trail to trail * 10 + n
field n: 0..9 by 1..3
field other: 0..9
zone row: Card by 1..3 max 1
table price by 1..3
    1: 4
    2: 5
    3: 6
value at(i: 1..3): int = n[i]
value few(k: int): 1..3 = k
procedure put(i: 1..3): set n[i] to 7
"""
WAYS = {
    "set n[k] to 7": "`k` is 4, and a number from 1 to 3 is needed here",
    "do note(n[k])": "`k` is 4, and a number from 1 to 3 is needed here",
    "do note(price[k])": "`k` is 4, and a number from 1 to 3 is needed here",
    "do note(at(k))": "`k` is 4, and a number from 1 to 3 is needed here",
    "do note(n[few(k)])": "`k` is 4, and a number from 1 to 3 is needed here",
    "do put(k)": "`k` is 4, and a number from 1 to 3 is needed here",
    "move card_1 to row[k]": "`k` is 4, and a number from 1 to 3 is needed here",
    "do note(n[k - 4])": "`k - 4` is 0, and a number from 1 to 3 is needed here",
}


@pytest.mark.parametrize("backend", ["wasm", "reference"])
@pytest.mark.parametrize("line", WAYS)
def test_a_number_outside_stops_the_game_where_it_is_needed(line: str, backend: str) -> None:
    program = game(BASE + f"phase game\n    let k = 2\n    set k to k + 2\n    {line}\n").program
    with pytest.raises(rw.RulesetError, match="is needed here") as stopped:
        rw.Game(program, backend).new(seats=2)
    assert WAYS[line] in str(stopped.value)


@pytest.mark.parametrize("line", [line for line in WAYS if "- 4" not in line])
def test_a_number_inside_is_taken(line: str) -> None:
    s = start(BASE + f"phase game\n    let k = 2\n    set k to k + 1\n    {line}\n")
    assert s.over and cell(s, "other") == 0


def test_the_fewest_seats_are_known() -> None:
    """`size(seats)` may be the key of a table that begins with the fewest seats."""
    s = start(
        BASE + "phase game\n    do note(share[size(seats)])\ntable share by 2..3\n    2: 6\n    3: 5\n", seats=(2, 3)
    )
    assert cell(s, "trail") in (5, 6)
