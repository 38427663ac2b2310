"""Triggers (docs/manual/13-triggers.md): what hears an event, in which order, and what replaces it."""

from __future__ import annotations

from tests.concepts.play import answer_all, cell, errors, options, question, start

BASE = """
enum Cause: theft, gift, storm
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
piece cube by Colour each 5 from box
enum Colour: red, blue
zone box: cube
zone field_: cube
kind Seat
    zone purse: coin
    zone hand: Card
    field safe: bool
kind Card
    const price: 0..9
    field owner: Seat or none
zone deck: Card ordered
zone pile: Card ordered
card sword "Sword": Card
    price: 3
card bell "Bell": Card
    price: 1
"""


def test_before_instead_and_after_of_a_move_see_its_arguments_cause_and_amount() -> None:
    # 13: `move(x: cube, a, b)` matches counted pieces, x is their index, `amount` their number; `cause` is the tag.
    s = start(
        BASE
        + """
phase game
    move 3 cube[red] from box to field_ as gift
    move 2 cube[blue] from box to field_ as theft
    move 1 cube[red] from field_ to box as storm
rule hears
    before move(x: cube, a, b) where x is red and b is field_: do note(amount)
    after move(x: cube, a, b) where cause is gift: do note(5)
    after move(x: cube, a, b) where a is field_ and cause in {storm, theft}: do note(8)
    instead of move(x: cube, a, b) where cause is theft: do note(2)
"""
    )
    assert cell(s, "trail") == 3528
    assert cell(s, "field_", "red") == 2 and cell(s, "field_", "blue") == 0


def test_several_at_once_come_in_text_order_and_depth_first() -> None:
    # 13: triggers of triggers come before the remaining ones.
    s = start(
        BASE
        + """
phase game
    do ring()
procedure ring()
    do note(1)
procedure echo()
    do note(3)
rule order
    after ring(): do echo()
    after echo(): do note(4)
    after ring(): do note(5)
    before ring(): do note(9)
"""
    )
    assert cell(s, "trail") == 91345


def test_a_trigger_on_a_routine_with_arguments_and_once_per() -> None:
    # 13: `once per F` counts per line and is reset when F starts.
    s = start(
        BASE
        + """
phase game
    do day()
    do day()
phase day
    for every p in seats: do work(p, 2)
    do work(p1, 3)
procedure work(p: Seat, n: 0..9)
    do note(n)
rule boss
    after work(p, n) where p is p1 once per day: do note(n + 5)
"""
    )
    assert cell(s, "trail") == 27232723


def test_things_and_narrowed_kinds() -> None:
    # 13: parameters may be narrowed; the line of one kind does not hear another.
    s = start(
        BASE
        + """
kind Dog: 2
zone yard: Dog
zone street: Dog
kind Mover: Dog, Card
phase game
    move sword to deck
    move dog_1 to yard
    move sword to p1.hand as gift
    for every x in {dog_2, bell}: do carry(x)   # in order of declaration
procedure carry(x: Mover)
    if x is dog_2: move dog_2 to street
    else: move bell to pile
rule kinds
    after move(m: Dog, a, b): do note(1)
    after move(c: Card, a, b) where b is p1.hand and c.price is 3: do note(2)
    after move(c: Card, a, b) where holder(b) is p1: do note(4)
    after move(c: Card, a, b) where b is pile: do note(3)
"""
    )
    assert cell(s, "trail") == 12431


def test_instead_of_does_not_apply_again_to_what_its_block_issues() -> None:
    # 13: an `instead of` line does not apply again to the event that its own block issues.
    s = start(
        BASE
        + """
phase game
    gain 5 coin by p1
    lose 4 coin by p1 as storm
    do fall(p1, 2)
procedure fall(p: Seat, n: 0..9)
    do note(n)
rule soften
    instead of lose(x: coin, a, b) where cause is storm: lose half_down(amount) coin by p1 as storm
    instead of fall(p, n)
        do note(7)
        do fall(p, n + 1)
        do note(8)
"""
    )
    assert cell(s, "p1.purse") == 3
    assert cell(s, "trail") == 738


