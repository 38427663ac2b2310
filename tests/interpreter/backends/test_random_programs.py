"""Random programs through both back ends: equal words at every decision, equal faults."""

from __future__ import annotations

import random

import pytest

from tests.interpreter.pair import Pair
from tests.interpreter.random_programs import random_program

BATCH = 20


def play(seed: int) -> int:
    program, words = random_program(seed)
    pair = Pair(program, words, checked=seed % 3 == 0)
    done = pair.play(program.entry, random.Random(seed), 25)
    pair.begin(words)
    return done + pair.play_out(program.entry, seed, 25)


@pytest.mark.parametrize("batch", [0])
def test_random_programs(batch: int) -> None:
    assert sum(play(seed) for seed in range(batch * BATCH, (batch + 1) * BATCH)) > BATCH


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(1, 41))
def test_hundreds_of_random_programs(batch: int) -> None:
    test_random_programs(batch)
