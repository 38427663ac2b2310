"""The baselines and the rulesets of the same name are the same games: their random games are equally long."""

from __future__ import annotations

import importlib
import math
import statistics
from pathlib import Path
from random import Random

import pytest

import interpreter
from tools.bench.command import rules_of_suite

HERE = Path(__file__).resolve().parent
CLASSICS = [rules.name for rules in rules_of_suite("classics")]
GAMES = 300
MOST_ERRORS = 5  # standard errors between the two means; the games are the same ones in every run


def test_every_classic_has_a_baseline_and_every_baseline_is_a_classic() -> None:
    written = {file.stem for file in HERE.glob("*.py") if not file.stem.startswith(("test_", "__"))}
    assert written == set(CLASSICS)


@pytest.mark.parametrize("name", CLASSICS)
def test_random_games_are_equally_long(name: str) -> None:
    game = interpreter.load(name)
    ours, chance = [], Random(5)
    for seed in range(GAMES):
        driver, length = game.driver(seed=seed, auto=False), 0
        while driver.seat:
            driver.answer(chance.randrange(driver.count))
            length += 1
        ours.append(length)
    playout = importlib.import_module(f"tests.bench.{name}").playout
    theirs = [playout(chance)[0] for _ in range(1000)]
    assert min(theirs) <= statistics.median(ours) <= max(theirs)
    error = math.sqrt(statistics.variance(ours) / len(ours) + statistics.variance(theirs) / len(theirs))
    assert abs(statistics.mean(ours) - statistics.mean(theirs)) <= MOST_ERRORS * error
