"""Static types, and how a value of each type is packed in the store.

In use, a *value* is an int or a tuple of values; its type says how many words of the flat store it takes and how it is
packed:

bool, int, member, place   one int. A member (enum member or thing) is a number from 1 up; 0 is `none`. A place is the
                           number of a zone instance; 0 is nowhere.
set                        an int in which bit v stands for member v; in the store 31 members a word, from the lowest
                           member.
list                       a tuple; in the store its length and `cap` items.
map                        a tuple, row-major over its keys; in the store the items one after the other.
sparse map                 a tuple of (key number, amount) pairs in key order; in the store their count and `cap` pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, Union

from dsl.base.record import dataclass

MOST_PIECES = 999_999  # of one sort in one zone
INT_LOW, INT_HIGH = -(2**31) + 1, 2**31 - 1
WORD_BITS = 31


@dataclass(frozen=True, slots=True)
class BoolType:
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class IntType:
    """Bounded integer; `named` is False for a plain `int` (bounds are then those of a word)."""

    low: int = INT_LOW
    high: int = INT_HIGH

    def __str__(self) -> str:
        if self.low == self.high:
            return "number"
        return "int" if (self.low, self.high) == (INT_LOW, INT_HIGH) else f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class MemberType:
    """A member of an enum, a kind or a union of kinds; numbers lie in `low..high`."""

    domain: str
    low: int
    high: int
    optional: bool = False

    def __str__(self) -> str:
        return self.domain + (" or none" if self.optional else "")


@dataclass(frozen=True, slots=True)
class PlaceType:
    """A zone instance, as parameter of a trigger or procedure; `piece`: it is known to hold these counted pieces, or
    to be their endless supply."""

    piece: str = ""

    def __str__(self) -> str:
        return f"place of {self.piece}" if self.piece else "place"


@dataclass(frozen=True, slots=True)
class NoneType:
    """The type of the word `none` alone."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class ErrorType:
    """The type of an expression that already has a diagnostic: it fits everywhere, so that one mistake gives one
    message."""

    def __str__(self) -> str:
        return "unknown"


@dataclass(frozen=True, slots=True)
class SetType:
    elem: Type

    def __str__(self) -> str:
        return f"set of {self.elem}"


@dataclass(frozen=True, slots=True)
class ListType:
    elem: Type
    cap: int

    def __str__(self) -> str:
        return f"list of {self.elem}"


@dataclass(frozen=True, slots=True)
class MapType:
    """A dense map: `keys` are int or member types."""

    keys: tuple[Type, ...]
    value: Type

    def __str__(self) -> str:
        return f"{self.value} by {', '.join(map(str, self.keys))}"


@dataclass(frozen=True, slots=True)
class SparseType:
    """Answer of `choose amounts`: at most `cap` keys have an amount other than 0."""

    keys: tuple[Type, ...]
    cap: int

    def __str__(self) -> str:
        return f"amounts by {', '.join(map(str, self.keys))}"


Type: TypeAlias = Union[
    BoolType, IntType, MemberType, PlaceType, NoneType, ErrorType, SetType, ListType, MapType, SparseType
]

BOOL = BoolType()
INT = IntType()
MOST_IN_SET = 9_999  # a set of numbers is a row of bits from 0 on
PLACE = PlaceType()
NONE = NoneType()
ERROR = ErrorType()


def bounds(t: Type) -> tuple[int, int]:
    """Lowest and highest number that a key or set member of type `t` can have. Raises TypeError for other types."""
    match t:
        case IntType(low, high):
            return low, high
        case MemberType(_, low, high):
            return low, high
        case BoolType():
            return 0, 1
        case ErrorType():
            return 0, 0
    raise TypeError(f"{t} cannot be a key")


def with_own_keys(keys: Sequence[Type], t: Type) -> tuple[list[Type], Type]:
    """The keys of something of type `t` that there is for each combination of `keys`: those of maps come behind. And
    the type of one item."""
    found = list(keys)
    while isinstance(t, MapType):
        found, t = [*found, *t.keys], t.value
    return found, t


def key_count(keys: tuple[Type, ...]) -> int:
    n = 1
    for k in keys:
        low, high = bounds(k)
        n *= high - low + 1
    return n


def width(t: Type) -> int:
    """Words of the store that a value of type `t` takes."""
    match t:
        case SetType(elem):
            low, high = bounds(elem)
            return (high - low) // WORD_BITS + 1
        case ListType(elem, cap):
            return 1 + cap * width(elem)
        case MapType(keys, value):
            return key_count(keys) * width(value)
        case SparseType(_, cap):
            return 1 + 2 * cap
    return 1


def default(t: Type) -> Any:
    """The value of zeroed words (an int whose bounds exclude 0 still reads 0 until it is set)."""
    match t:
        case SetType():
            return 0
        case ListType() | SparseType():
            return ()
        case MapType(keys, value):
            return (default(value),) * key_count(keys)
    return 0


class TooLong(ValueError):
    """A list or sparse map is longer than its cap."""


def pack(value: Any, t: Type) -> list[int]:
    """The words of a value; the length is `width(t)`. Raises TooLong when a list or sparse map is longer than its
    cap."""
    match t:
        case SetType(elem):
            bits = value >> bounds(elem)[0]
            mask = (1 << WORD_BITS) - 1
            return [(bits >> (WORD_BITS * i)) & mask for i in range(width(t))]
        case ListType(elem, cap):
            if len(value) > cap:
                raise TooLong(f"a list of {len(value)} items, but there can be at most {cap}")
            words = [len(value)]
            for item in value:
                words += pack(item, elem)
            return words + [0] * (width(t) - len(words))
        case MapType(_, item_type):
            words = []
            for item in value:
                words += pack(item, item_type)
            return words
        case SparseType(_, cap):
            if len(value) > cap:
                raise TooLong(f"{len(value)} amounts, but there can be at most {cap}")
            words = [len(value)]
            for key, amount in value:
                words += [key, amount]
            return words + [0] * (width(t) - len(words))
    return [value]


def unpack(words: Sequence[int], at: int, t: Type) -> Any:
    """The value whose words start at `words[at]`."""
    match t:
        case SetType(elem):
            bits = 0
            for i in range(width(t) - 1, -1, -1):
                bits = bits << WORD_BITS | words[at + i]
            return bits << bounds(elem)[0]
        case ListType(elem, _):
            w = width(elem)
            if w == 1 and not isinstance(elem, (SetType, ListType, MapType, SparseType)):
                return tuple(words[at + 1 : at + 1 + words[at]])
            return tuple(unpack(words, at + 1 + i * w, elem) for i in range(words[at]))
        case MapType(keys, item_type):
            w = width(item_type)
            return tuple(unpack(words, at + i * w, item_type) for i in range(key_count(keys)))
        case SparseType(_, _):
            n = words[at]
            return tuple((words[at + 1 + 2 * i], words[at + 2 + 2 * i]) for i in range(n))
    return words[at]
