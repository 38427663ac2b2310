"""Rulings (docs/manual/20-invariants-and-rulings.md): what `chance gives` has to be drawn."""

from __future__ import annotations

from interpreter.records.ruling import run_rulings
from tests.concepts.play import game

RULES = """
field sum: 0..99
procedure roll()
    random n in 1..6
    set sum to sum + n
procedure ask()
    choose k in 1..2 by p1
    random n in 1..6
    set sum to sum + n * k
procedure last()
    choose k in 2..2 by p1
    random n in 1..6
    set sum to sum + n * k
phase game
    do roll()
    do ask()
    do last()
position start "nothing yet"
    seats: 2
"""


def failures(rows: str) -> list[tuple[str, str, str]]:
    made = game(f'{RULES}ruling A "chance"\n    given start\n    when\n{rows}')
    return [(f.text, f.expected, f.seen) for f in run_rulings(made)[0].failures]


def test_a_draw_that_comes_before_its_row_is_told() -> None:
    rows = "        do roll()\n        chance gives 3\n    expect\n        sum: sum\n"
    assert failures(rows) == [("chance gives 3", "a draw that takes it, in a row behind it", "nothing drew 3")]


def test_more_than_is_drawn_is_told() -> None:
    rows = "        chance gives 3, 4, 5\n        do roll()\n    expect\n        sum: 3\n"
    assert [seen for _, _, seen in failures(rows)] == ["nothing drew 4, 5"]


def test_what_is_drawn_by_itself_counts() -> None:
    # An answer that is forced is given after the last row; what is drawn then may be said before.
    assert failures("        chance gives 3\n        do last()\n    expect\n        sum: 6\n") == []


def test_what_an_open_question_leads_to_has_not_come() -> None:
    rows = "        chance gives 3\n        do ask()\n    expect\n        asks p1\n"
    assert [seen for _, _, seen in failures(rows)] == ["nothing drew 3"]
