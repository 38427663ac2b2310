"""The proof against an engine from outside: rulesets and OpenSpiel's games, in lock step from random seeds."""

from __future__ import annotations

import random

import pytest

from tests.spiel.extras import need

need("pyspiel", "spiel")

from tests.spiel.lockstep import Knowledge, Tally, play  # noqa: E402
from tests.spiel.pairs import PAIRS, Pair  # noqa: E402

each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)


def compare(pair: Pair, games: int, seed: int) -> None:
    """Play games, and see that something was compared. What players know takes most of the time: where they know
    everything, it is compared in every tenth game."""
    tally, knowledge = Tally(), Knowledge(pair)
    for number in range(games):
        known = knowledge if pair.hidden or number % 10 == 0 else None
        play(pair, random.Random(f"{seed} {number}"), tally, known)
    assert tally.games == games
    assert tally.decisions >= games and (tally.draws > 0) == (pair.drawn is not None)
    assert tally.known > 0
    if pair.hidden:
        assert knowledge.shared < tally.known, "no two positions were one to a player: hiding is not compared"


@each_pair
def test_both_engines_play_the_same_game(pair: Pair) -> None:
    compare(pair, pair.few, 1)


@pytest.mark.soak
@each_pair
def test_both_engines_play_the_same_thousands_of_games(pair: Pair) -> None:
    compare(pair, pair.many, 2)
