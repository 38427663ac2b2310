"""Histories: how often the chosen parts of the state stood as they stand now (docs/manual/23-histories.md).

Of each recorded state some numbers are kept, from which it is known again: sums over all cells that are compared, each
value times a factor of its own. Two states that differ have the same sums about once in 2^60. What is kept is in the
store, behind no part of the layout, so nobody sees it as a part of the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from dsl import ir
from dsl.base.spelling import nearest
from dsl.base.types import (
    INT_HIGH,
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    SetType,
    Type,
    bounds,
    key_count,
)
from dsl.symbols.layout import History, Layout
from dsl.symbols.symbols import Model, flat_id
from dsl.symbols.types import clause, constant, declare
from dsl.syntax import nodes as sx

DIGIT = 1024  # a value counts by digits below this
BITS = 60  # of what is kept of a state
LEAST_FACTORS = 1 << 10  # fewer would tell too little
MOST_RECORDED = 10_000
NO_PART = ("option", "seats", "counter", "place")


class ComparedPart(NamedTuple):
    """A part of the layout that is compared: its keys, those of maps included, the type of an item, and the number of
    digits of an item; for a set or an ordered zone each member is a key, `members`, and counts by its place."""

    entry: ir.LayoutEntry
    dims: tuple[Type, ...]
    item: Type
    members: Type | None
    digits: int

    @property
    def factors(self) -> int:
        """How many factors it takes."""
        return key_count(self.dims) * (key_count((self.members,)) if self.members else 1) * self.digits


def place_histories(m: Model, lines: Iterable[sx.Line], lay: Layout) -> None:
    """Make all histories that are declared, with their parts, factors and words, after all else has its place."""
    for line in lines:
        if isinstance(line, sx.Decl) and line.word == "history" and declare(m, line, "history"):
            lay.histories[line.name] = made(m, line, lay)
            m.add_citations(line.name, line.cites)


def made(m: Model, d: sx.Decl, lay: Layout) -> History:
    """The history of a declaration; without a place after a message."""
    h, named, limit = History(d.name, d.name_span), clause(d, "of"), clause(d, "max")
    most = constant(limit.args[0]) if limit and not isinstance(limit.args[0], sx.Key) else None
    if most is None or not 1 <= most <= MOST_RECORDED:
        help = f"write `max N` with a number from 1 to {MOST_RECORDED}"
        m.error("RW0724", limit.span if limit else d.span, "a history says how many times it remembers", help)
        return h
    found = [part_of(m, lay, arg) for arg in named.args if not isinstance(arg, sx.Key)] if named else []
    parts = [part for part in found if part is not None]
    if not parts or len(parts) < len(found):
        return h
    greatest = sum(part.factors * (highest(part) if part.digits == 1 else DIGIT - 1) for part in parts)
    factors = INT_HIGH // max(greatest, 1)
    if factors < LEAST_FACTORS:
        message = f"`{d.name}` compares too much: {sum(part.factors for part in parts)} values"
        m.error("RW0724", d.name_span, message, "compare fewer cells, or fields with narrower bounds")
        return h
    h.most, h.sums = most, -(-BITS // min(factors.bit_length() - 1, 30))
    h.parts = tuple((part, tuple(tables(m, h, part, factors))) for part in parts)
    h.base = lay.take(h.words)
    return h


def part_of(m: Model, lay: Layout, e: sx.Expr) -> ComparedPart | None:
    """The part of the layout that an expression names; None after a message."""
    name = flat_id(e) or m.text(e.span)
    entries = {entry.symbol: entry for entry in lay.entries if entry.sort not in NO_PART}
    entry = entries.get(name)
    if entry is None:
        help = None if nearest(name, list(entries)) else "write `Kind.field`, or a name without a kind"
        m.unknown("RW0724", e.span, "field or zone", name, list(entries), help)
        return None
    for f in m.all_fields():
        if (f"{f.owner.name}.{f.name}" if f.owner else f.name) == name:
            f.used = True
    for z in m.all_zones():
        z.used = z.used or z.symbol == name
    if entry.audience != "all":
        message = f"not all see `{name}`, and what a history says would tell them of it"
        m.error("RW0724", e.span, message, "compare what all see")
        return None
    dims, item = entry.dims, entry.type
    if isinstance(item, MapType):
        dims, item = (*dims, *item.keys), item.value
    members = item.elem if isinstance(item, (SetType, ListType)) else None
    if isinstance(item, ListType):
        members = item.elem if entry.sort == "zone" else None
    fits = isinstance(item, (BoolType, IntType, MemberType))
    if not fits and not isinstance(members, (IntType, MemberType)):
        m.error(
            "RW0724", e.span, f"`{name}` is `{item}`; a history does not compare lists", "keep it in an ordered zone"
        )
        return None
    part, digits = ComparedPart(entry, dims, item, members, 1), 1
    while DIGIT**digits <= highest(part):
        digits += 1
    return part._replace(digits=digits)


def highest(part: ComparedPart) -> int:
    """The greatest number that stands for a value; the least is 0."""
    match part.item:
        case SetType():
            return 1
        case ListType(cap=cap):
            return cap
        case BoolType():
            return 1
        case MemberType(high=high):
            return high
    low, high = bounds(part.item)
    return high - low


def tables(m: Model, h: History, part: ComparedPart, factors: int) -> Sequence[int]:
    """The tables with the factors of a part, one for each sum and digit; they follow from the names alone."""
    found = []
    for n in range(h.sums * part.digits):
        count = part.factors // part.digits
        drawn = (f"{h.name} {part.entry.symbol} {n} {at}" for at in range(count))
        numbers = (int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") for text in drawn)
        m.tables_data.append(tuple(1 + number % factors for number in numbers))
        found.append(len(m.tables_data) - 1)
    return found
