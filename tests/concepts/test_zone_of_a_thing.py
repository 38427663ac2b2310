"""`zone_of(c)`: the zone that holds a thing, and `holder` of it."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.everywhere import HERE, played
from tests.concepts.play import answer_all, cell, errors, game, start, value

RULES = """
enum Fruit: apple, pear
kind Tool: 3
kind Toy: 2
kind Card: Tool, Toy
kind Rock: 2
kind Seat
    zone hand: Card
    zone column: Card ordered by Fruit
    zone slot: Toy max 1
kind Box: 2
    zone inside: Card ordered
zone deck: Card ordered

value is_in_hand(p: Seat, c: Card): bool = zone_of(c) is p.hand
value is_in_column(p: Seat, c: Tool, f: Fruit): bool = zone_of(c) is p.column[f]
value owner_of(c: Card): Seat or none = only(p in seats where holder(zone_of(c)) is p)
value box_of(c: Card): Box or none = only(b in Box where holder(zone_of(c)) is b)
value in_deck(c: Card): bool = zone_of(c) is deck
value nowhere(c: Card): bool = zone_of(c) is none
value together(c: Card, d: Card): bool = zone_of(c) is zone_of(d) and zone_of(c) is not none
procedure follow(c: Card, z: place)
    move c to z

phase game
    move tool_1 to deck
    move toy_1 to p2.slot
    move tool_2 to p1.column[pear]
    move toy_2 to box_2.inside
    repeat
        choose c in Card where zone_of(c) is not none by p1
        choose d in Card where d is not c by p1
        if zone_of(d) is p2.slot
            move d to deck
        do follow(d, zone_of(c))
        if holder(zone_of(d)) in seats: move d to p1.hand
"""


APART = RULES.replace("kind Toy: 2\n", "kind Toy: 2\n    field worn: bool\n")  # the places of both are not side by side


@pytest.fixture(params=["wasm", "reference"])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[RULES, APART], ids=["side by side", "apart"])
def state(request: pytest.FixtureRequest, backend: str) -> rw.State:
    return rw.Game(game(request.param).program, backend).new(seats=2)


def test_a_line_is_told_where_a_thing_of_a_union_came_from(backend: str) -> None:
    line = "field seen: 0..9\nafter move(c: Card, a, b) where a is deck: set seen to seen + 1\n"
    played = rw.Game(game(APART + line).program, backend).new(seats=2)
    answer_all(played, "tool_2", "tool_1")
    assert cell(played, "p1.hand") == ["tool_1"] and cell(played, "seen") == 1


def test_the_zone_and_its_holder(state: rw.State) -> None:
    things = ("tool_1", "tool_2", "tool_3", "toy_1", "toy_2")
    assert [value(state, "owner_of", c) for c in things] == ["none", "p1", "none", "p2", "none"]
    assert [value(state, "box_of", c) for c in things] == ["none", "none", "none", "none", "box_2"]
    assert [value(state, "in_deck", c) for c in things] == [1, 0, 0, 0, 0]
    assert [value(state, "nowhere", c) for c in things] == [0, 0, 1, 0, 0]
    assert [value(state, "is_in_column", "p1", "tool_2", f) for f in ("apple", "pear")] == [0, 1]
    assert value(state, "is_in_column", "p2", "tool_2", "pear") == 0


def test_a_thing_follows_another(state: rw.State) -> None:
    answer_all(state, "tool_1", "toy_1")
    assert cell(state, "deck") == ["tool_1", "toy_1"] and value(state, "together", "tool_1", "toy_1") == 1
    answer_all(state, "tool_2", "tool_1")
    assert cell(state, "p1.hand") == ["tool_1"] and value(state, "is_in_hand", "p1", "tool_1") == 1


@pytest.mark.parametrize("target", HERE)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_machine_finds_the_same_zone(target: str, seed: int) -> None:
    state = played(RULES.replace("    zone slot: Toy max 1", "    zone slot: Card"), seed=seed, target=target)
    assert state.decision is not None  # it goes on for ever


HIDDEN = """
kind Card: 4
kind Seat
    zone hand: Card seen by owner
zone deck: Card ordered seen by nobody
zone row: Card

phase game
    for every c in Card: move c to deck
    move card_1 to row
    move card_2 to p2.hand
    choose c in Card{where} by p1
    move c to row
"""


def test_where_a_hidden_thing_lies_is_as_hidden_as_the_zones() -> None:
    for where in ("zone_of(c) is row", "zone_of(c) is p1.hand", "holder(zone_of(c)) is p2"):
        assert {d.code for d in errors(HIDDEN.format(where=f" where {where}"))} == {"RW1210"}, where
    shown = HIDDEN.replace(" seen by owner", "").replace(" seen by nobody", "")
    assert errors(shown.format(where=" where zone_of(c) is deck")) == []


def test_the_zones_that_nobody_hides_are_read_from_the_thing() -> None:
    bodies = {f.name: type(f.body).__name__ for f in game(RULES).program.functions}
    assert bodies["zone_of.Card"] == "ByPlace"
    hidden = (
        HIDDEN.format(where="") + "\nvalue lost(c: Card): bool = zone_of(c) is none\ninvariant kept: not lost(card_1)\n"
    )
    bodies = {f.name: type(f.body).__name__ for f in game(hidden).program.functions}
    assert bodies["zone_of.Card"] == "Arith"


def test_why_names_the_zone() -> None:
    state = start(RULES, seats=(2, 2))
    (reason,) = rw.explain(state, "tool_3")
    said = {lang: state.game.texts.render(lang, reason.message) for lang in ("en", "fr", "ja")}
    assert said["en"] == "zone of tool_3 must not be nowhere" and "zone" in said["fr"] and "置き場" in said["ja"]
    answer_all(state, "tool_1")
    (reason,) = rw.explain(state, "tool_1")
    assert "zone" not in state.game.texts.render("en", reason.message)
