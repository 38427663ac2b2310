"""The layout of the declared state: the entry that a word belongs to, and the thing that holds it.

Reads the layout of a program alone, not the values of the words, nor who may see them.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.types import Type, bounds, key_count, width
from interpreter.rules.rules import Rules


def holder_dims(entry: ir.LayoutEntry) -> int:
    """1 if the first dimension is the thing that the cells belong to (`Kind.name`), 0 for global state."""
    return 1 if "." in entry.symbol and entry.dims else 0


def holders(entry: ir.LayoutEntry) -> Iterator[tuple[int, int]]:
    """(thing, address of its first cell) for each holder; (0, base) for global state."""
    if not holder_dims(entry):
        yield 0, entry.base
        return
    low, high = bounds(entry.dims[0])
    size = holder_width(entry)
    for number, thing in enumerate(range(low, high + 1)):
        if thing not in entry.absent:
            yield thing, entry.base + number * size


def holder_width(entry: ir.LayoutEntry) -> int:
    """The number of words of one holder."""
    return key_count(entry.dims[holder_dims(entry) :]) * width(entry.type)


@dataclass(frozen=True, slots=True)
class CellPlaces:
    """The addresses of the cells of a field or zone. `first`, `step`: the thing with which its holders begin, and the
    words of each, 0 for global state; `members`: those that a holder has a cell for, by the first of its `keys`;
    `size`: the words of a cell."""

    first: int
    step: int
    keys: tuple[Type, ...]
    members: tuple[int, ...]
    size: int


def cell_places(rules: Rules) -> dict[str, CellPlaces]:
    """The places of all declared state, by symbol."""
    found = {}
    for entry in rules.program.layout:
        owned = holder_dims(entry)
        keys = tuple(entry.dims[owned:])
        low, high = bounds(keys[0]) if keys else (0, -1)
        first, step = (bounds(entry.dims[0])[0], holder_width(entry)) if owned else (0, 0)
        found[entry.symbol] = CellPlaces(first, step, keys, tuple(range(low, high + 1)), width(entry.type))
    return found


def entry_at(rules: Rules, address: int) -> tuple[ir.LayoutEntry, int] | None:
    """The layout entry that a word belongs to, with the number of the item (row-major over its dimensions)."""
    entries = rules.layout
    at = bisect.bisect_right(entries, address, key=lambda e: e.base) - 1
    if at < 0:
        return None
    entry = entries[at]
    number = (address - entry.base) // width(entry.type)
    return (entry, number) if number < key_count(entry.dims) else None


def holder_of(entry: ir.LayoutEntry, number: int) -> int:
    """The thing that item `number` of an entry belongs to; 0 for global state."""
    if not holder_dims(entry):
        return 0
    return bounds(entry.dims[0])[0] + number // key_count(entry.dims[1:])
