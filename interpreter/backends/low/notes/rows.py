"""Rows of results: one for all games with the same figures, which are counted. Short games have few different ones.

Games whose chance is asked are compared with others of the same number, so each of them has a row of its own.
"""

from __future__ import annotations

from dsl.program import ASKING
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, scale, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, signed
from interpreter.backends.low.notes.book import COUNTED, ENDED, FIRST, Book

ROWS = "rows"  # global: how many there are
KEEP_ROW, TAKE_ROWS = "keep_row", "take_rows"
"""Functions: count the game with this number, whose figures have been written to `row_to_fill`; the host has read all
rows."""

PLACES = 4  # of the table that finds rows, for each of them
FACTOR = signed(0x9E3779B97F4A7C15)
SHIFT = 40  # to the best mixed bits


def row_to_fill(book: Book) -> Expr:
    """The address of the row behind those that are there."""
    return add(scale(Global(ROWS), book.result), book.results)


def write(lo: Lowering, book: Book) -> None:
    places = PLACES * book.most_results
    table = lo.memory.room(places)
    with lo.function(KEEP_ROW, ("number",)) as w:
        new = w.let(row_to_fill(book))

        def keep() -> None:
            w.store(new, COUNTED, ONE)
            w.store(new, FIRST, Local("number"))
            w.emit(low.SetGlobal(ROWS, add(Global(ROWS), 1)))
            w.give(ZERO)

        w.when(word(ASKING), keep)
        w.set("sum", ZERO)

        def mix(label: str) -> None:
            w.leave_if(Op(">=", Local("k"), Num(book.result)), label)
            part = low.LoadLong(add(new, Local("k")))
            w.set("sum", Op("*", Op("^", Local("sum"), part), Num(FACTOR)))
            w.set("sum", Op("^", Local("sum"), Op(">>u", Local("sum"), Num(32))))
            w.set("k", add(Local("k"), 2))

        w.set("k", Num(ENDED))
        w.loop(mix)
        w.set("place", Op(">>u", Local("sum"), Num(SHIFT)))

        def look(label: str) -> None:
            w.set("place", Op("&", Local("place"), Num(places - 1)))
            row = w.let(low.Load(Local("place"), table))
            w.leave_if(low.Not(row), label)
            w.set("k", Num(ENDED))
            w.loop(lambda inner: compare(inner, row))
            w.set("place", add(Local("place"), 1))

        def compare(inner: str, row: Expr) -> None:
            def same() -> None:
                w.store(row, COUNTED, add(low.Load(row, COUNTED), 1))
                w.give(ZERO)

            w.when(Op(">=", Local("k"), Num(book.result)), same)
            parts = [low.LoadLong(add(base, Local("k"))) for base in (row, new)]
            w.leave_if(Op("!=", *parts), inner)
            w.set("k", add(Local("k"), 2))

        w.loop(look)
        w.store(Local("place"), table, new)
        keep()
    with lo.function(TAKE_ROWS, (), exported=True) as w:
        w.emit(low.SetGlobal(ROWS, ZERO))
        w.emit(low.Clear(Num(table), Num(places)))
        w.give(ZERO)
