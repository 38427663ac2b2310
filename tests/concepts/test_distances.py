"""How far it is, and what is nearest (docs/manual/08-reach.md)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import interpreter as rw
from dsl import ir
from interpreter.core.errors import RulesetError
from interpreter.machine.machine import Machine
from tests.concepts.play import game, play_on_both, value

TOWN = {
    "data/town.yaml": """
        Town:
          ta: {next: [tb, tc], toll: 5}
          tb: {next: [ta, td], toll: 1}
          tc: {next: [ta, td], toll: 0}
          td: {next: [tb, tc, te], toll: 2}
          te: {next: [td], toll: 0}
          tf: {next: [], toll: 0}
        """
}
RULES = """
kind Seat
    field level: -9..9
kind Town from "data/town.yaml"
    const next: set of Town
    const toll: 0..9
    field shut: bool
    field inn: bool
value far(s: Town, t: Town): int = distance(x in {s}, y in x.next to t where not y.shut) or 99
value dear(s: Town, t: Town): int = distance(x in {s}, y in x.next to t cost y.toll) or -1
value inns(): set of Town = set(t in Town where t.inn)
value to_inn(s: Town): int = distance(x in {s}, y in x.next to inns()) or 99
value near_inns(s: Town): set of Town = nearest(x in {s}, y in x.next to inns())
value cheap_inns(s: Town): set of Town = nearest(x in {s}, y in x.next cost y.toll to inns())
value from_many(t: Town): int = distance(x in inns(), y in x.next to t) or max(40, 2)
value bad(s: Town, t: Town): int = distance(x in {s}, y in x.next to t cost y.toll - 1) or 99
value rank(t: Town): list of Town = ranked(x in Town with lowest far(t, x))
phase game
    set tb.inn to true
    set tc.inn to true
    set te.inn to true
    choose t in Town where far(ta, t) < 3 by p1
    set t.shut to true
    choose number n in 0..1 by p1
"""


def on_both(name: str, *args: str, rules: str = RULES) -> Any:
    program = game(rules, TOWN, seats=(2, 2)).program
    found = [value(rw.Game(program, backend).new(seed=1), name, *args) for backend in ("wasm", "reference")]
    assert found[0] == found[1]
    return found[0]


def test_distance_is_the_length_of_the_shortest_way() -> None:
    # ta - tb - td - te and ta - tc - td - te; nothing leads to tf.
    assert [on_both("far", "ta", t) for t in ("ta", "tb", "tc", "td", "te", "tf")] == [0, 1, 1, 2, 3, 99]
    closed = RULES.replace("set te.inn", "set tc.shut to true\n    set tb.shut to true\n    set te.inn")
    assert on_both("far", "ta", "te", rules=closed) == 99


def test_cost_says_what_a_step_counts() -> None:
    # Into tb 1, tc 0, td 2, te 0: by tc it is 2 to te, by tb 3; the way back into ta costs 5.
    assert [on_both("dear", "ta", t) for t in ("ta", "tb", "tc", "td", "te", "tf")] == [0, 1, 0, 2, 2, -1]
    assert on_both("dear", "te", "ta") == 7
    for backend in ("wasm", "reference"):
        state = rw.Game(game(RULES, TOWN, seats=(2, 2)).program, backend).new(seed=1)
        with pytest.raises(RulesetError, match="costs -1"):
            value(state, "bad", "ta", "te")


def test_nearest_gives_all_goals_that_are_equally_near() -> None:
    # Inns are tb, tc, te. From td all three are one step away; by toll tc and te cost nothing.
    assert on_both("near_inns", "ta") == ["tb", "tc"] and on_both("near_inns", "td") == ["tb", "tc", "te"]
    assert on_both("cheap_inns", "td") == ["tc", "te"] and on_both("near_inns", "tf") == []
    assert on_both("near_inns", "tb") == ["tb"]
    assert [on_both("to_inn", t) for t in ("ta", "tb", "tf")] == [1, 0, 99]
    assert on_both("from_many", "td") == 1 and on_both("from_many", "tf") == 40
    assert on_both("rank", "te")[:2] == ["te", "td"]


def test_one_search_is_enough() -> None:
    program = game(RULES, TOWN, seats=(2, 2)).program
    state = rw.Game(program, "reference").new(seed=1)
    machine = Machine(program)
    search, found = machine.ev[ir.Reach], []

    def count(*how: Any) -> Any:
        found.append(1)
        return search(*how)

    machine.ev[ir.Reach] = count
    first, *_, last = program.domains["Town"].values
    machine.eval_fn(state.words, program.function_names["far"], [first, last - 1])
    assert len(found) == 1


def test_distances_decide_choices_in_both_back_ends() -> None:
    for seed in range(3):
        play_on_both(game(RULES, TOWN, seats=(2, 2)).program, seed)
    state = rw.Game(game(RULES, TOWN, seats=(2, 2)).program).new(seed=1)
    assert [" ".join(o.ids) for o in rw.legal(state)] == ["ta", "tb", "tc", "td"]


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_of_random_maps_is_what_reach_finds(seed: int) -> None:
    # By rings: what `reach` finds within d and not within d - 1 is at distance d.
    rng = Random(seed)
    names = [f"t{n}" for n in range(9)]
    rows = {a: sorted(b for b in names if b != a and rng.random() < 0.2) for a in names}
    data = {"data/town.yaml": "Town:\n" + "".join(f"  {a}: {{next: [{', '.join(rows[a])}], toll: 1}}\n" for a in names)}
    rules = """
kind Seat
kind Town from "data/town.yaml"
    const next: set of Town
    const toll: 0..9
value far(s: Town, t: Town): int = distance(x in {s}, y in x.next to t) or 99
value slow(s: Town, t: Town): int = min(d in 0..9 where t in reach(x in {s}, y in x.next cost 1 within d): d) or 99
value toll(s: Town, t: Town): int = distance(x in {s}, y in x.next to t cost y.toll) or 99
value differ(): int = count(s in Town, t in Town where far(s, t) is not slow(s, t) or toll(s, t) is not far(s, t))
phase game
    choose number n in 0..differ() by p1
"""
    program = game(rules, data, seats=(2, 2)).program
    for backend in ("wasm", "reference"):
        assert value(rw.Game(program, backend).new(seed=1), "differ") == 0
