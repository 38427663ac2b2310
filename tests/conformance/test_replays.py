"""Logs and saves, the same for all rulesets: the log alone leads everywhere, a save at every decision comes back."""

from __future__ import annotations

import json
from typing import Any

import interpreter as rw
from tests.conformance.tables import (
    Table,
    each_ruleset,
    each_table,
    finish,
    random_states,
    sample_states,
    short_seed,
    snapshot,
)


def save_as_text(state: rw.State) -> Any:
    return json.loads(json.dumps(rw.save(state), ensure_ascii=False))


def positions(table: Table, seed: int, most: int = 10**9) -> tuple[rw.State, dict[int, list[int]]]:
    """The end of a game, and its store by the length of the log."""
    stores: dict[int, list[int]] = {}
    for state in random_states(table, seed, most):
        stores[len(state.log)] = list(state.words)
    return state, stores


@each_table
def test_the_log_alone_leads_to_every_position(table: Table) -> None:
    state, stores = positions(table, 1, table.share(100))
    data = save_as_text(state)
    assert rw.replay(table.game, data).digest() == state.digest()
    lengths = sorted(stores)
    for length in lengths if table.small else lengths[:: max(1, len(lengths) // 20)]:
        assert list(rw.replay(table.game, data, to=length).words) == stores[length], f"after {length} lines"


@each_ruleset
def test_a_whole_game_is_replayed(table: Table) -> None:
    state, _ = positions(table, short_seed(table))
    again = rw.replay(table.game, save_as_text(state))
    assert again.over and again.words == state.words and again.log == state.log


@each_table
def test_a_save_at_every_decision_comes_back(table: Table) -> None:
    for state in random_states(table, 2, 10**9 if table.small else table.share(60)):
        compare_restored(state)


def compare_restored(state: rw.State) -> None:
    before = snapshot(state)
    data = save_as_text(state)
    back = rw.restore(state.game, data)
    assert snapshot(back) == before and snapshot(state) == before
    assert back.digest() == data["state"] and save_as_text(back) == data
    seat = len(state.log) % (state.seats + 1) or None
    assert rw.view(back, seat, "ja") == rw.view(state, seat, "ja")


@each_table
def test_what_is_restored_plays_on_alike(table: Table) -> None:
    """The copy in memory, the restored save and the replayed log are the same game from then on."""
    for number, state in enumerate(sample_states(table, 3, 60)):
        if number % table.share(20) != 1 or state.over:
            continue
        data = save_as_text(state)
        twins = [rw.copy(state), rw.restore(table.game, data), rw.replay(table.game, data)]
        ends = [snapshot(finish(twin, 5, 40)) for twin in twins]
        assert ends[0] == ends[1] == ends[2]
