"""Questions about what `reach` gives: the walk stops where the answer is certain (docs/manual/08-reach.md)."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

import interpreter as rw
from dsl import ir
from dsl.ir.searches import All, Many, Same, Some, Walked, question
from interpreter.core.errors import RulesetError
from tests.concepts.play import game, value

NODES = 9
RULES = """
kind Seat
    field level: 0..9
kind Town from "data/town.yaml"
    const next: set of Town
    const toll: 0..3
    const wait: 0..3
    const shut: bool
    const liked: bool
    const fine: -9..9
field flag: bool
value liked(): set of Town = set(t in Town where t.liked)
phase game
    choose t in Town by p1
    set flag to true
"""
SEARCHES = {
    "plain": "reach(x in {s}, y in x.next where not y.shut)",
    "far": "reach(x in {s}, y in x.next where not y.shut cost 2 within 5)",
    "free": "reach(x in {s}, y in x.next where not y.shut cost 0 within 3)",
    "below": "reach(x in {s}, y in x.next cost 1 within -1)",
    "cost": "reach(x in {s}, y in x.next where not y.shut cost y.toll within 4)",
    "costs": "reach(x in {s}, y in x.next cost y.toll within 5 cost y.wait within 3)",
    "none": "reach(x in set(u in {s} where u.liked), y in x.next)",
}
TESTS = {
    "any": ("any(c in R where c.liked: c.toll > 1)", "any(c in W where c.liked: c.toll > 1)"),
    "pairs": ("any(c in R, d in c.next: d is t)", "any(c in W, d in c.next: d is t)"),
    "every": ("every(c in R: c.toll < 3)", "every(c in W: c.toll < 3)"),
    "among": ("any(c in R - {t}: c.liked)", "any(c in W - {t}: c.liked)"),
    "member": ("t in R", "t in W"),
    "stranger": ("t not in R - liked()", "t not in W - liked()"),
    "empty": ("no R", "no W"),
    "some": ("some R - {s}", "some W - {s}"),
    "same": ("R is liked()", "W is liked()"),
    "other": ("liked() is not R", "liked() is not W"),
    "within": ("R in liked()", "W in liked()"),
    "holds": ("{s, t} in R", "{s, t} in W"),
    "two": ("R - {t} in liked() + {s}", "W - {t} in liked() + {s}"),
    "many": ("size(R) > 3", "size(W) > 3"),
    "as_many": ("size(R - liked()) is 2", "size(W - liked()) is 2"),
    "few": ("3 >= size(R)", "3 >= size(W)"),
    "count": ("size(R) is not size(liked())", "size(W) is not size(liked())"),
}
WAYS = tuple(product(SEARCHES, TESTS))


def towns(chance: Random) -> str:
    """A random graph with its numbers."""
    rows = ["Town:"]
    for n in range(NODES):
        near = ", ".join(f"t{k}" for k in range(NODES) if k != n and chance.random() < 0.22)
        flags = [str(chance.random() < odds).lower() for odds in (0.2, 0.4)]
        numbers = f"toll: {chance.randint(0, 3)}, wait: {chance.randint(0, 2)}, fine: {chance.randint(1, 9)}"
        rows.append(f"  t{n}: {{next: [{near}], {numbers}, shut: {flags[0]}, liked: {flags[1]}}}")
    return "\n".join(rows)


def in_native_code(rules: str, data: str) -> rw.State:
    """A game whose values are worked out by the reference and in native code, which must agree, faults included."""
    return rw.Game(game(rules, {"data/town.yaml": data}, seats=(2, 2)).program, "wasm").new(seed=1)


@pytest.mark.parametrize("seed", range(3))
def test_the_answer_is_that_of_the_whole_reach(seed: int) -> None:
    """`let w = ...` works out the whole of it; the values are worked out by the reference and in native code."""
    lines = [RULES]
    for search, test in WAYS:
        asked, whole = TESTS[test]
        form = SEARCHES[search]
        lines.append(f"value {search}_{test}(s: Town, t: Town): bool = {asked.replace('R', form)}")
        whole = whole.replace("W", "w")
        lines.append(f"value {search}_{test}_whole(s: Town, t: Town): bool\n    let w = {form}\n    = {whole}")
    chance = Random(seed)
    state = in_native_code("\n".join(lines), towns(chance))
    seen = set()
    for search, test in WAYS:
        s, t = (f"t{chance.randrange(NODES)}" for _ in range(2))
        name = f"{search}_{test}"
        wanted = value(state, f"{name}_whole", s, t)
        assert value(state, name, s, t) == wanted, (name, s, t)
        seen.add(wanted)
    assert seen == {False, True}


LINE = """
Town:
  ta: {next: [tc, tb], toll: 1, wait: 0, fine: 1, liked: true}
  tb: {next: [ta, td], toll: 1, wait: 0, fine: 2}
  tc: {next: [ta, te], toll: 1, wait: 0, fine: 3}
  td: {next: [tb], toll: 1, wait: 0, fine: 4}
  te: {next: [tc], toll: 1, wait: 0, fine: 0}
  tf: {next: [te], toll: 1, wait: 0, fine: 5}
