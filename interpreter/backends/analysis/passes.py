"""How often a loop may be gone through: bounds for the members of domains and for the calls of functions.

Loops that are certainly short in all need not be counted while they run. Sizes are known from constants and types.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from dsl import ir
from dsl.base.types import IntType, ListType, SetType, bounds
from dsl.ir.walk import children
from dsl.program import SEATS, Program

LIGHT = 1 << 16  # passes that need not be counted
MANY = 1 << 40  # stands for any greater number
UNKNOWN = 64  # members of a set of which nothing is known, if there are not more things
UNKNOWN_LIST = 16  # of a list


def most_members(program: Program, d: ir.Domain) -> int:
    """The most members that a domain may have."""
    if d.kind == "set":
        return most_of_set(program, d.a)
    if d.kind == "list":
        match d.a:
            case ir.TableGet(table, _):
                return max((len(v) for v in program.tables[table] if isinstance(v, tuple)), default=0)
        t: Any = program.functions[d.a.fn].result if isinstance(d.a, ir.CallFn) else getattr(d.a, "type", None)
        return t.cap if isinstance(t, ListType) else UNKNOWN_LIST
    assert d.b is not None
    low = d.a.value if isinstance(d.a, ir.Const) else 0
    return max(most(program, d.b) - low + 1, 0)


def most_of_set(program: Program, e: ir.Expr) -> int:
    """The most members that a set may have."""
    match e:
        case ir.Const(int() as mask):
            return mask.bit_count()
        case ir.Cell(_, SetType(elem)) | ir.FrameVar(_, SetType(elem)) | ir.FrameItem(_, _, SetType(elem)):
            low, high = bounds(elem)
            return high - low + 1
        case ir.TableGet(table, _):
            items = program.tables[table]
            return max((v.bit_count() for v in items if isinstance(v, int) and v >= 0), default=0)
        case ir.CallFn(number, _):
            t = program.functions[number].result
            return bounds(t.elem)[1] - bounds(t.elem)[0] + 1 if isinstance(t, SetType) else UNKNOWN
        case ir.Fold("set", binders):
            return min(prod(most_members(program, d) for _, d in binders), MANY)
        case ir.Arith("&" | "&~", left, _):
            return most_of_set(program, left)
        case ir.Arith("|", left, right):
            return most_of_set(program, left) + most_of_set(program, right)
        case ir.If(_, then, orelse):
            return max(most_of_set(program, then), most_of_set(program, orelse))
        case ir.ByPlace(read):
            return most_of_set(program, read)
        case ir.MakeSet(items):
            return len(items)
        case ir.RangeSet(ir.Const(low), high):
            return max(most(program, high) - int(low) + 1, 0)
    return max(len(program.thing_ids), UNKNOWN)


def most(program: Program, e: ir.Expr) -> int:
    """A number that a number does not pass."""
    match e:
        case ir.Const(int() as v):
            return v
        case ir.Cell(ir.Const(at)) if at == SEATS:
            return program.seats[1]
        case ir.Cell(_, IntType(_, high)) | ir.FrameVar(_, IntType(_, high)) | ir.FrameItem(_, _, IntType(_, high)):
            return max(high, 0)
        case ir.CallFn(number, _):
            t = program.functions[number].result
            return max(t.high, 0) if isinstance(t, IntType) else MANY
        case ir.TableGet(table, _):
            return max((v for v in program.tables[table] if isinstance(v, int)), default=0)
        case ir.Arith("min", left, right):
            return min(most(program, left), most(program, right))
        case ir.Arith("max", left, right):
            return max(most(program, left), most(program, right))
        case ir.Linear(const, terms) if all(stride >= 0 for _, stride in terms):
            return min(const + sum(most(program, term) * stride for term, stride in terms), MANY)
        case ir.Size("set", operand):
            return most_of_set(program, operand)
    return MANY


def multiplicities(program: Program) -> tuple[int, ...]:
    """For each function how often one instruction or list of options may call it; what is above LIGHT stands for any
    number."""
    calls = [list(_calls(program, f.body, 1)) for f in program.functions]
    found = [0] * len(calls)
    outside: list[Any] = [*program.code, *(p.body for p in program.procs), *program.sites, *program.purses]
    waiting = [call for part in outside for call in _calls(program, part, 1)]
    while waiting:
        number, times = waiting.pop()
        if min(times, LIGHT + 1) > found[number]:
            found[number] = min(times, LIGHT + 1)
            waiting += [(inner, found[number] * more) for inner, more in calls[number]]
    return tuple(max(times, 1) for times in found)


def _calls(program: Program, node: Any, times: int) -> Iterator[tuple[int, int]]:
    """The functions that are called inside a node, each with how often that may be."""
    match node:
        case ir.CallFn(number, args):
            yield number, times
            yield from _calls(program, args, times)
            return
        case ir.Fold():
            for _, domain in node.binders:
                yield from _calls(program, (domain.a, domain.b), times)
                times = min(times * most_members(program, domain), MANY)
            yield from _calls(program, (node.where, node.keys, node.body), times)
            return
        case ir.For():
            yield from _calls(program, (node.domain.a, node.domain.b), times)
            yield from _calls(program, node.body, min(times * most_members(program, node.domain), MANY))
            return
        case ir.Alternative():
            for _, _, domain, _ in node.binders:
                yield from _calls(program, (domain.a, domain.b), times)
                times = min(times * most_members(program, domain), MANY)
            yield from _calls(program, (node.guards, node.probe), times)
            return
        case ir.Reach():
            yield from _calls(program, node.start, times)
            yield from _calls(program, (node.next, node.where, node.costs), LIGHT + 1)
            return
    for part in children(node):
        if type(part) not in (int, str, bool):
            yield from _calls(program, part, times)
