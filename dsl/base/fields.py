"""Functions that read several fields of an object at once, for walks over trees and for records.

Takes names of fields, gives functions; it knows no class.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

FieldGetter = Callable[[Any], tuple[Any, ...]]
# types of fields that hold no nodes
LEAF_TYPES = frozenset(("str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "tuple[int, ...]", "Span"))


def field_getter(names: list[str]) -> FieldGetter | None:
    """The function that gives these fields of an object as a tuple; None without names."""
    if not names:
        return None
    get: FieldGetter = attrgetter(*names)
    return get if len(names) > 1 else lambda at: (get(at),)


def no_fields(value: Any) -> tuple[()]:
    """The getter for a class without fields."""
    return ()
