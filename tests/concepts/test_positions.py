"""Positions can be: pieces are neither made nor lost, invariants hold, seats that do not play are not named."""

from __future__ import annotations

from textwrap import dedent

import pytest

from interpreter.records.position import build
from interpreter.records.position_checks import PositionError
from interpreter.records.ruling import RulingResult, run_ruling
from tests.concepts.play import cell, errors, game

RULES = """\
enum Metal: iron, tin
enum Realm: babylon, egypt
kind Town: 2
    field owner: Seat or none
    field friends: set of Seat
    zone stall: coin max 1
kind Seat
    zone purse: coin
    field turns: 0..9
    field plans: list of set of Seat
piece coin by Metal each 10 from mint faces up, down
piece army by Realm, Metal each 4 from barracks
zone mint: coin
zone barracks: army
zone field_camp: army
zone chest: coin
invariant few_turns: every(p in seats: p.turns < 5)
procedure wait(p: Seat)
    choose number n in 1..2 by p
    set p.turns to n
procedure spend(p: Seat): move all coin[iron] from p.purse to chest
phase game
    for every p in seats
        do wait(p)
        do spend(p)
    turn 1 coin[iron] from chest to down
    move 1 army[egypt, iron] from barracks to field_camp
    move 1 coin[tin] from mint to town_1.stall
position start "three seats"
    seats: 3
    p1.purse: iron 2
    p2.purse: iron 1, tin 3
"""


def run(rows: str, expect: str = "p1.turns: 0") -> RulingResult:
    body = "".join(f"    {line}\n" for line in dedent(rows).splitlines())
    made = game(f'{RULES}ruling R "A position"\n{body}    expect\n        {expect}\n', seats=(2, 4))
    return run_ruling(made, made.program.rulings["R"])


def wrong(rows: str) -> str:
    result = run(rows)
    assert [f.expected for f in result.failures] == ["a position that can be built"]
    return result.failures[0].seen


# ---------------------------------------------------------------- lists of sets


def test_a_row_of_a_list_of_sets_has_a_set_in_braces_for_each_item() -> None:
    rows = "given start\n    p1.plans: {p1, p2}, {}, {p2}"
    assert run(rows, "size(p1.plans): 3").passed
    assert run(rows, "p1.plans: {p1, p2}, {}, {p2}").passed
    assert run("given start\n    p1.plans: none", "size(p1.plans): 0").passed


# ---------------------------------------------------------------- pieces


def test_what_a_supply_holds_follows_from_the_other_rows() -> None:
    assert run("given start\n    mint: iron 7, tin 7").passed
    assert run("given start\n    mint[iron]: 7\n    p3.purse: tin 1").passed
    assert run("given start\n    mint: iron 6, tin 7\n    chest: iron 1").passed, "whichever row stands first"


@pytest.mark.parametrize(
    ("row", "left"),
    [
        ("mint: iron 3, tin 7", "mint is a supply: what the rows do not place stays there, so it holds iron 7, tin 7"),
        ("mint: iron 10, tin 7", "not iron 10, tin 7"),
        ("mint: none", "it holds iron 7, tin 7, not none"),
        ("mint[tin]: 8", "it holds tin 7, not tin 8"),
    ],
)
def test_a_row_makes_and_loses_no_pieces(row: str, left: str) -> None:
    assert left in wrong(f"given start\n    {row}")


def test_pieces_are_gone_where_a_row_says_so() -> None:
    assert run("given start\n    mint: iron 3, tin 7, others gone\n    chest: iron 1", "mint[iron]: 3").passed
    assert run("given start\n    mint: others gone", "mint[iron] + mint[tin]: 0").passed
    result = run("given start\n    mint[tin]: 2, others gone", "mint[iron]: 7")
    assert result.passed and "    mint[tin]: tin 2, others gone" in result.transcript
    assert "so it holds iron 7, tin 7, not iron 8" in wrong("given start\n    mint: iron 8, others gone")


def test_other_faces_in_a_supply_are_taken_from_the_first() -> None:
    result = run("given start\n    mint: iron 5, iron down 2, tin 7", "mint[iron, down]: 2")
    assert result.passed and "    mint: iron 5, tin 7" in result.transcript
    assert "it holds iron 5, tin 7, not iron 7, tin 7" in wrong("given start\n    mint: iron 7, iron down 2, tin 7")


def test_pieces_with_several_names_are_told_by_all_of_them() -> None:
    found = wrong("given start\n    field_camp: egypt iron 3, babylon tin 5")
    assert found == "field_camp is to hold babylon tin 5, egypt iron 3, which needs 5 from a supply of 4"
    lines = run("given start\n    field_camp: egypt iron 3\n    chest: iron down 1, tin 2").transcript
    assert "    field_camp: egypt iron 3" in lines and "    chest: tin 2, iron down 1" in lines
    assert "    p1.purse: none" in run("given start\n    p1.purse: none").transcript


# ---------------------------------------------------------------- invariants


def test_a_position_keeps_the_invariants() -> None:
    assert wrong("given start\n    p1.turns: 5") == "the invariant `few_turns` does not hold in this position"


def test_a_position_may_be_mended_by_the_ruling_that_begins_with_it() -> None:
    broken = 'position late "late" from start\n    p1.turns: 7\n'
    made = game(f'{RULES}{broken}ruling R "Mended"\n    given late\n        p1.turns: 1\n', seats=(2, 4))
    assert run_ruling(made, made.program.rulings["R"]).passed
    with pytest.raises(PositionError, match="few_turns"):
        build(made, "late")
    assert cell(build(made, "start"), "p1.purse", 0, "iron") == 2


