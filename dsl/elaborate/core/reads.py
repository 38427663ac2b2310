"""Which declared state an expression reads, by symbol: for checks, invariants and hidden information."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterator, Sequence
from dataclasses import field
from typing import Any

from dsl import ir
from dsl.base.fields import LEAF_TYPES, FieldGetter, field_getter, no_fields
from dsl.base.record import dataclass
from dsl.base.types import IntType

SKIP = ("span", "type", "cites", "types")


class ChildFields(dict[type, FieldGetter | None]):
    """The fields of each class of the IR that may hold nodes; None for other classes."""

    def __missing__(self, cls: Any) -> FieldGetter | None:
        self[cls] = None
        if cls in ir.NODES:
            names = [f.name for f in dataclasses.fields(cls) if f.name not in SKIP and f.type not in LEAF_TYPES]
            self[cls] = field_getter(names) or no_fields
        return self[cls]


CHILD_FIELDS = ChildFields()


def nodes(e: Any, without: Container[int] = ()) -> Iterator[Any]:
    """`e` and every IR node inside it, leaving out the nodes whose id is in `without` and all that they contain."""
    stack = [e]
    while stack:
        at = stack.pop()
        if type(at) is tuple:
            stack += at
        elif (parts := CHILD_FIELDS[type(at)]) is not None and not (without and id(at) in without):
            yield at
            stack += parts(at)


@dataclass(slots=True)
class DirectReads:
    """The cells that an expression reads itself, and the functions that it calls."""

    body: object
    cells: set[str] = field(default_factory=set)
    calls: set[int] = field(default_factory=set)


def direct_reads(e: Any) -> DirectReads:
    """What an expression reads, without what the functions that it calls read."""
    read = DirectReads(e)
    for node in nodes(e):
        if isinstance(node, (ir.Cell, ir.CellSum)):
            read.cells.add(node.symbol)
        elif isinstance(node, ir.CallFn):
            read.calls.add(node.fn)
    return read


class Reading:
    """Symbols read by expressions and by the functions that they call; each function body is looked at once."""

    def __init__(self, functions: Sequence[ir.Function | None]) -> None:
        self.functions = functions
        self.cached: dict[int, DirectReads] = {}  # by the id of a body, which each holds

    def cells(self, e: Any) -> set[str]:
        """The symbols of all cells that an expression reads, functions included."""
        own = direct_reads(e)
        found, seen, left = own.cells, own.calls, list(own.calls)
        while left:
            function = self.functions[left.pop()]
            if function is None:
                continue
            read = self.cached.get(id(function.body))
            if read is None:
                read = self.cached[id(function.body)] = direct_reads(function.body)
            found |= read.cells
            left += read.calls - seen
            seen |= read.calls
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
