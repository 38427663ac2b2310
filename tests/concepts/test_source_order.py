"""Source order (docs/manual/06-activity-and-scope.md and 13-triggers.md): whose lines come first, and what a line knows
of its card."""

from __future__ import annotations

from typing import Any

from tests.concepts.play import cell, start

CARDS = """
enum Cause: storm
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
field active: Seat or none
piece coin
kind Seat
    zone purse: coin
    zone play_: Card
    field gone: bool
kind Card
    field owner: Seat or none
zone deck: Card
procedure bell()
    do note(0)
card first_card "First": Card
    while owner is not none
        after bell(): do note(1)
        before bell(): do note(6)
card second_card "Second": Card
    while owner is not none
        after bell(): do note(2)
card third_card "Third": Card
    while this.owner is p3
        after bell(): do note(3)
        before bell(): do note(8)
rule own
    after bell(): do note(9)
"""


def trail(body: str, **how: Any) -> int:
    return int(cell(start(CARDS + "phase game\n" + body, seats=(3, 3), **how), "trail"))


OWNED = """
    set first_card.owner to p2
    set second_card.owner to p1
    set third_card.owner to p3
"""


def test_ruleset_lines_first_then_cards_from_the_active_seat_on() -> None:
    # 6: ruleset lines in text order; then things by owner, from the active seat in seat order.
    assert trail(OWNED + "    set active to p1\n    do bell()\n") == 68_0_9213
    assert trail(OWNED + "    set active to p2\n    do bell()\n") == 68_0_9132
    assert trail(OWNED + "    set active to p3\n    do bell()\n") == 86_0_9321


def test_cards_of_one_owner_keep_the_order_of_the_text() -> None:
    # 6: then by the order of the text.
    assert trail("    for every c in Card: set c.owner to p3\n    set active to p3\n    do bell()\n") == 68_0_9123


def test_lines_that_are_not_active_as_the_event_begins_do_not_hear_it() -> None:
    # 6 and 13.
    assert trail("    set second_card.owner to p1\n    set active to p1\n    do bell()\n") == 92


def test_who_comes_first_is_noted_as_the_event_begins() -> None:
    # 13: `owner` keeps the value it had when the event began, also where a line before changes it.
    text = (
        CARDS
        + """
card fourth_card "Fourth": Card
    while owner is not none
        after storm_(): gain 1 coin by owner
card fifth_card "Fifth": Card
    while owner is not none
        after storm_()
            set fourth_card.owner to p3
            gain 2 coin
procedure storm_()
    do note(1)
phase game
    set active to p1
    set fifth_card.owner to p1
    set fourth_card.owner to p2
    do storm_()
    do storm_()
"""
    )
    s = start(text, seats=(3, 3))
    assert [cell(s, f"p{i}.purse") for i in (1, 2, 3)] == [4, 1, 1]


def test_inside_a_plain_change_too() -> None:
    # 6: the same for lines on verbs, in routines that never ask.
    text = (
        CARDS
        + """
card fourth_card "Fourth": Card
    while owner is not none
        before gain(p, n): do note(4)
        instead of gain(p, n) where n is 5: do note(7)
card fifth_card "Fifth": Card
    while owner is not none
        before gain(p, n): do note(5)
        instead of gain(p, n) where n >= 5: do note(8)
procedure pay_out(n: 1..9): gain n coin by p1
phase game
    set active to p2
    set fourth_card.owner to p1
    set fifth_card.owner to p3
    for every n in {1, 5, 6}: do pay_out(n)
"""
    )
    s = start(text, seats=(3, 3))
    assert cell(s, "trail") == 54_548_548 and cell(s, "p1.purse") == 1
    s = start(text.replace("set active to p2", "set active to p1"), seats=(3, 3))
    assert cell(s, "trail") == 45_457_458


def test_the_owner_of_a_kind_may_be_a_value() -> None:
    # 6: `owner` of a kind is an ordinary value, usually the seat whose zone holds the thing.
    s = start(
        """
field trail: 0..999
piece coin
kind Seat
    zone hand: Tool
    zone purse: coin
kind Tool
    field up: bool
value owner(c: Tool): Seat or none = only(p in seats where c in p.hand)
card saw "Saw": Tool
    while owner is not none
        after ring(): gain 2 coin
procedure ring()
    set trail to trail + 1
phase game
    do ring()
    move saw to p2.hand
    do ring()
    if saw.owner is p2: set trail to trail + 10
"""
    )
    assert cell(s, "trail") == 12 and cell(s, "p2.purse") == 2


