"""`move 2 of S to Z` (docs/manual/04-verbs-and-causes.md): some of many things that are as good as equal."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, game, options, play_on_both, start

RULES = """
enum Good: salt, grain
kind Card: 6
    field good: Good
zone pile: Card ordered
zone row: Card ordered
zone heap: Card
field seen: 0..9
kind Seat
    zone hand: Card
    field n: 0..9
LINES
value salt_of(p: Seat): set of Card = set(c in p.hand where c.good is salt)
value points_of(p: Seat): int = size(p.hand)
phase game
    for every c in Card
        move c to p1.hand
        if c in {card_2, card_5, card_6}: set c.good to grain
    move card_4 to pile
    BODY
    choose k in 1..2 by p1
    set p1.n to k
"""


def play(body: str, lines: str = "") -> rw.State:
    return start(RULES.replace("LINES", lines).replace("BODY", body))


def test_as_many_as_are_named_move_in_their_order() -> None:
    s = play("move 1 of salt_of(p1) to pile at bottom")
    assert cell(s, "pile") == ["card_4", "card_1"] and len(cell(s, "p1.hand")) == 4
    s = play("move 2 of set(c in p1.hand where c.good is grain) to pile at top")
    assert set(cell(s, "pile")[:2]) == {"card_2", "card_5"} and cell(s, "pile")[2] == "card_4"
    s = play("move 0 of p1.hand to pile\n    move 2 of p1.hand to heap")
    assert set(cell(s, "heap")) == {"card_1", "card_2"} and cell(s, "pile") == ["card_4"]


def test_of_a_list_the_first_ones_move() -> None:
    s = play("for every c in {card_6, card_5}: move c to row at top\n    move 1 of row to heap")
    assert cell(s, "row") in (["card_5"], ["card_6"])
    first = "card_6" if cell(s, "row") == ["card_5"] else "card_5"
    assert cell(s, "heap") == [first]


def test_a_list_keeps_its_order() -> None:
    fill = "for every c in {card_6, card_5, card_3}: move c to row at top\n    "
    s = play(fill + "move 2 of row to pile at bottom")
    rows = play(fill + "for every i in 1..2: move front(row) to pile at bottom")
    assert cell(s, "pile") == cell(rows, "pile") == ["card_4", "card_6", "card_5"]


def test_fewer_are_an_error_outside_of_an_action() -> None:
    with pytest.raises(rw.RulesetError, match="move 3 of salt_of"):
        play("move 3 of salt_of(p1) to pile")


def test_an_action_is_offered_only_if_there_are_enough() -> None:
    lines = """
action sell(p: Seat, g: Good) of market
    move 3 of set(c in p.hand where c.good is g) to pile
action rest(p: Seat) of market: set p.n to 1
action idle(p: Seat) of market: set p.n to 2
"""
    s = play("offer market by p1", lines)
    assert sorted(options(s)) == ["idle", "rest", "sell grain"]
    answer_all(s, "sell grain")
    assert len(cell(s, "pile")) == 4


def test_each_thing_is_an_event_and_lines_wait_for_the_last() -> None:
    lines = "rule watch\n    after move(c: Card, a, b) where b is heap: set seen to seen + size(heap)\n"
    assert cell(play("move 2 of p1.hand to heap", lines), "seen") == 4


def test_both_back_ends_agree() -> None:
    body = """for every i in 1..3
        choose number n in 0..size(p1.hand) by p1
        move n of p1.hand to heap
        choose number j in 0..size(heap) by p2
        move j of heap to pile at top
        move half_down(size(pile)) of pile to p1.hand"""
    program = game(RULES.replace("LINES", "").replace("BODY", body)).program
    assert sum(len(play_on_both(program, seed)) for seed in range(6)) > 30
