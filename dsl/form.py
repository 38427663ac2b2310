"""Checks of a line's form: its clauses, its operands and its block, against the table of words.

Takes one line at a time, while the tree is built, and collects diagnostics. It knows nothing of names and types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from dsl.blocks import Token
from dsl.diagnostics import Diagnostic, Severity
from dsl.nearest import nearest
from dsl.span import Span
from dsl.syntax import Amount, Clause, Expr, Text
from dsl.words import FOLDS, MUST, NEVER, REPEATABLE, TABLE


class HasBlock(Protocol):
    """The part of a line behind its head."""

    @property
    def block(self) -> tuple[Any, ...]: ...
    @property
    def end(self) -> int: ...
    @property
    def inline(self) -> bool: ...


class Form:
    """Diagnostics of one piece; `live` and `chained` mark binders with `in live` and the `if` of an `else if` by their start."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Diagnostic] = []
        self.live: set[int] = set()
        self.chained: set[int] = set()

    def report(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        self.found.append(Diagnostic(code, Severity.ERROR, span, message, help))

    def line(self, word: Token, operands: Sequence[Expr], clauses: Sequence[Clause], tail: HasBlock) -> None:
        pass

    def fold(self, word: str, clauses: Sequence[Clause], span: Span) -> None:
        pass

    def answer(self, who: Expr, tail: HasBlock) -> None:
        pass

    def name_expected(self, word: Token, head: Expr) -> None:
        pass
