"""Kinds with a thing for each combination (docs/manual/02-kinds-and-actors.md): `kind Card by Suit, Rank`."""

from __future__ import annotations

import pytest

from tests.concepts.play import answer_all, cell, errors, game, options, play_on_both, start, value

RULES = """
enum Suit: hearts, spades
ranked enum Rank: jack, queen, king
kind Seat
    zone hand: Card
kind Town: 2
kind TownCard by Town, Suit
kind Card by Suit, Rank
    field turned: bool
    zone marks: mark
piece mark
zone deck: Card ordered
value best(p: Seat): Card = first(c in p.hand with highest c.rank.rank, lowest c.suit is spades)
value reds(): set of Card = set(c in Card where c.suit is hearts)
value in_suit(s: Suit): int = count(c in Card where c.suit is s)
value town_of(c: TownCard): Town = c.town
phase game
    for every c in Card: move c to deck
    choose c in Card where c.rank >= queen by p1
    move c to p1.hand
    set c.turned to true
    choose number n in 0..c.rank.rank by p2
"""


def test_there_is_a_thing_for_each_combination() -> None:
    program = game(RULES).program
    names = "hearts_jack hearts_queen hearts_king spades_jack spades_queen spades_king"
    assert program.domains["Card"].ids == tuple(names.split())
    assert program.domains["TownCard"].ids == ("town_1_hearts", "town_1_spades", "town_2_hearts", "town_2_spades")


def test_it_knows_what_it_is_made_of() -> None:
    s = start(RULES, seats=(2, 2))
    assert value(s, "reds") == ["hearts_jack", "hearts_queen", "hearts_king"] and value(s, "in_suit", "spades") == 3
    assert value(s, "town_of", "town_2_hearts") == "town_2"
    assert options(s) == ["hearts_queen", "hearts_king", "spades_queen", "spades_king"]
    answer_all(s, "p1 spades_king")
    assert value(s, "best", "p1") == "spades_king" and cell(s, "spades_king.turned") is True
    assert options(s) == ["0", "1", "2", "3"]
    play_on_both(game(RULES, seats=(2, 2)).program, 2)


@pytest.mark.parametrize(
    "kind, code",
    [
        ("kind Card by Suit, Rang", "RW0210"),
        ("kind Card by Suit, Suit", "RW0260"),  # which has `suit` and `suit_2`, and no `rank`
        ("kind Card: 6 by Suit, Rank", "RW0449"),
        ("kind Card by Suit, 1..3", "RW0449"),
        ("kind Card by Suit, Card", "RW0210"),
    ],
)
def test_what_a_kind_cannot_be_made_of(kind: str, code: str) -> None:
    assert code in {d.code for d in errors(RULES.replace("kind Card by Suit, Rank", kind))}


def test_a_constant_of_the_same_name_is_declared_twice() -> None:
    found = errors(RULES.replace("    field turned: bool", "    field turned: bool\n    const suit: 0..3"))
    assert "RW0449" in {d.code for d in found}
    found = errors(RULES.replace("hearts, spades", "a, a_b").replace("jack, queen, king", "b_c, c, king"))
    assert "RW0449" in {d.code for d in found}  # a + b_c and a_b + c
