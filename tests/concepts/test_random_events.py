"""Random events by the reference and in low code: the same words at the end, and the same faults."""

from __future__ import annotations

import pytest

from dsl.program import TOGETHER
from interpreter.core.errors import RulesetError
from tests.concepts.everywhere import played
from tests.concepts.random_events import random_events

QUICK = range(6)


def play(seed: int, ordered: bool = False) -> bool:
    """Whether the game came to its end without a fault."""
    try:
        state = played(random_events(seed, ordered), seed=seed, manifest="limits: {steps: 5000, frames: 32}")
    except RulesetError:
        return False
    assert state.over and not state.words[TOGETHER]
    return True


def test_random_events() -> None:
    assert sum(play(seed) for seed in QUICK) > len(QUICK) // 3


def test_random_events_whose_order_is_asked() -> None:
    assert sum(play(seed, ordered=True) for seed in QUICK) > len(QUICK) // 3


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(1, 51))
def test_thousands_of_random_events(batch: int) -> None:
    assert sum(play(seed) for seed in range(20 * batch, 20 * batch + 20)) > 2