# ---------------------------------------------------------------- seats


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ("p3.turns: 1", "`p3`, whose `turns` is set, does not play: this position has 2 seats"),
        ("p4.purse: iron 1", "`p4`, whose `purse` is set, does not play"),
        ("town_2.owner: p3", "`p3`, named by `town_2.owner`, does not play"),
        ("town_2.friends: p1, p4", "`p4`, named by `town_2.friends`, does not play"),
    ],
)
def test_only_seats_that_play_are_named(rows: str, found: str) -> None:
    assert wrong(f"given\n    seats: 2\n    {rows}").startswith(found)
    assert run(f"given\n    seats: 4\n    {rows}").passed


def test_fewer_seats_than_the_position_has() -> None:
    assert run("given start\n    seats: 2").passed, "p3 has nothing in it"
    begun = 'position crowd "four" from start\n    seats: 4\n    town_1.owner: p4\n'
    made = game(f'{RULES}{begun}ruling R "Two"\n    given crowd\n        seats: 2\n', seats=(2, 4))
    assert "`p4`, named by `town_1.owner`" in run_ruling(made, made.program.rulings["R"]).failures[0].seen


# ---------------------------------------------------------------- rows in any order


ORDERS = """\
kind Town: 2
    field holder: Seat or none
    zone shelf: Card seen by holds
    zone table: Card
    zone spot: coin max 1
kind Card
card sun "Sun": Card
    copies: 4
card rain "Rain": Card
card snow "Snow": Card
kind Seat
    zone purse: coin
    zone safe: coin
piece coin each 10 from mint
zone mint: coin
zone deck: Card ordered
zone trash: Card
zone heap: Card ordered seen by nobody top seen by all
value holds(p: Seat): bool = town_1.holder is p
phase game
    for every p in seats: move all coin from p.purse to p.safe
    move 1 coin from mint to town_1.spot
    for every t in Town
        for every c in deck: move c to t.shelf
        for every c in t.shelf: move c to t.table
        for every c in t.table: move c to trash
        for every c in trash: move c to heap
        set t.holder to p1
position begun "a beginning"
    seats: 2
    p1.purse: 8
    deck: snow, rain
    heap: sun, sun_2
    town_2.table: sun_3, sun_4
    town_2.spot: 1
"""
ROWS = {
    "p1.purse": "1",
    "p1.safe": "8",
    "town_1.spot": "1",
    "town_2.spot": "none",
    "town_1.holder": "p2",
    "town_1.shelf": "sun_4, sun_3",
    "deck": "sun_2, snow",
    "heap": "rain",
}


def test_the_order_of_rows_does_not_matter() -> None:
    """More is taken than the supply held before other rows gave back; cards change places; an owner sees a shelf."""
    stores = set()
    names = list(ROWS)
    orders = [names[turn:] + names[:turn] for turn in range(len(names))]
    for order in [*orders, *(list(reversed(order)) for order in orders)]:
        rows = "".join(f"    {name}: {ROWS[name]}\n" for name in order)
        made = game(f'{ORDERS}position next "another" from begun\n{rows}', seats=(2, 2))
        state = build(made, "next")
        stores.add(tuple(state.words))
        assert (cell(state, "mint"), cell(state, "p1.safe")) == (0, 8)
    assert len(stores) == 1


def test_too_much_is_told_in_any_order() -> None:
    for rows in ("    p1.safe: 9\n    p1.purse: 2\n", "    p1.purse: 2\n    p1.safe: 9\n"):
        made = game(f'{ORDERS}position next "another" from begun\n{rows}', seats=(2, 2))
        with pytest.raises(PositionError, match=r"is to hold coin \d, which needs \d from a supply of"):
            build(made, "next")


# ---------------------------------------------------------------- all copies, ranges


@pytest.mark.parametrize(
    ("row", "held"),
    [
        ("trash: all sun", {"sun", "sun_2", "sun_3", "sun_4"}),
        ("trash: all sun, rain", {"sun", "sun_2", "sun_3", "sun_4", "rain"}),
        ("trash: sun_2 .. sun_4", {"sun_2", "sun_3", "sun_4"}),
        ("trash: rain, sun .. sun_2", {"rain", "sun", "sun_2"}),
        ("trash: all rain", {"rain"}),
        ("trash: all Card", {"sun", "sun_2", "sun_3", "sun_4", "rain", "snow"}),
        ("deck: sun_3 .. sun_4, rain", ["sun_3", "sun_4", "rain"]),
    ],
)
def test_all_copies_and_ranges(row: str, held: object) -> None:
    """They say the same where something is given and where it is expected."""
    text = f"""\
{ORDERS}ruling R "A row"
    given begun
        {row}
    expect
        {row}
"""
    made = game(text, seats=(2, 2))
    assert run_ruling(made, made.program.rulings["R"]).failures == ()
    given = made.program.rulings["R"].given[0]
    ids = [made.program.thing_ids[thing] for thing in given.things]
    assert (ids if isinstance(held, list) else set(ids)) == held


@pytest.mark.parametrize(
    ("row", "code", "text"),
    [
        ("trash: all snu", "RW0281", "unknown `Card` `snu`"),
        ("trash: all p1", "RW0281", "unknown `Card` `p1`"),
        ("trash: sun_4 .. sun_2", "RW0281", "`sun_2` comes before `sun_4`"),
        ("trash: all sun, sun_2", "RW0912", "`sun_2` is put in two places"),
        ("trash: sun .. snw", "RW0281", "unknown `Card` `snw`"),
    ],
)
def test_what_is_no_range(row: str, code: str, text: str) -> None:
    found = errors(f'{ORDERS}position other "another"\n    {row}\n')
    assert [d.code for d in found] == [code] and text in found[0].message
