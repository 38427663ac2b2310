"""The content of a SHOW of `display.yaml`, before it is written: a value, counted pieces, or something hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dsl.base.types import MapType, Type, bounds


@dataclass(frozen=True, slots=True)
class Pieces:
    """Counted pieces: (index, count) for every index with pieces; `index_types`: the types of an index."""

    counts: tuple[tuple[tuple[int, ...], int], ...]
    index_types: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class ShownValue:
    value: Any
    type: Type


@dataclass(frozen=True, slots=True)
class Hidden:
    """Something that the reader may not see: how many, if that is public, the things that the reader nevertheless
    knows to be there, and what stands on the backs, in words."""

    count: int | None
    known: tuple[int, ...] = ()
    type: Type | None = None  # of the things
    backs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ByMember:
    """The contents of the zones of one name that a holder has for each member of `key`."""

    parts: tuple[tuple[int, Pieces | ShownValue | Hidden], ...]
    key: Type


Content = Pieces | ShownValue | Hidden | ByMember


def select_index(content: Content, member: int) -> Content:
    """The part of counts or of a map for one member of the first index."""
    if isinstance(content, Pieces):
        return Pieces(tuple((k[1:], n) for k, n in content.counts if k[0] == member), content.index_types[1:])
    if isinstance(content, ByMember):
        return next((part for v, part in content.parts if v == member), Hidden(0))
    if isinstance(content, ShownValue) and isinstance(content.type, MapType) and len(content.type.keys) == 1:
        return ShownValue(content.value[member - bounds(content.type.keys[0])[0]], content.type.value)
    return content


def is_empty(content: Pieces | ShownValue | Hidden) -> bool:
    """True if nothing lies there, or none, false or zero."""
    match content:
        case Pieces(counts, _):
            return not any(n for _, n in counts)
        case Hidden(count=count):
            return count == 0
    return content.value in (0, (), None)
