"""Expectations of a hand-over in a ruling: `handed(points): p1 21, p2 17` states all rows of a fact.

Takes a row of `expect` and gives an expectation with the numbers of its members; which rows there are is compared in
play, with the values.
"""

from __future__ import annotations

from typing import Any

from dsl import ir
from dsl.base.types import BOOL, ListType, SetType, Type, with_own_keys
from dsl.elaborate.context import Elaboration
from dsl.syntax import nodes as sx

HANDED = "handed"


def fact_named(elab: Elaboration, key: sx.Expr) -> sx.Name | None:
    """The fact that the key of a row names as `handed(FACT)`; None for any other key."""
    match key:
        case sx.Call(sx.Name(id), (sx.Arg(sx.Name() as fact, None),)) if id == HANDED and id not in elab.model.values:
            return fact
    return None


def expect_fact(elab: Elaboration, row: sx.Row, name: sx.Name, text: str, expect: list[ir.Expectation]) -> None:
    """A row about a fact: the key of each of its rows, then its value; a fact without keys has one value."""
    m = elab.model
    if name.id not in m.facts:
        m.unknown("RW0914", name.span, "fact that is handed on", name.id, list(m.facts))
        return
    value, _ = m.facts[name.id]
    keys, t = with_own_keys([t for _, t in value.params], value.result)
    found: list[tuple[tuple[int, ...], Any]] = []
    if not keys:
        only = elab.constants.cells(row.cells, t, row.span)
        if only is None:
            return
        found.append(((), only))
    for cell in row.cells if keys and row.cells != ((sx.Name("none"),),) else ():
        said = read_row(elab, cell, keys, t)
        if said is None:
            return
        found.append(said)
    expect.append(ir.Expectation(HANDED, text, items=tuple(found), type=t, who=name.id, span=row.span))


def read_row(
    elab: Elaboration, cell: tuple[sx.Expr, ...], keys: list[Type], t: Type
) -> tuple[tuple[int, ...], Any] | None:
    """The keys and the value of one row; None after a message. What is true needs no `true`."""
    if len(cell) == len(keys) and t == BOOL:
        cell = (*cell, sx.Name("true", span=cell[-1].span))
    if len(cell) != len(keys) + 1:
        span = cell[0].span.to(cell[-1].span)
        wanted = " ".join(map(str, (*keys, t)))
        message = f"`{elab.model.text(span)}` is no row of this fact: `{wanted}` is needed"
        elab.model.error("RW0914", span, message, "write its key, then its value; a list stands in braces")
        return None
    known = [elab.constants.single_value(part, key) for part, key in zip(cell, keys, strict=False)]
    value = read_value(elab, cell[-1], t)
    return None if value is None or None in known else (tuple(k for k in known if k is not None), value)


def read_value(elab: Elaboration, e: sx.Expr, t: Type) -> Any:
    """A value that stands in one place: a set or list in braces."""
    if not isinstance(t, (SetType, ListType)):
        return elab.constants.single_value(e, t)
    if not isinstance(e, sx.SetLit):
        message = f"`{elab.model.text(e.span)}` is no `{t}`"
        elab.model.error("RW0914", e.span, message, "write its items in braces: `{a, b}`, or `{}`")
        return None
    items = [read_value(elab, item, t.elem) for item in e.items]
    if None in items:
        return None
    return tuple(items) if isinstance(t, ListType) else sum({1 << item for item in items})
