"""The tables of the elaborator against the words of the language and the classes of the tree."""

from __future__ import annotations

import inspect
from typing import get_args

from dsl.elaborate.expressions.table import EXPRESSIONS
from dsl.elaborate.statements.table import CHOICES, LINES, LOOPS, SECTIONS, SENTENCES
from dsl.syntax import nodes as sx
from dsl.syntax.vocabulary import TABLE

IN_RULINGS = {"illegal", "legal", "asks", "nothing asked", "known", "hidden", "holds with", "holds without"}
OUTSIDE_BODIES = {"effect", "while", "given", "when", "expect", "cases"}


def words(kind: str) -> set[str]:
    return {row.word for row in TABLE.values() if row.kind == kind}


def test_every_expression_has_a_handler() -> None:
    """Types, amounts and strips stand where no value is wanted."""
    assert set(get_args(sx.Expr)) - EXPRESSIONS.keys() == {sx.TypeExpr, sx.Amount, sx.StripExpr}
    assert EXPRESSIONS.keys() <= set(get_args(sx.Expr))


def test_every_line_of_a_body_has_a_handler() -> None:
    assert set(get_args(sx.Line)) - LINES.keys() == {sx.Case, sx.Answer, sx.Row, sx.Result}
    assert LINES.keys() <= set(get_args(sx.Line))


def test_every_word_of_a_body_has_a_handler() -> None:
    assert words("verb") - IN_RULINGS == SENTENCES.keys()
    assert words("section") - OUTSIDE_BODIES == SECTIONS.keys() - {"plan"}  # `plan by` without a head
    assert words("loop") - {"always for every"} == LOOPS.keys()
    assert {word.split()[0] for word in words("choice")} == CHOICES.keys()


def test_handlers_take_the_same() -> None:
    """mypy takes any node for a handler's; that the rest agrees is seen here too, by number and name."""
    for handler in EXPRESSIONS.values():
        _, _, *rest = inspect.signature(handler).parameters
        assert rest == ["scope", "want"], handler
    for table in (LINES, SENTENCES, SECTIONS, LOOPS, CHOICES):
        for handler in table.values():
            _, _, *rest = inspect.signature(handler).parameters
            assert rest == ["scope", "ctx"], handler
