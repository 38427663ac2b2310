"""Information states in numbers: two pasts that a seat can tell apart have different ones, and only these."""

from __future__ import annotations

import pickle
import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from tests.concepts.play import game
from tests.conformance.tables import load
from tests.spiel.extras import require

require("pyspiel", "spiel")

import pyspiel  # noqa: E402

from tools.adapters import openspiel  # noqa: E402

LITTLE = {"goofspiel": {"options": "cards=4"}}


def tensor(state: Any, player: int) -> tuple[float, ...]:
    return tuple(state.information_state_tensor(player))


def loaded(ruleset: Any, name: str, parameters: dict[str, Any] | None = None, **how: Any) -> Any:
    if name not in pyspiel.registered_names():
        openspiel.register(ruleset, name, **how)
    return pyspiel.load_game(name, parameters or {})


def positions(ours: Any, theirs: Any) -> Iterator[tuple[Any, Any]]:
    """All positions of a game here and there, where the actions have the same order."""
    yield ours, theirs
    if not ours.is_terminal():
        for mine, other in zip(ours.legal_actions(), theirs.legal_actions(), strict=True):
            yield from positions(ours.child(mine), theirs.child(other))


def test_they_tell_apart_in_kuhn_poker_what_openspiel_tells_apart() -> None:
    ours, theirs = loaded(load("rulesets/kuhn_poker"), "recalled_kuhn"), pyspiel.load_game("kuhn_poker")
    assert ours.get_type().provides_information_state_tensor
    here: dict[tuple[int, str], tuple[float, ...]] = {}
    there: dict[tuple[float, ...], tuple[int, str]] = {}
    for state, other in positions(ours.new_initial_state(), theirs.new_initial_state()):
        if state.is_chance_node() or state.is_terminal():
            continue  # at the end the cards lie open here
        for player in range(2):
            known = player, other.information_state_string(player)
            seen = tensor(state, player)
            assert here.setdefault(known, seen) == seen and there.setdefault(seen, known) == known
    assert len(there) == 2 * 3 * 4, "each player with each card, after each course of the bets"


@pytest.mark.parametrize(
    "name",
    ["leduc_poker", "goofspiel", "love_letter"],
)
def test_they_tell_apart_what_the_log_and_the_view_tell_apart(name: str) -> None:
    rules = loaded(load(f"rulesets/{name}"), f"recalled_{name}", LITTLE.get(name))
    words: dict[tuple[float, ...], tuple[int, int]] = {}
    numbers: dict[tuple[int, int], tuple[float, ...]] = {}
    for seed in range(2 if name == "love_letter" else 12):
        state, chance = rules.new_initial_state(), random.Random(seed)
        seen_of: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            for player in range(state.num_players()):
                told = state.information_state_string(player)
                if seen_of[player][-1:] != (told,):
                    seen_of[player] += (told,)
                known, seen = (player, hash(seen_of[player])), tensor(state, player)
                assert words.setdefault(seen, known) == known
                assert numbers.setdefault(known, seen) == seen
    assert len(words) > 50


PEEK = """
kind Card: 4
zone deck: Card ordered seen by nobody
field told: 0..9
phase game
    for every c in Card: move c to deck
    shuffle deck
    show first(c in deck) to p1
    choose number n in 0..1 by p1
    shuffle deck
    choose number n in 0..1 by p1
    set told to n
    choose number n in 0..1 by p2
"""


def test_they_remember_what_was_seen_for_a_moment() -> None:
    """The second shuffle ends what `p1` knows, and the view forgets; no line of the log ever said it."""
    rules = loaded(game(PEEK, seats=(2, 2)), "recalled_peek", rewards="wins")
    found: dict[int, set[tuple[float, ...]]] = {0: set(), 1: set()}
    for first in range(4):
        state = rules.new_initial_state()
        state.apply_action(state.legal_actions()[first])
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        state.apply_action(0)
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[-1])
        for player, seen in found.items():
            seen.add(tensor(state, player))
    assert [len(seen) for seen in found.values()] == [4, 1]


def test_they_hold_the_last_rows_and_say_how_many_there_were() -> None:
    rules = loaded(load("rulesets/tic_tac_toe"), "recalled_short", recall=3)
    state = rules.new_initial_state()
    seen = rules.observation_tensor_size()
    assert rules.information_state_tensor_shape() == [seen + 1 + 3 * 5]
    for action in (0, 4, 8, 2):
        state.apply_action(action)
    found = tensor(state, 0)[seen:]
    assert found[0] == 5, "the empty board, and four marks"
    assert [row[:3] for row in (found[1:6], found[6:11], found[11:16])] == [(2, 1, 5), (1, 1, 9), (2, 1, 3)]
    again = pickle.loads(pickle.dumps(state))
    assert tensor(again, 0) == tensor(state, 0) == tensor(state.clone(), 0)


def test_who_wants_none_has_none() -> None:
    rules = loaded(load("rulesets/tic_tac_toe"), "recalled_never", recall=0)
    assert not rules.get_type().provides_information_state_tensor
