"""Overlays on a first game, and first texts that are full of mistakes."""

from __future__ import annotations

import pytest

import interpreter as rw
from dsl.diagnostics.render import render_text
from dsl.driver.load import compile_sources
from tests.concepts.first_games import MACHINES
from tests.concepts.play import cell

TIMED = """
piece coin
kind Card
    const coins: 0..9
kind Seat
    zone purse: coin
procedure carry_out(p: Seat, c: Card)
    gain c.coins coin by p
    do c.effect by p
phase turn(p: Seat)
    do carry_out(p, merchant)
    do carry_out(p, smith)
card smith "Smith": Card
    coins: 3
    effect: gain 1 coin by you
card merchant "Merchant": Card
    coins: 1
    effect
        until end of turn
            after carry_out(p, c) where p is you and c is smith: gain 1 coin by p
phase game
    for every p in seats: do turn(p)
"""
OTHERS = {
    f"{name}.variant": f"variant {name} on test\n    alter smith.coins from 3 to {n}\n"
    for name, n in (("two", 2), ("four", 4))
}


def test_variants_meet_beside_a_card_whose_effect_lasts() -> None:
    _, found, _ = compile_sources({"small.rules": TIMED}, seats=(2, 2), overlays=OTHERS)
    assert [d.code for d in found if d.severity.value == "error"] == ["RW1005"]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("laid", "coins"), [({}, 6), ({"two.variant": ""}, 5), ({"four.variant": ""}, 7)])
def test_one_of_them_is_in_force(machine: str, laid: dict[str, str], coins: int) -> None:
    # merchant 1; smith as the variant says, 1 for its effect, and 1 for what the merchant has left behind
    overlays = {name: OTHERS[name] for name in laid}
    program, found, _ = compile_sources({"small.rules": TIMED}, seats=(2, 2), overlays=overlays)
    assert program is not None, found
    state = rw.Game(program, machine).new(seed=1)
    assert (cell(state, "p1.purse"), cell(state, "p2.purse")) == (coins, coins)


SPOILT = {
    "kinds of which none is there": """
enum Metal: tin, lead
piece disc by Metal each 9 from box faces up, down
zone box: disc
zone spot: disc max 1
kind Card: Spade, Story
kind Card faces front, back
zone row: Card
card a "A": Card
phase game
    choose number n in 0..1 by p1
    turn 1 disc[tin] from spot to down
    turn a to back
    choose number m in 0..1 by p2
""",
    "a kind that consists of a name and parts of other lines": """
enum Cause: dealt, passed
kind Card: worth
zone box: Card seen by nobody
kind Seat
    zone hand: Card seen by owner
    zone gone: Card seen by owner
phase game
    for every c in Card: move c to box
    for every p in seats, i in 1..4
        random c in box
        move c to p.hand as dealt
    for every p in seats
        choose some cs in p.hand exactly 2 by p seen by p
        move cs to p.gone as passed
value v0(p: Seat): int = any(x in e.cells where x in stones))
value v1(p: Seat): int = bool = t.height > 3
value v2(p: Seat): int = set winner to p
value v3(p: Seat): int = Square or none
value v4(p: Seat): int = 1..3) of deals
value v5(p: Seat): int = box
value v6(p: Seat): int = Sort or none by Square
value v7(p: Seat): int = move c to deck
""",
}


@pytest.mark.parametrize("name", SPOILT)
@pytest.mark.parametrize("without", ["", "Spade, ", "enum Metal: tin, lead\n", "zone box: Card seen by nobody\n"])
def test_rules_full_of_mistakes_are_reported(name: str, without: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")  # a fault of the checker comes through
    _, found, sources = compile_sources({"small.rules": SPOILT[name].replace(without, "", 1)})
    assert "RW0210" in {d.code for d in found} and "RW1114" not in {d.code for d in found}
    assert render_text(found, sources, False)
