"""Saves under other rules (docs/manual/19-overlays-and-addresses.md): what the log still says is kept, and the first
difference is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

import interpreter as rw
from interpreter.records.save import sealed
from tests.concepts.play import answer_all, cell, game, question

RULES = """
kind Seat
    field score: 0..99
    zone hand: Card
kind Card: 4
zone deck: Card ordered
field rolled: 0..60
phase game
    for every c in Card: move c to deck
    shuffle deck
    for every p in seats, i in 1..2: do turn(p)
    for every p in seats: do turn(p)
procedure turn(p: Seat)
    choose n in 0..9 by p
    set p.score to p.score + n
    random d in 1..6
    set rolled to rolled + d
    if size(deck) > 0: move front(deck) to p.hand
"""
ANSWERS = ("4", "9", "1", "7", "3")  # of p1, p1, p2, p2, p1


def saved() -> Any:
    state = game(RULES, seats=(2, 2)).new(seed=8)
    answer_all(state, *ANSWERS)
    return state, json.loads(json.dumps(rw.save(state)))


def words(state: rw.State) -> list[tuple[str, ...]]:
    return [entry.ids for entry in state.log]


def test_rules_that_differ_in_nothing_that_was_played_keep_every_line() -> None:
    # another field before the old ones moves every cell; a later rule is another one.
    before, data = saved()
    other = game("field weather: 0..9\n" + RULES.replace("score + n", "score + n - 0"), seats=(2, 2))
    other.program.digest = "another text"
    with pytest.raises(rw.SaveError, match="`migrate` plays its log under this one"):
        rw.restore(other, data)
    moved = rw.migrate(other, data)
    assert (moved.kept, moved.lines, moved.difference) == (len(before.log), len(before.log), "")
    assert words(moved.state) == words(before) and question(moved.state) == question(before) == "p2: turn.n"
    for path in ("p1.score", "p2.score", "rolled", "deck", "p1.hand", "p2.hand"):
        assert cell(moved.state, path) == cell(before, path)
    answer_all(moved.state, "2")
    assert moved.state.over and cell(moved.state, "p2.score") == 1 + 7 + 2
    again = rw.save(moved.state)
    assert rw.replay(other, again).digest() == rw.restore(other, again).digest() == moved.state.digest()


def test_the_order_of_an_empty_zone_does_not_take_that_of_another() -> None:
    rules = RULES.replace("zone deck: Card ordered", "zone deck: Card ordered\nzone other: Card ordered").replace(
        "    shuffle deck\n", "    shuffle other\n    shuffle deck\n"
    )
    before = game(rules, seats=(2, 2)).new(seed=8)
    answer_all(before, *ANSWERS)
    moved = rw.migrate(game(rules, seats=(2, 2)), json.loads(json.dumps(rw.save(before))))
    assert moved.difference == "" and words(moved.state) == words(before)
    assert cell(moved.state, "p1.hand") == cell(before, "p1.hand")


def test_it_stops_at_the_first_answer_that_is_no_longer_legal() -> None:
    # p1 may choose 9 no more: shuffle, 4 and its roll are kept, and p1 is asked again.
    before, data = saved()
    moved = rw.migrate(game(RULES.replace("0..9 by p", "0..8 by p"), seats=(2, 2)), data)
    assert (moved.kept, moved.lines) == (3, 11)
    assert "line 4 of the log" in moved.difference and "9" in moved.difference
    assert words(moved.state) == words(before)[:3]
    assert question(moved.state) == "p1: turn.n" and cell(moved.state, "p1.score") == 4
    answer_all(moved.state, "8")
    assert cell(moved.state, "p1.score") == 12


def test_it_stops_where_chance_is_no_longer_the_same() -> None:
    # a die of three sides cannot bring the first roll above 3; up to there all is kept.
    before, data = saved()
    moved = rw.migrate(game(RULES.replace("d in 1..6", "d in 1..3"), seats=(2, 2)), data)
    rolls = [int(entry.ids[0]) for entry in before.log if entry.address == "turn.d"]
    first = next(k for k, roll in enumerate(rolls) if roll > 3)
    assert moved.kept == 1 + 2 * first and moved.lines == 11
    assert f"the script says `{rolls[first]}`, but the possible outcomes are 1, 2, 3" in moved.difference
    assert len(words(moved.state)) == moved.kept and question(moved.state).endswith(": turn.n")


def test_it_stops_where_something_new_happens_in_between() -> None:
    _, data = saved()
    moved = rw.migrate(
        game(RULES.replace("    set rolled", "    random e in 1..6\n    set rolled"), seats=(2, 2)), data
    )
    assert moved.kept == 1 and "now it is chance" in moved.difference and "turn.e" in moved.difference
    last = rw.migrate(game(RULES + "    if p is p1 and p.score > 15: random f in 1..6\n", seats=(2, 2)), data)
    assert last.kept == 9 and "the log ends, but now chance at turn.f follows" in last.difference


EARLY = """
kind Seat
    field bid: 0..9
phase game
    for every p in seats at once
        choose number n in 1..9 by p
        set p.bid to n
"""


def test_answers_that_were_given_before_their_turn_are_kept_as_far_as_they_are_possible() -> None:
    before = game(EARLY, seats=(3, 3)).new()
    for seat, bid in ((3, "9"), (2, "4")):
        rw.answer(before, [bid], seat)
    data = json.loads(json.dumps(rw.save(before)))
    moved = rw.migrate(game(EARLY, seats=(3, 3)), data)
    assert moved.difference == "" and moved.state.early == before.early
    fewer = rw.migrate(game(EARLY.replace("1..9", "1..8"), seats=(3, 3)), data)
    assert "given early" in fewer.difference and not fewer.state.early.answers
    answer_all(moved.state, "1")
    assert moved.state.over and cell(moved.state, "p3.bid") == 9


def test_a_beginning_that_differs_is_refused() -> None:
    _, data = saved()
    why = "the beginning already differs: .*but nothing is left in the zone"
    with pytest.raises(rw.ReplayError, match=why):
        rw.migrate(game(RULES.replace("Card: 4", "Card: 3"), seats=(2, 2)), data)
    with pytest.raises(rw.SaveError, match="no option"):
        rw.migrate(game(RULES, seats=(2, 2)), sealed({**data, "options": {"long": "true"}}))


def test_what_chance_brings_later_is_not_what_it_brought_before() -> None:
    before, data = saved()
    moved = rw.migrate(game(RULES.replace("0..9 by p", "0..8 by p"), seats=(2, 2)), data)
    assert moved.state.seed != before.seed
    same = rw.migrate(game(RULES.replace("0..9 by p", "0..8 by p"), seats=(2, 2)), data)
    assert answer_all(same.state, "1", "1", "1").words == answer_all(moved.state, "1", "1", "1").words
