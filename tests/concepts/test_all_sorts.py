"""Amounts of all sorts of a piece in one sentence (docs/manual/04-verbs-and-causes.md): a number for each, or all."""

from __future__ import annotations

import pytest

import interpreter as rw
from tests.concepts.play import answer_all, cell, errors, game, options, play_on_both, start

RULES = """
enum Cause: growth, famine
enum Organ: eye, leg, gut
enum Size: small, large
piece organ by Organ each 5 from pool
piece bone by Organ, Size each 4 from pit
piece egg by Organ each 3 from nest faces raw, boiled
piece point
zone pool: organ
zone pit: bone
zone nest: egg
zone waste: organ
field seen: 0..99
kind Beast: 2
    zone cubes: organ
    zone bones: bone
    zone eggs: egg
kind Seat
    zone points: point
    field left: 0..9
value icons(o: Organ): int = 1 if o is eye else 2 if o is leg else 0
value points_of(p: Seat): int = p.points
LINES
phase game
    BODY
    choose k in 1..2 by p1
    set p1.left to k
"""
ICONS = "table(o in Organ: icons(o))"


def play(body: str, lines: str = "", **how: object) -> rw.State:
    return start(RULES.replace("LINES", lines).replace("BODY", body.replace("ICONS", ICONS)), **how)


def held(s: rw.State, path: str, *more: str) -> list[int]:
    return [cell(s, path, *more, organ) for organ in ("eye", "leg", "gut")]


def test_a_number_for_each_sort_is_gained_and_lost() -> None:
    s = play("gain ICONS organ to beast_1.cubes\n    gain ICONS organ to beast_1.cubes")
    assert held(s, "beast_1.cubes") == [2, 4, 0] and held(s, "pool") == [3, 1, 5]
    s = play(
        "gain ICONS organ to beast_1.cubes\n    gain ICONS organ to beast_1.cubes\n"
        "    gain ICONS organ to beast_2.cubes"
    )
    assert held(s, "beast_2.cubes") == [1, 1, 0]  # as much as there is
    s = play(
        "move 5 organ[leg] from pool to waste\n    lose beast_2.cubes organ from waste\n    lose ICONS organ from waste"
    )
    assert held(s, "waste") == [0, 3, 0] and held(s, "pool") == [5, 2, 5]


def test_the_numbers_are_those_at_the_start_of_the_sentence() -> None:
    s = play("gain ICONS organ to beast_1.cubes\n    gain beast_1.cubes organ to beast_1.cubes")
    assert held(s, "beast_1.cubes") == [2, 4, 0]


def test_all_of_every_sort_is_moved() -> None:
    s = play("gain ICONS organ to beast_1.cubes\n    lose all organ from beast_1.cubes")
    assert held(s, "beast_1.cubes") == [0, 0, 0] and held(s, "pool") == [5, 5, 5]
    s = play("gain ICONS organ to beast_1.cubes\n    move all organ from beast_1.cubes to waste as famine")
    assert held(s, "waste") == [1, 2, 0]


def test_pieces_by_two_indices_and_with_faces() -> None:
    s = play(
        "move table(o in Organ, z in Size: 2 if z is large else icons(o)) bone from pit to beast_2.bones\n"
        "    move table(o in Organ: 1) egg from nest to beast_1.eggs\n"
        "    turn 1 egg[leg] from beast_1.eggs to boiled\n"
        "    move all egg[raw] from beast_1.eggs to beast_2.eggs"
    )
    assert [cell(s, "beast_2.bones", o, z) for o in ("eye", "gut") for z in ("small", "large")] == [1, 2, 0, 2]
    assert held(s, "beast_1.eggs", 1) == [0, 1, 0] and held(s, "beast_2.eggs", 0) == [1, 0, 1]


def test_an_answer_of_amounts_is_moved() -> None:
    s = play("choose amounts c for o in Organ each 0..3 total c exactly 2 by p2\n    move c organ from pool to waste")
    answer_all(s, "eye 1 gut 1")
    assert held(s, "waste") == [1, 0, 1]


def test_a_cost_of_all_sorts_belongs_to_the_plan() -> None:
    lines = """
action grow(p: Seat, b: Beast) of work
    pay ICONS organ from b.cubes as growth
    gain 1 point by p
action rest(p: Seat) of work: gain 1 point by p
"""
    body = "move 1 organ[eye] from pool to beast_1.cubes\n    gain ICONS organ to beast_2.cubes\n    offer work by p2"
    s = play(body, lines.replace("ICONS", ICONS))
    assert options(s) == ["rest", "grow beast_2"] or options(s) == ["grow beast_2", "rest"]
    answer_all(s, "grow beast_2")
    assert held(s, "beast_2.cubes") == [0, 0, 0] and held(s, "beast_1.cubes") == [1, 0, 0]


LINE = """
rule watch
    after gain(o: organ, a, b) where b is beast_1.cubes
        set seen to seen * 10 + amount + beast_1.cubes[leg]
        lose 1 organ[o] from b
"""


def test_each_sort_is_an_event_and_lines_wait_for_the_last() -> None:
    # two events: 1 eye and 2 legs; when the first line runs, the legs are there already
    s = play("gain ICONS organ to beast_1.cubes", LINE)
    assert cell(s, "seen") == 34 and held(s, "beast_1.cubes") == [0, 1, 0]


def test_both_back_ends_agree() -> None:
    body = """for every i in 1..4
        choose amounts c for o in Organ each 0..2 by p1
        gain c organ to beast_1.cubes
        move beast_1.cubes organ from beast_1.cubes to beast_2.cubes
        lose ICONS organ from beast_2.cubes
        choose o in Organ by p2
        if o is eye: lose all organ from beast_2.cubes"""
    for lines in (
        "",
        LINE.replace("seen * 10", "half_down(seen)").replace("lose 1 organ[o] from b", "gain 1 point by p1"),
    ):
        program = game(RULES.replace("LINES", lines).replace("BODY", body.replace("ICONS", ICONS))).program
        assert sum(len(play_on_both(program, seed)) for seed in range(6)) > 60


@pytest.mark.parametrize(
    "sentence, code",
    [
        ("gain 2 organ to beast_1.cubes", "RW0506"),
        ("gain table(z in Size: 1) organ to beast_1.cubes", "RW0506"),
        ("gain table(o in Organ: 1) bone to beast_1.bones", "RW0506"),
        ("gain table(o in Organ: o) organ to beast_1.cubes", "RW0506"),
        ("gain ICONS organ[eye] to beast_1.cubes", "RW0402"),
        ("gain ICONS point by p1", "RW0402"),
    ],
)
def test_what_is_no_number_for_each_sort_is_refused(sentence: str, code: str) -> None:
    found = errors(RULES.replace("LINES", "").replace("BODY", sentence.replace("ICONS", ICONS)))
    assert [d.code for d in found] == [code]
