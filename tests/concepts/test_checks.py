"""Checks and `together` (docs/manual/14-checks-and-together.md): what puts itself right and when, and what is
one change."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, game, options, question, start

BASE = """
enum Cause: wear, fall
enum Colour: red, blue, green
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece cube by Colour each 9 from box
zone box: cube
zone table_: cube
piece coin
kind Seat
    zone purse: coin
    zone hand: Card
    field cap: 0..9
kind Card: 6
zone deck: Card
zone pile: Card
"""


def test_checks_run_after_each_change_to_a_fixed_point_in_text_order() -> None:
    # 14: as soon as one has acted, from the first again, until none acts; on the first member in the order of S.
    s = start(
        BASE
        + """
rule life
    always for every c in Colour where table_[c] > 2
        do note(1)
        move 1 cube[c] from table_ to box as wear
    always for every c in Colour where table_[c] is 2 and c is not green
        do note(2)
        move 2 cube[c] from table_ to box as fall
        move 1 cube[green] from box to table_
phase game
    move 3 cube[blue] from box to table_
    do note(9)
    move 1 cube[red] from box to table_
"""
    )
    assert cell(s, "trail") == 129
    assert [cell(s, "table_", c) for c in ("red", "blue", "green")] == [1, 0, 1]


def test_checks_come_before_after_triggers_and_see_half_an_effect() -> None:
    # 14: checks see every atomic change; checks first, then `after` one by one.
    s = start(
        BASE
        + """
rule order
    always for every c in Colour where table_[c] > 2
        do note(1)
        move 1 cube[c] from table_ to box as wear
    after move(x: cube, a, b) where b is table_: do note(5)
phase game
    move 3 cube[red] from box to table_
    move 4 cube[blue] from box to table_
"""
    )
    assert cell(s, "trail") == 15115


def test_together_is_one_net_change() -> None:
    # 14: `together` postpones checks and `after`s to its end.
    s = start(
        BASE
        + """
rule white
    always for every p in seats where p.purse < p.cap
        do note(1)
        gain 1 coin by p
    always for every p in seats where p.purse > p.cap
        do note(2)
        lose 1 coin by p
phase game
    set p1.cap to 2
    do note(9)
    set p1.cap to 1
    set p1.cap to 3
    do note(9)
    together
        set p1.cap to 1
        set p1.cap to 4
"""
    )
    # 2 gained; then cap 1: one lost, cap 3: two gained; at once: one gained, none lost
    assert cell(s, "trail") == 11921191


def test_a_check_may_ask() -> None:
    # 14: a check may ask; it goes on with what the answer leaves.
    s = start(
        BASE
        + """
rule hands
    always for every p in seats where size(p.hand) > p.cap
        choose c in p.hand by p
        move c to pile as fall
phase game
    for every p in seats: set p.cap to 2
    for every c in Card where c is not card_6: move c to p1.hand
    do note(7)
"""
    )
    assert question(s) == "p1: always.c" and options(s) == ["card_1", "card_2", "card_3"]
    answer_all(s, "card_2")
    assert options(s) == ["card_1", "card_3", "card_4"] and cell(s, "trail") == 0
    answer_all(s, "card_4", "card_1")
    assert cell(s, "p1.hand") == ["card_3", "card_5"] and cell(s, "trail") == 7


def test_an_asking_check_inside_a_plan_of_the_same_actor() -> None:
    # 14: checks run in plans and trials too.
    s = start(
        BASE
        + """
rule hands
    always for every p in seats where size(p.hand) > 1
        choose c in p.hand by p
        move c to pile as fall
action draw(p: Seat, c: Card) of draws
    require c in deck
    move c to p.hand
    require c in p.hand
phase game
    for every c in {card_1, card_2}: move c to deck
    move card_3 to p1.hand
    offer draws by p1 or decline
"""
    )
    assert options(s) == ["draw card_1", "draw card_2", "decline"]
    answer_all(s, "draw card_1")
    # the demand at the end of the plan leaves only the old card to be discarded, so nothing is asked
    assert s.over and cell(s, "p1.hand") == ["card_1"] and cell(s, "pile") == ["card_3"]


def test_an_endless_circle_of_checks_is_an_error_with_the_limit() -> None:
    # 14: budgets on rounds; no silent cut.
    with pytest.raises(rw.RulesetError, match="settle within 200 rounds"):
        start(
            BASE
            + """
