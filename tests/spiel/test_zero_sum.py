"""Scores of which the manifest says that they add up to nothing do so, and OpenSpiel is told."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import interpreter as rw
from tests.conformance.tables import load

pyspiel = pytest.importorskip("pyspiel")

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
TOLD = sorted(
    file.parent.name for file in RULESETS.glob("*/ruleset.yaml") if "zero_sum: true" in file.read_text("utf-8")
)


def test_most_classics_say_so() -> None:
    assert {"kuhn_poker", "connect_four", "othello"} <= set(TOLD)


@pytest.mark.parametrize("name", TOLD)
def test_scores_add_up_to_nothing(name: str) -> None:
    game, chance = load(f"rulesets/{name}"), random.Random(5)
    low, high = game.program.seats
    for number in range(20):
        driver = game.driver(low + number % (high - low + 1), seed=number)
        while not driver.over:
            driver.answer(chance.randrange(driver.count))
        assert sum(rw.result(driver.state()).scores.values()) == 0


def test_openspiel_is_told() -> None:
    from tools.adapters import openspiel

    game = pyspiel.load_game(openspiel.register("leduc_poker", "test_zero_sum_leduc"))
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM and game.utility_sum() == 0
