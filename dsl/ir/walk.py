"""Walking the trees of the IR: what stands inside a node, and which temps it reads without binding them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any

from dsl import ir
from dsl.base.span import Span

LEAVES = frozenset({int, str, bool, type(None), Span})
_getters: dict[type, Callable[[Any], tuple[Any, ...]] | None] = {}  # by class; None: not a node


def children_getter(kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
    """A function that gives the values of all fields of a node of this class."""
    if not is_dataclass(kind):
        return None
    names = [f.name for f in fields(kind)]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda node: tuple([getattr(node, name) for name in names])


def children(node: Any) -> tuple[Any, ...]:
    """The nodes and values directly inside a node."""
    kind = type(node)
    if kind in LEAVES:
        return ()
    if kind in (tuple, list, frozenset):
        return tuple(node)
    if kind is dict:
        return tuple(node.values())
    if kind not in _getters:
        _getters[kind] = children_getter(kind)
    found = _getters[kind]
    return () if found is None else found(node)


def walk(node: Any) -> Iterator[Any]:
    """All nodes of a tree, the outer ones first."""
    stack = [node]
    while stack:
        current = stack.pop()
        kind = type(current)
        if kind in LEAVES:
            continue
        if kind is tuple:
            stack.extend(current[::-1])
            continue
        inside = children(current)
        if _getters.get(kind) is not None:
            yield current
        stack.extend(inside[::-1])


def free(node: Any) -> frozenset[int]:
    """The free temps of an expression, or of several: those that it reads and does not bind itself."""
    match node:
        case ir.Temp(slot) | ir.Force(slot):
            return frozenset({slot})
        case ir.Let(slot, value, body) | ir.LazyLet(slot, value, body):
            return free(value) | (free(body) - {slot})
        case ir.Fold(binders=binders):
            inner = free((node.where, node.keys, node.body))
            for slot, domain in reversed(binders):
                inner = (inner - {slot, *getattr(domain.a, "slots", ())}) | free((domain.a, domain.b))
            return inner
        case ir.Reach(start, x, y, following, where, costs, to=to):
            steps = free((following, where, tuple(cost for cost, _ in costs)))
            return free((start, to, tuple(budget for _, budget in costs))) | (steps - {x, y})
        case ir.TimedFold():
            bound = range(node.slot, node.slot + max(len(node.types), 8))
            return (free((node.where, node.body)) - set(bound)) | free(node.base)
    found: frozenset[int] = frozenset()
    for part in children(node):
        if type(part) not in (int, str, bool):
            found |= free(part)
    return found
