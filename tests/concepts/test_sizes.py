"""How much lies in a hidden zone (docs/manual/16-knowledge.md and docs/decisions/0010-sizes-are-public.md): public,
unless that is all there is to know."""

from __future__ import annotations

import interpreter as rw
from tests.concepts.play import errors, options, start

RULES = """
enum Colour: red, blue
field trail: 0..9
piece coin
piece bead by Colour each 9 from box
zone box: bead
zone bag: bead seen by nobody
kind Seat
    zone safe: coin seen by owner
    zone pouch: bead seen by owner
    zone hand: Card seen by owner
    zone secret: Card max 1 seen by owner
kind Card: 4
zone deck: Card ordered seen by nobody
value rich(p: Seat): bool = p.safe > 2
phase game
    move 2 bead[red] from box to bag
    move 3 bead[blue] from box to bag
    move 1 bead[red] from box to p1.pouch
    gain 3 coin by p1
    move card_1 to p2.hand
    move card_2 to deck
    move card_3 to p2.secret
    choose p in seats where {where} by p3 or decline
    set trail to 1 if p is p1 else 2
"""


def offered(where: str) -> list[str]:
    return options(start(RULES.replace("{where}", where), seats=(3, 3)))


def test_rules_may_ask_how_much_lies_in_a_hidden_zone() -> None:
    assert offered("some p.hand and size(deck) is 1") == ["p2", "decline"]
    assert offered("total(bag) is 5 and total(p.pouch) > 0") == ["p1", "decline"]
    assert offered("p.secret is none") == ["p1", "p3", "decline"]


def test_rules_may_not_ask_which_or_how_many_of_a_single_sort() -> None:
    for where in ("p.safe > 2", "rich(p)", "total(p.safe) > 2", "p.pouch[red] > 0", "card_1 in p.hand"):
        assert [d.code for d in errors(RULES.replace("{where}", where))] == ["RW1210"], where


def test_a_view_shows_how_much_there_is() -> None:
    s = start(RULES.replace("{where}", "some p.hand"), seats=(3, 3))
    seen = rw.view(s, 3)["state"]
    assert seen["bag"] == {"hidden": 5} and seen["Seat.pouch"]["p1"] == {"hidden": 1}
    assert seen["Seat.safe"]["p1"] == {"hidden": True}
    assert seen["deck"] == {"hidden": 1, "known": ["card_2"]}  # all have seen it go there
    assert rw.view(s, 1)["state"]["Seat.safe"]["p1"] == 3
