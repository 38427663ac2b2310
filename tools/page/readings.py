"""Readings of a position by a page: the values that its module exports, each by its number."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.base.types import Type
from interpreter.backends.low.whole.readings import Reading
from interpreter.rules.rules import Rules
from interpreter.visibility.static import openness


class Readings:
    """Collects readings. `closed`: the numbers of those that may read what not everybody sees."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.all: list[Reading] = []
        self.closed: list[int] = []
        self._calls: dict[int, int] = {}

    def call(self, function: int) -> int:
        """The number of a value of the rules, whose arguments the page gives."""
        if function not in self._calls:
            known = self.rules.program.functions[function]
            args = tuple((slot, t) for slot, (_, t) in enumerate(known.params))
            value = ir.CallFn(function, tuple(ir.Temp(slot) for slot, _ in args))
            is_open = openness(self.rules).is_open_function(function)
            self._calls[function] = self._add(Reading(value, known.result, args), is_open)
        return self._calls[function]

    def value(
        self, value: ir.Expr, type_: Type, args: Sequence[tuple[int, Type]] = (), order: ir.Possible | None = None
    ) -> int:
        """The number of an expression at a question; `args`: the temps that the page gives."""
        return self._add(Reading(value, type_, tuple(args), order), openness(self.rules).is_open_expression(value))

    def _add(self, reading: Reading, is_open: bool) -> int:
        number = len(self.all)
        self.all.append(reading)
        if not is_open:
            self.closed.append(number)
        return number
