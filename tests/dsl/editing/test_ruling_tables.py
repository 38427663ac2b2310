"""Names in a ruling with a table: parameters are local, cells mean members and positions, rows are no names."""

from __future__ import annotations

from dsl.base.span import Source
from dsl.editing.rename import rename
from dsl.files.ruleset import FileTexts
from dsl.format.rules import format_rules

RULES = """\
kind Seat
    field coins: 0..9
phase game
    stop game
"""
RULING = """\
position calm "calm"
    seats: 2
ruling A(who: Seat, begun: position, held: 0..9) "a"
    given begun
        who.coins: held
    expect
        who.coins: held
    cases
        held: p1, calm, 3
        2: p2, calm, 0
"""


def texts() -> FileTexts:
    found = FileTexts()
    found.rules = [Source("game.rules", RULES), Source("some.ruling", RULING)]
    return found


def renamed(words: str, inside: int, new: str) -> str:
    at = RULING.index(words) + inside
    text = RULING
    for edit in sorted(rename(texts(), [], "test", "some.ruling", at, new), key=lambda e: -e.span.start):
        assert edit.span.file == "some.ruling"
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def test_a_parameter_is_renamed_in_all_lines_but_no_row() -> None:
    assert renamed("who.coins: held", 12, "kept") == RULING.replace("held:", "kept:", 1).replace(
        "coins: held", "coins: kept"
    )
    assert renamed("given begun", 7, "base") == RULING.replace("begun:", "base:").replace("given begun", "given base")


def test_a_position_is_renamed_in_the_cells() -> None:
    assert renamed("position calm", 9, "quiet") == RULING.replace("position calm", "position quiet").replace(
        ", calm,", ", quiet,"
    )


def test_the_layout_of_a_table_stays() -> None:
    assert format_rules("some.ruling", RULING) == (RULING, [])
