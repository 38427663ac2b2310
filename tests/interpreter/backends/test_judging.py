"""What the greedy bot takes in native code: the option, the worth and the draws of the reference, and where it gives
up. Whole games by such bots are compared in `tests/tools/simulation`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.backends.native.runner import NativeRunner
from interpreter.backends.native.targets import WASM
from interpreter.backends.wasm import host
from interpreter.bots.foresight import best_option
from interpreter.choices.generator import Generator
from interpreter.core.question import GreedyChoice
from interpreter.rules.rules import REFERENCE
from tests.concepts.play import start
from tests.native import needs_wasmtime

ROOT = Path(__file__).resolve().parents[3] / "rulesets"
JUDGED = [p.parent.name for p in sorted(ROOT.glob("*/ruleset.yaml")) if "\nevaluate:" in p.read_text(encoding="utf-8")]


def chosen(game: rw.Game, state: rw.State, declining: bool) -> tuple[GreedyChoice, int]:
    """What is taken at the pending question, and how the generator stands then."""
    assert state.decision is not None
    seat, chance = state.decision.seat, Generator(11)
    options = game.runner.options(state.words)
    return best_option(game, state.words, options, seat, chance, declining), chance.state


@needs_wasmtime
@pytest.mark.parametrize("name", JUDGED)
def test_options_are_judged_as_by_the_reference(name: str) -> None:
    """At some questions of a random game."""
    game = rw.load(ROOT / name, backend=WASM)
    reference, chance = rw.Game(game.program, REFERENCE), random.Random(3)
    state, found = game.new(seats=game.program.seats[0], seed=3), set()
    assert isinstance(game.runner, NativeRunner)
    for n in range(40):
        if state.decision is None:
            state = game.new(seats=game.program.seats[0], seed=n)
            continue
        if n % 10 == 5:
            mine = chosen(game, state, n % 20 == 5)
            assert mine == chosen(reference, state, n % 20 == 5)
            found.add(mine)
        state = rw.apply(state, chance.choice(state.decision.options))
    assert found and game.runner.given_up == 0


PURSE = """
kind Seat
    field coins: 0..99
value riches(p: Seat): 0..50 = 2 * p.coins
value promise(p: Seat): int = riches(p)
phase game
    for every i in 1..9
        choose m in 0..9 by p1
        set p1.coins to m + more
field more: 0..99
"""  # to judge more than 25 coins is a fault


def purse(more: int) -> tuple[rw.Game, rw.State]:
    state = start(PURSE.replace("field more: 0..99", f"field more: 0..99 = {more}"), manifest="evaluate: promise\n",
                  seats=(2, 2), checked=False)  # fmt: skip
    return rw.Game(state.game.program, WASM), state


@needs_wasmtime
def test_a_fault_has_the_message_of_the_reference() -> None:
    """With 20 coins more, an option over 5 cannot be judged."""
    game, state = purse(4)
    best, _ = chosen(game, state, False)
    assert (best.place, best.worth, best.now) == (9, 26, 0)
    game, state = purse(20)
    with pytest.raises(rw.RulesetError) as mine:
        chosen(game, state, False)
    with pytest.raises(rw.RulesetError) as wanted:
        chosen(rw.Game(game.program, REFERENCE), state, False)
    assert mine.value.message == wanted.value.message
    assert isinstance(game.runner, NativeRunner) and game.runner.given_up == 1


@needs_wasmtime
def test_the_slow_call_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game, state = purse(4)
    wanted = chosen(game, state, False)
    monkeypatch.delattr(host.ffi, "wasmtime_func_call_unchecked")
    slow, _ = purse(4)
    assert chosen(slow, state, False) == wanted
    assert isinstance(slow.runner, NativeRunner) and slow.runner.given_up == 0 and not slow.runner.making.notice


def test_the_reference_judges_by_itself() -> None:
    game, state = purse(4)
    reference = rw.Game(game.program, REFERENCE)
    assert reference.making is None and chosen(reference, state, False)[0].place == 9
