"""Timed records in the store: adding one, and dropping those that end.

A record is a line number plus 1 (with a minus: of an order; 0: the mark of a scope), a frame, the number of its values
(of a mark: the causes that were waived around it), and the values.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.program import TIMED, TIMED_LINK, WAIVE
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.make import ZERO, add, both, either, scale, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason

CLOSE, CLOSE_SCOPE, STOP_RECORDS = "close_records", "close_scope", "stop_records"
"""Functions: the records of a frame end; the innermost scope ends; what belongs to frames from one on ends."""

LINE, FRAME_OF, THIRD = range(3)


def size(lo: Lowering) -> int:
    """The words of a record."""
    return TIMED_LINK + lo.program.timed_args


def record(lo: Lowering, n: Expr) -> Expr:
    return lo.w.let(add(scale(n, size(lo)), lo.program.timed_base), "record")


def add_record(lo: Lowering, line: int, frame: Expr, third: Expr, fill: Callable[[Expr], None]) -> None:
    """Add a record; `fill` writes its values at the address that it gets."""
    w = lo.w
    w.trap_if(Op(">=", word(TIMED), Num(lo.program.limits.timed)), Reason.ROOM)
    at = record(lo, word(TIMED))
    for offset, value in ((LINE, Num(line)), (FRAME_OF, frame), (THIRD, third)):
        w.store(at, offset, value)
    fill(at)
    w.count(TIMED)


def add_words(lo: Lowering, line: int, frame: Expr, values: list[Held]) -> None:
    """Add a record with values of one word each."""

    def fill(at: Expr) -> None:
        for k, h in enumerate(values):
            lo.w.store(at, TIMED_LINK + k, Local(h.names[0]))

    add_record(lo, line, frame, Num(len(values)), fill)


def write(lo: Lowering) -> None:
    with lo.function(CLOSE, ("base",)) as w:
        ended = both(Op("==", _frame(Local("at")), Local("base")), Op(">", _line(Local("at")), ZERO))
        _keep(lo, ZERO, low.Not(ended))
        w.give(ZERO)
    _write_close_scope(lo)
    _write_stop(lo)


def _line(at: Expr) -> Expr:
    return low.Load(at, LINE)


def _frame(at: Expr) -> Expr:
    return low.Load(at, FRAME_OF)


def _keep(lo: Lowering, start: Expr, test: Expr, dropped: low.Body = ()) -> None:
    """Keep the records from one on for which a test of the variable `at` holds; `dropped` is done for the others."""
    w = lo.w
    w.set("kept", start)
    w.set("count", word(TIMED))

    def one(n: Expr) -> None:
        w.set("at", record(lo, n))
        to = w.written(lambda: w.emit(low.Copy(record(lo, Local("kept")), Local("at"), Num(size(lo)))))
        w.emit(low.If(test, (*to, low.Set("kept", add(Local("kept"), 1))), dropped))

    w.upto(start, Local("count"), one)
    gone = Op("*", Op("-", Local("count"), Local("kept")), Num(size(lo)))
    w.emit(low.Clear(record(lo, Local("kept")), gone))
    w.put(TIMED, Local("kept"))


def _write_close_scope(lo: Lowering) -> None:
    with lo.function(CLOSE_SCOPE, ()) as w:
        w.set("mark", word(TIMED))

        def back(label: str) -> None:
            w.set("mark", add(Local("mark"), -1))
            w.trap_if(Op("<", Local("mark"), ZERO), Reason.LOST)
            w.leave_if(low.Not(_line(record(lo, Local("mark")))), label)

        w.loop(back)
        w.put(WAIVE, low.Load(record(lo, Local("mark")), THIRD))
        _keep(lo, Local("mark"), Op(">", _line(Local("at")), ZERO))
        w.give(ZERO)


def _write_stop(lo: Lowering) -> None:
    with lo.function(STOP_RECORDS, ("base",)) as w:
        at, base = Local("at"), Local("base")
        own = both(Op("==", _frame(at), base), Op(">", _line(at), ZERO))
        w.set("waived", Num(-1))
        first = both(low.Not(_line(at)), Op("==", Local("waived"), Num(-1)))
        note = low.If(first, (low.Set("waived", low.Load(at, THIRD)),))
        _keep(lo, ZERO, either(Op("<", _frame(at), base), own), (note,))
        w.emit(low.If(Op("!=", Local("waived"), Num(-1)), (low.Store(ZERO, WAIVE, Local("waived")),)))
        w.give(ZERO)
