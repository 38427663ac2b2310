"""Constants put for words of the store that never change: a number of seats that is the same in all games.

Takes a program and gives one that means the same in every game that can be played with it; all generating back ends
may use it. `with_words` does the same for one game, whose options are known. What follows from a known number is found
where code is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from dsl import ir
from dsl.program import HEADER, RNG, RV, SCRIPT, SEATS, Program
from interpreter.core.words import Words


def with_words(program: Program, words: Mapping[int, int]) -> Program:
    """A program in which constants stand for the words at these addresses, which nothing may write."""
    values = {at: ir.Const(value) for at, value in words.items()}
    return replace(
        program,
        functions=substitute(program.functions, values),
        procs=substitute(program.procs, values),
        code=substitute(program.code, values),
        sites=substitute(program.sites, values),
    )


def for_game(program: Program, begun: Words) -> Program:
    """The program for the games that begin with a store: with their options and their number of seats as constants."""
    return with_words(program, {at: begun[at] for at in (SEATS, *(o.address for o in program.options))})


def game_key(program: Program, begun: Words) -> tuple[int, ...]:
    """A key that is the same in all games that begin at the same place, with the same options: the words of the header
    that lie still, the options, and the frames."""
    head = begun[:RNG] + begun[SCRIPT + 1 : HEADER]
    head[RV] = 0
    options = [begun[o.address] for o in program.options]
    return (*head, *options, *begun[program.state_words :])


def substitute(node: Any, values: Mapping[int, ir.Const]) -> Any:
    """A tree in which constants stand for words; parts that do not change are shared with the old one."""
    if isinstance(node, ir.Cell) and isinstance(node.address, ir.Const) and node.address.value in values:
        return values[node.address.value]
    if type(node) is tuple:
        items = tuple([substitute(item, values) for item in node])
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if ir.is_node(node):
        found = {f.name: getattr(node, f.name) for f in fields(node)}
        changed = {name: new for name, old in found.items() if (new := substitute(old, values)) is not old}
        return simplified(replace(node, **changed)) if changed else node
    return node


def simplified(node: Any) -> Any:
    """A constant set for a range of members whose ends are constants."""
    match node:
        case ir.RangeSet(ir.Const(int() as low), ir.Const(int() as high)) if 0 <= low <= high:
            return ir.Const((2 << high) - (1 << low))
    return node
