"""Common random numbers: what one place draws moves nothing that is drawn elsewhere, and all is drawn fairly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from interpreter import Game, State, apply, legal
from tests.concepts.play import cell, game
from tools.commands.replay import repeat_failure
from tools.simulation.common_numbers import CommonNumbers
from tools.simulation.playout import GameSetup, play_out

CARDS = """
kind Seat
    field points: 0..99
kind Card
    const worth: 0..9
{cards}
zone deck: Card ordered
field first: 0..99
field second: 0..99
value points_of(p: Seat): int = p.points
phase game
    step begin
        for every x in Card: move x to deck
        shuffle deck
{draws}
    for every p in seats
        choose number n in 0..3 by p
        random number d in 1..6
        set p.points to 10 * n + d
"""
FEW = "\n".join(f'card {name} "{name}": Card\n    worth: 1' for name in ("a", "c", "e", "f", "g"))
MORE = FEW + "\n" + "\n".join(f'card {name} "{name}": Card\n    worth: 2' for name in ("b", "d"))
ONCE = """
    step one
        random number x in 1..50
        set first to x
    step two
        random number y in 1..50
        set second to y
"""
TWICE = ONCE.replace("    step two", "        random number z in 1..50\n        set first to z\n    step two")


def begun(rules: Game, seed: int) -> State:
    state = rules.new(seed=seed, chance="ask")
    numbers = CommonNumbers(seed)
    while state.chance is not None:
        apply(state, numbers.outcome(state.chance))
    return state


def deck(state: State) -> list[str]:
    zone = next(z for z in state.game.program.zones if z.symbol == "deck")
    things = state.words[zone.base + 1 : zone.base + 1 + state.words[zone.base]]
    return [state.game.program.thing_ids[thing] for thing in things]


def test_a_card_more_leaves_the_order_of_the_others() -> None:
    few, more = (game(CARDS.format(cards=cards, draws="")) for cards in (FEW, MORE))
    orders = set()
    for seed in range(20):
        order = deck(begun(few, seed))
        with_others = deck(begun(more, seed))
        assert sorted(with_others) == list("abcdefg")
        assert [card for card in with_others if card in "acefg"] == order
        orders.add("".join(order))
    assert len(orders) > 10


def test_a_draw_more_moves_nothing_elsewhere() -> None:
    once, twice = (game(CARDS.format(cards=FEW, draws=draws)) for draws in (ONCE, TWICE))
    others = [(begun(once, seed), begun(twice, seed)) for seed in range(20)]
    assert all(cell(a, "second") == cell(b, "second") for a, b in others)
    assert any(cell(a, "first") != cell(b, "first") for a, b in others)
    drawn_in_turn = [(once.new(seed=seed), twice.new(seed=seed)) for seed in range(20)]
    assert any(cell(a, "second") != cell(b, "second") for a, b in drawn_in_turn)


def test_each_choice_of_a_bot_has_numbers_of_its_own() -> None:
    state = begun(game(CARDS.format(cards=FEW, draws=TWICE)), 3)
    numbers, decision = CommonNumbers(3), state.decision
    assert decision is not None and len({numbers.bot_seed(decision) for _ in range(50)}) == 50


WEIGHED = """
kind Seat
    field got: 0..9
enum Colour: red, green, blue
value weight(c: Colour): int = 1 if c is red else 2 if c is green else 3
field drawn: Colour or none
phase game
    random c in Colour by weight(c)
    set drawn to c
    choose number n in 0..1 by p1
"""


def test_weights_are_kept() -> None:
    """Of 6000 draws a sixth, a third and a half are expected; a deviation of 150 has more than four sigmas for each."""
    rules = game(WEIGHED)
    counts = Counter(cell(begun(rules, seed), "drawn") for seed in range(6000))
    for colour, expected in (("red", 1000), ("green", 2000), ("blue", 3000)):
        assert abs(counts[colour] - expected) < 150


BAG = """
kind Seat
    field got: 0..9
enum Colour: red, green, blue
piece bead by Colour
zone bag: bead
field drawn: Colour or none
phase game
    gain 1 bead[red] to bag
    gain 2 bead[green] to bag
    gain 3 bead[blue] to bag
    random c in bag
    set drawn to c
    choose number n in 0..1 by p1
"""


def test_each_piece_of_a_bag_is_as_likely() -> None:
    """As with weights."""
    rules = game(BAG)
    counts = Counter(cell(begun(rules, seed), "drawn") for seed in range(6000))
    for colour, expected in (("red", 1000), ("green", 2000), ("blue", 3000)):
        assert abs(counts[colour] - expected) < 150


def test_games_of_one_seed_are_the_same_again() -> None:
    rules = game(CARDS.format(cards=FEW, draws=ONCE), seats=(2, 2), manifest="result: {score: points_of}")
    first, again, other = (play_out(rules, GameSetup(0, 2, s), "random", True, {}, common=True) for s in (5, 5, 6))
    assert first.failure is None and first.decisions == 2
    assert first.seat_scores == again.seat_scores != other.seat_scores


def test_a_greedy_bot_looks_beyond_chance_that_others_are_asked_for() -> None:
    """What comes of an answer is seen behind a die only, which decides less than the answer does."""
    manifest = "result: {score: points_of}\nevaluate: points_of"
    rules = game(CARDS.format(cards=FEW, draws=ONCE), seats=(2, 2), manifest=manifest)
    for seed in range(5):
        outcome = play_out(rules, GameSetup(0, 2, seed), "greedy", True, {}, common=True)
        assert all(31 <= score <= 36 for score in outcome.seat_scores.values())


FAULTY = """
kind Seat
    field points: 0..3
phase game
    choose number n in 1..9 where n > 1 by p1
    random number d in 2..3
    set p1.points to n + d
"""


def test_an_outcome_that_fails_is_kept_with_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    rules = game(FAULTY, seats=(2, 2))
    outcome = play_out(rules, GameSetup(0, 2, 1), "random", False, {}, common=True)
    assert outcome.failure is not None and outcome.failure.save["failure"]["ids"][0] in ("2", "3")
    state = rules.new(seed=1, chance="ask")
    apply(state, legal(state)[0])
    assert repeat_failure(state, outcome.failure.save["failure"], Path("game.json")) == 0
    assert "it fails again" in capsys.readouterr().out
