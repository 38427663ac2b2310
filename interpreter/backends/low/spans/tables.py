"""The tables by which each class of expressions is seen through."""

from __future__ import annotations

from dsl import ir
from interpreter.backends.low.spans import folds, maps, shared
from interpreter.backends.low.spans.numbers import NUMBERS, size_of_set
from interpreter.backends.low.spans.sets import SETS
from interpreter.backends.low.spans.spans import NumberSpan, Spans, SpanTables


def _size(s: Spans, e: ir.Size) -> NumberSpan:
    return size_of_set(s, e) if e.kind == "set" else maps.size(s, e)


TABLES = SpanTables(
    {
        **NUMBERS,
        ir.Fold: folds.number,
        ir.Size: _size,
        ir.MapItem: maps.item,
        ir.TableGet: maps.table_item,
        ir.RangeTable: maps.range_item,
    },
    {**SETS, ir.Fold: folds.members},
    maps.MAPS,
    maps.known,
    maps.pairs,
    shared.of_answer,
)
