"""Names for values: two expressions with one name have one value (`dsl.knowledge.labels.Who`).

Takes an expression and the facts of the variables that it reads; gives None where no name is needed to tell whose a
hidden thing is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dsl import ir
from dsl.base.types import bounds, width
from dsl.elaborate.core.reads import SymbolReads
from dsl.knowledge.labels import Fact, Who

DEEPEST = 8  # a name of more levels is none
Env = dict[Any, Fact]


def variable(e: ir.Expr) -> tuple[str, int] | None:
    """The key of a variable in an environment; None for other expressions."""
    match e:
        case ir.Temp(slot) | ir.Force(slot):
            return ("temp", slot)
        case ir.FrameVar(slot, _) | ir.FrameItem(slot, _, _):
            return ("frame", slot)
    return None


def identify(e: Any, env: Mapping[Any, Fact], reading: SymbolReads, depth: int = 0) -> Who | None:
    """A name for the value of an expression."""
    if depth > DEEPEST:
        return None
    match e:
        case ir.Const(value):
            return Who(("const", value))
        case ir.Temp() | ir.FrameVar() | ir.Force():
            fact = env.get(variable(e))
            return fact.who if fact is not None else None
        case ir.Cell(address, _, symbol):
            return joined(("cell", symbol), (address,), env, reading, depth, frozenset({symbol}))
        case ir.Linear(const, terms):
            strides = tuple(stride for _, stride in terms)
            return joined(("linear", const, strides), tuple(t for t, _ in terms), env, reading, depth)
        case ir.TableGet(table, offset):
            return joined(("table", table), (offset,), env, reading, depth)
        case ir.CallFn(fn, args):
            return joined(("call", fn), args, env, reading, depth, frozenset(reading.cells(e)))
        case ir.MakeSet(items):
            return joined(("set",), items, env, reading, depth)
        case ir.If(test, then, orelse):
            return joined(("if",), (test, then, orelse), env, reading, depth)
        case ir.Arith(op, left, right) | ir.Compare(op, left, right):
            return joined((op,), (left, right), env, reading, depth)
    return None


def joined(
    head: tuple[Any, ...],
    parts: tuple[ir.Expr, ...],
    env: Mapping[Any, Fact],
    reading: SymbolReads,
    depth: int,
    rests_on: frozenset[Any] = frozenset(),
) -> Who | None:
    """The name that is made of those of parts; None if one has none."""
    keys: list[Any] = []
    for part in parts:
        who = identify(part, env, reading, depth + 1)
        if who is None:
            return None
        keys.append(who.key)
        rests_on |= who.rests_on
    return Who((*head, *keys), rests_on)


def holder(entry: ir.LayoutEntry, address: Any) -> ir.Expr | None:
    """The thing whose column an address reads; None for a cell that belongs to nothing."""
    if not entry.dims or "." not in entry.symbol:
        return None
    const, terms = (address.const, address.terms) if isinstance(address, ir.Linear) else (None, ())
    if isinstance(address, ir.Const):
        const = address.value
    if const is None:
        return None
    lows = {}
    stride = width(entry.type)
    for t in reversed(entry.dims):
        low, high = bounds(t)
        lows[stride] = low
        stride, size = stride * (high - low + 1), stride
    for e, by in terms:
        if by == size:
            return e
    const += sum(lows.get(by, 0) * by for _, by in terms)
    return ir.Const(bounds(entry.dims[0])[0] + (const - entry.base) // size)
