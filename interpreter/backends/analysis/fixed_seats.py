"""What is certain before any game begins, put into a program: a number of seats that is always the same.

Takes a program and gives one that means the same in every game that can be played with it; all generating back ends
may use it. `with_words` does the same for one game, whose options are known. What else follows from a known number is
found where code is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from dsl import ir
from dsl.program import SEATS, Program


def with_fixed_seats(program: Program) -> Program:
    least, most = program.seats
    if least != most:
        return program
    return with_words(program, {SEATS: most})


def with_words(program: Program, words: Mapping[int, int]) -> Program:
    """A program in which the values of some words stand for these words; nothing may write them."""
    values = {at: ir.Const(value) for at, value in words.items()}
    return replace(
        program,
        functions=put(program.functions, values),
        procs=put(program.procs, values),
        code=put(program.code, values),
        sites=put(program.sites, values),
    )


def put(node: Any, values: Mapping[int, ir.Const]) -> Any:
    """A tree in which numbers stand for the words that hold them; parts that do not change are kept."""
    if isinstance(node, ir.Cell) and isinstance(node.address, ir.Const) and node.address.value in values:
        return values[node.address.value]
    if type(node) is tuple:
        items = tuple([put(item, values) for item in node])
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if ir.is_node(node):
        found = {f.name: getattr(node, f.name) for f in fields(node)}
        changed = {name: new for name, old in found.items() if (new := put(old, values)) is not old}
        return known(replace(node, **changed)) if changed else node
    return node


def known(node: Any) -> Any:
    """A range of members whose ends are known is a set that is known."""
    match node:
        case ir.RangeSet(ir.Const(int() as low), ir.Const(int() as high)) if 0 <= low <= high:
            return ir.Const((2 << high) - (1 << low))
    return node
