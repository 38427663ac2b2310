"""Phases of Civilization that all play at once: both are awaited, in any order, and the outcome is the same."""

from __future__ import annotations

from interpreter import Game, State, answer
from interpreter.records.position import build
from interpreter.records.steps import run_step
from tests.conformance.tables import load

CRETE, EGYPT = 4, 7  # seats


def ships() -> State:
    game: Game = load("rulesets/civilization")
    state = build(game, "harbours")
    state.auto = True
    run_step(state, game.program.rulings["CIV_A5_4"].stages[0].steps[0])
    return state


def awaited(state: State) -> tuple[int, ...]:
    return state.decision.open_seats if state.decision is not None else ()


def test_nobody_waits_for_the_ships_of_others() -> None:
    one, other = ships(), ships()
    assert awaited(one) == awaited(other) == (CRETE, EGYPT)
    answer(one, "lay_down sparta 2", "crete")
    assert awaited(one) == (EGYPT,)
    answer(one, "levy", "egypt")
    answer(other, "levy", "egypt")
    assert awaited(other) == (CRETE,)
    answer(other, "lay_down sparta 2", "crete")
    assert awaited(one) == awaited(other) == (EGYPT,), "what it builds itself, in the next pass"
    assert one.words == other.words
