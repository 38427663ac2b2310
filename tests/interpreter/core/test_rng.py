"""The generator: published numbers, words that stay small, even draws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.program import HEADER, RNG
from interpreter.core import rng


def test_published_algorithm() -> None:
    """PCG-XSH-RR 64/32 with the usual increment, against a second writing of it."""
    words = [0] * HEADER
    state = 0x853C49E6748FEA9B
    rng.set_state(words, state)
    for _ in range(100):
        mixed = (((state >> 18) ^ state) >> 27) % 2**32
        turn = state >> 59
        expected = ((mixed >> turn) | (mixed << ((32 - turn) % 32))) % 2**32
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        assert rng.next32(words) == expected
        assert rng.state(words) == state


@given(st.integers(0, 2**64 - 1))
def test_words_stay_small(state: int) -> None:
    words = [0] * HEADER
    rng.set_state(words, state)
    assert rng.state(words) == state
    assert 0 <= words[RNG] < 2**22 and 0 <= words[RNG + 1] < 2**22 and 0 <= words[RNG + 2] < 2**20


@given(st.integers(), st.integers(1, 2**32))
def test_draws_are_in_range(number: int, n: int) -> None:
    words = [0] * HEADER
    rng.seed(words, number)
    assert 0 <= rng.randbelow(words, n) < n


def test_draws_are_even() -> None:
    words = [0] * HEADER
    rng.seed(words, 1)
    counts = [0] * 7
    for _ in range(7000):
        counts[rng.randbelow(words, 7)] += 1
    assert min(counts) > 900 and max(counts) < 1100


def test_seeds_differ() -> None:
    first = []
    for number in (0, 1, -1, 10**40):
        words = [0] * HEADER
        rng.seed(words, number)
        first.append(rng.next32(words))
    assert len(set(first)) == 4


@pytest.mark.parametrize("size", [0, 1, 2, 3, 16, 52, 64, 65])
def test_numbers_drawn_at_once_are_those_drawn_one_by_one(size: int) -> None:
    state = 0x853C49E6748FEA9B
    at_once, singly = list(range(size)), list(range(size))
    assert rng.shuffled(state, at_once) == rng.shuffled_one_by_one(state, singly)
    assert at_once == singly and sorted(at_once) == list(range(size))


def test_a_number_in_the_tail_is_drawn_again() -> None:
    state = sum(1 << bit for bit in range(41, 59))  # its first number is 2 ** 32 - 1: the last of the tail of three
    words = [0] * 24
    rng.set_state(words, state)
    assert rng.next32(words) == (1 << 32) - 1
    at_once, singly = [1, 2, 3], [1, 2, 3]
    assert rng.shuffled(state, at_once) == rng.shuffled_one_by_one(state, singly) and at_once == singly
    again, number = rng.redraw(rng.state(words), (1 << 32) - 1, 3)
    assert number == rng.next32(words) and again == rng.state(words)
