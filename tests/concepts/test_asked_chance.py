"""Chance that is asked (docs/manual/17-chance.md): the outcomes of each event with exact weights, draw by draw."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import interpreter as rw
from dsl import program as hdr
from interpreter.session.setup import GameSetupError
from tests.concepts.play import cell, game, options, start

BETS = """
enum Colour: red, blue
kind Seat
    zone hand: Card max 1 seen by owner
    field paid: 0..9
kind Card: 3
zone deck: Card ordered seen by nobody
piece cube by Colour each 3 from bag
zone bag: cube
zone out: cube
field roll: 0..6
phase game
    for every c in Card: move c to deck
    shuffle deck
    for every p in seats: move first(c in deck) to p.hand
    choose n in 0..1 by p1
    set p1.paid to n
"""
DRAWS = BETS + """
    move 2 cube[red] from bag to out
    random k in bag
    move 1 cube[k] from bag to out
    random number d in 1..6 where d > 3
    set roll to d
    random only in Card where only is card_2
    move only to p2.hand
"""  # fmt: skip


@pytest.fixture(scope="module")
def bets() -> rw.Game:
    return game(BETS)


def deals(state: rw.State) -> Iterator[tuple[tuple[str, ...], Fraction, rw.State]]:
    """Every way in which chance can lead to the next question, with its probability."""
    event = state.chance
    if event is None:
        yield (), Fraction(1), state
        return
    for outcome in event.outcomes:
        for ids, probability, end in deals(rw.apply(rw.copy(state), outcome)):
            yield (outcome.id, *ids), outcome.probability * probability, end


def log_entries(state: rw.State) -> list[dict[str, Any]]:
    return [entry.to_json() for entry in state.log]


def without_chance(words: list[int]) -> list[int]:
    """The store without the words for the source of chance and for the work done since the last question."""
    apart = (hdr.ASKING, hdr.SCRIPT, hdr.STEPS, hdr.RNG, hdr.RNG + 1, hdr.RNG + 2)
    return [w for i, w in enumerate(words) if i not in apart]


def test_a_shuffle_is_asked_thing_by_thing_and_ends_as_if_it_had_been_laid_down(bets: rw.Game) -> None:
    # 17: three cards have six orders, each 1/3 * 1/2; the third card is certain and not asked.
    found = list(deals(bets.new(chance="ask")))
    assert [ids for ids, _, _ in found] == [
        (a, b) for a in ("card_1", "card_2", "card_3") for b in ("card_1", "card_2", "card_3") if a != b
    ]
    assert {p for _, p, _ in found} == {Fraction(1, 6)} and sum(p for _, p, _ in found) == 1
    for (a, b), _, state in found:
        (third,) = {"card_1", "card_2", "card_3"} - {a, b}
        laid = bets.new(script=[[a, b, third]])
        assert (cell(state, "p1.hand"), cell(state, "p2.hand")) == (a, b)
        assert without_chance(state.words) == without_chance(laid.words) and log_entries(state) == log_entries(laid)
        assert state.decision is not None and options(state) == options(laid)


def test_weights_are_numbers_of_pieces_and_a_single_outcome_is_not_asked() -> None:
    # 17: one red and three blue cubes are left in the bag; a roll above 3 is 4, 5 or 6; one card is no question.
    state = start(DRAWS, chance="ask", script=[["card_1", "card_2", "card_3"]])
    rw.answer(state, "1")
    assert state.decision is None and not state.over and not rw.legal(state)
    assert state.chance is not None and (state.chance.op, state.chance.address) == ("piece", "game.k")
    assert {o.id: o.probability for o in state.chance.outcomes} == {"red": Fraction(1, 4), "blue": Fraction(3, 4)}
    ends = {ids: (p, cell(end, "roll")) for ids, p, end in deals(state)}
    assert ends == {
        (k, str(d)): (p / 3, d) for k, p in (("red", Fraction(1, 4)), ("blue", Fraction(3, 4))) for d in (4, 5, 6)
    }
    drawn = start(DRAWS, script=[["card_1", "card_2", "card_3"], "blue", 5])
    rw.answer(drawn, "1")
    for id_ in ("blue", "5"):
        assert state.chance is not None
        outcome = state.chance.outcome(id_)
        assert outcome is not None
        rw.apply(state, outcome)
    assert (
        state.over
        and log_entries(state) == log_entries(drawn)
        and without_chance(state.words) == without_chance(drawn.words)
    )
    assert cell(state, "p2.hand") == "card_2"


def test_a_script_comes_before_what_is_asked(bets: rw.Game) -> None:
    state = bets.new(chance="ask", script=["card_3"])
    assert [entry.ids for entry in state.log] == [("card_3",)]
    assert state.chance is not None and [o.id for o in state.chance.outcomes] == ["card_1", "card_2"]
    again = rw.replay(bets, json.loads(json.dumps(rw.save(rw.apply(state, state.chance.outcomes[1])))))
    assert (again.words, log_entries(again)) == (state.words, log_entries(state))
    assert [entry.ids for entry in state.log] == [("card_3", "card_2", "card_1")]


def test_what_can_not_come_is_refused_and_changes_nothing(bets: rw.Game) -> None:
    state, late = bets.new(chance="ask"), bets.new(seed=1)
    assert state.chance is not None
    first, second = state.chance.outcomes[:2]
    rw.apply(state, first)
    before, log = state.words[:], log_entries(state)
    why = "`card_1` cannot come at game.shuffle, where the possible outcomes are card_2, card"
    with pytest.raises(rw.IllegalAnswer, match=why):
        rw.apply(state, first)
    with pytest.raises(rw.IllegalAnswer, match="an outcome of chance is awaited at game.shuffle; nothing is asked"):
        rw.apply(state, (1,))
    assert (state.words, log_entries(state)) == (before, log)
    with pytest.raises(rw.IllegalAnswer, match="no chance event is awaited"):
        rw.apply(late, second)
    with pytest.raises(GameSetupError, match="chance cannot be `asks`.*did you mean `ask`"):
        bets.new(chance="asks")


def test_a_save_in_the_middle_of_a_shuffle_goes_on(bets: rw.Game) -> None:
    for backend in ("wasm", "reference"):
        other = rw.Game(bets.program, backend)
        state = bets.new(chance="ask")
        while True:
            data = json.loads(json.dumps(rw.save(state)))
            for again in (rw.restore(other, data), rw.replay(other, data)):
                assert (list(again.words), log_entries(again)) == (list(state.words), log_entries(state))
                assert bool(again.chance) == bool(state.chance)
            if state.chance is None:
                break
            rw.apply(state, state.chance.outcomes[-1])
        assert [entry.ids for entry in state.log] == [("card_3", "card_2", "card_1")]


def test_a_store_that_waits_for_chance_where_nothing_is_drawn_is_refused(bets: rw.Game) -> None:
    state = bets.new(chance="ask")
    words = state.words
    words[hdr.PC] = words[hdr.CHANCE] = 1 if words[hdr.CHANCE] != 1 else 2
    with pytest.raises(rw.SaveError, match="waits for chance at a place where nothing is drawn"):
        rw.restore(bets, rw.save(state))
