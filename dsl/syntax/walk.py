"""Walk over syntax trees: every node below a node, by the fields of its class."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from dsl.base.fields import LEAF_TYPES, FieldGetter, field_getter, no_fields
from dsl.syntax.nodes import Node


def walk(node: Any) -> Iterator[Node]:
    """`node` (a node or a tuple of nodes) and all below it."""
    stack = [node]
    while stack:
        at = stack.pop()
        if type(at) is tuple:
            stack += at[::-1]
        elif (parts := BELOW[type(at)]) is not None:
            yield at
            stack += parts(at)


class Below(dict[type, FieldGetter | None]):
    """Of each class of nodes the fields that may hold nodes, the last first; None for other classes."""

    def __missing__(self, cls: Any) -> FieldGetter | None:
        self[cls] = None
        if issubclass(cls, Node):
            self[cls] = (
                field_getter([f.name for f in dataclasses.fields(cls) if f.type not in LEAF_TYPES][::-1]) or no_fields
            )
        return self[cls]


BELOW = Below()
