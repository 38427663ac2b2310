"""Reads of an expression: the declared state, by symbol, and what it reads of hidden zones that all may see: their
size, their top where that is open, and what stands on the backs of their things."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from dsl import ir
from dsl.base.fields import LEAF_TYPES, FieldGetter, field_getter, no_fields
from dsl.base.record import dataclass
from dsl.base.types import IntType

if TYPE_CHECKING:
    from dsl.symbols.symbols import Model

COUNTING = ("count", "sum", "any", "every", "max", "min")  # folds that give a number or a truth
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
    return reads_among(nodes(e), e)


def reads_among(inside: Iterable[Any], whole: object = None) -> DirectReads:
    """What these nodes read, each by itself."""
    read = DirectReads(whole)
    for node in inside:
        if isinstance(node, (ir.Cell, ir.CellSum)):
            read.cells.add(node.symbol)
        elif isinstance(node, ir.CallFn):
            read.calls.add(node.fn)
    return read


class SymbolReads:
    """Symbols read by expressions and by the functions that they call; each function body is looked at once."""

    def __init__(self, functions: Sequence[ir.Function | None]) -> None:
        self.functions = functions
        self.cached: dict[int, DirectReads] = {}  # by the id of a body, which each holds

    def cells(self, e: Any) -> set[str]:
        """The symbols of all cells that an expression reads, functions included."""
        return self.reached(direct_reads(e))

    def cells_in(self, inside: Iterable[Any]) -> set[str]:
        """The same of expressions whose nodes are known."""
        return self.reached(reads_among(inside))

    def reached(self, own: DirectReads) -> set[str]:
        """The cells of these reads, and of the functions that are called, whatever they call."""
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


# ------------------------------------------------------------ tops and backs


class OpenParts(NamedTuple):
    """`tops`: symbols of zones whose top all see; `zones`: symbols of all zones of things; `backs`: numbers of the
    tables of constants `on back`."""

    tops: frozenset[str]
    zones: frozenset[str]
    backs: Container[int]


def open_parts(layout: Iterable[ir.LayoutEntry], backs: Container[int]) -> OpenParts:
    entries = [e for e in layout if e.sort == "zone"]
    tops, zones = (frozenset(e.symbol for e in entries if e.top == "all" or every) for every in (False, True))
    return OpenParts(tops, zones, backs)


def back_tables(m: Model, joined: Mapping[tuple[tuple[str, ...], str], int]) -> frozenset[int]:
    """The tables of constants that stand on the backs of their things, and of those `joined` for unions."""
    unions = (t for (kinds, name), t in joined.items() if all(m.kinds[kind].fields[name].back for kind in kinds))
    return frozenset({f.table for f in m.all_fields() if f.back}.union(unions))


def open_cells(node: Any, parts: OpenParts) -> tuple[ir.Cell, ...]:
    """The cells of zones of which a node reads only what all may see: the thing on top, or what stands on backs."""
    match node:
        case ir.TableGet(table, offset) if table in parts.backs:
            cell = zone_of_thing(member_of(offset), parts)
            return (cell,) if cell is not None else ()
        case ir.Fold(kind, binders) if kind in COUNTING:
            return tuple(
                d.a
                for slot, d in binders
                if isinstance(d.a, ir.Cell) and d.a.symbol in parts.zones and reads_backs_only(node, slot, parts)
            )
    cell = top_of(node)
    return (cell,) if cell is not None and cell.symbol in parts.tops else ()


def top_of(node: Any) -> ir.Cell | None:
    """The ordered zone of which a node is the first thing."""
    match node:
        case ir.ListOp("front", (ir.Cell() as cell,)):
            return cell
        case ir.Fold("first", ((slot, ir.Domain("list", ir.Cell() as cell)),), None, (), body) if body in (
            None,
            ir.Temp(slot),
        ):
            return cell
    return None


def zone_of_thing(thing: Any, parts: OpenParts) -> ir.Cell | None:
    """The zone of which a thing is read by its place: the first or last thing, or the one in a slot."""
    match thing:
        case ir.Cell(symbol=symbol) if symbol in parts.zones:
            return thing
        case ir.ListOp("last", (ir.Cell() as cell,)):
            return cell
    return top_of(thing)


def member_of(offset: Any) -> Any:
    """The member whose row of a table an offset is."""
    match offset:
        case ir.Linear(_, ((thing, 1),)):
            return thing
    return offset


def reads_backs_only(node: Any, slot: int, parts: OpenParts) -> bool:
    """Whether a node uses what is bound to `slot` only to read backs."""
    if type(node) is tuple:
        return all(reads_backs_only(part, slot, parts) for part in node)
    if isinstance(node, ir.Domain):
        return reads_backs_only((node.a, node.b), slot, parts)
    match node:
        case ir.TableGet(table, offset) if table in parts.backs and member_of(offset) == ir.Temp(slot):
            return True
        case ir.Temp(other):
            return other != slot
    getter = CHILD_FIELDS[type(node)]
    return getter is None or reads_backs_only(getter(node), slot, parts)
