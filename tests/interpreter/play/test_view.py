"""Views, logs and the point of no return: a seat learns what it may know and nothing else."""

from __future__ import annotations

import dataclasses
import json
import random
from typing import Any

import pytest

import interpreter as rw
from dsl import ir
from tests.interpreter.programs import CARD, COINS, DECK, GOLD, HAND, HANDS, KNOWN, cell, fair


@pytest.fixture(scope="module")
def game() -> rw.Game:
    return rw.Game(fair())


ORDER = (("red", "blue", "green", "gold"),)


def test_hidden_zones_are_counts_with_what_is_known(game: rw.Game) -> None:
    state = game.new(script=ORDER)
    seen = rw.view(state, 1)["state"]
    assert seen["Seat.hand"] == {"p1": ["red"], "p2": {"hidden": 1}}
    assert seen["deck"] == {"hidden": 2}
    assert seen["Seat.apples"] == {"p1": 2, "p2": 2} and seen["basket"] == 16
    state.words[KNOWN + GOLD] |= 1 << 1
    assert rw.view(state, 1)["state"]["deck"] == {"hidden": 2, "known": ["gold"]}
    assert rw.view(state, 2)["state"]["deck"] == {"hidden": 2}


def test_a_spectator_sees_what_everybody_sees(game: rw.Game) -> None:
    state = game.new(script=ORDER)
    shown = rw.view(state, None)
    assert shown["state"]["Seat.hand"] == {"p1": {"hidden": 1}, "p2": {"hidden": 1}}
    assert shown["state"]["Seat.secret"] == {"p1": {"hidden": True}, "p2": {"hidden": True}}


def test_options_are_for_the_seat_that_is_asked(game: rw.Game) -> None:
    state = game.new(script=ORDER)
    mine, theirs = rw.view(state, 1, "ja")["decision"], rw.view(state, 2)["decision"]
    assert mine["options"][0]["text"] == "りんごを1個取る"
    assert theirs == {"seat": 1, "actor": "p1", "address": "turn.move", "shape": "one"}


def strings(data: Any) -> set[str]:
    if isinstance(data, dict):
        return {s for k, v in data.items() for s in {k, *strings(v)}}
    if isinstance(data, (list, tuple)):
        return {s for item in data for s in strings(item)}
    return {data} if isinstance(data, str) else set()


@pytest.mark.parametrize("seed", range(6))
def test_what_a_seat_does_not_know_does_not_change_its_view(game: rw.Game, seed: int) -> None:
    """Two games that differ only in hidden cards look the same, in view and log, until they come out."""
    chooser = random.Random(seed)
    one, other = (
        game.new(script=(("red", a, b, c),)) for a, b, c in (("blue", "green", "gold"), ("gold", "blue", "green"))
    )
    while one.decision is not None and other.decision is not None:
        hidden_from_1 = {"blue", "green", "gold"} - strings(rw.view(one, None)["state"]["pile"])
        assert rw.view(one, 1) == rw.view(other, 1)
        assert rw.log_for(one, 1) == rw.log_for(other, 1)
        assert not hidden_from_1 & strings(rw.view(one, 1)["state"])
        json.dumps(rw.view(one, 1))
        options = [o for o in rw.legal(one) if o.ids[0] != "play"]
        option = chooser.choice(options)
        rw.apply(one, option)
        rw.apply(other, option.code)


def test_a_secret_answer_is_told_to_its_seat_only(game: rw.Game) -> None:
    state = game.new(script=(*ORDER, 6))
    rw.answer(state, "rest, decline, 3")
    assert "Anna notes 3" in rw.log_for(state, 1)
    assert rw.log_for(state, 2)[-2:] == ["Anna chose in secret", "The die shows 6"]
    assert rw.view(state, 1)["state"]["Seat.secret"]["p1"] == 3
    assert rw.view(state, 2)["state"]["Seat.secret"]["p1"] == {"hidden": True}


def test_the_log_is_told_in_words(game: rw.Game) -> None:
    state = game.new(script=ORDER)
    rw.answer(state, "take 2")
    assert rw.log_for(state, 2)[-1] == "Anna takes 2 apples"
    assert rw.log_for(state, 2, "ja")[-1] == "アンナ takes 2 apples", (
        "what has no text in a language falls back to English"
    )
    assert rw.log_for(state, 2, "ja")[0].endswith("を混ぜた")
    assert not any("red" in line for line in rw.log_for(state, 2))


def test_an_answer_without_a_line_of_its_own_is_told_as_its_option(game: rw.Game) -> None:
    state = game.new(script=ORDER)
    rw.answer(state, "play red")
    lines = [line for line in rw.log_for(state, 2) if "red" in line]
    assert lines == ["Anna: Play the red card"]


def test_hidden_values_in_texts_are_told_to_those_who_see_them() -> None:
    program = fair()
    top = ir.ListOp("front", (cell(DECK, HAND),))
    mine = ir.ListOp("front", (cell(HANDS, HAND),))
    more = (("top", top, CARD), ("mine", mine, CARD), ("size", ir.Size("list", cell(DECK, HAND)), COINS))
    program.sites = (dataclasses.replace(program.sites[0], text_values=more), *program.sites[1:])
    table = {"turn.move.ask": "{mine}, {top}, {size}", "turn.move.take.done": "{mine}, {top}, {size}, {n}"}
    program.texts = {"en": {**table, "engine.hidden": "?"}}
    state = rw.Game(program).new(script=ORDER)
    assert state.decision is not None and state.decision.prompt() == "red, ?, 2"
    rw.answer(state, "take 3")
    state = rw.restore(state.game, json.loads(json.dumps(rw.save(state))))
    assert rw.log_for(state, 1)[-1] == "red, ?, 2, 3"
    assert rw.log_for(state, 2)[-1] == "?, ?, 2, 3" == rw.log_for(state, None)[-1]


def test_the_point_of_no_return(game: rw.Game) -> None:
    state = game.new(script=ORDER)
    before = rw.copy(state)
    rw.answer(state, "take 1")
    assert not rw.reveals(before, state)
    rw.answer(state, "decline, 0")
    assert rw.reveals(before, state), "the die was rolled"


def test_an_open_plan_is_seen_by_others_when_it_is_certain() -> None:
    state = rw.Game(fair(plan=True)).new(script=ORDER)
    rw.answer(state, "take 2")
    assert rw.view(state, 1)["state"]["basket"] == 14
    assert rw.view(state, 2)["state"]["basket"] == 16 and rw.view(state, None)["state"]["basket"] == 16
    assert "Anna takes 2 apples" in rw.log_for(state, 1)
    assert "Anna takes 2 apples" not in rw.log_for(state, 2)
    back = rw.restore(state.game, json.loads(json.dumps(rw.save(state))))
    assert back.plan == state.plan is not None
    rw.answer(state, "decline, 1")
    assert rw.view(state, 2)["state"]["basket"] == 14
    assert "Anna takes 2 apples" in rw.log_for(state, 2)
    assert state.plan is not None and state.plan.seat == 2, "the plan of the next seat has begun"
