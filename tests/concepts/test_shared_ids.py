"""Ids that belong to several kinds: the place where one stands decides which is meant."""

from __future__ import annotations

from interpreter.records.ruling import run_ruling
from tests.concepts.play import errors, game

RULES = """\
enum Tongue: greek, latin
kind Nation
    field stock: 0..9
    field home: Area or none
kind Area
    field crowd: 0..9
    zone camp: unit
kind Seat
    field nation: Nation or none
piece unit each 9 from box
zone box: unit
card egypt "Egypt": Nation
card babylon "Babylon": Nation
value wealth(n: Nation): int = n.stock * 2
procedure settle(p: Seat)
    choose n in Nation by p
    set p.nation to n
    set babylon.crowd to babylon.stock + babylon.wealth
    move 1 unit from box to babylon.camp
phase game
    for every p in seats: do settle(p)
"""
DATA = {"data/areas.yaml": "Area:\n    babylon: {}\n    delta: {}\n"}
RULING = """\
ruling R "One name, two things"
    given
        seats: 2
        babylon.stock: 2
        babylon.home: babylon
        egypt.home: delta
    when
        do settle(p1)
        p1 chooses babylon
    expect
        babylon.crowd: 6
        babylon.camp: 1
        babylon.wealth: 4
        p1.nation: babylon
        Nation.babylon.home: Area.babylon
"""


def rules() -> str:
    return RULES.replace("kind Area\n", 'kind Area from "data/areas.yaml"\n')


def test_the_cell_decides() -> None:
    made = game(rules() + RULING, DATA)
    result = run_ruling(made, made.program.rulings["R"])
    assert result.passed, result.failures


def test_where_nothing_decides_the_kind_has_to_be_named() -> None:
    both = rules().replace("    field crowd: 0..9\n", "    field crowd: 0..9\n    field stock: 0..9\n")
    found = errors(both + 'ruling R "Which?"\n    given\n        babylon.stock: 2\n', DATA)
    assert {d.code for d in found} == {"RW0251"} and found[0].help == "write `Nation.babylon` or `Area.babylon`"
