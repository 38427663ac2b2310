"""What bots judge by in WebAssembly: the same values as in Python, and what happens where they cannot be had."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.backends.native.judging import NativeJudge
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.backends.wasm import host
from interpreter.core.errors import RulesetError
from interpreter.rules.rules import REFERENCE, judge_of
from tests.concepts.play import start
from tests.native import needs_wasmtime

ROOT = Path(__file__).resolve().parents[3] / "rulesets"
JUDGED = [p.parent.name for p in sorted(ROOT.glob("*/ruleset.yaml")) if "\nevaluate:" in p.read_text(encoding="utf-8")]


@needs_wasmtime
@pytest.mark.parametrize("name", JUDGED)
def test_rulesets_are_judged_as_in_python(name: str) -> None:
    """Through a random game, each position is judged for each seat, in memory in which the one before it still lies."""
    game = rw.load(ROOT / name)
    judge, chance, seen = NativeJudge(game.machine), random.Random(3), set()
    state = game.new(seats=game.program.seats[0], seed=3)
    for _ in range(60):
        if state.decision is None:
            break
        words = state.words
        for seat in range(1, game.program.seats[0] + 1):
            thing = game.names.seat_thing(seat)
            found = judge.worth(words, words, thing)
            assert found == game.machine.worth(words, words, thing)
            seen.add(found)
        state = rw.apply(state, chance.choice(state.decision.options))
    assert len(seen) > 2 and (judge.notice, judge.given_up) == ("", 0)


PURSE = """
kind Seat
    field coins: 0..99
value riches(p: Seat): 0..50 = 2 * p.coins
value promise(p: Seat): int = riches(p)
phase game
    for every i in 1..9
        choose m in 0..9 by p1
        set p1.coins to 4 * m
"""  # a bot that is asked about more than 25 coins meets a fault


def purse(coins: int = 4) -> tuple[rw.Game, list[int], int]:
    """A game, a store with so many coins of the first seat, and its thing."""
    state = start(PURSE, manifest="evaluate: promise\n", seats=(2, 2))
    entry = next(e for e in state.game.program.layout if e.symbol == "Seat.coins")
    words = state.words[:]
    words[entry.base] = coins
    return state.game, words, state.game.names.seat_thing(1)


@needs_wasmtime
def test_a_fault_has_the_message_of_python() -> None:
    game, words, thing = purse(26)
    judge = NativeJudge(game.machine)
    with pytest.raises(RulesetError) as mine:
        judge.worth(words, words, thing)
    with pytest.raises(RulesetError) as theirs:
        PythonMachine(game.program).worth(words, words, thing)
    assert mine.value.message == theirs.value.message and judge.given_up == 1
    assert judge.worth(fewer := purse(25)[1], fewer, thing) == 50 and judge.given_up == 1


@needs_wasmtime
def test_the_slow_call_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game, words, thing = purse()
    assert NativeJudge(game.machine).worth(words, words, thing) == 8
    monkeypatch.delattr(host.ffi, "wasmtime_func_call_unchecked")
    slow, many = NativeJudge(game.machine), purse(30)[1]
    assert slow.worth(words, words, thing) == 8 and not slow.notice
    with pytest.raises(RulesetError):
        slow.worth(many, many, thing)
    assert slow.given_up == 1


def test_without_the_package_python_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "wasmtime", None)
    game, words, thing = purse()
    judge = NativeJudge(game.machine)
    assert judge.worth(words, words, thing) == 8
    assert judge.notice == host.MISSING


def test_the_reference_judges_by_itself() -> None:
    rules = rw.load(ROOT / "dominant_species", backend=REFERENCE)
    assert judge_of(rules) is rules.machine
