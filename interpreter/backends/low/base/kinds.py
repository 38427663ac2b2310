"""Kinds of values in low code: how a value lies in local variables or in memory, and the bounds of its numbers.

A number is one variable. A set is one variable for each 64 members that it may have, by the numbers of its members. A
list is an address: its length, then its items; a dense map is an address of its items alone, a sparse one of their
count and of pairs. Bounds are certain: what could lie outside is tested where the value is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, Union

from dsl.base.record import dataclass
from dsl.base.types import (
    INT_HIGH,
    INT_LOW,
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    NoneType,
    PlaceType,
    SetType,
    SparseType,
    Type,
    bounds,
    key_count,
)

MOST_WORDS = 96  # of a set
WORD = 1 << 31  # numbers of a word are below this
FARTHEST = 1 << 62  # numbers stay below this, so that sums of two do not wrap around


class Unsupported(Exception):
    """Something that cannot be lowered yet, in a few words; the program is played by another back end."""


class Unloadable(Unsupported):
    """A compiled module that does not load on this machine; it can be compiled again."""


@dataclass(frozen=True, slots=True)
class Number:
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class MembersKind:
    """A set of numbers from `low` to `high`; none where `high` is lower."""

    low: int
    high: int

    @property
    def words(self) -> range:
        """The numbers of the 64-bit words that may be other than 0."""
        return range(self.low >> 6, (self.high >> 6) + 1) if self.low <= self.high else range(0)


@dataclass(frozen=True, slots=True)
class ItemsKind:
    """A list of at most `most` items."""

    item: Kind
    most: int


@dataclass(frozen=True, slots=True)
class Dense:
    """A dense map with so many items."""

    item: Kind
    count: int


@dataclass(frozen=True, slots=True)
class Pairs:
    """A sparse map with at most `most` pairs of a key number and an amount."""

    most: int


Kind: TypeAlias = Union[Number, MembersKind, ItemsKind, Dense, Pairs]

TRUTH = Number(0, 1)
ANY = Number(INT_LOW, INT_HIGH)
NO_MEMBERS = MembersKind(0, -1)


def kind_of(t: Type) -> Kind:
    """The kind of what is stored with this type; a word that was never set is 0."""
    match t:
        case IntType(low, high) | MemberType(_, low, high):
            return Number(min(low, 0), max(high, 0))
        case BoolType():
            return TRUTH
        case NoneType():
            return Number(0, 0)
        case PlaceType():
            return Number(0, INT_HIGH)
        case SetType(elem):
            return MembersKind(*bounds(elem))
        case ListType(elem, cap):
            return ItemsKind(_item(elem), cap)
        case MapType(keys, value):
            return Dense(_item(value), key_count(keys))
        case SparseType(_, cap):
            return Pairs(cap)
    raise Unsupported(f"a value of type {t}")


def _item(t: Type) -> Kind:
    kind = kind_of(t)
    if not isinstance(kind, Number | MembersKind) or width_of(kind) > 2 * MOST_WORDS:
        raise Unsupported(f"a list or map of {t}")
    return kind


def within(kind: Number, low: int, high: int) -> bool:
    return low <= kind.low and kind.high <= high


def number(low: int, high: int) -> Number:
    """A number with these bounds."""
    if low < -FARTHEST or high > FARTHEST:
        raise Unsupported("a number that may need more than 62 bits")
    return Number(low, high)


def constants(values: Sequence[object]) -> Kind:
    """The kind of constants of the program of which each may stand at one place: numbers, unless one needs more bits
    than a word has, which only sets do; or lists of such."""
    numbers = [int(v) for v in values if isinstance(v, int)]
    if len(numbers) == len(values):
        if all(-WORD <= v < WORD for v in numbers):
            return Number(min(numbers, default=0), max(numbers, default=0))
        return bits_of_all(numbers)
    rows = [v for v in values if isinstance(v, tuple)]
    if len(rows) < len(values):
        raise Unsupported("a number here and a list there in one table")
    return ItemsKind(constants([item for row in rows for item in row]), max(map(len, rows)))


def bits_of_all(values: Iterable[int]) -> MembersKind:
    """The kind of constant sets."""
    found = NO_MEMBERS
    for v in values:
        joined = join(found, bits_of(v))
        assert isinstance(joined, MembersKind)
        found = joined
    return found


def bits_of(value: int) -> MembersKind:
    """The kind of a constant set."""
    if value < 0:
        raise Unsupported("a set without an end")
    return MembersKind((value & -value).bit_length() - 1, value.bit_length() - 1) if value else NO_MEMBERS


def as_members(kind: Kind) -> MembersKind:
    """The kind of a set; a number stands for the set of its bits."""
    if isinstance(kind, MembersKind):
        return kind
    if isinstance(kind, Number) and kind.low >= 0:
        return bits_of(kind.low) if kind.low == kind.high else MembersKind(0, kind.high.bit_length() - 1)
    raise Unsupported("a set that is no set everywhere")


def join(a: Kind, b: Kind) -> Kind:
    """The kind of a value that is of one or the other."""
    match a, b:
        case Number(), Number():
            return Number(min(a.low, b.low), max(a.high, b.high))
        case (MembersKind(), _) | (_, MembersKind()):
            a, b = as_members(a), as_members(b)
            if a.high < a.low or b.high < b.low:
                return b if a.high < a.low else a
            return MembersKind(min(a.low, b.low), max(a.high, b.high))
        case ItemsKind(), ItemsKind():
            if not a.most or not b.most:
                return b if not a.most else a
            return ItemsKind(join(a.item, b.item), max(a.most, b.most))
        case Dense(), Dense() if a.count == b.count:
            return Dense(join(a.item, b.item), a.count)
        case Pairs(), Pairs():
            return Pairs(max(a.most, b.most))
    raise Unsupported("a value that is of one kind here and of another there")


def width_of(kind: Kind) -> int:
    """The words that an item of this kind takes in scratch memory and tables; what is no number or set is an address
    there."""
    return 2 * len(kind.words) if isinstance(kind, MembersKind) else 1


def shape(kind: Kind) -> object:
    """A description of a kind that is equal for lists which are read in the same way."""
    match kind:
        case ItemsKind(item, _):
            return "list", shape(item)
        case Dense(item, size):
            return "map", size, shape(item)
        case Pairs():
            return "pairs"
        case MembersKind():
            return "set", kind.words
    return "number"
