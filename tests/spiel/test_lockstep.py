"""The proof against an engine from outside: rulesets and OpenSpiel's games, in lock step from random seeds."""

from __future__ import annotations

import random

import pytest

from tests.spiel.extras import require

require("pyspiel", "spiel")

from tests.spiel.lockstep import Knowledge, Tally, play, play_all  # noqa: E402
from tests.spiel.pairs import PAIRS, Pair  # noqa: E402

each_pair = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)


def compare(pair: Pair, games: int, seed: int) -> None:
    """Play games, and see that something was compared. What players know takes most of the time: where they know
    everything, it is compared in every tenth game."""
    tally, knowledge = Tally(), Knowledge(pair)
    for number in range(games):
        known = knowledge if not pair.open and (pair.hidden or number % 10 == 0) else None
        play(pair, random.Random(f"{seed} {number}"), tally, known)
    assert tally.games == games
    assert tally.decisions >= games and (tally.draws > 0) == (pair.drawn is not None)
    assert (tally.known > 0) != pair.open
    if pair.hidden:
        assert knowledge.shared < tally.known, "no two positions were one to a player: hiding is not compared"


@each_pair
def test_both_engines_play_the_same_game(pair: Pair) -> None:
    compare(pair, pair.quick_games, 1)


@pytest.mark.soak
@each_pair
def test_both_engines_play_the_same_thousands_of_games(pair: Pair) -> None:
    compare(pair, pair.long_games, 2)


# Kuhn poker: six deals; questions after nothing, a check, a bet, a check and a bet; five ways to end. A player knows
# one of three cards and the bids so far: 12 situations each.
# Leduc poker: 30 deals of two cards. A round of betting has six questions (after nothing, check, raise, check raise,
# two raises, check and two raises), five ways to go on and four to fold. So it has 30 * 6 questions and 30 * 4 ends,
# then with each of four open cards and five first rounds 6 questions and 5 + 4 ends. A player knows 6 cards * 6
# questions, later 6 * 5 pairs of cards * 5 first rounds * 6 questions, 936 things in all.
WHOLE = {
    "kuhn_poker": (Tally(games=6 * 5, decisions=6 * 4, draws=1 + 3, known=2 * 6 * 4), 2 * 12),
    "leduc_poker": (
        Tally(games=30 * 4 + 600 * 9, decisions=30 * 6 + 600 * 6, draws=1 + 6 + 30 * 5, known=2 * (180 + 3600)),
        2 * 936,
    ),
}


@pytest.mark.parametrize("name", ["kuhn_poker", pytest.param("leduc_poker", marks=pytest.mark.soak)])
def test_both_engines_know_the_same_games_and_no_others(name: str) -> None:
    """The whole game, counted by hand."""
    pair = next(pair for pair in PAIRS if pair.name == name)
    tally, knowledge = Tally(), Knowledge(pair)
    play_all(pair, tally, knowledge)
    assert (tally, knowledge.shared) == WHOLE[name]
