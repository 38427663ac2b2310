"""A value that is said to read nothing hidden reads nothing hidden in any position, with whatever it is asked."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import islice

import interpreter as rw
from dsl import ir
from dsl.base.types import MemberType, bounds
from interpreter.visibility.cells import hidden_from
from interpreter.visibility.static import openness
from tests.conformance.tables import Table, each_table, playing

POSITIONS, EVERY = 300, 25


@each_table
def test_open_values_read_nothing_hidden(table: Table) -> None:
    chooser = random.Random(5)
    functions = range(len(table.game.program.functions))
    said_open = [n for n in functions if openness(table.game).is_open_function(n)]
    for state in islice(playing(table, 11), 0, POSITIONS, EVERY):
        for number in said_open:
            asked = question(state, number, chooser)
            if asked is None:
                continue
            with suppress(rw.RulesetError):  # a value that this member has not
                name = table.game.program.functions[number].name
                assert not hidden_from(table.game, state.words, asked, {}, None), f"{name}: {asked}"


def question(state: rw.State, number: int, chooser: random.Random) -> ir.CallFn | None:
    """A call of a function with any members and numbers; None where it is asked with sets or maps."""
    args = []
    for _, type_ in state.game.program.functions[number].params:
        if not isinstance(type_, MemberType):
            return None
        low, high = bounds(type_)
        args.append(ir.Const(chooser.randint(low, high)))
    return ir.CallFn(number, tuple(args))
