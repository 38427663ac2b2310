"""Back ends, the same for all rulesets: compiled code and the walk over the tree give the same words."""

from __future__ import annotations

import random

import pytest

import interpreter as rw
from tests.conformance.tables import Table, advance, each_ruleset, each_table, load, short_seed


def compare_backends(table: Table, seed: int, most: int) -> None:
    reference = load(table.folder, "reference")
    one, other = table.new(seed, checked=True), table.new(seed, checked=True, game=reference)
    choosers = [random.Random(seed), random.Random(seed)]
    for number in range(most):
        assert list(one.words) == list(other.words), f"decision {number}"
        assert [(o.kind, o.code, o.ids) for o in rw.legal(one)] == [(o.kind, o.code, o.ids) for o in rw.legal(other)]
        if one.over:
            break
        for state, chooser in zip((one, other), choosers, strict=True):
            advance(state, chooser)
    assert [entry.to_json() for entry in one.log] == [entry.to_json() for entry in other.log]
    for seat in (None, *range(1, table.seats + 1)):
        assert rw.view(one, seat) == rw.view(other, seat)


@each_table
@pytest.mark.parametrize("seed", range(2))
def test_the_back_ends_agree(table: Table, seed: int) -> None:
    compare_backends(table, seed, 10**9 if table.small else table.share(120))


@pytest.mark.soak
@each_ruleset
def test_the_back_ends_agree_to_the_end(table: Table) -> None:
    compare_backends(table, short_seed(table), table.share(3000))
