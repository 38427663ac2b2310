"""Cards, strips and icons (docs/manual/18-cards-and-strips.md, 06-activity-and-scope.md and 10-routines-and-frames.md):
effects with parameters, what is skipped, what comes afterwards."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, options, question, start, value

BASE = """
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
kind Seat
    zone purse: coin
    zone hand: Idea
    field class: 0..9
kind Idea
    const price: 0..9
    strip top
    strip low
    field owner: Seat or none
    effect(victim: Seat, n: 0..9)
zone deck: Idea ordered
zone pile: Idea
icon mark(n: 0..9): do note(n)
icon buy(n: 0..9)
    require you.purse >= n
    lose n coin
    do note(5)
icon pick
    choose k in 1..2
    do note(k)
icon late: at end of use: do note(8)
procedure use(p: Seat, c: Idea)
    do c.top by p
    do note(6)
procedure maybe(p: Seat, c: Idea)
    do c.top by p or decline
    do note(6)
"""


def play(strip: str, body: str = "do use(p1, fire)", low: str = "mark(3)") -> int:
    s = start(
        BASE
        + f"""
card fire "Fire": Idea
    price: 2
    strip top: {strip}
    strip low: {low}
phase game
    gain 1 coin by p1
    {body}
    do note(9)
"""
    )
    while s.decision is not None:
        answer_all(s, options(s)[0])
    return int(cell(s, "trail"))


def test_plus_does_every_icon_that_it_can() -> None:
    # 18: `require` failing skips the icon.
    assert play("mark(1) + mark(2)") == 1269
    assert play("mark(1) + buy(3) + mark(2)") == 1269
    assert play("buy(1) + buy(1) + mark(2)") == 5269


def test_slash_is_one_of_and_binds_loosest() -> None:
    # 18: `+`, `->`, `/` from tight to loose.
    assert play("mark(1) + mark(2) / mark(3)") == 1269
    assert play("buy(7) / mark(3)") == 369  # an icon that cannot be done is not offered
    assert play("mark(3) / mark(1) -> mark(2)") == 369
    assert play("mark(1) -> mark(2) / mark(3)") == 1629


def test_arrow_comes_after_everything_of_the_routine() -> None:
    # 18: B is put on the end list as A begins; before what A itself put on the same list later; whatever A's outcome.
    assert play("mark(1) -> mark(2)") == 1629
    assert play("late -> mark(2)") == 6289
    assert play("mark(1) -> mark(2) -> mark(4)") == 16249
    assert play("mark(1) + mark(2) -> mark(3) + mark(4)") == 126349


def test_an_arrow_whose_first_icon_is_skipped_brings_nothing() -> None:
    # 18: as A begins (its `require`s held), B is put on the end list.
    assert play("buy(7) -> mark(2)") == 69
    assert play("(buy(7) + mark(1)) -> mark(2)") == 1629
    assert play("mark(1) -> buy(7) -> mark(2)") == 169


def test_a_strip_is_optional_with_or_decline() -> None:
    # 18: `or decline` makes it optional.
    s = start(
        BASE
        + """
card fire "Fire": Idea
    price: 2
    strip top: mark(1) / pick
phase game
    do maybe(p2, fire)
    do note(9)
"""
    )
    assert question(s).startswith("p2:")
    assert options(s) == ["mark", "pick", "decline"]
    answer_all(s, "mark")
    assert s.over and cell(s, "trail") == 169


def test_icons_ask_the_one_for_whom_the_strip_is_resolved() -> None:
    # 10 and 18: `you` in an icon is the `by` of the `do`.
    s = start(
        BASE
        + """
card fire "Fire": Idea
    price: 2
    strip top: pick + pick
phase game
    do use(p2, fire)
"""
    )
    assert question(s) == "p2: pick.k"
    answer_all(s, "2", "1")
    assert cell(s, "trail") == 216


def test_effects_take_arguments_and_have_this_and_you() -> None:
    # 10 and 18: `do c.effect(..) by a`; `this` is the card, `you` the one who acts.
    s = start(
        BASE
        + """
card curse "Curse": Idea
    price: 4
    effect
        lose n coin by victim
        gain this.price coin
        choose k in 1..this.price
        do note(k)
card nothing "Nothing": Idea
    price: 1
phase game
    gain 5 coin by p2
    for every c in Idea: move c to deck
    for every c in deck: do c.effect(p2, 2) by p1
    do note(9)
"""
    )
    assert question(s).startswith("p1: curse") and options(s) == ["1", "2", "3", "4"]
    assert cell(s, "p2.purse") == 3 and cell(s, "p1.purse") == 4
    answer_all(s, "3")
    assert s.over and cell(s, "trail") == 39


def test_the_rest_of_a_text_goes_on_when_the_card_leaves() -> None:
    # 10: the frame goes on; it is not the card.
    s = start(
        BASE
        + """
card fire "Fire": Idea
    price: 7
    effect
        move this to pile
        do note(this.price)
card ash "Ash": Idea
    price: 1
phase game
    move fire to p1.hand
    do fire.effect(p1, 0) by p1
"""
    )
    assert cell(s, "trail") == 7 and cell(s, "pile") == ["fire"]


def test_a_card_brings_an_action_once_per_turn() -> None:
    # 6 and 13: an action under `while` is in the menu while the card is active; `once per` counts per thing.
    s = start(
        BASE
        + """
kind Tool
    const cost: 0..9
    field used: 0..9
card ash "Ash": Idea
    price: 1
card saw "Saw": Tool
    cost: 1
    while this.used > 0
        action cut(p: Seat) of work once per turn
            do note(this.cost)
action idle(p: Seat) of work: do note(4)
phase game
    do turn(p1)
    set saw.used to 1
    do turn(p1)
    do turn(p2)
phase turn(p: Seat)
    for every i in 1..2: offer work by p
"""
    )
    assert cell(s, "trail") == 44  # one possible answer only: taken by itself
    assert options(s) == ["idle", "cut"]
    answer_all(s, "cut")
    assert question(s).startswith("p2:") and options(s) == ["idle", "cut"]
    answer_all(s, "idle", "cut")
    assert cell(s, "trail") == 441441


def test_a_used_action_says_how_often_it_can_be_taken() -> None:
    s = start(
        BASE
        + """
card ash "Ash": Idea
    price: 1
action cut(p: Seat) of work once per turn: do note(1)
action idle(p: Seat) of work: do note(4)
action rest(p: Seat) of work: do note(5)
phase game: do turn(p1)
phase turn(p: Seat)
    for every i in 1..2: offer work by p
"""
    )
    answer_all(s, "cut")
    assert options(s) == ["idle", "rest"]
    with pytest.raises(rw.IllegalAnswer, match="`cut` is not legal at turn.work: once per turn$"):
        answer_all(s, "cut")


def test_a_row_of_a_map_may_hold_numbers_below_zero() -> None:
    s = start(
        """
enum Sign: moon, sun
kind Tile
    const signs: -5..9 by Sign
card dune "Dune": Tile
    signs: moon 2, sun -3
value sign(x: Sign): int = dune.signs[x]
phase game
    choose k in 1..2 by p1
"""
    )
    assert [value(s, "sign", x) for x in ("moon", "sun")] == [2, -3]
