"""What generated Python leaves to the reference: a short list for each ruleset, and nothing that is not on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl import ir
from interpreter.backends.python.unit import Unit
from tests.conformance.tables import folders, load

# kinds of nodes that are carried out by the reference
NODES = {
    "love_letter": {"Defer"},
    "foundry": {"Pay", "Payable", "Ways"},
    "kettle": {"Defer", "Timed", "TimedFold"},
}
# questions whose options are listed by the machine: sets and amounts, payments, and whatever has to be tried
QUESTIONS = {
    "dominant_species": {"speciate.n", "follow.n", "migrate.n", "fecundity.effect.hs", "mass_exodus.effect.n"},
    "foundry": {"day.workshop", "buy.money", "cast.n", "cast.money"},
    "kettle": {"sage.effect.ts"},
}


@pytest.mark.parametrize("path", folders(), ids=lambda p: p.name)
@pytest.mark.parametrize("checked", [False, True])
def test_only_these_are_left_to_the_reference(path: Path, checked: bool) -> None:
    if not (path / "ruleset.yaml").exists():
        pytest.skip("not a ruleset")
    program = load(str(path)).program
    unit = Unit(program, checked)
    module = unit.write()
    assert set(module.by_reference) == NODES.get(path.name, set())
    assert {s.address for n, s in enumerate(program.sites) if n not in module.listers} == QUESTIONS.get(
        path.name, set()
    )
    assert [i for pc, i in enumerate(program.code) if pc not in unit.written] == []
    plain = [n for n, p in enumerate(program.procs) if not p.suspends]
    assert [program.procs[n].name for n in plain if n not in module.procedures] == []
    takers = {pc for pc, i in enumerate(program.code) if isinstance(i, ir.Ask) and i.site in module.listers}
    assert set(module.takers) == takers
