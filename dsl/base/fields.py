"""The fields of an object at once, and which types of fields hold no nodes: for walks over trees, and for records.

Takes names, gives functions; it knows no class.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

Parts = Callable[[Any], tuple[Any, ...]]
# types of fields that hold no nodes
LEAVES = frozenset(("str", "int", "bool", "str | None", "int | None", "tuple[str, ...]", "tuple[int, ...]", "Span"))


def parts_of(names: list[str]) -> Parts | None:
    """What gives these fields of an object as a tuple; None where there are none."""
    if not names:
        return None
    get: Parts = attrgetter(*names)
    return get if len(names) > 1 else lambda at: (get(at),)


def nothing(at: Any) -> tuple[()]:
    return ()
