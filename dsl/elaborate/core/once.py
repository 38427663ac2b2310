"""Local names of values: worked out once for a call, where they are first read.

A name that every call reads is worked out at the start, so that it costs nothing more than a temp.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from dsl import ir
from dsl.elaborate.core.reads import CHILD_FIELDS, nodes

ALL_PARTS = (*ir.having("pure"), ir.Cell, ir.CellSum, ir.CallFn)  # the value of each needs the values of all its parts


def let_once(slot: int, value: ir.Expr, body: ir.Expr, opened: dict[int, ir.Expr]) -> ir.Expr:
    """`body`, whose `Force(slot)` is `value`: not at all, at the start or lazily, as `body` reads it. `opened`: the
    nodes in `openly(...)` by their ids; those that are made again are added."""
    if not any(node == ir.Force(slot) for node in nodes(body)):
        return body
    if is_certain(body, slot):
        return ir.Let(slot, value, with_temp(body, slot, opened))
    return ir.LazyLet(slot, value, body)


def is_certain(e: Any, slot: int) -> bool:
    """Whether an expression cannot have a value without `Force(slot)`."""
    match e:
        case ir.Force(at):
            return at == slot
        case tuple():
            return any(is_certain(part, slot) for part in e)
        case ir.If(test, then, orelse):
            return is_certain(test, slot) or is_certain(then, slot) and is_certain(orelse, slot)
        case ir.And(items) | ir.Or(items):
            return is_certain(items[:1], slot)
        case ir.Let(_, value, body):
            return is_certain((value, body), slot)
        case ir.LazyLet(other, value, body):
            return is_certain(body, slot) or is_certain(body, other) and is_certain(value, slot)
        case ir.Fold(binders=binders):
            return is_certain((binders[0][1].a, binders[0][1].b), slot)
        case ir.Reach(start=start, costs=costs, to=to):
            return is_certain((start, to, tuple(budget for _, budget in costs)), slot)
    own = CHILD_FIELDS[type(e)]
    return own is not None and isinstance(e, ALL_PARTS) and any(is_certain(part, slot) for part in own(e))


def with_temp(node: Any, slot: int, opened: dict[int, ir.Expr]) -> Any:
    """A tree in which `Temp(slot)` stands for `Force(slot)`; parts without it stay the same."""
    return replaced(node, ir.Force(slot), ir.Temp(slot), opened)


def replaced(node: Any, old: ir.Expr, new: ir.Expr, opened: dict[int, ir.Expr]) -> Any:
    """A tree in which one expression stands for another; parts without it stay the same. `opened`: as in `let_once`."""
    if type(node) is tuple:
        items = tuple(replaced(item, old, new, opened) for item in node)
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if not ir.is_node(node):
        return node
    if node == old:
        result: Any = new
    else:
        found = {f.name: getattr(node, f.name) for f in fields(node)}
        changed = {name: part for name, was in found.items() if (part := replaced(was, old, new, opened)) is not was}
        result = replace(node, **changed) if changed else node
    if id(node) in opened:
        opened[id(result)] = result
    return result
