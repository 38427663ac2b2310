"""The proof against an engine from outside: rulesets and OpenSpiel's games, in lock step from random seeds."""

from __future__ import annotations

import random

import pytest

from tests.spiel.extras import need

need("pyspiel", "spiel")

from tests.spiel.lockstep import Knowledge, Tally, play  # noqa: E402
from tests.spiel.pairs import PAIRS, Pair  # noqa: E402

each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)


def compare(pair: Pair, games: int, seed: int) -> tuple[Tally, Knowledge]:
    tally, knowledge = Tally(), Knowledge(pair)
    for number in range(games):
        play(pair, random.Random(f"{seed} {number}"), tally, knowledge)
    return tally, knowledge


def check(pair: Pair, tally: Tally, knowledge: Knowledge, games: int) -> None:
    """That the comparison compared something."""
    assert tally.games == games
    assert tally.decisions >= games and (tally.draws > 0) == (pair.drawn is not None)
    assert tally.known >= tally.decisions
    if pair.hidden:
        assert knowledge.shared < tally.known, "no two positions were one to a player: hiding is not compared"


@each_pair
def test_both_engines_play_the_same_game(pair: Pair) -> None:
    tally, knowledge = compare(pair, pair.games, 1)
    check(pair, tally, knowledge, pair.games)


@pytest.mark.soak
@each_pair
def test_both_engines_play_the_same_thousands_of_games(pair: Pair) -> None:
    games = pair.games * LONGER
    tally, knowledge = compare(pair, games, 2)
    check(pair, tally, knowledge, games)


LONGER = 30  # how many times more games the long proof plays
