"""Loops that may be gone through many times count their passes before they begin.

A loop is counted where, with the loops around it and the calls of its function, it may have more passes in one
instruction than `LIGHT`. What is short in all is not, so that nothing is slower for it.
"""

from __future__ import annotations

from dsl import ir
from interpreter.backends.analysis.constants import Rows
from interpreter.backends.analysis.passes import LIGHT, most_members
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.ranges import range_of


def size_of(fn: Fn, d: ir.Domain) -> int:
    """The most members that a loop over a domain goes through."""
    if isinstance(d.a, Rows):
        rows = d.a.items if d.a.by is None else max(d.a.items, key=len, default=())
        return len(rows)
    found = most_members(fn.ctx.program, d)
    if d.kind == "range" and d.b is not None:
        found = min(found, max(range_of(fn, d.b)[1] - range_of(fn, d.a)[0] + 1, 0))
    return found


def count_passes(fn: Fn, size: int, source: str) -> str:
    """Lines that count a loop over `source`, an iterable with a length, if it may be one of many; gives the text of the
    iterable. `size`: the most members that it has."""
    if fn.passes(size) <= LIGHT:
        return source
    if not source.isidentifier():
        held = fn.fresh()
        fn.line(f"{held} = {source}")
        source = held
    fn.line(f"W[0] -= len({source})")
    fn.line("if W[0] < 0: raise overworked()")
    return source


def count_all(fn: Fn, size: int) -> None:
    """The same for a loop over so many members."""
    if fn.passes(size) > LIGHT:
        fn.line(f"W[0] -= {size}")
        fn.line("if W[0] < 0: raise overworked()")
