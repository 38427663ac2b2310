"""Copies, the same for all rulesets: what happens to one of two states does not happen to the other."""

from __future__ import annotations

import random

import interpreter as rw
from tests.conformance.tables import Table, advance, each_table, random_states, sample_states, snapshot


@each_table
def test_a_copy_does_not_alias(table: Table) -> None:
    chooser = random.Random(7)
    for state in sample_states(table, 21, 50):
        if state.over:
            continue
        before, twin = snapshot(state), rw.copy(state)
        second = rw.copy(twin)
        assert snapshot(twin) == before
        advance(twin, chooser)  # the copy goes on: neither its original nor a copy of it follows
        assert len(twin.log) > len(state.log) or twin.early != state.early  # an answer before its turn is not told yet
        assert snapshot(state) == before == snapshot(second)
        after = snapshot(twin)
        advance(second, chooser)
        assert snapshot(twin) == after and snapshot(state) == before


@each_table
def test_looking_changes_nothing(table: Table) -> None:
    for number, state in enumerate(sample_states(table, 22, 40)):
        if number % 4 or state.over:
            continue
        before, words = snapshot(state), state.words
        for seat in (None, *range(1, state.seats + 1)):
            rw.view(state, seat)
            rw.log_for(state, seat)
            if seat is not None:
                rw.moments(state, seat)
        for option in rw.legal(state)[:5]:
            option.text("ja")
            rw.explain(state, option)
            rw.trace(state, option)
        rw.save(state)
        rw.copy(state)
        assert state.words is words and snapshot(state) == before


@each_table
def test_a_dropped_branch_leaves_no_trace(table: Table) -> None:
    """Two branches of one position, played in turns on the same machine, end like each played alone."""
    *_, root = random_states(table, 23, 12)
    alone = [branch(rw.copy(root), seed, 30) for seed in (1, 2)]
    one, other = rw.copy(root), rw.copy(root)
    choosers = {1: random.Random(1), 2: random.Random(2)}
    for _ in range(30):
        for state, seed in ((one, 1), (other, 2)):
            if not state.over:
                advance(state, choosers[seed])
    assert [one.words, other.words] == alone


def branch(state: rw.State, seed: int, most: int) -> list[int]:
    chooser = random.Random(seed)
    for _ in range(most):
        if not state.over:
            advance(state, chooser)
    return state.words
