"""Kinds, unions, populations per owner and actors (docs/manual/02-kinds-and-actors.md and 01-names-types-constants.md):
who is a member, who owns, who decides."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, errors, game, options, question, start, value

BASE = """
field trail: 0..999999999
procedure note(n: 0..9)
    set trail to trail * 10 + n
piece coin
piece egg by Beast each 4 from nest
zone nest: egg
kind Seat
    zone purse: coin
kind Beast: 2 per Seat decided by owner
    field size: 1..9
    zone store: coin
kind Rock: 2
    field size: 1..9
kind Den: 1 per Beast
    zone guest: Mover max 1
kind Mover: Beast, Rock
zone wild: Mover
zone stones: Rock
"""


def test_per_kinds_belong_to_their_owner_and_are_reached_from_it() -> None:
    # 2: `2 per Seat`; `owner` is built in, and the way from the owner to its things.
    s = start(
        BASE
        + """
value beasts_of(p: Seat): set of Beast = set(b in Beast where b.owner is p)
value den_of(b: Beast): Den = b.den
value home(d: Den): Seat = d.owner.owner
phase game
    do note(size(beasts_of(p2)))
"""
    )
    assert value(s, "beasts_of", "p2") == ["beast_p2_1", "beast_p2_2"]
    assert value(s, "den_of", "beast_p1_2") == "den_beast_p1_2" and value(s, "home", "den_beast_p2_1") == "p2"


def test_unions_hold_members_of_several_kinds() -> None:
    # 2: `kind Mover: Beast, Rock` is the union; `x is Rock` narrows nothing, but tells.
    s = start(
        BASE
        + """
value rocks: int = count(x in Mover where x is Rock)
value heavy(x: Mover): bool = x.size > 4
value everything: set of Mover = {rock_2} + set(b in Beast where b.size > 3)
phase game
    for every b in Beast: set b.size to 1
    set rock_2.size to 7
    set beast_p1_1.size to 5
    for every x in Mover where heavy(x): move x to wild
    move rock_1 to wild
    move rock_1 to stones
    for every x in wild: do note(1 if x is Rock else 2)
    move beast_p1_1 to den_beast_p2_1.guest
    do note(size(wild))
"""
    )
    assert cell(s, "trail") == 211 and value(s, "rocks") == 2
    assert value(s, "everything") == ["beast_p1_1", "rock_2"]
    assert cell(s, "den_beast_p2_1.guest") == "beast_p1_1"


def test_a_union_member_may_not_go_where_only_one_kind_fits() -> None:
    # 3: piece and zone must fit.
    found = errors(BASE + "phase game\n    for every x in wild: move x to stones\n")
    assert [d.code for d in found] == ["RW0505"]


def test_actors_are_decided_by_their_seat() -> None:
    # 2: the seat its kind names decides, read when the question is asked; `you` is the actor.
    s = start(
        BASE
        + """
action hunt(b: Beast, x: Rock) of deeds
    require b.size >= 2 because "too small"
    gain b.size coin
    move x to stones
    choose n in 1..2
    do note(n)
action sleep(b: Beast) of deeds: set b.size to 9
phase game
    for every b in Beast: set b.size to 1
    set beast_p2_1.size to 3
    for every b in {beast_p1_1, beast_p2_1}: offer deeds by b
""",
        auto=False,
    )
    assert question(s) == "beast_p1_1: game.deeds" and s.decision is not None and s.decision.seat == 1
    assert options(s) == ["sleep"]
    answer_all(s, "sleep")
    assert s.decision is not None and s.decision.seat == 2 and options(s) == ["hunt rock_1", "hunt rock_2", "sleep"]
    rw.answer(s, "hunt rock_2", "beast_p2_1")
    assert question(s) == "beast_p2_1: hunt.n"
    rw.answer(s, "2", "p2")
    assert cell(s, "beast_p2_1.store") == 3 and cell(s, "stones") == ["rock_2"] and cell(s, "trail") == 2


def test_the_seat_that_decides_may_change() -> None:
    # 2: a field says who decides.
    s = start(
        """
field trail: 0..999
kind Seat
    field x: bool
kind Ghost: 1 decided by player
    field player: Seat or none
phase game
    for every p in seats
        set ghost_1.player to p
        choose n in 1..2 by ghost_1
        set trail to trail * 10 + n
