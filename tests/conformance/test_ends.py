"""Random games in checked mode, the same for all rulesets: no dead end, no broken invariant, an end with a result."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interpreter as rw
from tests.conformance.tables import Table, each_ruleset, each_table, random_states, short_seed


def play_checked(table: Table, seed: int, most: int) -> rw.State:
    """Invariants and places are tested after each change; every question must have an answer."""
    for state in random_states(table, seed, most, checked=True):
        assert state.over or rw.legal(state), f"a dead end at {state.decision and state.decision.address}"
        assert state.over == (state.decision is None)
    return state


@each_table
@settings(max_examples=10)
@given(seed=st.integers(0, 2**31))
def test_a_random_game_keeps_its_invariants(table: Table, seed: int) -> None:
    state = play_checked(table, seed, 500 if table.small else table.share(150))
    assert state.over or not table.small


@each_ruleset
def test_a_finished_game_has_a_result(table: Table) -> None:
    state = play_checked(table, short_seed(table), 3000)
    assert state.over
    found = rw.result(state)
    assert set(found.scores) == set(range(1, table.seats + 1)) >= set(found.winners)
    assert found.winners or "winners" in table.game.program.result, "only the rules can say that all have lost"
    for seat in (None, *range(1, table.seats + 1)):
        assert json.loads(json.dumps(rw.view(state, seat)))["over"] is True


@pytest.mark.soak
@each_table
def test_many_whole_games_in_checked_mode(table: Table) -> None:
    """A random game can be very long: it is given up, unfinished but sound, after many decisions."""
    over = 0
    for seed in range(100, 130 if table.small else 101 if table.large else 103):
        over += play_checked(table, seed, 4000).over
    assert over or not table.small
