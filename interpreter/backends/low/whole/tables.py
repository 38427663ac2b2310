"""The tables of functions by class of expressions: its kind, and its value as number, set or list."""

from __future__ import annotations

from dsl import ir
from interpreter.backends.low.base.context import NumberMaker, SetMaker
from interpreter.backends.low.values import folds, functions, lists, numbers, reach, sets
from interpreter.backends.low.values.ranges import KINDS
from interpreter.backends.low.values.searches import asking
from interpreter.backends.low.values.wide import questions

NUMBERS: dict[type, NumberMaker] = {
    **asking(questions({**numbers.NUMBERS, **sets.SET_QUESTIONS, **lists.LIST_QUESTIONS})),
    ir.Fold: folds.number,
    ir.Reach: reach.length,
    ir.CallFn: functions.number,
}

SETS: dict[type, SetMaker] = {
    **sets.SETS,
    **lists.LIST_SETS,
    ir.Fold: folds.members,
    ir.Reach: reach.members,
    ir.CallFn: functions.members,
}

ROWS: dict[type, NumberMaker] = {**lists.ROWS, ir.Fold: folds.row, ir.CallFn: functions.row}

__all__ = ["KINDS", "NUMBERS", "ROWS", "SETS"]
