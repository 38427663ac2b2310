"""Declared values in native code, for games that are played in it: they must be those of the reference.

`tests.concepts.play.value` asks here. Values that are sets or lists are compared where games store or offer them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl.base.types import IntType, MemberType
from interpreter.backends.low.base.exported import BEGIN
from interpreter.backends.low.form.nodes import Trapped
from interpreter.backends.low.whole.readings import READ, Reading, lower_readable
from interpreter.backends.native.targets import TARGETS, target_called
from interpreter.core.words import Words
from interpreter.rules.rules import Rules

NUMBERS = (IntType, MemberType)


class NativeValues:
    """The values of a program whose arguments and results are numbers or members."""

    def __init__(self, rules: Rules) -> None:
        readings: dict[int, Reading] = {}
        for number, function in enumerate(rules.program.functions):
            args = tuple((slot, t) for slot, (_, t) in enumerate(function.params))
            if isinstance(function.result, NUMBERS) and all(isinstance(t, NUMBERS) for _, t in args):
                call = ir.CallFn(number, tuple(ir.Temp(slot) for slot, _ in args))
                readings[number] = Reading(call, function.result, args)
        self.places = {number: place for place, number in enumerate(readings)}
        readable = lower_readable(rules.program, list(readings.values()))
        assert not readable.unread
        target, lowered = target_called(rules.backend), readable.lowered
        self.instance = target.loaded(target.compiled(target.written(lowered.module)), lowered.regions.words)

    def value(self, words: Words, number: int, args: Sequence[int]) -> int:
        """The value in a store. Raises Trapped where it has a fault."""
        self.instance.write(0, words)
        self.instance.call(BEGIN, len(words))
        return self.instance.call(f"{READ}{self.places[number]}", *args)


def agree(rules: Rules, words: Words, number: int, args: Sequence[int], wanted: Any) -> None:
    """Test that a value in native code is what the reference gives; None for what has a fault there."""
    if rules.backend not in TARGETS:
        return
    native = rules.cached(NativeValues)
    if number not in native.places:
        return
    try:
        found: int | None = native.value(words, number, args)
    except Trapped:
        found = None
    assert found == wanted, f"{rules.program.functions[number].name}: native code gives {found}, not {wanted}"
