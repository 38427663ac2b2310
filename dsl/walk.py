"""Walk over syntax trees: every node below a node, by the fields of its class."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache
from typing import Any

from dsl.syntax import Node


@cache
def _names(cls: Any) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(cls) if f.name not in ("span", "name_span", "cites"))


def walk(node: Any) -> Iterator[Node]:
    """`node` (a node or a tuple of nodes) and all below it."""
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, tuple):
            stack.extend(reversed(at))
        elif isinstance(at, Node):
            yield at
            cls: Any = type(at)
            stack.extend(getattr(at, name) for name in reversed(_names(cls)))
