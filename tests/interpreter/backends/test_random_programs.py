"""Random programs by the reference and in native code: equal words at every decision, equal faults."""

from __future__ import annotations

import random

import pytest

from tests.interpreter.pair import Pair
from tests.interpreter.random_programs import random_program
from tests.native import needs_wasmtime

pytestmark = needs_wasmtime
BATCH = 20


def play(seed: int) -> tuple[int, bool]:
    """The decisions, and whether native code has played them."""
    program, words = random_program(seed)
    pair = Pair(program, words, checked=seed % 3 == 0)
    done = pair.play(program.entry, random.Random(seed), 25)
    gaps = not pair.in_native_code or pair.given_up > 0
    pair.begin(words)
    return done + pair.play_out(program.entry, seed, 25), not gaps


@pytest.mark.parametrize("batch", [0])
def test_random_programs(batch: int) -> None:
    found = [play(seed) for seed in range(batch * BATCH, (batch + 1) * BATCH)]
    assert sum(done for done, _ in found) > BATCH
    assert sum(natively for _, natively in found) > BATCH // 2


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(1, 151))
def test_thousands_of_random_programs(batch: int) -> None:
    test_random_programs(batch)
