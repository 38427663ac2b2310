"""Several dice as one chance event: an enum or kind that stands several times behind the `by` of a kind."""

from __future__ import annotations

from fractions import Fraction

import pytest

import interpreter as rw
from tests.concepts.everywhere import HERE, played
from tests.concepts.play import cell, game, value

RULES = """
ranked enum Pips: one, two, three
kind Coin: 2
kind Throw by Pips, Pips, Coin, Coin
kind Seat
    field points: 0..999
field both: bool

value pips(t: Throw): int = 10 * t.pips.rank + t.pips_2.rank
value same_coin(t: Throw): bool = t.coin is t.coin_2
value loaded(k: Pips): int = k.rank

phase game
    repeat while p1.points < 60
        random t in Throw
        set p1.points to p1.points + pips(t)
        random u in Throw where u.pips is not u.pips_2 by loaded(u.pips) * loaded(u.pips_2)
        set both to same_coin(u)
        choose n in Pips by p1
        set p1.points to p1.points + n.rank
"""


@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_dice_of_one_sort_are_one_event(backend: str) -> None:
    state = rw.Game(game(RULES).program, backend).new(seats=2, chance="ask")
    assert state.chance is not None
    found = {o.id: o.probability for o in state.chance.outcomes}
    assert len(found) == 3 * 3 * 2 * 2 and set(found.values()) == {Fraction(1, 36)}
    thrown = "three_one_coin_2_coin_1"
    assert value(state, "pips", thrown) == 31 and value(state, "same_coin", thrown) == 0
    assert value(state, "same_coin", "three_one_coin_2_coin_2") == 1
    rw.apply(state, next(o for o in state.chance.outcomes if o.id == thrown))
    assert cell(state, "p1.points") == 31


@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_where_and_weights_go_by_each_of_the_dice(backend: str) -> None:
    state = rw.Game(game(RULES).program, backend).new(seats=2, chance="ask")
    assert state.chance is not None
    rw.apply(state, state.chance.outcomes[0])
    assert state.chance is not None
    found = {o.id: o.probability for o in state.chance.outcomes}
    # 1 * 2, 1 * 3 and 2 * 3, each in both orders and with four coins: 4 * 2 * (2 + 3 + 6) = 88
    assert len(found) == 6 * 4 and not any(id_.startswith("one_one") for id_ in found)
    assert found["one_two_coin_1_coin_1"] == Fraction(2, 88) and found["three_two_coin_2_coin_1"] == Fraction(6, 88)


@pytest.mark.parametrize("target", HERE)
def test_every_machine_throws_the_same(target: str) -> None:
    assert played(RULES, seed=3, target=target).decision is None
