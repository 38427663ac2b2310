"""Places in ordered zones and lists (docs/manual/03-pieces-and-zones.md): the number of an item, the first and last
few."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter as rw
from tests.concepts.play import errors, game, play_on_both, value

RULES = """
kind Seat
    field level: 0..9
kind Card: 5
zone row: Card ordered max 5
zone heap: Card
value place(c: Card): int = place_in(c, row)
value seat_place(p: Seat, q: Seat): int = place_in(q, seats from p)
value behind(c: Card): list of Card = last(row, size(row) - place_in(c, row))
value some(n: int): list of Card = front(row, n)
value few(n: int): list of Card = last(row, n)
value top_two: set of Card = set(c in front(row, 2))
phase game
    move card_3 to row
    move card_1 to row
    move card_5 to row
    move card_2 to row
    for every c in last(row, 2)
        choose number n in 0..place_in(c, row) by p1
        if n > 2: move c to heap
    let kept = front(row, 2)
    choose c in Card where c in kept by p2
    move c to heap
    choose number n in 0..size(row) by p1
"""


def on_both(name: str, *args: Any) -> Any:
    program = game(RULES, seats=(3, 3)).program
    found = [value(rw.Game(program, backend).new(seed=1), name, *args) for backend in ("wasm", "reference")]
    assert found[0] == found[1]
    return found[0]


def test_a_place_counts_from_1_and_is_0_elsewhere() -> None:
    # The row is 3, 1, 5, 2; card_4 lies nowhere in it.
    assert [on_both("place", f"card_{n}") for n in (3, 1, 5, 2, 4)] == [1, 2, 3, 4, 0]
    assert [on_both("seat_place", "p2", p) for p in ("p2", "p3", "p1")] == [1, 2, 3]


@pytest.mark.parametrize(
    "n, first, last",
    [
        (-1, [], []),
        (0, [], []),
        (1, ["card_3"], ["card_2"]),
        (3, ["card_3", "card_1", "card_5"], None),
        (9, None, None),
    ],
)
def test_the_first_and_last_few_are_as_many_as_there_are(
    n: int, first: list[str] | None, last: list[str] | None
) -> None:
    row = ["card_3", "card_1", "card_5", "card_2"]
    assert on_both("some", n) == (row if first is None else first)
    assert on_both("few", n) == (row[-n:] if last is None else last)


def test_what_lies_behind_a_card() -> None:
    assert on_both("behind", "card_1") == ["card_5", "card_2"] and on_both("behind", "card_2") == []
    assert on_both("top_two") == ["card_1", "card_3"]


def test_a_loop_over_the_last_few_keeps_its_list_over_questions() -> None:
    program = game(RULES, seats=(3, 3)).program
    for seed in range(4):
        play_on_both(program, seed)
    for backend in ("wasm", "reference"):
        state = rw.Game(program, backend).new(seed=1)
        assert [o.ids for o in rw.legal(state)][-1] == ("3",)  # card_5 is the third
        rw.answer(state, "3")
        assert [o.ids for o in rw.legal(state)][-1] == ("3",)  # card_2 was the fourth, and is the third now
        rw.answer(state, "0")
        assert [o.ids for o in rw.legal(state)] == [("card_1",), ("card_3",)]


@pytest.mark.parametrize(
    "wrong, code",
    [
        ("place_in(c, heap)", "RW0421"),
        ("place_in(p1, row)", "RW0402"),
        ("place_in(c)", "RW0250"),
        ("size(front(row, 1, 2))", "RW0250"),
        ("size(last(heap, 2))", "RW0421"),
        ("size(last(row, c))", "RW0402"),
    ],
)
def test_what_has_no_places(wrong: str, code: str) -> None:
    found = errors(
        RULES.replace("value place(c: Card): int = place_in(c, row)", f"value place(c: Card): int = {wrong}")
    )
    assert [d.code for d in found] == [code]


def test_the_place_in_a_hidden_deck_is_hidden() -> None:
    hidden = RULES.replace("zone row: Card ordered max 5", "zone row: Card ordered max 5 seen by nobody")
    assert "RW1210" in {d.code for d in errors(hidden)}


def test_the_goals_of_a_distance_are_read() -> None:
    rules = """
kind Seat
kind Town: 3
    field roads: set of Town
    field trap: bool seen by nobody
value near_trap(t: Town): int = distance(x in {t}, y in x.roads to set(u in Town where u.trap)) or 9
phase game
    set town_1.trap to true
    choose t in Town where near_trap(t) < 2 by p1
    set t.roads to {t}
"""
    assert [d.code for d in errors(rules)] == ["RW1210"]


@pytest.mark.parametrize("backend", ["wasm", "reference"])
@pytest.mark.parametrize(
    ("at", "place"), [("1", 1), ("2", 2), ("3", 3), ("place_in(card_1, row)", 2), ("0", 1), ("9", 3)]
)
def test_what_is_moved_to_a_place_has_this_place_then(at: str, place: int, backend: str) -> None:
    rules = f"""
kind Seat
kind Card: 5
zone row: Card ordered
value place(c: Card): int = place_in(c, row)
phase game
    move card_3 to row
    move card_1 to row
    move card_5 to row at {at}
    choose number n in 0..1 + size(row) by p1
"""
    state = rw.Game(game(rules, seats=(2, 2)).program, backend).new(seed=1)
    assert value(state, "place", "card_5") == place
