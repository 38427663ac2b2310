"""The answers of a game that is one function: where each counts in the totals, until the game is over.

What `trace` reads of rows is known here where a question is written, but for the alternative and its values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dsl import ir
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.notes.book import TRACE_WORDS, Book
from interpreter.backends.low.notes.trace import COUNT_TRACE, TRACE


def note_answer(
    lo: Lowering, book: Book, number: int, site: ir.Site, chosen: Expr, value: Callable[[int], Expr]
) -> None:
    """Note an answer to the question with this number: which alternative is `chosen` (behind the last one: to decline),
    and what its values are. Gives up where the game is too long."""
    w, end = lo.w, lo.w.let(Global(TRACE))
    most = 2 + max((len(a.binders) for a in site.alternatives), default=0)
    w.trap_if(Op(">", end, Num(book.trace + TRACE_WORDS - most)), Reason.ROOM)
    w.emit(low.SetGlobal(TRACE, add(end, 2)))
    first = book.answers[number]
    w.store(end, 0, Num(first))
    w.store(end, 1, Op("+", chosen, Num(first + 1)))
    if site.decline or site.if_any:
        w.when(Op("==", chosen, Num(len(site.alternatives))), lambda: w.emit(low.SetGlobal(TRACE, add(end, 1))))
    for own, k, j, at, lowest, size in book.named:
        if own == number:
            card = w.let(Op("-", value(j), Num(lowest)))
            mine = low.Both(Op("==", chosen, Num(k)), Op(">u", Num(size), card))
            w.when(mine, partial(_note, lo, add(card, at)))


def _note(lo: Lowering, place: Expr) -> None:
    end = lo.w.let(Global(TRACE))
    lo.w.store(end, 0, place)
    lo.w.emit(low.SetGlobal(TRACE, add(end, 1)))


def write(lo: Lowering, book: Book) -> None:
    """Write `COUNT_TRACE` for games that are over."""
    with lo.function(COUNT_TRACE, ("whole",)) as w:
        w.set("at", Num(book.trace))

        def one(label: str) -> None:
            w.leave_if(Op(">=", Local("at"), Global(TRACE)), label)
            place = w.let(low.Load(Local("at")))
            w.store(place, book.totals, Op("+", low.Load(place, book.totals), ONE))
            w.set("at", add(Local("at"), 1))

        w.loop(one)
        w.give(ZERO)
