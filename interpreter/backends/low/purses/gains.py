"""The ways to gain an amount, or the next lower one that is possible; the same as in `interpreter.semantics.purses`."""

from __future__ import annotations

from dsl.base.types import INT_HIGH
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.purses import layout as at
from interpreter.backends.low.purses.layout import OPEN, ROW
from interpreter.backends.low.purses.ways import ADD_WAY, forget
from interpreter.semantics.purses import MAX_PAYMENTS

GAINS, FILL = "gains", "fill_gain"
"""Functions: the ways to gain an amount are found, and counted; and their search from a row on."""


def write(lo: Lowering) -> None:
    _write_gains(lo)
    _write_fill(lo)


def _write_gains(lo: Lowering) -> None:
    with lo.function(GAINS, ("purse", "amount", "limit")) as w:
        w.store(OPEN.at, at.AMOUNT, Local("amount"))
        w.store(OPEN.at, at.LIMIT, Local("limit"))
        forget(lo, OPEN)
        w.set("first", ONE)  # whether all into which pieces may come are used up first

        def look(row: Expr) -> None:
            other = both(low.Not(low.Load(row, at.NEVER_BACK)), low.Not(low.Load(row, at.FIRST)))
            w.emit(low.If(other, (low.Set("first", ZERO),)))
            w.store(row, at.MOVED, ZERO)
            w.store(row, at.START, ZERO)

        OPEN.each(lo, look)

        def prepare(row: Expr) -> None:
            among = both(
                low.Not(low.Load(row, at.NEVER_BACK)), either(Local("first"), low.Not(low.Load(row, at.FIRST)))
            )
            w.store(row, at.OPENS, both(among, Op("<=", low.Load(row, at.WORTH), Local("amount"))))
            w.store(row, at.STOCK, ZERO)

            def share(other: Expr) -> None:
                same = Op("==", low.Load(other, at.TARGET + at.AT), low.Load(row, at.TARGET + at.AT))
                w.emit(low.If(both(low.Load(other, at.TARGET), same), (low.Store(row, at.STOCK, other),)))

            w.when(low.Load(row, at.TARGET), lambda: OPEN.each(lo, share))
            w.store(row, at.LEFT, low.Load(row, at.TARGET + at.HELD))

        OPEN.each(lo, prepare)
        w.store(OPEN.at, at.BEST, ZERO)
        w.call(ADD_WAY, OPEN.at, ONE)
        w.call(FILL, OPEN.at, OPEN.row(lo, ZERO), Local("amount"))
        w.give(OPEN.word(at.FOUND))


def _write_fill(lo: Lowering) -> None:
    row, left = Local("row"), Local("left")
    with lo.function(FILL, ("purse", "row", "left")) as w:
        total = w.let(Op("-", OPEN.word(at.AMOUNT), left))

        def begin_again() -> None:
            w.store(OPEN.at, at.BEST, total)
            forget(lo, OPEN)

        w.when(Op(">", total, OPEN.word(at.BEST)), begin_again)
        end = OPEN.row(lo, OPEN.word(at.SIZE))

        def skip(label: str) -> None:
            w.leave_if(either(Op("==", row, end), low.Load(row, at.OPENS)), label)
            w.set("row", add(row, ROW))

        w.loop(skip)
        w.set("ends", either(low.Not(left), Op("==", row, end)))
        fits = both(both(total, Local("ends")), Op("==", total, OPEN.word(at.BEST)))
        fits = both(fits, Op("<", OPEN.word(at.FOUND), Num(MAX_PAYMENTS)))
        w.when(fits, lambda: w.call(ADD_WAY, OPEN.at, ONE))
        exact = Op("==", OPEN.word(at.BEST), OPEN.word(at.AMOUNT))
        limit = low.Choice(exact, OPEN.word(at.LIMIT), Num(MAX_PAYMENTS))
        stops = either(Local("ends"), Op(">=", OPEN.word(at.FOUND), limit))
        w.emit(low.If(stops, (low.Return(ZERO),)))
        stock, worth = w.let(low.Load(row, at.STOCK)), w.let(low.Load(row, at.WORTH))
        there = w.let(low.Choice(stock, low.Load(low.Choice(stock, stock, row), at.LEFT), Num(INT_HIGH)))
        w.set("n", Op("/", left, worth))
        w.emit(low.If(Op(">", Local("n"), there), (low.Set("n", there),)))

        def one(label: str) -> None:
            w.leave_if(Op("<", Local("n"), ZERO), label)
            w.store(row, at.MOVED, Local("n"))
            w.emit(low.If(stock, (low.Store(stock, at.LEFT, Op("-", there, Local("n"))),)))
            w.call(FILL, OPEN.at, add(row, ROW), Op("-", left, Op("*", Local("n"), worth)))
            w.set("n", add(Local("n"), -1))

        w.loop(one)
        w.store(row, at.MOVED, ZERO)
        w.emit(low.If(stock, (low.Store(stock, at.LEFT, there),)))
        w.give(ZERO)
