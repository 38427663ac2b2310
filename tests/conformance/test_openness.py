"""A value that the analysis calls open reads nothing hidden in any position, whatever its arguments."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import islice

import interpreter as rw
from dsl import ir
from dsl.base.types import MemberType, bounds
from interpreter.visibility.cells import hidden_from
from interpreter.visibility.static import openness
from tests.conformance.tables import Table, each_table, random_states

POSITIONS, EVERY = 300, 25


@each_table
def test_open_values_read_nothing_hidden(table: Table) -> None:
    chooser = random.Random(5)
    functions = range(len(table.game.program.functions))
    open_functions = [n for n in functions if openness(table.game).is_open_function(n)]
    for state in islice(random_states(table, 11), 0, table.share(POSITIONS), EVERY):
        for number in open_functions:
            asked = question(state, number, chooser)
            if asked is None:
                continue
            with suppress(rw.RulesetError):  # this member has no such value
                name = table.game.program.functions[number].name
                assert not hidden_from(table.game, state.words, asked, {}, None), f"{name}: {asked}"


def question(state: rw.State, number: int, chooser: random.Random) -> ir.CallFn | None:
    """A call of a function with random members; None where it has other parameters."""
    args = []
    for _, type_ in state.game.program.functions[number].params:
        if not isinstance(type_, MemberType):
            return None
        low, high = bounds(type_)
        args.append(ir.Const(chooser.randint(low, high)))
    return ir.CallFn(number, tuple(args))
