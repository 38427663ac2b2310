"""Conditions, bounds and keys on whole answers: decided by a search, however large the set is."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.choices import sequence
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


def ask(choice: str, backend: str = "wasm") -> rw.State:
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
@pytest.mark.parametrize("backend", ["wasm", "reference"])
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


def test_a_search_without_end_names_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequence, "SEARCH_STEPS", 20_000)  # the real bound takes many seconds
    with pytest.raises(RulesetError, match="the search for the answers at `buy.cs` did not end within"):
        ask("choose some cs in row by p such that size(list(c in cs: c.price)) is 41")


# ---------------------------------------------------------------- totals of any number made of a member and its amount

# a set of n cards of one good is worth n * n * value: 2 salt are 8, 3 salt 18, 1 gold 9
TRADE = """
enum Good: salt, gold, grain, hides, cloth, wine, oil, iron, bronze, gems, ochre
table value_of by Good
    salt: 2
    gold: 9
    grain: 4
    hides: 2
    cloth: 5
    wine: 6
    oil: 5
    iron: 2
    bronze: 6
    gems: 8
    ochre: 1
table held by Good
    salt: 3
    gold: 2
    grain: 3
    hides: 3
    cloth: 3
    wine: 2
    oil: 2
    iron: 3
    bronze: 2
    gems: 2
    ochre: 2
value set_worth(g: Good, n: 0..9): int = n * n * value_of[g]
field kept by Good: 0..9
value score(p: Seat): int = kept[salt]
phase game
    do pay(p1)
    choose number n in 0..1 by p1
    if n is 1: set kept[salt] to 9
procedure pay(p: Seat)
    choose amounts k for g in Good each 0..held[g] {rest}
    for every g in Good: set kept[g] to k[g]
"""


def trade(rest: str, backend: str = "wasm") -> rw.State:
    return rw.Game(game(TRADE.format(rest=rest), seats=(1, 1)).program, backend).new(seed=1, checked=True)


@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_a_total_may_use_the_amount_itself(backend: str) -> None:
    """All 27 are worth 18 + 36 + 36 + 18 + 45 + 24 + 20 + 18 + 24 + 32 + 4 = 275: ochre (4) may be kept back,
    one or both, and nothing else."""
    state = trade("total set_worth(g, k) at least 270 by p", backend)
    assert question(state) == "p1: pay.k" and options(state) == ["ochre 1", "ochre 2", "ready"]
    assert cell(state, "kept", "gems") == 0 and steps(state) <= 100


def test_exactly_a_worth_of_sets() -> None:
    """Of salt and gold alone: 2, 8 or 18 and 9 or 36; so 17 is 2 salt (8) and 1 gold (9)."""
    where = "total set_worth(g, k) exactly 17 total k * (1 if g > gold else 0) exactly 0 by p"
    state = trade(where.replace("g > gold", "g is not salt and g is not gold"))
    assert question(state) == "p1: game.n"
    assert cell(state, "kept", "salt") == 2 and cell(state, "kept", "gold") == 1


def test_a_total_and_a_condition_say_the_same() -> None:
    one = trade("total set_worth(g, k) at least 200 total k exactly 20 by p")
    other = trade("total k exactly 20 by p such that 200 - sum(g in Good: set_worth(g, k[g])) <= 0")
    for _ in range(30):
        assert options(one) == options(other)
        if question(one) != "p1: pay.k":
            break
        assert steps(other) < 30_000
        middle = len(options(one)) // 2
        rw.apply(one, rw.legal(one)[middle])
        rw.apply(other, rw.legal(other)[middle])
    assert question(one) == question(other) == "p1: game.n" and one.words == other.words


def test_many_slots_may_be_taken_where_their_weights_are_nothing() -> None:
    """The room for an answer follows from a bound on the amounts themselves, not from one on what they weigh."""
    state = trade("total k * (0 if value_of[g] < 7 else 1) at most 1 by p")
    while question(state) == "p1: pay.k":
        rw.apply(state, rw.legal(state)[0])
    goods = ("salt", "gold", "grain", "hides", "cloth", "wine", "oil", "iron", "bronze")
    assert [cell(state, "kept", g) for g in goods] == [1] * 9  # gold is the one that weighs 1


# ---------------------------------------------------------------- inside plans

PLAN = """
kind Card: 24
    field price: 0..100
kind Seat
    zone mine: Card
    field coins: 0..900
zone row: Card
field next: 0..100
value score(p: Seat): int = size(p.mine)
phase game
    for every c in Card
        set next to next + 4
        set c.price to next
        move c to row
    set p1.coins to 40
    offer shop by p1 or decline
action buy(p: Seat) of shop
    choose some cs in row at least 2 by p
        such that sum(c in cs: c.price) <= p.coins and every(c in cs, d in cs: c is d or c.price + d.price is not 20)
    let due = sum(c in cs: c.price)
    require due > 30
    set p.coins to p.coins - due
    move cs to p.mine
action idle(p: Seat) of shop: set p.coins to 0
"""


def test_trials_do_not_work_the_search_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every trial asks the same question in the same state, so that it is read once."""
    read = []
    first = sequence._read_question
    monkeypatch.setattr(sequence, "_read_question", lambda *args: read.append(args) or first(*args))
    state = rw.Game(game(PLAN, seats=(1, 1)).program).new(seed=1)
    assert options(state) == ["buy", "idle", "decline"] and len(read) == 1
    rw.answer(state, "buy")
    assert question(state) == "p1: buy.cs" and len(read) <= 2
    while question(state) == "p1: buy.cs":
        rw.apply(state, rw.legal(state)[-1])
    assert len(read) <= 2 and cell(state, "p1.coins") < 10
