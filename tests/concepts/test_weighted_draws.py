"""Draws by weight (docs/manual/17-chance.md): each member as likely as its weight says, one with 0 never."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import interpreter as rw
from interpreter.core.errors import RulesetError
from tests.concepts.play import cell, game, play_on_both, start

RULES = """
kind Seat
    field level: -9..9
kind Lot: 4
    field luck: -9..99
    field drawn: 0..99
field roll: 0..9
phase game
    set lot_1.luck to 1
    set lot_2.luck to 3
    set lot_4.luck to 4
    for every i in 1..DRAWS
        random x in Lot WHERE by x.luck
        set x.drawn to x.drawn + 1
    choose number n in 0..lot_4.drawn by p1
"""


def lots(draws: int, where: str = "") -> str:
    return RULES.replace("DRAWS", str(draws)).replace(" WHERE", where)


def test_weights_are_exact_where_chance_is_asked() -> None:
    # 1, 3, 0 and 4 of 8; the lot with 0 is no outcome.
    state = game(lots(1), seats=(2, 2)).new(seed=1, chance="ask")
    assert state.chance is not None
    found = {o.id: o.probability for o in state.chance.outcomes}
    assert found == {"lot_1": Fraction(1, 8), "lot_2": Fraction(3, 8), "lot_4": Fraction(1, 2)}
    rw.apply(state, next(o for o in state.chance.outcomes if o.id == "lot_2"))
    assert cell(state, "lot_2.drawn") == 1 and state.chance is None


def test_the_generator_draws_by_weight_in_both_back_ends() -> None:
    # 800 draws: about 100, 300, 0 and 400; both draw the same.
    program = game(lots(80), seats=(2, 2)).program
    found = []
    for backend in ("wasm", "reference"):
        seen: Counter[str] = Counter()
        for seed in range(10):
            state = rw.Game(program, backend).new(seed=seed)
            seen.update({f"lot_{n}": cell(state, f"lot_{n}.drawn") for n in range(1, 5)})
        found.append(seen)
    assert found[0] == found[1]
    assert found[0]["lot_3"] == 0 and sum(found[0].values()) == 800
    assert 60 < found[0]["lot_1"] < 140 and 240 < found[0]["lot_2"] < 360 and 340 < found[0]["lot_4"] < 460
    play_on_both(program, 2)


def test_where_leaves_members_out_before_they_are_weighed() -> None:
    state = game(lots(1, " where x is not lot_4"), seats=(2, 2)).new(seed=1, chance="ask")
    assert state.chance is not None
    assert {o.id: o.probability for o in state.chance.outcomes} == {"lot_1": Fraction(1, 4), "lot_2": Fraction(3, 4)}


def test_a_script_gives_only_what_can_come() -> None:
    state = start(lots(2), seats=(2, 2), script=["lot_1", "lot_4"])
    assert cell(state, "lot_1.drawn") == cell(state, "lot_4.drawn") == 1
    with pytest.raises(RulesetError, match="lot_3.*the possible outcomes are lot_1, lot_2, lot_4"):
        start(lots(1), seats=(2, 2), script=["lot_3"])


@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_weights_that_are_all_0_or_below_are_faults(backend: str) -> None:
    none = game(lots(1, " where x is lot_3"), seats=(2, 2)).program
    with pytest.raises(RulesetError, match="all 1 members of which one is drawn have the weight 0"):
        rw.Game(none, backend).new(seed=1)
    below = game(lots(1).replace("set lot_1.luck to 1", "set lot_1.luck to -1"), seats=(2, 2)).program
    with pytest.raises(RulesetError, match="the weight of `lot_1` is -1"):
        rw.Game(below, backend).new(seed=1)
    nothing = lots(1, " where x.luck > 50").replace("by x.luck", "by x.luck if any")
    assert cell(rw.Game(game(nothing, seats=(2, 2)).program, backend).new(seed=1), "lot_4.drawn") == 0


def test_several_are_drawn_by_weight_from_those_that_are_left() -> None:
    # Three lots have a weight, so a draw of three takes them all; 2 of the range comes with 2 of 4.
    rules = (
        RULES.split("    for every i")[0]
        + """
    random some xs in Lot exactly 3 by xs.luck
    for every x in xs: set x.drawn to 1
    random number d in 1..3 by 1 if d is not 2 else 2
    set roll to d
    choose number n in 0..1 by p1
"""
    )
    state = start(rules, seats=(2, 2))
    assert [cell(state, f"lot_{n}.drawn") for n in range(1, 5)] == [1, 1, 0, 1]
    asked = game(rules, seats=(2, 2)).new(seed=1, chance="ask")
    while asked.chance is not None and asked.chance.outcomes[0].id.startswith("lot"):
        rw.apply(asked, asked.chance.outcomes[0])
    assert asked.chance is not None
    assert [o.probability for o in asked.chance.outcomes] == [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
