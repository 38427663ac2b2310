"""Values that ask whose zone a thing is in, answered from its place.

`only(p in seats where c in p.hand or c in p.front)` goes through seats and zones. Every thing has a word for the
zone that it is in, so one look into a table gives the same: `read_by_place` takes a function and the zones and gives
the function in that form, or unchanged. Only zones that everybody may see are read this way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dsl import ir
from dsl.base.types import INT, IntType, ListType, MemberType, SetType
from dsl.elaborate.core.build import ONE, ZERO
from dsl.program import SEATS


def read_by_place(
    fn: ir.Function, zones: Sequence[ir.ZoneInstance], placed: Sequence[int], seats: int, tables: list[Any]
) -> ir.Function:
    """The function with its answer read from a table by the place of the thing, if its whole body asks whose zone
    that is; otherwise the function itself."""
    body = fn.body
    if not isinstance(body, ir.Fold) or body.kind not in ("only", "any") or len(body.binders) != 1 or body.keys:
        return fn
    slot, domain = body.binders[0]
    if domain.a != ir.RangeSet(ONE, ir.Cell(ir.Const(SEATS), INT)) or body.body not in (None, ir.Temp(slot)):
        return fn
    tests = body.where.items if isinstance(body.where, ir.Or) else (body.where,)
    asked = [_asked(test) for test in tests]
    if any(a is None for a in asked) or len({a[0] for a in asked if a}) != 1:
        return fn
    thing = next(a[0] for a in asked if a)
    if not isinstance(thing, ir.Temp) or thing.slot >= len(fn.params):
        return fn
    t = fn.params[thing.slot][1]
    if not isinstance(t, MemberType) or t.optional or not all(placed[t.low : t.high + 1]):
        return fn
    at = {zone.base: number for number, zone in enumerate(zones) if number}  # number 0 is no zone
    found = [0] * len(zones)
    for _, address in (a for a in asked if a):
        for holder in range(1, seats + 1):  # a seat that is not at the table holds nothing
            number = at.get(_address(address, slot, holder), 0)
            if not number or zones[number].audience != "all" or found[number]:
                return fn
            found[number] = holder
    place = ir.Cell(ir.TableGet(_table(tables, tuple(placed)), thing), IntType(0, len(zones)))
    read: ir.Expr = ir.TableGet(_table(tables, tuple(found)), place)
    if body.kind == "any":
        read = ir.Compare("!=", read, ZERO)
    return replace(fn, body=ir.ByPlace(read, body))


def _table(tables: list[Any], column: tuple[int, ...]) -> int:
    if column not in tables:
        tables.append(column)
    return tables.index(column)


def _asked(test: Any) -> tuple[ir.Expr, ir.Expr] | None:
    """(the thing, address of the zone) of a test whether a thing is in a zone."""
    match test:
        case ir.InSet(member, ir.Cell(address, SetType())) | ir.InList(member, ir.Cell(address, ListType())):
            return member, address
        case ir.And((ir.Compare("==", member, ir.Cell(address, MemberType())), ir.Compare("!=", other, ir.Const(0)))):
            return (member, address) if other == member else None
    return None


def _address(e: ir.Expr, slot: int, holder: int) -> int:
    match e:
        case ir.Linear(const, ((ir.Temp(s), stride),)) if s == slot:
            return const + stride * holder
    return -1
