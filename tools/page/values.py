"""Types and constant values as plain data: a set is a list of its members, in order."""

from __future__ import annotations

from typing import Any

from dsl.base.types import (
    BoolType,
    IntType,
    ListType,
    MapType,
    MemberType,
    PlaceType,
    SetType,
    SparseType,
    Type,
    key_count,
    width,
)
from interpreter.backends.low.base.kinds import MembersKind, Unsupported, kind_of
from interpreter.rules.names import members


def type_as_json(t: Type) -> dict[str, Any]:
    """A type, with the words that a value of it takes in the store."""
    match t:
        case BoolType():
            return {"is": "bool", "width": 1}
        case IntType(low, high):
            return {"is": "int", "low": low, "high": high, "width": 1}
        case MemberType(domain, low, high, _):
            return {"is": "member", "domain": domain, "low": low, "high": high, "width": 1}
        case PlaceType():
            return {"is": "place", "width": 1}
        case SetType(elem):
            return {"is": "set", "item": type_as_json(elem), "width": width(t), "words": _result_words(t)}
        case ListType(elem, _):
            return {"is": "list", "item": type_as_json(elem), "width": width(t)}
        case MapType(keys, value):
            return {"is": "map", "keys": [type_as_json(k) for k in keys], "item": type_as_json(value),
                    "count": key_count(keys), "width": width(t)}  # fmt: skip
        case SparseType(keys, _):
            return {"is": "amounts", "keys": [type_as_json(k) for k in keys], "width": width(t)}
    return {"is": "none", "width": 1}


def _result_words(t: Type) -> list[int]:
    """The numbers of the 64-bit words of a set that a function gives."""
    try:
        kind = kind_of(t)
    except Unsupported:
        return []
    return list(kind.words) if isinstance(kind, MembersKind) else []


def value_as_json(value: Any, t: Type) -> Any:
    match t:
        case SetType():
            return members(value)
        case ListType(item, _) | MapType(_, item):
            return [value_as_json(v, item) for v in value]
        case SparseType():
            return [[key, amount] for key, amount in value]
    return int(value)