"""
# From ta: tb, tc, then td (from tb), then te (from tc). To ask for a step into te divides by 0.
STEPS = {
    "plain": "reach(x in {ta}, y in x.next where div_down(9, y.fine) > 0)",
    "price": "reach(x in {ta}, y in x.next where div_down(9, y.fine) > 0 cost 1 within 7)",
    "short": "reach(x in {ta}, y in x.next where div_down(9, y.fine) > 0 cost 1 within 1)",
    "prices": "reach(x in {ta}, y in x.next where div_down(9, y.fine) > 0 cost y.toll within 7)",
}
BEFORE = {  # tests that are certain at td, or sooner
    "any": "any(c in R: c is td)",
    "every": "every(c in R: c is not td)",
    "member": "td in R",
    "stranger": "td not in R",
    "size": "size(R) >= 4",
    "sizes": "size(R) <= 3",
    "holds": "{td, ta} in R",
    "inside": "R in {ta, tb, tc}",
    "same": "R is {ta, tb}",
    "empty": "no R",
    "rest": "some R - {ta, tb, tc}",
}
BEHIND = {  # tests that need the step into te
    "any": "any(c in R: c.fine > 5)",
    "member": "tf in R",
    "size": "size(R) > 4",
    "holds": "{td, te} in R",
    "same": "R is {ta, tb, tc, td}",
    "first": "first(c in R where c is td) is td",
    "count": "count(c in R where c is td) > 0",
}


def found(tests: dict[str, str], search: str) -> dict[str, Any]:
    """What tests give; None for one that has a fault."""
    lines = [f"value {name}_of(): bool = {test.replace('R', STEPS[search])}" for name, test in tests.items()]
    state, values = in_native_code("\n".join((RULES, *lines)), LINE), {}
    for name in tests:
        try:
            values[name] = value(state, f"{name}_of")
        except RulesetError:
            values[name] = None
    return values


@pytest.mark.parametrize("search", ["plain", "price", "prices"])
def test_what_lies_behind_the_answer_is_not_looked_at(search: str) -> None:
    true = ("any", "member", "size", "holds", "rest")
    assert found(BEFORE, search) == {name: name in true for name in BEFORE}


@pytest.mark.parametrize("search", ["plain", "price", "prices"])
def test_a_fault_before_the_answer_is_met(search: str) -> None:
    assert found(BEHIND, search) == dict.fromkeys(BEHIND)


def test_a_step_past_the_last_ring_is_not_looked_at() -> None:
    assert found({"ring": "size(R) is 3", "whole": "count(c in R) is 3"}, "short") == {"ring": True, "whole": True}


def test_questions_are_told_from_the_form_of_a_test() -> None:
    walk, other = ir.Reach(ir.Const(2), 0, 1, ir.Const(4), None, ()), ir.Const(6)
    assert isinstance(question(ir.InSet(ir.Temp(3), walk)), Some)
    assert isinstance(question(ir.Subset(ir.Arith("&~", walk, other), other)), Some)
    assert isinstance(question(ir.Subset(other, walk)), All)
    assert isinstance(question(ir.Compare("!=", other, walk)), Same)
    assert question(ir.Compare("<", ir.Const(2), ir.Size("set", walk))) == Many(Walked(walk), ">", ir.Const(2))
    assert question(ir.Compare("==", ir.Size("set", other), ir.Const(2))) is None
    assert question(ir.InSet(ir.Temp(3), ir.Arith("|", walk, other))) is None
    assert question(ir.Subset(other, ir.Reach(other, 0, 1, other, None, (), "nearest", other))) is None
