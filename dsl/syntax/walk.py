"""Walks over syntax trees: every node in the subtree of a node, by the fields of its class, and chains of branches."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from dsl.base.fields import LEAF_TYPES, FieldGetter, field_getter, no_fields
from dsl.syntax.nodes import Bool, Compare, Expr, If, Node


def walk(node: Any) -> Iterator[Node]:
    """`node` (a node or a tuple of nodes) and all nodes of its subtree, parents first."""
    stack = [node]
    while stack:
        at = stack.pop()
        if type(at) is tuple:
            stack += at[::-1]
        elif (parts := NODE_FIELDS[type(at)]) is not None:
            yield at
            stack += parts(at)


class NodeFields(dict[type, FieldGetter | None]):
    """Class of nodes -> getter of the fields that may hold nodes, the last field first; None for other classes."""

    def __missing__(self, cls: Any) -> FieldGetter | None:
        self[cls] = None
        if issubclass(cls, Node):
            self[cls] = (
                field_getter([f.name for f in dataclasses.fields(cls) if f.type not in LEAF_TYPES][::-1]) or no_fields
            )
        return self[cls]


NODE_FIELDS = NodeFields()


# ---------------------------------------------------------------- branches


def branches(node: If) -> Iterator[If]:
    """The `if` and each `else if` of its chain, or the cases of `depending on`, in order."""
    head = head_of(node).span if is_match(node) else None
    yield node
    while len(node.orelse) == 1 and isinstance(node.orelse[0], If):
        node = node.orelse[0]
        if head is not None and head_of(node).span != head:
            return  # an `if` that stands under the `else` of `depending on`
        yield node


def is_match(node: If) -> bool:
    """True for `depending on X`: X stands before the members with which the tests compare it, and outside of them."""
    test = compared(node.test)[0]
    return isinstance(test, Compare) and test.left.span.end <= test.span.start


def head_of(node: If) -> Expr:
    """The left side of the first condition of a branch; the condition itself where it compares nothing."""
    test = compared(node.test)[0]
    return test.left if isinstance(test, Compare) else test


def compared(test: Expr) -> tuple[Expr, ...]:
    """The conditions that a branch joins by `or`."""
    return test.items if isinstance(test, Bool) and test.op == "or" else (test,)
