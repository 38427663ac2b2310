"""Locals (docs/manual/10-routines-and-frames.md): what `set` may give to a `let` without a type."""

from __future__ import annotations

import pytest

from tests.concepts.play import answer_all, cell, errors, game, play_on_both, start

TILL = """
enum Good: salt, grain
enum Mood: calm, angry
field till: 0..5 by Good
kind Seat
    field x: 0..3
value sc(): int = till[salt]
phase game
    set till[salt] to 2
    set till[grain] to 2
    let b = table(g in Good: 0)
    choose amounts c for g in Good each 0..till[g] total c exactly 1 by p1
    if p1.x is 0: set b to c
    for every g in Good: set till[g] to b[g]
    set b[salt] to 4
    set till[salt] to b[salt]
    set p1.x to 1
"""


def test_a_local_table_takes_any_number() -> None:
    s = start(TILL)
    answer_all(s, "grain 1")
    assert cell(s, "till", "grain") == 1 and cell(s, "till", "salt") == 4


def test_both_back_ends_set_a_local_table() -> None:
    program = game(TILL).program
    assert sum(len(play_on_both(program, seed)) for seed in range(4)) >= 4


@pytest.mark.parametrize("other", ["table(g in Good: calm)", "table(g in Good: g is salt)"])
def test_a_table_of_other_items_does_not_fit(other: str) -> None:
    found = errors(TILL.replace("set b[salt] to 4", f"set b to {other}"))
    assert [d.code for d in found] == ["RW0402"]
