"""Which declared state an expression reads, by symbol: for checks, invariants and hidden information."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterator, Sequence
from typing import Any

from dsl import ir
from dsl.below import LEAVES, Parts, nothing, parts_of
from dsl.types import IntType

SKIP = ("span", "type", "cites", "types")


class Below(dict[type, Parts | None]):
    """Of each class of the IR the fields that may hold nodes; None for other classes."""

    def __missing__(self, cls: Any) -> Parts | None:
        self[cls] = None
        if cls.__module__.startswith(ir.__name__):
            names = [f.name for f in dataclasses.fields(cls) if f.name not in SKIP and f.type not in LEAVES]
            self[cls] = parts_of(names) or nothing
        return self[cls]


BELOW = Below()


def nodes(e: Any, but: Container[int] = ()) -> Iterator[Any]:
    """`e` and every IR node below it, without those whose id is in `but` and what is below them."""
    stack = [e]
    while stack:
        at = stack.pop()
        if type(at) is tuple:
            stack += at
        elif (parts := BELOW[type(at)]) is not None and not (but and id(at) in but):
            yield at
            stack += parts(at)


def cells_read(e: Any, functions: Sequence[ir.Function | None]) -> set[str]:
    """Symbols read by an expression and by the functions that it calls."""
    found: set[str] = set()
    seen: set[int] = set()
    stack = [e]
    while stack:
        for node in nodes(stack.pop()):
            if isinstance(node, (ir.Cell, ir.CellSum)):
                found.add(node.symbol)
            elif isinstance(node, ir.CallFn) and node.fn not in seen:
                seen.add(node.fn)
                fn = functions[node.fn]
                if fn is not None:
                    stack.append(fn.body)
    return found


def measured_cell(node: Any) -> ir.Cell | ir.CellSum | None:
    """The cell of which a node reads only how much it holds: its size, whether it is empty, the sum of its counts."""
    match node:
        case ir.CellSum():
            return node
        case ir.Size(operand=ir.Cell() as cell):
            return cell
        case ir.Compare(op="==" | "!=", left=ir.Cell() as cell, right=ir.Const(value=0 | ())):
            return None if isinstance(cell.type, IntType) else cell
    return None
