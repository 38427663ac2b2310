"""The tables of writers have the node classes of the IR, all of them and no others."""

from __future__ import annotations

import inspect
from typing import get_args

from dsl import ir
from interpreter.backends.python.compile.module import WRITERS
from interpreter.backends.python.emit.context import FUNCTION_NAMES
from interpreter.backends.python.emit.folds.values import FOLDS
from interpreter.backends.python.emit.functions import TABLES
from interpreter.backends.python.playout.statements import TABLES as WHOLE_GAMES


def test_every_expression_has_a_writer() -> None:
    assert TABLES.expressions.keys() == set(get_args(ir.Expr))


def test_every_statement_has_a_writer() -> None:
    assert TABLES.statements.keys() == set(ir.STATEMENTS)


def test_whole_games_write_the_same_nodes() -> None:
    assert WHOLE_GAMES.expressions.keys() == TABLES.expressions.keys()
    assert WHOLE_GAMES.statements.keys() == TABLES.statements.keys()


def test_every_function_that_can_be_wanted_has_a_writer() -> None:
    assert WRITERS.keys() == FUNCTION_NAMES.keys()


def test_writers_take_the_function_and_the_node() -> None:
    """mypy takes anything for both; what a writer may be given besides has a default."""
    writers = [*TABLES.expressions.values(), *TABLES.statements.values()]
    writers += [*WHOLE_GAMES.expressions.values(), *WHOLE_GAMES.statements.values()]
    for writer in writers:
        needed = [p for p in inspect.signature(writer).parameters.values() if p.default is p.empty]
        assert [p.name for p in needed] in (["fn", "e"], ["fn", "s"]), writer
    for fold in FOLDS.values():
        assert list(inspect.signature(fold).parameters) == ["fn", "e", "x"], fold
