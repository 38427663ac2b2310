"""The tables of the low form have the node classes of the IR, all of them and no others."""

from __future__ import annotations

import inspect
from typing import get_args

from dsl import ir
from interpreter.backends.low.rules.flow import INSTRUCTIONS
from interpreter.backends.low.whole.lowering import TABLES
from interpreter.machine import tables as reference


def test_every_expression_has_a_kind_and_is_written_as_one() -> None:
    """What it is said by its kind: a number, a set or a list, each with a table of its own."""
    expressions = set(get_args(ir.Expr))
    assert TABLES.kinds.keys() == expressions
    assert TABLES.numbers.keys() | TABLES.sets.keys() | TABLES.rows.keys() == expressions


def test_every_statement_is_written() -> None:
    assert TABLES.statements.keys() == set(ir.STATEMENTS) == reference.EXECUTE.keys()


def test_every_instruction_is_written() -> None:
    assert INSTRUCTIONS.keys() == reference.INSTRUCTIONS.keys()


def test_writers_take_the_lowering_and_the_node() -> None:
    """mypy takes anything for a node; what a writer may be given besides has a default."""
    for table in (TABLES.kinds, TABLES.numbers, TABLES.sets, TABLES.rows, TABLES.statements):
        for writer in table.values():
            needed = [p for p in inspect.signature(writer).parameters.values() if p.default is p.empty]
            assert len(needed) == 2 and needed[0].name == "lo", writer
