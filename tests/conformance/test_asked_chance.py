"""Chance that is asked: in every ruleset the same game as chance that is drawn, with exact weights at each event."""

from __future__ import annotations

import json
import random

import interpreter as rw
from dsl import program as hdr
from interpreter.records.save import sealed
from tests.conformance.tables import Table, each_ruleset

DECISIONS = 60
APART = (hdr.ASKING, hdr.SCRIPT, hdr.STEPS, hdr.RNG, hdr.RNG + 1, hdr.RNG + 2)  # where chance comes from, work done


def without_chance(state: rw.State) -> list[int]:
    return [w for i, w in enumerate(state.words) if i not in APART]


@each_ruleset
def test_outcomes_that_are_asked_lead_where_outcomes_lead_that_are_laid_down(table: Table) -> None:
    chooser = random.Random(table.name)
    state = table.new(3, chance="ask")
    left = DECISIONS
    while not state.over and (left or state.chance is not None):
        if (event := state.chance) is not None:
            assert sum(outcome.probability for outcome in event.outcomes) == 1 and len(event.outcomes) > 1
            assert state.decision is None and rw.legal(state) == [] == rw.moments(state, 1)
            weights = [outcome.weight for outcome in event.outcomes]
            rw.apply(state, chooser.choices(event.outcomes, weights)[0])
        else:
            rw.apply(state, chooser.choice(rw.legal(state)))
            left -= 1
    data = json.loads(json.dumps(rw.save(state)))
    assert rw.replay(table.game, data).words == rw.restore(table.game, data).words == state.words
    drawn = rw.migrate(table.game, sealed({**data, "chance": "draw"}))
    assert (drawn.kept, drawn.difference) == (len(state.log), "")
    assert without_chance(drawn.state) == without_chance(state)
    assert [entry.to_json() for entry in drawn.state.log] == [entry.to_json() for entry in state.log]
