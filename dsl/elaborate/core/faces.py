"""What of a hidden zone all may see besides its size: its top, where that is open, and what stands on the backs.

Takes a node of the intermediate form and the open parts of a ruleset; gives the cells of which the node reads no more
than that.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any, NamedTuple

from dsl import ir
from dsl.elaborate.core.reads import CHILD_FIELDS

COUNTING = ("count", "sum", "any", "every", "max", "min")  # folds that give a number or a truth


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
