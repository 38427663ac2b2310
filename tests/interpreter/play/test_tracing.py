"""Invariants in a traced run: tested after each change, but not again with the words with which they have held."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from dsl.program import SEATS
from interpreter.play.trace import spans_read
from interpreter.records.ruling import run_ruling

RULES = """\
kind Seat
    field mark: 0..9
field other: 0..9
invariant low: every(p in seats: p.mark <= 3)
phase game
    stop game
phase swing(most: 0..9)
    set p1.mark to 2
    set p1.mark to 1
    set other to 4
    set p1.mark to 2
    set p1.mark to 1
    set p1.mark to most
"""
RULINGS = """\
ruling kept "It holds"
    seats: 2
    when
        do swing(2)
    expect
        p1.mark: 2
ruling broken "It breaks after it held"
    seats: 2
    when
        do swing(5)
    expect
        p1.mark: 5
"""


@pytest.fixture
def game(tmp_path: Path) -> rw.Game:
    home = tmp_path / "rulesets" / "swings"
    (home / "rulings").mkdir(parents=True)
    (home / "ruleset.yaml").write_text("id: swings\nversion: 1\ntitle: {en: S}\nseats: 2\nload: [s.rules]\n")
    (home / "s.rules").write_text(RULES)
    (home / "rulings" / "s.ruling").write_text(RULINGS)
    return rw.load(home, backend="reference")


def test_an_invariant_is_not_tested_again_with_the_words_with_which_it_held(
    game: rw.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    tested: list[tuple[int, int]] = []
    mark = next(e.base for e in game.program.layout if e.symbol == "Seat.mark")
    test = game.machine.eval_fn

    def noted(words: Any, number: int, args: Any) -> Any:
        tested.append((number, words[mark]))
        return test(words, number, args)

    ruling, (low,) = game.program.rulings["kept"], game.program.invariants
    monkeypatch.setattr(game.machine, "eval_fn", noted)
    assert run_ruling(game, ruling, traced=True).passed
    assert tested == [(low.fn, 0), (low.fn, 2), (low.fn, 1)], "the position, then each new value once"


def test_one_that_breaks_after_it_held_is_the_same_failure_as_without_a_trace(game: rw.Game) -> None:
    ruling = game.program.rulings["broken"]
    traced, plain = run_ruling(game, ruling, traced=True), run_ruling(game, ruling)
    assert traced.failures == plain.failures
    assert "the invariant `low` does not hold after this change" in traced.failures[0].seen


def test_an_invariant_reads_its_cells_and_the_number_of_seats(game: rw.Game) -> None:
    (low,) = game.program.invariants
    cell = next(e.base for e in game.program.layout if e.symbol == "Seat.mark")
    assert spans_read(game.program, low) == [(SEATS, SEATS + 1), (cell, cell + 2)]