rule chase
    always for every c in Colour where c is red and table_[c] is 1: move 1 cube[red] from table_ to box
    always for every c in Colour where c is red and table_[c] is 0: move 1 cube[red] from box to table_
phase game
    move 1 cube[red] from box to table_
"""
        )


def test_a_card_brings_a_check_while_it_is_in_play() -> None:
    # 6 and 14: a check under `while` is active as long as its condition holds.
    s = start(
        BASE
        + """
kind Leader
    field owner: Seat or none
card thief "Thief": Leader
    while this.owner is not none
        always for every p in seats where p.purse > 2
            do note(3)
            lose 1 coin by p
phase game
    gain 3 coin by p1
    set thief.owner to p2
    gain 2 coin by p2
"""
    )
    assert cell(s, "trail") == 3 and cell(s, "p1.purse") == 2


def test_invariants_are_tested_in_checking_runs_after_the_checks() -> None:
    # 20: after each atomic change, once its checks have come to rest.
    rules = (
        BASE
        + """
invariant few_cards: every(p in seats: size(p.hand) <= 1)
rule hands
    always for every p in seats where p is p1 and size(p.hand) > 1: move first(c in p.hand) to pile
phase game
    for every c in {card_1, card_2}: move c to p1.hand
    together
        for every c in {card_3, card_4}: move c to p2.hand
        move card_3 to pile
    for every c in {card_4, card_5}: move c to p2.hand
"""
    )
    with pytest.raises(rw.RulesetError, match="few_cards"):
        start(rules)
    assert start(rules, checked=False).over


RESTING = """
piece point
kind Seat
    zone points: point
    field over: 0..9
value points_of(p: Seat): int = p.points
invariant few: every(p in seats: p.points <= 3)
rule cap
    always for every p in seats where p.points > 3: do CUT(p)
procedure cut_at_once(p: Seat)
    lose p.points - 3 point by p
procedure cut_slowly(p: Seat)
    lose 1 point by p
procedure cut_and_ask(p: Seat)
    choose number n in 0..1 by p
    together: lose p.points - 3 + n point by p
procedure add_together(p: Seat, n: 1..5)
    together
        gain n point by p
        gain 1 point by p
procedure add_plainly(p: Seat, n: 1..5)
    gain n + 1 point by p
phase game
    for every p in seats
        choose number n in 1..5 by p
        do ADD(p, n)
"""


@pytest.mark.parametrize("backend", ["wasm", "reference"])
@pytest.mark.parametrize("add", ["add_together", "add_plainly"])
@pytest.mark.parametrize("cut", ["cut_at_once", "cut_slowly", "cut_and_ask"])
def test_invariants_are_tested_when_the_checks_have_come_to_rest(add: str, cut: str, backend: str) -> None:
    # 20: after each change, or the whole of a `together`, once the checks have come to rest.
    state = rw.Game(game(RESTING.replace("CUT", cut).replace("ADD", add)).program, backend).new(checked=True)
    while state.decision is not None:
        rw.apply(state, rw.legal(state)[-1])
    assert state.over and cell(state, "p1.points") in (2, 3)


@pytest.mark.parametrize("backend", ["wasm", "reference"])
@pytest.mark.parametrize("add", ["add_together", "add_plainly"])
def test_what_the_checks_leave_broken_is_found(add: str, backend: str) -> None:
    rules = RESTING.replace("CUT", "cut_at_once").replace("ADD", add).replace("p.points > 3: do", "p.points > 4: do")
    state = rw.Game(game(rules).program, backend).new(checked=True)
    with pytest.raises(rw.RulesetError, match="the invariant `few` does not hold"):
        rw.answer(state, "3")
    rules = RESTING.replace("CUT", "cut_slowly").replace("ADD", add).replace("lose 1 point", "lose 2 point")
    rules = rules.replace("p.points <= 3", "p.points is not 2")  # only the checks make it 2
    state = rw.Game(game(rules).program, backend).new(checked=True)
    with pytest.raises(rw.RulesetError, match="the invariant `few` does not hold"):
        rw.answer(state, "3")
