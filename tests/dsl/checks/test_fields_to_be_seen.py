"""Fields that no rule reads, and that are there all the same: to be seen."""

from __future__ import annotations

import pytest

from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.load import check_texts

MANIFEST = "id: x\nversion: 1\ntitle: {en: X}\nseats: 2..3\nload: [x.rules]\n"
RULES = """\
kind Card: 3
    field told: bool
zone deck: Card
kind Seat
    zone hand: Card
phase game
    for every c in Card: move c to deck
    for every c in Card
        set c.told to true
        if c in deck: move c to p1.hand
"""


def unread(rules: str) -> list[Diagnostic]:
    return [d for d in check_texts({"x.rules": rules}, {"ruleset.yaml": MANIFEST}) if d.code == "RW1106"]


def test_a_field_that_nothing_reads_is_told_with_the_ways_out() -> None:
    (found,) = unread(RULES)
    assert "`Card.told` is set" in found.message and "display.yaml" in (found.help or "")


@pytest.mark.parametrize(("who", "reports"), [("owner", 0), ("nobody", 1), ("all", 1)])
def test_a_field_that_says_who_sees_it_is_there_to_be_seen(who: str, reports: int) -> None:
    assert len(unread(RULES.replace("told: bool", f"told: bool seen by {who}"))) == reports


SHOWN = """\
enum Cause: played
kind Card: 3
    field rank: 0..9
    field holder: Seat or none
piece cube each 9 from box
zone box: cube
zone deck: Card
kind Seat
    zone hand: Card
    zone cubes: cube
field active: Seat
field turns: 0..9
phase game
    set active to p2
    set turns to 3
    for every c in Card
        set c.rank to 1
        set c.holder to p1
    do turn()
phase turn
"""
LAST = "    choose c in Card by p1\n    move c to deck as played\n"


def unread_names(last: str = LAST, **files: str) -> set[str]:
    """The fields of which the check says that nothing reads them."""
    data = {"ruleset.yaml": MANIFEST, **{name.replace("__", "/") + ".yaml": text for name, text in files.items()}}
    found = check_texts({"x.rules": SHOWN + last}, data)
    assert not [d for d in found if d.severity.value == "error"], found
    return {d.message.split("`")[1] for d in found if d.code == "RW1106"}


ALL = {"Card.rank", "Card.holder", "active", "turns"}


@pytest.mark.parametrize(
    "shown, files",
    [
        (set(), {}),
        ({"active"}, {"locale__en": 'turn.title: "Turn of {active}"'}),
        ({"turns"}, {"locale__en": 'turn: "{turns}"'}),
        ({"turns"}, {"locale__en": 'turn.c.ask: "{turns}"'}),
        ({"Card.rank"}, {"locale__en": 'turn.c.pick: "{c.rank|point|points}"'}),
        ({"Card.holder"}, {"locale__en": 'turn.c.done: "{c.holder}"'}),
        ({"turns"}, {"display": "told: [{id: x, change: turns}]"}),
        ({"Card.rank", "Card.holder"}, {"display": "faces: {Card: {corner: rank, facts: [{of: holder}]}}"}),
        ({"active"}, {"display": "panels: [{id: a, show: [active]}]"}),
        ({"turns"}, {"display": "preview: [turns]"}),
    ],
)
def test_a_field_that_is_shown_is_read(shown: set[str], files: dict[str, str]) -> None:
    assert unread_names(**files) == ALL - shown


@pytest.mark.parametrize(
    "read, last",
    [
        ("active", "    choose c in Card by active\n    move c to deck as played\n"),
        (
            "active",
            "    for every p in seats from active\n        choose c in Card by p\n        move c to deck as played\n",
        ),
        ("active", "    gain 1 cube by active as played\n"),
        ("active", "    move card_1 to active.hand as played\n"),
        ("turns", LAST + "invariant few: turns < 9\n"),
        ("turns", "    set turns to turns + 1\n"),
        ("Card.rank", "    let f = first(c in Card with highest c.rank)\n    move f to deck as played\n"),
        ("Card.rank", "    choose c in Card with highest c.rank by p1\n    move c to deck as played\n"),
    ],
)
def test_a_field_on_which_the_outcome_depends_is_read(read: str, last: str) -> None:
    assert unread_names(last) == ALL - {read}


def test_the_active_seat_is_read_where_cards_of_several_owners_react() -> None:
    cards = """\
value owner(c: Card): Seat or none = c.holder
card fox "Fox": Tool
    while true
        after move(c: Card, a, b): gain 1 cube by p1 as played
card owl "Owl": Tool
    while true
        after move(c: Card, a, b): gain 1 cube by p2 as played
kind Tool
    field owner: Seat or none
"""
    assert unread_names(LAST + cards) == ALL - {"active", "Card.holder"}