def test_the_holder_of_a_place_may_be_of_several_kinds() -> None:
    # 3 and 13: `holder(z)` is the thing that a zone belongs to; the other side of the comparison says of which kind.
    s = start(
        """
field trail: 0..999
procedure note(n: 0..9)
    set trail to trail * 10 + n
kind Seat
    zone hand: Tool
kind Shed: 2
    zone box: Tool
kind Tool: 3
zone floor: Tool
rule hears
    after move(t: Tool, a, b) where holder(b) is p2: do note(2)
    after move(t: Tool, a, b) where holder(b) is shed_2: do note(3)
    after move(t: Tool, a, b) where holder(a) in seats: do note(4)
phase game
    move tool_1 to p1.hand
    move tool_1 to shed_2.box
    move tool_1 to floor
    move tool_1 to p2.hand
"""
    )
    assert cell(s, "trail") == 342


PLACES = """
enum Cause: storm
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
field active: Seat or none
piece coin
piece star
zone shelf: Card
zone row: Card ordered
kind Seat
    zone purse: coin
    zone stars: star
    zone hand: Card ordered
kind Card
    field owner: Seat or none
procedure bell()
    do note(0)
"""
HEARS = """
card card_{n} "{n}": Card
    after bell(): do note({n})
"""


def test_cards_of_one_owner_come_by_zone_and_position() -> None:
    # 6: by owner; then by the order of zones in the text and the position in the zone (unordered zones: by id);
    # ownerless ones last.
    text = PLACES + "".join(HEARS.format(n=n) for n in range(1, 8))
    text += """
phase game
    set active to p2
    for every c in {card_1, card_2, card_3, card_4}: set c.owner to p1
    set card_5.owner to p2
    move card_1 to p1.hand
    move card_2 to p1.hand at top
    move card_3 to row
    move card_7 to shelf
"""
    # p2's 5; p1's 4 (nowhere), 3 (row), 2 and 1 (hand); nobody's 6 (nowhere) and 7 (shelf)
    s = start(text + "    do bell()\n", seats=(2, 2))
    assert cell(s, "trail") == 5432167
    # now 4 before 3 in the row, 1 before 2 in the hand, 6 before 7 on the shelf
    text += """
    move card_2 to p1.hand at bottom
    move card_4 to row at top
    move card_6 to shelf
    do bell()
"""
    assert cell(start(text, seats=(2, 2)), "trail") == 5431267


def test_checks_of_cards_come_in_source_order() -> None:
    # 6 and 14: first the checks of the ruleset in text order, then those of cards; after each action from the first.
    text = (
        PLACES
        + "".join(
            f"""
card card_{n} "{n}": Card
    while owner is not none
        always for every p in seats where p.purse > {m}
            lose 1 coin by p
            do note({n})
"""
            for n, m in ((1, 0), (2, 0), (3, 1))
        )
        + """
rule own
    always for every p in seats where p.purse > 4
        lose 1 coin by p
        do note(9)
phase game
    set active to p2
    set card_1.owner to {one}
    set card_2.owner to {two}
    set card_3.owner to {three}
    gain 5 coin by p1
"""
    )

    def trail(one: str, two: str, three: str) -> int:
        return int(cell(start(text.format(one=one, two=two, three=three), seats=(3, 3)), "trail"))

    assert trail("p1", "p2", "none") == 92222
    assert trail("p3", "p1", "p2") == 93331
    assert trail("none", "p1", "p3") == 93332


def test_sources_of_cards_come_in_source_order() -> None:
    # 6 and 15: without another default the first source in order is used first.
    text = (
        PLACES
        + """
purse money(p: Seat)
    source p.purse
card card_1 "1": Card
    while owner is not none
        source this.ones of money
card card_2 "2": Card
    while owner is not none
        source this.twos of money
kind Card
    zone ones: coin
    zone twos: star
phase game
    set card_1.owner to p1
    set card_2.owner to p1
    gain 2 coin by p1
    move 3 coin to card_1.ones
    move 3 star to card_2.twos
    pay 3 money by p1
    do note(card_1.ones)
    do note(card_2.twos)
    move card_2 to row
    move card_1 to shelf
    pay 1 money by p1
    do note(card_1.ones)
    do note(card_2.twos)
    move card_2 to shelf
    move card_1 to row
    pay 1 money by p1
    do note(card_1.ones)
    do note(card_2.twos)
"""
    )
    # the ruleset's source first (2), then card 1 by number; then the shelf comes before the row: card 1, then card 2
    assert cell(start(text, seats=(2, 2)), "trail") == 23_13_12
