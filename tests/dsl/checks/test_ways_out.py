"""What messages say to do: the word that was meant, the sign that is lost, the names there are."""

from __future__ import annotations

import pytest

from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.load import check_texts

BASE = """\
enum Fruit: apple, pear
enum Cause: spent
kind Card
    const suit: Fruit
zone deck: Card ordered
zone used: Card
field n: 0..9
phase game
    set n to score
    choose one by p1
        case draw where some deck: move first(c in deck) to used
        case pass
    stop game
"""
CARD = """\
card axe "Axe": Card
    suit: apple
card pen "Pen": Card
    suit: pear
"""
SCORE = "value score: int = 1 if n > 3 else 0\n"


def told(more: str, base: str = BASE) -> list[Diagnostic]:
    return [d for d in check_texts({"x.rules": base + CARD + more}) if d.code[:4] != "RW11"]


def mended(more: str) -> str:
    """What is left of the text after the one message was carried out."""
    (d,) = told(more)
    assert d.fix is not None
    whole = BASE + CARD + more
    return (whole[: d.fix.span.start] + d.fix.text + whole[d.fix.span.end :])[len(BASE + CARD) :]


def test_a_case_that_asks_for_a_member_may_take_the_first() -> None:
    assert told(SCORE) == []


@pytest.mark.parametrize("end", ["\n    else 0\n", "\n    else 2 if n > 2\n    else 0\n"])
def test_else_may_begin_a_line_of_an_expression(end: str) -> None:
    assert told("value score: int = 1 if n > 3" + end) == []
    assert told("value score: int\n    = 1 if n > 3" + end) == []


def test_else_of_a_sentence_is_one_message() -> None:
    wrong = SCORE + "procedure work()\n    if n > 2: set n to 3\n    else set n to 2\n    set n to 5\n"
    assert [d.code for d in told(wrong)] == ["RW0114"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("value more: int = sum(f in Fruit: n", "value more: int = sum(f in Fruit: n)"),
        ("value more（p: Seat): int = n", "value more(p: Seat): int = n"),
        ("field x 0..3", "field x: 0..3"),
        ("procedure work()\n\tset n to 3", "procedure work()\n    set n to 3"),
        ("icon star\n    for every f in Fruit set n to 3", "icon star\n    for every f in Fruit: set n to 3"),
        ("action buy(p: Seat) of shop: gian 1 coin", "action buy(p: Seat) of shop: gain 1 coin"),
        ("const most = 3", "value most: int = 3"),
    ],
)  # fmt: skip
def test_the_fix_is_what_was_meant(wrong: str, right: str) -> None:
    assert mended(SCORE + wrong + "\n") == SCORE + right + "\n"


def test_unknown_positions_and_phases_of_rulings_are_answered_with_those_there_are() -> None:
    ruling = 'position start "start"\n    n: 3\nruling R1 "one"\n    given bare\n    when\n        do market()\n'
    helps = [d.help for d in told(SCORE + ruling + "    expect\n        n: 3\n")]
    assert helps == ["the positions are `start`", "the phases are `game`"]


def test_a_filtered_first_gets_no_note_about_ties() -> None:
    keyed = "value best: Card = first(c in Card where c.suit is apple with highest 3)\n"
    assert told(SCORE + keyed) == []
    assert [d.code for d in told(SCORE + keyed.replace(" where c.suit is apple", ""))] == ["RW1209"]
