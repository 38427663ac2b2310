"""The scope of an order: what it waives and changes while its action runs."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.program import FP, WAIVE
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.make import word
from interpreter.backends.low.form.nodes import Num
from interpreter.backends.low.scopes.records import CLOSE_SCOPE, add_record, add_words


def open_scope(lo: Lowering, waive: int, lines: Sequence[tuple[int, list[Held]]]) -> None:
    """Begin a scope; `lines`: timed lines, each with the values that it captures."""
    add_record(lo, 0, word(FP), word(WAIVE), lambda at: None)
    lo.w.put(WAIVE, Num(waive))
    for line, values in lines:
        add_words(lo, -(line + 1), word(FP), values)


def close_scope(lo: Lowering) -> None:
    lo.w.call(CLOSE_SCOPE)
