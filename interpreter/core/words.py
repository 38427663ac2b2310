"""Reading and writing values in the flat store, quickly for the common types, and the members of a set as a tuple.

`dsl.base.types` defines how values are packed into words; this adds a fast path and a cache. It checks nothing.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from dsl.base.types import (
    WORD_BITS,
    BoolType,
    IntType,
    MemberType,
    NoneType,
    PlaceType,
    SetType,
    Type,
    bounds,
    pack,
    unpack,
    width,
)

Words: TypeAlias = "array[int]"
"""A store, or words of it: numbers of 32 bits. To write one that does not fit raises OverflowError, which machines
report as a fault of the rules."""
Temps: TypeAlias = list[Any]

HIDDEN = -(2**31)  # in place of what is not seen: below every number that a store can hold
SCALARS = frozenset({BoolType, IntType, MemberType, PlaceType, NoneType})


@lru_cache(maxsize=1 << 16)
def members(mask: int) -> tuple[int, ...]:
    """The members of a set value, ascending."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(found)


_SET_SHAPES: dict[int, tuple[SetType, int, int]] = {}  # id of a type -> the type (kept alive), lowest member, words


def _set_shape(t: SetType) -> tuple[SetType, int, int]:
    found = _SET_SHAPES.get(id(t))
    if found is None:
        found = _SET_SHAPES[id(t)] = (t, bounds(t.elem)[0], width(t))
    return found


def new_store(items: Iterable[int] = ()) -> Words:
    """A store of these words. Raises OverflowError where one does not fit."""
    return array("i", items)


def put(words: Words, at: int, end: int, items: Iterable[int]) -> None:
    """Write these words in place of those from `at` up to `end`. Raises OverflowError where one does not fit."""
    words[at:end] = array("i", items)


def load(words: Sequence[int], at: int, t: Type) -> Any:
    """The value of type `t` whose words start at `at`."""
    if type(t) in SCALARS:
        return words[at]
    if isinstance(t, SetType):
        _, low, count = _set_shape(t)
        mask = words[at]
        for i in range(1, count):
            mask |= words[at + i] << i * WORD_BITS
        return mask << low
    return unpack(words, at, t)


def save(words: Words, at: int, t: Type, value: Any) -> None:
    """Write a value. Raises TooLong when a list or sparse map is longer than its cap, OverflowError when a number does
    not fit into a word."""
    if type(t) in SCALARS:
        words[at] = value
        return
    if isinstance(t, SetType):
        _, low, count = _set_shape(t)
        if count == 1:
            words[at] = value >> low
            return
    packed = pack(value, t)
    put(words, at, at + len(packed), packed)


def to_mask(items: tuple[int, ...] | list[int]) -> int:
    """The set of the given members; 0 (none) adds nothing."""
    mask = 0
    for v in items:
        if v:
            mask |= 1 << v
    return mask
