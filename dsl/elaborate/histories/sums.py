"""The sums of a history: numbers of the state as it is now, other ones where anything that is compared differs."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import INT_HIGH, IntType, ListType, MemberType, SetType, Type, bounds, width
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import ZERO, key_offset, linear
from dsl.elaborate.core.scope import Body
from dsl.elaborate.histories.parts import DIGIT, ComparedPart
from dsl.symbols.layout import History

SUM = IntType(0, INT_HIGH)


def sum_function(elab: Elaboration, h: History, number: int) -> int:
    """One of the sums of the state as it is now."""
    body, found = Body(f"sum.{h.name}.{number}"), list[ir.Expr]()
    for part, tables in h.parts:
        found += [part_sum(body, part, tables[number * part.digits + digit], digit) for digit in range(part.digits)]
    total = found[0]
    for one in found[1:]:
        total = ir.Arith("+", total, one)
    return elab.add_function(body.name, [], body, SUM, total, h.span)


def part_sum(body: Body, part: ComparedPart, table: int, digit: int) -> ir.Expr:
    """The sum of one digit of all items of a part, each times its factor."""
    keys: tuple[Type, ...] = (*part.dims, part.members) if part.members is not None else part.dims
    slots = [body.temp() for _ in keys]
    at = key_offset(part.dims, [ir.Temp(slot) for slot, _ in zip(slots, part.dims, strict=False)])
    cell = ir.Cell(linear(part.entry.base, [(at, width(part.item))]), part.item, part.entry.symbol)
    value = number_of(cell, part.item, ir.Temp(slots[-1]) if part.members is not None else ZERO)
    if part.digits > 1:
        value = ir.Arith("mod", ir.Arith("div_down", value, ir.Const(DIGIT**digit)), ir.Const(DIGIT))
    weighed = ir.Arith("*", ir.TableGet(table, key_offset(keys, [ir.Temp(slot) for slot in slots])), value)
    ranges = [ir.Domain("range", *map(ir.Const, bounds(key))) for key in keys]
    return ir.Fold("sum", tuple(zip(slots, ranges, strict=True)), None, (), weighed) if keys else weighed


def number_of(cell: ir.Expr, t: Type, member: ir.Expr) -> ir.Expr:
    """The number, from 0 on, that stands for an item, or for a member of a set or its place in an ordered zone."""
    if isinstance(t, SetType):
        return ir.InSet(member, cell)
    if isinstance(t, ListType):
        return ir.ListOp("place", (member, cell))
    low = 0 if isinstance(t, MemberType) else bounds(t)[0]
    return linear(-low, [(cell, 1)])
