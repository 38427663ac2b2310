"""The trace of a game: its answers, one row each, which are counted into the totals when the game is over."""

from __future__ import annotations

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.exported import DECLINE, NUMBER, PICK, READY, VALUES
from interpreter.backends.low.base.make import ZERO, add, both, either
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.notes.book import ROW_MOMENT, ROW_OPTION, ROW_SITE, TRACE_WORDS, Book

TRACE = "trace_end"  # global: the end of the trace
COUNT_TRACE = "count_trace"
"""Function: count the answers of the game; `whole`: the game has ended, and the cards that were named count too."""


def add_row(lo: Lowering, book: Book, site: Expr, moment: Expr, row: Expr) -> None:
    """Add an answer; gives up where the game is too long."""
    w = lo.w
    end = w.let(Global(TRACE))
    w.trap_if(Op(">", add(end, book.row), Num(book.trace + TRACE_WORDS)), Reason.ROOM)
    w.store(end, ROW_SITE, site)
    w.store(end, ROW_MOMENT, moment)
    w.emit(low.Copy(add(end, ROW_OPTION), row, Num(lo.memory.stride)))
    w.emit(low.SetGlobal(TRACE, add(end, book.row)))


def write(lo: Lowering, book: Book) -> None:
    program = lo.program
    firsts = lo.memory.words(book.answers)
    named: dict[tuple[int, int], list[tuple[int, int, int, int]]] = {}
    for site, k, j, at, lowest, size in book.named:
        named.setdefault((site, k), []).append((j, at, lowest, size))
    alternatives = {n: book.answers[n] + 1 for n in range(len(program.sites))}
    keys = {alternatives[site] + k: rows for (site, k), rows in named.items()}
    lists: list[int] = []
    where = [0] * (max(book.answers, default=0) + 2 + max((len(s.alternatives) for s in program.sites), default=0))
    for key, rows in keys.items():
        where[key] = len(lists) + 1
        lists += [len(rows), *(part for row in rows for part in row)]
    heads, tails = lo.memory.words(where), lo.memory.words(lists or [0])
    with lo.function(COUNT_TRACE, ("whole",)) as w:
        w.set("at", Num(book.trace))

        def count(place: Expr) -> None:
            w.store(place, book.totals, add(low.Load(place, book.totals), 1))

        def cards(key: Expr, row: Expr) -> None:
            head = w.let(low.Load(key, heads))

            def look() -> None:
                first = w.let(add(head, tails - 1))

                def one(n: Expr) -> None:
                    part = w.let(add(Op("*", n, Num(4)), first))
                    value = w.let(low.Load(add(row, low.Load(part, 1)), VALUES))
                    number = w.let(Op("-", value, low.Load(part, 3)))
                    w.when(Op(">u", low.Load(part, 4), number), lambda: count(w.let(add(number, low.Load(part, 2)))))

                w.upto(ZERO, low.Load(first), one)

            w.when(both(Local("whole"), head), look)

        def answer(label: str) -> None:
            w.leave_if(Op(">=", Local("at"), Global(TRACE)), label)
            first = w.let(low.Load(low.Load(Local("at"), ROW_SITE), firsts))
            count(first)
            row = w.let(add(Local("at"), ROW_OPTION))
            kind = w.let(low.Load(row))

            def alternative() -> None:
                single = either(Op("==", kind, Num(PICK)), Op("==", kind, Num(NUMBER)))
                key = w.let(add(first, low.Choice(single, low.Load(row, 1), Num(1))))
                count(key)
                cards(key, row)

            w.when(both(Op("!=", kind, Num(DECLINE)), Op("!=", kind, Num(READY))), alternative)
            w.set("at", add(Local("at"), book.row))

        w.loop(answer)
        w.give(ZERO)
