"""What is certain before any game begins, put into a program: a number of seats that is always the same.

Takes a program and gives one that means the same in every game that can be played with it; all generating back ends
may use it. What else follows from a known number is found where code is written.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from dsl import ir
from dsl.program import SEATS, Program


def certain(program: Program) -> Program:
    least, most = program.seats
    if least != most:
        return program
    seats = ir.Const(most)
    return replace(
        program,
        functions=put(program.functions, seats),
        procs=put(program.procs, seats),
        code=put(program.code, seats),
        sites=put(program.sites, seats),
    )


def put(node: Any, seats: ir.Const) -> Any:
    """A tree in which the number of seats stands for the word that holds it; parts that do not change are kept."""
    if isinstance(node, ir.Cell) and node.address == ir.Const(SEATS):
        return seats
    if type(node) is tuple:
        items = tuple([put(item, seats) for item in node])
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if is_dataclass(node) and type(node).__module__.startswith(ir.__name__):
        found = {f.name: getattr(node, f.name) for f in fields(node)}
        changed = {name: new for name, old in found.items() if (new := put(old, seats)) is not old}
        return known(replace(node, **changed)) if changed else node  # type: ignore[type-var]
    return node


def known(node: Any) -> Any:
    """A range of members whose ends are known is a set that is known."""
    match node:
        case ir.RangeSet(ir.Const(int() as low), ir.Const(int() as high)) if 0 <= low <= high:
            return ir.Const((2 << high) - (1 << low))
    return node
