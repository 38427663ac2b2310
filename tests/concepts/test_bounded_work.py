"""No fold and no list of options goes on for ever: all work since the last decision is bounded."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

import interpreter as rw
from dsl.program import CEILINGS, Limits
from interpreter.core.errors import RulesetError
from tests.concepts.play import game, options, question

BASE = """
kind Cell: 100
field n: 0..9
value outcome(p: Seat): int = n
value near(a: Cell): set of Cell = set(b in Cell where b is not a)
value deep(a: Cell): int = count(b in near(a) where count(c in near(b) where deeper(a, c) > 200) > 0)
value deeper(a: Cell, c: Cell): int = count(d in near(c) where d is a)
phase game
    round robin p in seats while n < 9: do turn(p)
phase turn(p: Seat)
    {turn}
    if n < 9: set n to n + 1
"""
LIMITS = "limits: {steps: 20000}"  # 400,000 passes
FOLDS = [
    "set n to min(count(a in 0..999, b in 0..999, c in 0..999 where a + b + c is 5), 9)",
    "set n to count(a in Cell, b in Cell, c in Cell, d in Cell where a is b and b is c and c is d and n is 10)",
    "if any(a in Cell, b in Cell, c in Cell where a is b and b is c and n is 10): set n to 0",
    "if every(a in Cell: every(b in Cell: every(c in Cell: a is not b or b is not c or n < 10))): set n to 0",
    "set n to min(sum(a in Cell: deep(a)), 9)",
    "let best = first(a in Cell, b in Cell, c in Cell with highest n)\n    if best in near(best): set n to 0",
]


@pytest.mark.parametrize("turn", FOLDS)
@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_folds_end(turn: str, backend: str) -> None:
    rules = game(
        BASE.format(turn=f"choose number k in 1..2 by p\n    if k is 2: set n to 8\n    {turn}"), manifest=LIMITS
    )
    state = rw.Game(rules.program, backend).new(seed=1)
    with pytest.raises(RulesetError, match="gone through more than 400000 members since the last decision"):
        rw.answer(state, "1")


COUNT = "if count(a in Cell, b in Cell, i in 1..3 where a is b) is not 300: set n to 5"
WEIGH = "random c in Cell by count(a in Cell, i in 1..4 where a is c)\n    if c is none: set n to 5"


@pytest.mark.parametrize("work", [COUNT, WEIGH])
@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_work_is_counted_from_the_last_decision(backend: str, work: str) -> None:
    """About 40,100 passes in each of nine turns, in one run of the machine."""
    turn = f"choose number k in 0..1 by p\n    {work}"
    program = game(BASE.format(turn=turn), manifest="limits: {steps: 3000}").program  # 60,000 passes
    engine = rw.Game(program, backend).engine
    assert len(engine.playout(engine.new(seed=1), Random(1))) == 9


OPTIONS = [
    "choose a in Cell, b in Cell, c in Cell, d in Cell by p",
    "choose a in Cell, b in Cell, c in Cell by p",
    "choose number k in 1..200000 by p",
    "choose number k in 1..200000 by p such that k > n",
    "choose one by p\n        case one(a: Cell, b: Cell, c: Cell)\n        case none",
]


@pytest.mark.parametrize("turn", OPTIONS)
@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_lists_of_options_end(turn: str, backend: str) -> None:
    program = game(BASE.format(turn=turn)).program
    with pytest.raises(RulesetError, match="there are more than 100000 answers at `turn|gone through more than"):
        rw.Game(program, backend).new(seed=1)


@pytest.mark.parametrize("backend", ["wasm", "reference"])
def test_many_options_are_no_fault(backend: str) -> None:
    state = rw.Game(game(BASE.format(turn="choose a in Cell, b in Cell by p")).program, backend).new(seed=1)
    assert question(state) == "p1: turn.a" and len(options(state)) == 10_000


def test_the_manual_names_each_limit_with_its_default_and_ceiling() -> None:
    page = (Path(__file__).parents[2] / "docs/manual/ruleset-folder.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert {name: (int(default), int(most)) for name, default, most in rows} == {
        f.name: (f.default, CEILINGS[f.name]) for f in fields(Limits)
    }
