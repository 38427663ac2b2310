"""Conditions, bounds and keys on whole answers: decided by a search, however large the set is."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.core.errors import RulesetError
from interpreter.search.solver import SEARCH_STEPS
from tests.concepts.play import cell, game, options, question

# 40 cards in a row: the price of card n is 2 * n + 2, card_1 and card_2 are red, card_7 needs card_30, and so on
ROW = """
enum Colour: red, blue, green, white, black
kind Card: 40
    field colour: Colour
    field price: 0..100
    field need: Card or none
kind Seat
    zone mine: Card
    field coins: 0..900
zone row: Card
field next: 0..100
value score(p: Seat): int = size(p.mine)
value all_needed(cs: set of Card): bool = every(c in cs: c.need is none or c.need in cs)
phase game
    set next to 2
    for every c in Card
        set next to next + 2
        set c.price to next
        set c.colour to green if next > 40 else blue
        move c to row
    set card_1.colour to red
    set card_2.colour to red
    set card_7.need to card_30
    set card_8.need to card_7
    set card_30.need to card_12
    set p1.coins to 50
    do buy(p1)
    choose number n in 0..1 by p1
    if n is 1: set next to 0
procedure buy(p: Seat)
    {choice}
    for every c in cs: move c to p.mine
"""


def ask(choice: str, backend: str = "python") -> rw.State:
    return rw.Game(game(ROW.format(choice=choice), seats=(1, 1)).program, backend).new(seed=1, checked=True)


def steps(state: rw.State) -> int:
    """The steps of search for the options of the open question."""
    machine = state.game.machine
    machine.questions.clear()
    machine.options(state.words)
    (known,) = machine.questions.values()
    return SEARCH_STEPS - int(known[0].bounds.budget.left)


def cards(*numbers: int) -> list[str]:
    return [f"card_{n}" for n in numbers]


# the condition, what is offered after forced members (by hand, from the prices 2 * n + 2), and the most steps
FORTY = [
    ("at least 3 by p such that any(c in cs where c.colour is red)", cards(1, 2), 100),
    ("by p such that sum(c in cs: c.price) <= p.coins", [*cards(*range(1, 25)), "ready"], 200),
    ("exactly 3 by p such that sum(c in cs: c.price) is 22", cards(2, 3), 300),  # 1 2 5, 1 3 4
    ("at least 1 by p such that all_needed(cs) and card_8 in cs", cards(*range(1, 8)), 200),
    ("by p such that all_needed(cs) and sum(c in cs: c.price) <= 10", [*cards(1, 2, 3, 4), "ready"], 1000),
    ("at least 2 by p such that every(c in cs, d in cs: c is d or c.colour is not d.colour)",
     cards(*range(1, 20)), 2000),
    ("exactly 2 by p such that sum(c in cs: c.price) <= p.coins with highest sum(c in cs: c.price)",
     cards(*range(1, 12)), 2000),  # 1 and 22, 2 and 21, ... 11 and 12
    ("at least 2 by p such that max(c in cs: c.price) - min(c in cs: c.price) <= 2", cards(*range(1, 40)), 3000),
    ("total cs.price at most 10 total cs.price at least 9 by p", cards(1, 4), 300),  # 4 + 6, or 10
]  # fmt: skip


@pytest.mark.parametrize(("choice", "offered", "most"), FORTY)
@pytest.mark.parametrize("backend", ["python", "reference"])
def test_forty_cards_are_decided_in_few_steps(choice: str, offered: list[str], most: int, backend: str) -> None:
    state = ask(f"choose some cs in row {choice}", backend=backend)
    assert question(state) == "p1: buy.cs" and options(state) == offered
    assert 0 < steps(state) <= most
    while question(state) == "p1: buy.cs":  # every way leads to an answer
        rw.apply(state, rw.legal(state)[0])
    assert cell(state, "p1.mine")


def test_what_cannot_be_is_found_out_in_few_steps() -> None:
    """All prices are even."""
    state = ask("choose some cs in row by p if any such that sum(c in cs: c.price) is 301")
    assert question(state) == "p1: game.n" and cell(state, "p1.mine") == []


def test_the_smallest_set_by_a_key() -> None:
    """card_12 is needed by card_30, that by card_7, and that by card_8."""
    state = ask(
        "choose some cs in row by p such that card_12 in cs and all_needed(set(c in row where c not in cs))"
        " with lowest size(cs)"
    )
    assert cell(state, "p1.mine") == cards(7, 8, 12, 30)


def test_a_search_without_end_names_the_choice() -> None:
    with pytest.raises(RulesetError, match="the search for the answers at `buy.cs` did not end within"):
        ask("choose some cs in row by p such that size(list(c in cs: c.price)) is 41")
