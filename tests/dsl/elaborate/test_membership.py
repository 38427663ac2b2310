"""`x in {a, b}`: each of its parts is read once, and what may be no member of a set is compared."""

from __future__ import annotations

import pytest

import interpreter as rw
from dsl import ir
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.reads import nodes
from tests.concepts.everywhere import played
from tests.concepts.play import game

RULES = "kind Seat\nfield pile: {bounds}\nfield found: bool\nphase game\n    set pile to {value}\n"
LEVELS = 20


@pytest.mark.parametrize("bounds", ["0..20", "-5..20"])
@pytest.mark.parametrize("shape", ["(1 if {} in {{pile, 2}} else 0)", "(1 if pile in {{{}, 2}} else 0)"])
def test_nested_sets_are_read_once(monkeypatch: pytest.MonkeyPatch, bounds: str, shape: str) -> None:
    calls, read = [], Elaboration.before_brackets
    monkeypatch.setattr(Elaboration, "before_brackets", lambda *args: (calls.append(1), read(*args))[1])
    value = "pile"
    for _ in range(LEVELS):
        value = shape.format(value)
    game(RULES.format(bounds=bounds, value=value))
    assert len(calls) < 20 * LEVELS


def test_what_is_compared_with_several_is_worked_out_once() -> None:
    rules = RULES.format(bounds="-5..20", value="6") + (
        "    set found to max(twice(pile), -1) in {pile, 1, -1, 12}\n"
        "    if found: set pile to size({half_down(twice(pile)), 2})\n"
        "    choose number n in 0..1 by p1\n"
        "value twice(n: -5..20): int = n + n\n"
    )
    program = game(rules, seats=(2, 2)).program
    assert sum(isinstance(node, ir.CallFn) for instr in program.code for node in nodes(instr)) == 2
    assert rw.view(played(rules), 1)["state"] == {"pile": 2, "found": True}
