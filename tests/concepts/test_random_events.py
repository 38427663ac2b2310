"""Random events by the reference and in low code: the same words at the end, and the same faults."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

import interpreter as rw
from dsl.program import DEFERRED, TOGETHER
from interpreter.core.errors import RulesetError
from tests.concepts.everywhere import played
from tests.concepts.random_events import random_events

QUICK = range(6)
ASKED = (6, 7, 10, 18, 19, 30)  # of those whose order is asked, some in which it comes to that


def play(seed: int, ordered: bool = False) -> rw.State | None:
    """The game at its end, or behind its last question; None where it ended with a fault."""
    try:
        state = played(random_events(seed, ordered), seed=seed, manifest="limits: {steps: 5000, frames: 32}")
    except RulesetError:
        return None
    if ordered and state.decision is not None:  # there are very many questions
        return state
    assert state.over and not state.words[TOGETHER] and not state.words[DEFERRED]
    return state


def ended(seeds: Iterable[int], ordered: bool = False) -> list[rw.State]:
    """The games that came to their end without a fault."""
    return [state for seed in seeds if (state := play(seed, ordered)) is not None]


def test_random_events() -> None:
    assert len(ended(QUICK)) > len(QUICK) // 3


def test_random_events_whose_order_is_asked() -> None:
    games = ended(ASKED, ordered=True)
    assert len(games) > len(ASKED) // 3 and any(state.log for state in games)


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(1, 51))
def test_thousands_of_random_events(batch: int) -> None:
    assert len(ended(range(20 * batch, 20 * batch + 20))) > 2


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(1, 51))
def test_thousands_of_random_events_whose_order_is_asked(batch: int) -> None:
    assert len(ended(range(20 * batch, 20 * batch + 20), ordered=True)) > 2
