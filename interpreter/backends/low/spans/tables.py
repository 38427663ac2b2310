"""How each class of expressions is seen through."""

from __future__ import annotations

from dsl import ir
from interpreter.backends.low.spans import folds
from interpreter.backends.low.spans.numbers import NUMBERS
from interpreter.backends.low.spans.sets import SETS
from interpreter.backends.low.spans.spans import Tables

TABLES = Tables({**NUMBERS, ir.Fold: folds.number}, {**SETS, ir.Fold: folds.members})