"""
    )
    assert s.decision is not None and (s.decision.actor, s.decision.seat) == ("ghost_1", 1)
    answer_all(s, "2")
    assert s.decision is not None and (s.decision.actor, s.decision.seat) == ("ghost_1", 2)
    rw.answer(s, "1", "ghost_1")
    assert s.over and cell(s, "trail") == 21


def test_pieces_indexed_by_a_kind_and_shorter_indices() -> None:
    # 3: a zone of pieces is a count per index; a shorter index sums.
    s = start(
        BASE
        + """
phase game
    move 3 egg[beast_p2_1] from nest to basket
    move 1 egg[beast_p1_1] from nest to basket
    do note(total(basket))
    do note(basket[beast_p2_1])
    do note(total(nest) - 20)
    do note(sum(b in Beast where b.owner is p2: basket[b]))
zone basket: egg
""",
        seats=(2, 3),
    )
    assert cell(s, "trail") == 4303


def test_two_actors_of_one_seat_are_strangers() -> None:
    # 2: two actors of one seat are strangers in every rule that says "other".
    s = start(
        BASE
        + """
value others(b: Beast): int = count(x in Beast where x is not b)
phase game
    do note(others(beast_p1_1))
""",
        seats=(2, 2),
    )
    assert cell(s, "trail") == 3


TABLE = """
kind Seat
    field hits: 0..99
action hit(p: Seat, rival: Seat) of rounds
    require rival is not p because "nobody hits themselves"
    set rival.hits to rival.hits + 1
action nod(p: Seat, to: Seat) at any moment
    set to.hits to to.hits + 10
value everyone(): int = count(s in Seat)
value seated(): int = count(s in seats)
"""


@pytest.mark.parametrize("asks", ["offer rounds by p1", "perform hit(p1, any rival)"])
@pytest.mark.parametrize("seats", [2, 3])
def test_seats_are_those_at_the_table(asks: str, seats: int) -> None:
    """Whatever the game may have: no menu lists a seat that nobody sits on, and `Seat` has no such member."""
    rules = TABLE + f"phase game\n    choose done in 1..2 by p1\n    {asks}\n    choose done in 1..2 by p1\n"
    s = game(rules, seats=(2, 4)).new(seats=seats, checked=True)
    assert value(s, "everyone") == value(s, "seated") == seats
    nods = [" ".join(o.ids) for o in rw.moments(s, 1)]
    assert nods == [f"nod p{n}" for n in range(1, seats + 1)]
    answer_all(s, "1")
    if seats == 2:
        assert cell(s, "p2.hits") == 1  # nobody else was there to choose
    else:
        assert [o.removeprefix("hit ") for o in options(s)] == ["p2", "p3"]
        with pytest.raises(rw.IllegalAnswer):
            answer_all(s, "hit p4")


def test_none_must_be_tested() -> None:
    # 1: `T or none` does not fit a parameter `T`; `is not none` narrows a local in the block that it guards.
    text = """
kind Seat
    field pal: Seat or none
    field n: 0..9
procedure poke(p: Seat): set p.n to p.n + 1
phase game
    let q = p1.pal
    {line}
"""
    assert [d.code for d in errors(text.format(line="do poke(q)"))] == ["RW0401"]
    assert errors(text.format(line="if q is not none: do poke(q)")) == []
    assert [d.code for d in errors(text.format(line="if p1.pal is not none: do poke(p1.pal)"))] == ["RW0401"]
    guarded = text.format(line="if q is none: stop game\n    do poke(q)")
    assert errors(guarded) == [] and start(guarded).over


def test_bounds_are_tested_whenever_something_is_stored() -> None:
    # 1: a field has bounds; passing them is a reported error with the numbers.
    with pytest.raises(rw.RulesetError, match="0..9, but was set to 10"):
        start("kind Seat\n    field n: 0..9\nphase game\n    set p1.n to 9\n    set p1.n to p1.n + 1\n")


def test_fields_of_every_type() -> None:
    # 1: sets, lists and maps are stored, copied and changed item by item.
    s = start(
        """
enum Colour: red, blue
kind Seat
    field seen: set of Town
    field best: 0..9 by Colour
kind Town: 4
field order: list of Seat
field pair: count by Colour, Town
field home: Town or none by Seat
phase game
    set p1.seen to p1.seen + {town_1, town_3}
    set p1.seen to p1.seen - {town_1}
    set order to ranked(p in seats with highest p is p2)
    set p2.best[blue] to 4
    set pair[red, town_2] to 5
    set pair[red, town_2] to pair[red, town_2] + p2.best[blue]
    set home[p2] to town_4
    if home[p1] is none: set order to insert(order - {p2}, p2, 1)
