"""What stands below a union (docs/manual/02-kinds-and-actors.md): fields, zones and constants of all of its members."""

from __future__ import annotations

import pytest

import interpreter as rw
from dsl.base.span import Source
from dsl.shows.spec import ShowSpec
from interpreter.records.ruling import run_rulings
from tests.concepts.play import answer_all, cell, errors, game, options, play_on_both, start, value
from tools.shows.presenter import Presenter
from tools.shows.words import show_text
from tools.table.info import thing_lines

# Hill lies between the parts in the text, so their numbers have a gap; Rope is named by a second union as well.
SHAPE = """
piece coin
piece egg by Seat each 9 from nest
zone nest: egg
kind Camp: 2
    field fires: 0..9
kind Hill: 3
    field steep: bool
kind Rope: 2
kind Place: Camp, Rope
    const worth: 0..9
    field guests: 0..9
    field keeper: Seat or none
    zone stones: coin
    zone eggs: egg
    zone bird: Bird max 1
    zone lost: Bird ordered seen by nobody
kind Bird: 3
kind Seat
    field wins: 0..99
value guests_of(x: Place): int = x.guests
value camp_guests(c: Camp): int = c.guests
value all_guests(): int = sum(x in Place: x.guests)
value home(b: Bird): Place or none = only(x in Place where x.bird is b)
"""


def test_a_field_below_a_union_is_one_field_of_all_members() -> None:
    s = start(
        SHAPE
        + """
phase game
    for every x in Place: set x.guests to 1
    set rope_2.guests to 7
    for every c in Camp: set c.guests to c.guests + 2
    set camp_1.keeper to p2
    choose x in Place where x.guests > 2 by p1
    set x.guests to 0
    choose done in 1..2 by p1
"""
    )
    assert [cell(s, f"{x}.guests") for x in ("camp_1", "camp_2", "rope_1", "rope_2")] == [3, 3, 1, 7]
    assert options(s) == ["camp_1", "camp_2", "rope_2"]
    answer_all(s, "camp_2")
    assert value(s, "guests_of", "camp_2") == value(s, "camp_guests", "camp_2") == 0
    assert value(s, "all_guests") == 3 + 0 + 1 + 7 and cell(s, "camp_1.keeper") == "p2"


def test_things_and_pieces_move_into_the_zones_of_a_union() -> None:
    s = start(
        SHAPE
        + """
field moved: 0..99
after move(b: Bird, from, to) where holder(to) in Place: set moved to moved + 1
after move(b: Bird, from, to) where to is rope_2.bird: set moved to moved + 10
phase game
    for every x in Place where x is not camp_1
        gain 2 coin by p1 to x.stones
        move 1 egg[p2] from nest to x.eggs
    move bird_1 to camp_2.bird
    let there = home(bird_1)
    if there is not none
        lose 1 coin by p1 from there.stones
        move bird_1 to rope_2.bird
    move bird_2 to rope_1.lost
    move bird_3 to rope_1.lost
    choose x in Place where x.bird is none by p1
"""
    )
    assert options(s) == ["camp_1", "camp_2", "rope_1"]
    assert [cell(s, f"{x}.stones") for x in ("camp_1", "camp_2", "rope_1", "rope_2")] == [0, 1, 2, 2]
    assert cell(s, "rope_1.eggs", "p2") == 1 and cell(s, "nest", "p2") == 9 - 3
    assert value(s, "home", "bird_1") == "rope_2" and cell(s, "moved") == 4 + 10
    shown = rw.view(s, 1)["state"]
    assert shown["Place.bird"] == {"camp_1": "none", "camp_2": "none", "rope_1": "none", "rope_2": "bird_1"}
    assert shown["Place.lost"]["rope_1"] == {"hidden": 2, "known": ["bird_2", "bird_3"]} and "Camp.stones" not in shown


def test_a_constant_below_a_union_is_read_from_the_data_of_each_kind() -> None:
    s = start(
        """
kind Ship from "data/things.yaml"
kind Town from "data/things.yaml"
    const gate: bool
kind Goal: Ship, Town
    const worth: 1..9
value best(): Goal or none = only(x in Goal with highest x.worth)
value of(t: Town): int = t.worth
phase game: choose x in Goal where x.worth > 3 by p1
""",
        data={
            "data/things.yaml": "Ship:\n  cog: {worth: 4}\nTown:\n  york: {worth: 7}\n  bath: {worth: 2, gate: true}\n"
        },
    )
    assert value(s, "best") == "york" and value(s, "of", "bath") == 2 and options(s) == ["cog", "york"]


