"""Other processes, the same for all rulesets: a save goes on there as here, and a seed gives one game everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import interpreter as rw
from tests.conformance.tables import Table, each_ruleset, each_table, random_states, short_seed
from tests.conformance.worker import Worker, digests


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """One process for all tests of the module, with another hashing of strings than this one."""
    other = Worker("4711")
    yield other
    other.close()


def compare_continuation(worker: Worker, state: rw.State, folder: str, steps: int) -> None:
    there = worker.ask(folder=folder, save=rw.save(state), policy=7, steps=steps)["digests"]
    assert there == digests(rw.copy(state), 7, steps), f"after {len(state.log)} lines of the log"


@each_table
def test_a_save_goes_on_in_another_process(table: Table, worker: Worker) -> None:
    """At every third decision of a small game to its end; at some of the first hundred of a big one, for a while."""
    every, most, steps = (3, 10**9, 10**9) if table.small else (12, table.share(100), 20 if table.large else 60)
    for number, state in enumerate(random_states(table, 31, most)):
        if number % every == 0:
            compare_continuation(worker, state, table.folder, steps)


@pytest.mark.soak
@each_ruleset
def test_a_save_at_every_decision_goes_on_in_another_process(table: Table, worker: Worker) -> None:
    """A whole game; from each decision on for a while, and from every hundredth to the end. Of a large game every tenth
    of these."""
    every = 10 if table.large else 1
    for number, state in enumerate(random_states(table, short_seed(table))):
        if number % every == 0:
            compare_continuation(worker, state, table.folder, 3 if number % (100 * every) else 4000)


@each_table
@pytest.mark.parametrize("seed", range(2))
def test_a_seed_gives_one_game_in_every_process(table: Table, seed: int, worker: Worker) -> None:
    steps = 10**9 if table.small else table.share(300)
    state = table.new(seed)
    there = worker.ask(
        folder=table.folder, seats=table.seats, options=state.options, seed=seed, policy=seed, steps=steps
    )
    assert there["hash"] != hash("a fixed text"), "this process hashes strings like the other one: it proves nothing"
    assert there["digests"] == digests(state, seed, steps)


@each_ruleset
def test_seeds_differ(table: Table) -> None:
    """Games of different seeds are different games, or chance has no part in them."""
    ends = {json.dumps(rw.save(finished)["words"]) for finished in (table.new(seed) for seed in range(4))}
    drawn = any(entry.kind == "chance" for entry in table.new(0).log)
    assert len(ends) == 4 or not drawn
