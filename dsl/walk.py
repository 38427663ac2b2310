"""Walk over syntax trees: every node below a node, by the fields of its class."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from dsl.below import LEAVES, Parts, parts_of
from dsl.syntax import Node


def walk(node: Any) -> Iterator[Node]:
    """`node` (a node or a tuple of nodes) and all below it."""
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, Node):
            yield at
            parts = BELOW[type(at)]
            if parts is not None:
                stack += parts(at)
        elif isinstance(at, tuple):
            stack += at[::-1]


class Below(dict[type, Parts | None]):
    """Of each class the fields that may hold nodes, the last first."""

    def __missing__(self, cls: Any) -> Parts | None:
        parts = self[cls] = parts_of([f.name for f in dataclasses.fields(cls) if f.type not in LEAVES][::-1])
        return parts


BELOW = Below()