""",
        seats=(2, 2),
    )
    assert cell(s, "p1.seen") == ["town_3"] and cell(s, "order") == ["p1", "p2"]
    assert (
        cell(s, "p2.best", "blue") == 4 and cell(s, "pair", "red", "town_2") == 9 and cell(s, "home", "p2") == "town_4"
    )


def test_constants_by_a_member_are_read_from_blocks_of_the_data() -> None:
    # 2: `const ... by`; what the data leaves out is none, an empty list or zero.
    data = """
Town:
    home: {way: {north: [mill, lake], south: [barn]}, gate: {south: barn}, toll: {north: 2}}
    mill: {way: {south: [home]}}
    lake: {}
    barn: {way: {north: [home, mill, lake]}}
"""
    s = start(
        """
enum Side: north, south
kind Town from "data/towns.yaml"
    const way: list of Town by Side
    const gate: Town or none by Side
    const toll: 0..3 by Side
field ends: list of Town
field least: 0..9
field counts: count by Side
phase game
    set ends to list(d in Side, t in home.way[d])
    for every d in Side: set counts[d] to sum(t in Town: size(t.way[d]))
    set least to home.toll[north] + home.toll[south]
    if home.gate[north] is none and home.gate[south] is barn: set least to least + 5
""",
        data={"data/towns.yaml": data},
    )
    assert cell(s, "ends") == ["mill", "lake", "barn"]
    assert (cell(s, "counts", "north"), cell(s, "counts", "south"), cell(s, "least")) == (5, 2, 7)


def test_a_constant_of_a_union_is_that_of_its_member_whatever_order_the_union_names_them_in() -> None:
    """Rock comes before Beast in the union and behind it in the text, and a kind that is no part lies between them."""
    s = start(
        """
kind Beast
    const size: 1..9
kind Tree
    const size: 1..9
kind Rock
    const size: 1..9
kind Thing: Rock, Beast
card ox "Ox": Beast
    size: 3
card oak "Oak": Tree
    size: 9
card flint "Flint": Rock
    size: 5
value size_of(x: Thing): int = x.size
value sizes(): int = sum(x in Thing: x.size)
phase game
    choose x in {ox, flint} by p1
"""
    )
    assert value(s, "sizes") == 8
    assert [value(s, "size_of", x) for x in ("ox", "flint")] == [3, 5]


NARROW = """
field trail: 0..999
kind Beast
    const legs: 1..9
    zone lair: coin
kind Rock
    const weight: 1..9
kind Thing: Rock, Beast
piece coin
zone wild: Beast
card ox "Ox": Beast
    legs: 4
card flint "Flint": Rock
    weight: 7
value figure(x: Thing): int = x.legs if x in Beast else 0
value light(x: Thing): bool = x in Rock and x.weight < 9
value running_wild(): int = size(wild)
procedure meet(x: Thing)
    if x in Beast
        move x to wild
        gain x.legs coin to x.lair
    if x in Rock: set trail to trail + x.weight
"""


def test_what_is_known_to_be_of_a_kind_has_what_the_kind_has() -> None:
    s = start(NARROW + "phase game\n    do meet(ox)\n    do meet(flint)\n    choose k in 1..2 by p1\n")
    assert (cell(s, "ox.lair"), cell(s, "trail"), value(s, "running_wild")) == (4, 7, 1)
    assert [value(s, "figure", x) for x in ("ox", "flint")] == [4, 0]
    assert [value(s, "light", x) for x in ("ox", "flint")] == [0, 1]


@pytest.mark.parametrize(
    "line", ["    if x in Beast: set trail to y.legs\n", "    if x in Beast: do meet(x)\n    set trail to x.legs\n"]
)
def test_it_is_known_of_that_thing_and_in_that_block_only(line: str) -> None:
    found = errors(NARROW + "procedure later(x: Thing, y: Thing)\n" + line + "phase game: do later(ox, ox)\n")
    assert [(d.code, d.message.split("`")[1:4:2]) for d in found] == [("RW0260", ["Thing", "legs"])]


def test_the_text_of_a_member_of_a_union_stands_with_its_own_kind() -> None:
    s = start(
        BASE + "phase game: choose m in Mover by p1\n", {"locale/en.yaml": "Rock: {rock_1: a rock, rock_2: a stone}\n"}
    )
    assert [o.text() for o in rw.legal(s)][-2:] == ["a rock", "a stone"]