def test_two_replacements_do_not_throw_a_thing_to_and_fro() -> None:
    # 13: the set of lines already used travels with the re-issued events.
    s = start(
        BASE
        + """
phase game
    move sword to deck
    move sword to p1.hand
rule ping
    instead of move(c: Card, a, b) where b is p1.hand: move c to p2.hand
    instead of move(c: Card, a, b) where b is p2.hand
        do note(1)
        move c to p1.hand
"""
    )
    assert cell(s, "p1.hand") == ["sword"] and cell(s, "trail") == 1


def test_a_source_that_leaves_during_its_event_still_fires() -> None:
    # 13: it was active when the event began; one that arrives during the event does not fire.
    s = start(
        BASE
        + """
value in_play(c: Card): bool = c.owner is not none and c in c.owner.hand
phase game
    move sword to p1.hand
    set sword.owner to p1
    set bell.owner to p2
    do crash()
    do crash()
procedure crash()
    do note(1)
    move sword to pile
    move bell to p2.hand
card horn "Horn": Card
card drum "Drum": Card
rule leaving
    after crash() where sword.in_play: do note(2)
    after crash() where bell.in_play: do note(3)
"""
    )
    assert cell(s, "trail") == 1213


def test_a_card_trigger_knows_this_owner_and_you() -> None:
    # 13: `you` in a card's trigger is its owner.
    s = start(
        BASE.replace(
            "    price: 3\n",
            "    price: 3\n    while in_play\n        after work(p) where p is owner: gain this.price coin by p\n",
        )
        + """
value in_play(c: Card): bool = c.owner is not none and c in c.owner.hand
phase game
    move sword to p2.hand
    do work(p2)
    set sword.owner to p2
    do work(p2)
    do work(p1)
procedure work(p: Seat)
    do note(1)
"""
    )
    assert cell(s, "p2.purse") == 3 and cell(s, "p1.purse") == 0


def test_payments_are_heard_by_payer_and_replaced() -> None:
    # 13: replacing a payment; the original is not required to be payable.
    s = start(
        BASE
        + """
phase game
    gain 2 coin by p1
    pay 9 coin by p1 as gift
    pay 1 coin by p1 as theft
rule credit
    instead of pay(p, n, what) where p is p1 and cause is gift: do note(n)
    before pay(p, n, what: coin) where cause is theft: gain 4 coin by p
"""
    )
    assert cell(s, "trail") == 9 and cell(s, "p1.purse") == 5


def test_triggers_that_ask() -> None:
    # 13: `before` belongs to the event, `after` follows; both may ask.
    s = start(
        BASE
        + """
phase game
    gain 3 coin by p1
    lose 2 coin by p1 as storm
    do note(9)
rule asks
    after lose(p, n) where p is p1
        choose number k in 1..n by p
        do note(k)
    before lose(p, n)
        choose one by p2
            case stop: do note(7)
            case go: do note(8)
"""
    )
    assert question(s).startswith("p2:") and cell(s, "p1.purse") == 3
    answer_all(s, "go")
    assert question(s).startswith("p1:") and cell(s, "p1.purse") == 1 and options(s) == ["1", "2"]
    answer_all(s, "2")
    assert cell(s, "trail") == 829


def test_inside_together_afters_wait_for_its_end() -> None:
    # 14: events are recorded, all their `after`s run after the `together`.
    s = start(
        BASE
        + """
phase game
    together
        move 1 cube[red] from box to field_
        do note(1)
        move 2 cube[blue] from box to field_
        do note(2)
    do note(3)
rule hears
    after move(x: cube, a, b) where b is field_: do note(amount + 6)
"""
    )
    assert cell(s, "trail") == 12783


def test_give_in_a_trigger_and_replacing_a_giving_routine_are_refused() -> None:
    # 13: a trigger may not `give`; a `giving` routine cannot be replaced.
    found = errors(
        BASE
        + """
phase game
    do note(1)
procedure best(p: Seat) giving Seat: give p
rule bad
    instead of best(p): do note(2)
"""
    )
    assert [d.code for d in found] == ["RW0813"]
