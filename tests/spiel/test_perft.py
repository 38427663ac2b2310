"""Perft: how many ways a game can go, by depth. A slip in a rule of movement shows in these numbers at once.

Where numbers are published they are written here; elsewhere OpenSpiel counts with its own legal actions.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.spiel.extras import require

require("pyspiel", "spiel")

import pyspiel  # noqa: E402

import interpreter as rw  # noqa: E402
from tests.spiel.pairs import PAIRS  # noqa: E402

BY_NAME = {pair.name: pair for pair in PAIRS}

# Ways to play n moves.
# Tic-tac-toe: 9 * 8 * 7 * 6 * 5, since nobody can have won before the fifth move. It ends 8 lines * 3! orders of the
# winner's marks * (6 * 5) marks of the other = 1440 games, so (15120 - 1440) * 4 go on.
# Connect Four: nobody has won before the seventh move, and a column takes six discs: 7 ** n, and 7 less for n = 7.
# Othello: https://oeis.org/A124004.
KNOWN = {
    "tic_tac_toe": [1, 9, 72, 504, 3024, 15120, 54720],
    "connect_four": [1, 7, 49, 343, 2401, 16807, 117649],
    "othello": [1, 4, 12, 56, 244, 1396],
}
KNOWN_DEEPER = {"connect_four": {7: 7**7 - 7}, "othello": {6: 8200, 7: 55092}}

# How far OpenSpiel counts, in the quick tests and in the long ones.
COUNTED = {
    "breakthrough": (3, 4),
    "hex": (2, 3),
    "nim": (4, 6),
    "kuhn_poker": (5, 5),
    "leduc_poker": (5, 7),
    "goofspiel(num_cards=4)": (5, 8),
    "liars_dice": (4, 5),
    "liars_dice(numdice=2)": (5, 6),
}

Memo = dict[tuple[int, tuple[int, ...]], int]


def count_paths(state: rw.State, depth: int, memo: Memo) -> int:
    """How many ways there are to take `depth` decisions and draws. The words of a state are all that matters to what
    follows, so equal ones are counted once."""
    if not depth:
        return 1
    event = state.chance
    options: list[Any] = list(event.outcomes) if event else rw.legal(state)
    if depth == 1:
        return len(options)
    key = depth, tuple(state.words)
    if key not in memo:
        memo[key] = sum(count_paths(rw.apply(rw.copy(state), option), depth - 1, memo) for option in options)
    return memo[key]


def count_paths_there(state: Any, depth: int) -> int:
    """The same in OpenSpiel's game; what chance is certain to bring is no step."""
    while state.is_chance_node() and len(state.legal_actions()) == 1:
        state = state.child(state.legal_actions()[0])
    if not depth or state.is_terminal():
        return int(not depth)
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(count_paths_there(state.child(action), depth - 1) for action in actions)


def count_games(state: rw.State, memo: dict[tuple[int, ...], Counter[int]]) -> Counter[int]:
    """How many games there are from here, by their remaining length."""
    key = tuple(state.words)
    if key not in memo:
        found: Counter[int] = Counter({0: 1}) if state.over else Counter()
        for option in rw.legal(state):
            for length, number in count_games(rw.apply(rw.copy(state), option), memo).items():
                found[length + 1] += number
        memo[key] = found
    return memo[key]


@pytest.mark.parametrize("name", KNOWN)
def test_the_ways_to_play_are_as_many_as_is_known(name: str) -> None:
    state, _ = BY_NAME[name].new()
    memo: Memo = {}
    assert [count_paths(state, depth, memo) for depth in range(len(KNOWN[name]))] == KNOWN[name]


@pytest.mark.soak
@pytest.mark.parametrize("name", KNOWN_DEEPER)
def test_the_ways_to_play_are_as_many_as_is_known_deeper(name: str) -> None:
    state, _ = BY_NAME[name].new()
    assert {depth: count_paths(state, depth, {}) for depth in KNOWN_DEEPER[name]} == KNOWN_DEEPER[name]


def count_both(name: str, most: int) -> None:
    pair, memo = BY_NAME[name], Memo()
    state, _ = pair.new()
    other = pyspiel.load_game_as_turn_based(pair.theirs).new_initial_state()
    ours = [count_paths(state, depth, memo) for depth in range(most + 1)]
    assert ours == [count_paths_there(other, depth) for depth in range(most + 1)]
    assert sum(ours) > 50, "a count of nothing"


@pytest.mark.parametrize("name", COUNTED)
def test_openspiel_counts_as_many_ways(name: str) -> None:
    count_both(name, COUNTED[name][0])


@pytest.mark.soak
@pytest.mark.parametrize("name", COUNTED)
def test_openspiel_counts_as_many_ways_deeper(name: str) -> None:
    count_both(name, COUNTED[name][1])


def test_there_are_255168_games_of_tic_tac_toe() -> None:
    """By length, as https://en.wikipedia.org/wiki/Tic-tac-toe and others count them; those of five moves are worked out
    above."""
    state, _ = BY_NAME["tic_tac_toe"].new()
    found = count_games(state, {})
    assert found == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    assert found.total() == 255168
