"""Expressions that read nothing but constant tables, by a few numbers of small range: worked out for all of them
beforehand.

`front(s.ray[d])` reads a table, a map in it, a list in that, and its length: it is one word of a table by `s` and `d`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

from dsl import ir
from interpreter.backends.analysis.constants import ConstantFolder, is_constant, reads_table
from interpreter.backends.analysis.dataflow import free
from interpreter.backends.low.base.context import Held, Later, Lowering, NumberMaker
from interpreter.backends.low.base.kinds import Number
from interpreter.backends.low.base.make import ZERO, add, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local

MOST_COMBINED = 2048  # values of an expression
WORD = 1 << 31  # numbers of a word are below this

Word = Callable[[Lowering, Any], int | None]
"""The maker of a word from a value; None: it is none."""


class Foreknown:
    """The expressions whose values are worked out beforehand. `tables`: the address of the table of each expression
    that has one, with the ranges of its numbers."""

    def __init__(self, constants: ConstantFolder) -> None:
        self.constants = constants
        self.tables: dict[Any, int | None] = {}

    def number(self, make: NumberMaker) -> NumberMaker:
        """A maker of numbers that looks here first."""
        return self._before(make, lambda lo, value: value if isinstance(value, int) else None)

    def row(self, make: NumberMaker) -> NumberMaker:
        """A maker of addresses of lists that looks here first."""
        return self._before(make, _address)

    def _before(self, make: NumberMaker, word: Word) -> NumberMaker:
        def found(lo: Lowering, e: ir.Expr) -> Expr:
            known = self._known(lo, e, word)
            return make(lo, e) if known is None else known

        return found

    def _known(self, lo: Lowering, e: ir.Expr, word: Word) -> Expr | None:
        if not lo.whole or not is_constant(e) or not reads_table(e):
            return None
        spans: list[tuple[int, int, int]] = []
        index: Expr = ZERO
        for slot in sorted(free(e)):
            span = _span(lo, slot)
            if span is None:
                return None
            spans.append((slot, *span))
            if span[0] < span[1]:
                held = lo.bound[slot]
                assert isinstance(held, Held)
                index = add(scale(index, span[1] - span[0] + 1), add(Local(held.names[0]), -span[0]))
        if prod(last - first + 1 for _, first, last in spans) > MOST_COMBINED:
            return None
        key = e, tuple(spans), word
        if key not in self.tables:
            values = self._values(lo, e, spans, word)
            self.tables[key] = None if values is None else lo.memory.words(values)
        at = self.tables[key]
        if at is None:
            return None
        return low.Load(index, at)

    def _values(self, lo: Lowering, e: ir.Expr, spans: list[tuple[int, int, int]], word: Word) -> list[int] | None:
        """The word of each combination; None where one is a fault, or no word."""
        found: list[int] = []
        for temps in _combinations(spans):
            try:
                value = word(lo, self.constants.value(e, temps))
            except Exception:  # noqa: BLE001 - a fault, which comes when the rules come here
                return None
            if value is None or not -WORD <= value < WORD:
                return None
            found.append(int(value))
        return found


def _combinations(spans: list[tuple[int, int, int]]) -> Iterator[dict[int, int]]:
    slots = [slot for slot, _, _ in spans]
    for values in product(*(range(first, last + 1) for _, first, last in spans)):
        yield dict(zip(slots, values, strict=True))


def _span(lo: Lowering, slot: int) -> tuple[int, int] | None:
    """The least and the greatest value of a temp; None: it is no number that lies in a variable."""
    found = lo.bound.get(slot)
    if isinstance(found, Later) and isinstance(found.value, ir.Const) and isinstance(found.value.value, int):
        return found.value.value, found.value.value
    if isinstance(found, Held) and isinstance(found.kind, Number) and found.names:
        return found.kind.low, found.kind.high
    return None


def _address(lo: Lowering, value: Any) -> int | None:
    """The address of a constant list of numbers in memory; None for any other value."""
    if not isinstance(value, tuple) or not all(type(item) is int and -WORD <= item < WORD for item in value):
        return None
    return lo.memory.row(value, Number(0, 0))