def test_a_strip_below_a_union_is_one_of_each_kind() -> None:
    s = start(
        """
piece point
kind Seat
    zone points: point
kind Tool
kind Tale
kind Card: Tool, Tale
    strip use
icon dig(n: 1..9): gain n point by you
card axe "Axe": Tool
    strip use: dig(2)
card saga "Saga": Tale
    strip use: dig(3)
phase game
    for every c in Card: do c.use by p1
    choose done in 1..2 by p1
"""
    )
    assert cell(s, "p1.points") == 5


def test_positions_and_rulings_name_the_cells_of_a_union() -> None:
    made = game(
        SHAPE
        + """
position there
    given
        seats: 2
        camp_2.guests: 4
        rope_1.bird: bird_3
        rope_2.eggs: p1 2
ruling whole "the cells of a union, as they were given"
    given there
    when: do game()
    expect
        options: camp_2, rope_1, rope_2
        nest[p1]: 7
        rope_1.guests: 0
        rope_1.bird: bird_3
phase game: choose x in Place where x.guests > 0 or x.bird is not none or total(x.eggs) > 0 by p1
"""
    )
    assert [str(line) for result in run_rulings(made, ()) for line in result.failures] == []
    assert len(made.program.rulings) == 1


def test_a_display_and_the_lines_about_a_thing_show_what_its_union_has() -> None:
    s = start(
        SHAPE
        + """
phase game
    set camp_2.guests to 3
    move bird_2 to camp_2.bird
    choose x in Place where x.guests > n by p1
value n: int = 0
"""
    )
    shown = Presenter(s, 1, "en")
    assert show_text(shown, ShowSpec("guests"), s.game.things["camp_2"]).plain == "3"
    lines = [line.plain.split() for line in thing_lines(shown, s.game.things["camp_2"])]
    assert ["guests", "3"] in lines and ["bird", "bird_2"] in lines


def test_both_back_ends_agree_on_the_cells_of_a_union() -> None:
    program = game(
        SHAPE
        + """
phase game
    for every p in {p1, p2, p1, p2}
        choose x in Place where x.guests < 2 by p
        set x.guests to x.guests + 1
        gain 1 coin by p to x.stones
        move first(b in Bird where home(b) is not x) to x.lost
        set p.wins to p.wins + total(x.stones) + size(x.lost)
""",
        seats=(2, 2),
    ).program
    for seed in range(5):
        play_on_both(program, seed)


@pytest.mark.parametrize(
    ("lines", "at"),
    [
        ("kind A: 2\n    field f: bool\nkind B: 2\nkind U: A, B\n    field f: bool\n", 5),
        ("kind U: A, B\n    zone f: coin\nkind A: 2\n    field f: bool\nkind B: 2\npiece coin\n", 4),
        ("kind A: 2\nkind B: 2\nkind C: 2\nkind U: A, B\n    field f: bool\nkind V: B, C\n    field f: bool\n", 7),
    ],
)
def test_a_name_below_a_union_is_declared_once_for_each_member(lines: str, at: int) -> None:
    text = lines + "phase game: choose n in 1..2 by p1\n"
    found = errors(text)
    assert [d.code for d in found] == ["RW0202"] and found[0].help and "all of its members" in found[0].help
    assert Source("", text).place(found[0].span.start)[0] == at


@pytest.mark.parametrize("line", ["set x.f to true", "choose y in Place where x.z is none by p1"])
def test_fields_and_zones_that_each_kind_declares_apart_are_refused_with_the_way_out(line: str) -> None:
    found = errors(
        f"""
piece coin
kind A: 2
    field f: bool
    zone z: coin max 1
kind B: 2
    field f: bool
    zone z: coin max 1
kind Place: A, B
phase game
    choose x in Place by p1
    {line}
"""
    )
    assert [d.code for d in found] == ["RW0260"] and found[0].help and "below `kind Place`" in found[0].help
