"""Substitution in trees of the IR: sums, known values, renamed temps.

Nothing here knows what a node means beyond the variables that it reads, binds or sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

from dsl import ir
from interpreter.backends.analysis.dataflow import children

Value = int | tuple[Any, ...]
Known = dict[int, Value]  # slot -> value


def flatten_sum(const: int, terms: Sequence[tuple[ir.Expr, int]]) -> ir.Expr:
    """A sum with the constants and the sums among its terms added up."""
    left: list[tuple[ir.Expr, int]] = []
    for term, stride in terms:
        if isinstance(term, ir.Const):
            const += term.value * stride
        elif isinstance(term, ir.Linear):
            const += term.const * stride
            left += [(inner, by * stride) for inner, by in term.terms]
        else:
            left.append((term, stride))
    return ir.Linear(const, tuple(left)) if left else ir.Const(const)


def replace_node(node: Any, old: Any, new: Any) -> Any:
    """A tree with one expression replaced by another."""
    if node == old:
        return new
    if type(node) is tuple:
        return tuple([replace_node(item, old, new) for item in node])
    if not ir.is_node(node):
        return node
    return replace(node, **{f.name: replace_node(getattr(node, f.name), old, new) for f in fields(node)})


def all_known(e: Any) -> bool:
    """True if all parts of an expression are numbers, texts or known values."""
    for part in children(e):
        if type(part) is tuple:
            if not all_known(part):
                return False
        elif ir.is_node(part) and not isinstance(part, ir.Const):
            return False
    return True


def fits(t: Any, value: Any) -> bool:
    """True if a frame variable of a type can hold a value."""
    low, high = getattr(t, "low", None), getattr(t, "high", None)
    cap = getattr(t, "cap", None)
    if type(value) is tuple:
        return cap is None or len(value) <= cap
    return not isinstance(low, int) or not isinstance(high, int) or value == 0 or low <= value <= high


def forget(frame: Known, slots: Iterable[int]) -> None:
    """Drop the known values of some frame variables."""
    for slot in slots:
        frame.pop(slot, None)


# ------------------------------------------------------------ temps


def rename_temps(node: Any, by: int) -> Any:
    """A body whose temps have other numbers."""
    if type(node) is tuple:
        return tuple([rename_temps(item, by) for item in node])
    match node:
        case ir.Fold(binders=binders):
            node = replace(node, binders=tuple((slot + by, d) for slot, d in binders))
        case ir.Reach(x=x, y=y):
            node = replace(node, x=x + by, y=y + by)
        case (
            ir.Temp(slot)
            | ir.Force(slot)
            | ir.Let(slot)
            | ir.LazyLet(slot)
            | ir.SetTemp(slot)
            | ir.For(slot)
            | ir.TimedFold(slot=slot)
        ):
            node = replace(node, slot=slot + by)
        case ir.Transfer(moved=int() as moved):
            node = replace(node, moved=moved + by)
    if ir.is_node(node):
        found = {f.name: getattr(node, f.name) for f in fields(node)}
        changed = {k: new for k, old in found.items() if (new := rename_temps(old, by)) is not old}
        return replace(node, **changed) if changed else node
    return node
