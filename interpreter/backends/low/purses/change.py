"""The payments of an amount that pay so much too much, depth first: those of `interpreter.core.change` in its order.

First the sources marked `first` give what they can without overpaying, each exact number of their pieces in turn. Then
the others are gone through, the greatest worth first; pieces may be spent, and others come back.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.base.types import INT_HIGH
from interpreter.backends.low.base.context import HEAP, Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, LoadLong, Local, Num, Op, Reason
from interpreter.backends.low.purses import layout as at
from interpreter.backends.low.purses.layout import OPEN, ROW
from interpreter.backends.low.purses.ways import ADD_WAY, forget, is_full

PAYMENTS = "payments"
"""The function that finds the payments, and gives how many there are. `over`: the overpayment; `prefer`: sources marked
`first` give as much as they can; `limit`: how many are looked for."""

GREATEST, EXACT, WITH_START, FILL, IS_WAY, FLOOR = (
    "greatest_sum", "exact_counts", "payments_after", "fill_payment", "is_payment", "floor_division",
)  # fmt: skip
"""Functions: the greatest sum of the sources that are preferred, the exact counts of them from a row on, what follows
after one of these, the search from a row on, whether its end is a payment, and a division."""

MOST_SUM = 4096  # of several sources that are preferred


def write(lo: Lowering) -> None:
    _write_floor(lo)
    _write_payments(lo)
    _write_greatest(lo)
    _write_exact(lo)
    _write_with_start(lo)
    _write_fill(lo)
    _write_is_way(lo)


def _write_floor(lo: Lowering) -> None:
    """A division that rounds down; the divisor is above 0."""
    with lo.function(FLOOR, ("a", "b")) as w:
        quotient = w.let(Op("/", Local("a"), Local("b")))
        w.give(Op("-", quotient, Op(">", Op("*", quotient, Local("b")), Local("a"))))


# ------------------------------------------------------------ what is known before the search


def _write_payments(lo: Lowering) -> None:
    with lo.function(PAYMENTS, ("purse", "amount", "over", "prefer", "limit")) as w:
        for offset, name in ((at.AMOUNT, "amount"), (at.OVER, "over"), (at.LIMIT, "limit")):
            w.store(OPEN.at, offset, Local(name))
        forget(lo, OPEN)
        w.set("only_first", ONE)
        w.set("preferred", ZERO)

        def count(row: Expr) -> None:
            other = both(low.Load(row, at.TAKES_CHANGE), low.Not(low.Load(row, at.FIRST)))
            w.emit(low.If(other, (low.Set("only_first", ZERO),)))
            w.store(row, at.START, ZERO)
            w.store(row, at.MOVED, ZERO)

        def look(row: Expr) -> None:
            first = w.let(low.Load(row, at.FIRST))
            preferred = w.let(both(first, Local("prefer")))
            w.set("preferred", add(Local("preferred"), preferred))
            w.store(row, at.SPENDS, low.Choice(preferred, ZERO, low.Load(row, at.SOURCE + at.HELD)))
            opens = both(low.Load(row, at.TAKES_CHANGE), either(Local("only_first"), low.Not(first)))
            w.store(row, at.OPENS, opens)

        OPEN.each(lo, count)
        OPEN.each(lo, look)
        _order(lo)
        _sum_up(lo)
        w.set("sum", ZERO)
        w.emit(low.If(Local("preferred"), (low.Set("sum", low.Call(GREATEST, (OPEN.at, Local("preferred")))),)))
        w.call(EXACT, OPEN.at, OPEN.row(lo, ZERO), Local("sum"), Local("prefer"))
        w.give(OPEN.word(at.FOUND))


def _order(lo: Lowering) -> None:
    """Note the rows in the order of their worth, the greatest first; equal ones stay as they are."""
    w = lo.w

    def insert(n: Expr) -> None:
        own = OPEN.row(lo, n)
        worth = w.let(low.Load(own, at.WORTH))
        w.set("place", own)

        def shift(label: str) -> None:
            w.leave_if(Op("==", Local("place"), OPEN.row(lo, ZERO)), label)
            before = w.let(low.Load(add(Local("place"), -ROW), at.ORDER))
            w.leave_if(Op(">=", low.Load(before, at.WORTH), worth), label)
            w.store(Local("place"), at.ORDER, before)
            w.set("place", add(Local("place"), -ROW))

        w.loop(shift)
        w.store(Local("place"), at.ORDER, own)

    w.upto(ZERO, OPEN.word(at.SIZE), insert)


def _sum_up(lo: Lowering) -> None:
    """From the last row in that order to the first: what those from here on can still give, how many pieces of it can
    come back, what the later ones of the same worth can give, and whether change can come into one from here on."""
    w = lo.w
    w.set("k", OPEN.word(at.SIZE))

    def one(label: str) -> None:
        w.leave_if(low.Not(Local("k")), label)
        w.set("k", add(Local("k"), -1))
        place = OPEN.row(lo, Local("k"))
        after, own = w.let(add(place, ROW)), w.let(low.Load(place, at.ORDER))
        worth, spends = w.let(low.Load(own, at.WORTH)), w.let(low.Load(own, at.SPENDS))
        whole = w.let(Op("*", worth, spends))
        pieces = Op("*", spends, low.Load(own, at.REFILLS))
        w.emit(low.StoreLong(place, at.WORTH_SUM, Op("+", LoadLong(after, at.WORTH_SUM), whole)))
        w.emit(low.StoreLong(place, at.PIECES, Op("+", LoadLong(after, at.PIECES), pieces)))
        w.store(place, at.RETURNS, either(low.Load(after, at.RETURNS), low.Load(own, at.OPENS)))
        w.set("level", ZERO)

        def same_worth() -> None:
            other = w.let(low.Load(after, at.ORDER))
            more = Op("*", worth, low.Load(other, at.SPENDS))
            more = Op("+", LoadLong(after, at.LEVEL), more)
            w.when(Op("==", low.Load(other, at.WORTH), worth), lambda: w.set("level", more))

        w.when(Op("<", add(Local("k"), 1), OPEN.word(at.SIZE)), same_worth)
        w.emit(low.StoreLong(place, at.LEVEL, Local("level")))

    w.loop(one)


def _write_greatest(lo: Lowering) -> None:
    """The greatest worth up to the amount that the sources marked `first` can give; `count`: how many of these there
    are."""
    with lo.function(GREATEST, ("purse", "count")) as w:
        amount = w.let(OPEN.word(at.AMOUNT))

        def most_of(row: Expr) -> Expr:
            fits, held = w.let(Op("/", amount, low.Load(row, at.WORTH))), low.Load(row, at.SOURCE + at.HELD)
            return w.let(low.Choice(Op("<", held, fits), held, fits))

        def alone(row: Expr) -> None:
            w.when(low.Load(row, at.FIRST), lambda: w.give(Op("*", most_of(row), low.Load(row, at.WORTH))))

        w.when(Op("==", Local("count"), ONE), lambda: OPEN.each(lo, alone))
        w.trap_if(Op(">", amount, Num(MOST_SUM)), Reason.ROOM)
        w.set("mark", low.Global(HEAP))
        sums = lo.take(add(amount, 1))
        w.emit(low.Clear(sums, add(amount, 1)))
        w.store(sums, 0, ONE)

        def of_source(row: Expr) -> None:
            worth = w.let(low.Load(row, at.WORTH))

            def once_more(n: Expr) -> None:
                w.set("sum", amount)

                def one(label: str) -> None:
                    w.leave_if(Op("<", Local("sum"), worth), label)
                    before = low.Load(add(sums, Op("-", Local("sum"), worth)))
                    w.emit(low.If(before, (low.Store(add(sums, Local("sum")), 0, ONE),)))
                    w.set("sum", add(Local("sum"), -1))

                w.loop(one)

            w.when(low.Load(row, at.FIRST), lambda: w.upto(ZERO, most_of(row), once_more))

        OPEN.each(lo, of_source)
        w.set("sum", amount)

        def down(label: str) -> None:
            w.leave_if(low.Load(add(sums, Local("sum"))), label)
            w.set("sum", add(Local("sum"), -1))

        w.loop(down)
        w.emit(low.SetGlobal(HEAP, Local("mark")))
        w.give(Local("sum"))


# ------------------------------------------------------------ the search


def _write_exact(lo: Lowering) -> None:
    row, left = Local("row"), Local("left")
    with lo.function(EXACT, ("purse", "row", "left", "prefer")) as w:
        w.when(low.Not(left), lambda: w.give(low.Call(WITH_START, (OPEN.at,))))
        end = OPEN.row(lo, OPEN.word(at.SIZE))

        def skip(label: str) -> None:
            w.leave_if(either(Op("==", row, end), both(Local("prefer"), low.Load(row, at.FIRST))), label)
            w.set("row", add(row, ROW))

        w.loop(skip)
        w.emit(low.If(Op("==", row, end), (low.Return(ZERO),)))
        worth, held = w.let(low.Load(row, at.WORTH)), w.let(low.Load(row, at.SOURCE + at.HELD))
        w.set("n", Op("/", left, worth))
        w.emit(low.If(Op(">", Local("n"), held), (low.Set("n", held),)))

        def one(label: str) -> None:
            w.leave_if(either(Op("<", Local("n"), ZERO), is_full(OPEN)), label)
            w.store(row, at.START, Local("n"))
            w.call(EXACT, OPEN.at, add(row, ROW), Op("-", left, Op("*", Local("n"), worth)), Local("prefer"))
            w.set("n", add(Local("n"), -1))

        w.loop(one)
        w.store(row, at.START, ZERO)
        w.give(ZERO)


def _write_with_start(lo: Lowering) -> None:
    """The payments after the sources marked `first` have given what stands at `start`."""
    with lo.function(WITH_START, ("purse",)) as w:
        w.set("need", OPEN.word(at.AMOUNT))
        w.set("free", OPEN.word(at.CHANGE + at.HELD))

        def take(row: Expr) -> None:
            n = w.let(low.Load(row, at.START))
            w.set("need", Op("-", Local("need"), Op("*", low.Load(row, at.WORTH), n)))
            w.set("free", Op("+", Local("free"), Op("*", low.Load(row, at.REFILLS), n)))

        OPEN.each(lo, take)

        def all_is_given() -> None:
            found = both(low.Not(OPEN.word(at.OVER)), low.Call(IS_WAY, (OPEN.at,)))
            w.when(found, lambda: w.call(ADD_WAY, OPEN.at, ZERO))
            w.give(ZERO)

        w.when(low.Not(Local("need")), all_is_given)
        w.emit(low.StoreLong(OPEN.at, at.NEED, Op("+", Local("need"), OPEN.word(at.OVER))))
        w.call(FILL, OPEN.at, OPEN.row(lo, ZERO), ZERO, Local("free"))
        w.give(ZERO)


def _write_fill(lo: Lowering) -> None:
    """`place`: the row that says which source comes next; `gone`: the worth that has left those before it; `free`: the
    pieces that can come back."""
    place, gone, free = Local("place"), Local("gone"), Local("free")
    with lo.function(FILL, ("purse", "place", "gone", "free")) as w:
        need = w.let(LoadLong(OPEN.at, at.NEED))
        short = Op("<", Op("+", gone, LoadLong(place, at.WORTH_SUM)), need)
        w.emit(low.If(short, (low.Return(ZERO),)))
        short = Op("<", Op("+", free, LoadLong(place, at.PIECES)), ZERO)
        w.emit(low.If(either(short, is_full(OPEN)), (low.Return(ZERO),)))
        last = OPEN.row(lo, add(OPEN.word(at.SIZE), -1))

        def is_over() -> None:
            found = both(Op("==", gone, need), low.Call(IS_WAY, (OPEN.at,)))
            w.when(found, lambda: w.call(ADD_WAY, OPEN.at, ZERO))
            w.give(ZERO)

        w.when(Op(">", place, last), is_over)
        row = w.let(low.Load(place, at.ORDER))
        worth = w.let(low.Load(row, at.WORTH))
        fits = w.let(low.Call(FLOOR, (Op("-", need, gone), worth)))
        w.set("highest", low.Load(row, at.SPENDS))
        bounded = both(low.Not(low.Load(add(place, ROW), at.RETURNS)), Op("<", fits, Local("highest")))
        w.emit(low.If(bounded, (low.Set("highest", fits),)))
        level = low.Call(FLOOR, (Op("+", gone, LoadLong(place, at.LEVEL)), worth))
        w.set("lowest", Op("-", ZERO, level))
        closed = both(low.Not(low.Load(row, at.OPENS)), Op("<", Local("lowest"), ZERO))
        w.emit(low.If(closed, (low.Set("lowest", ZERO),)))
        w.trap_if(Op("<", Local("lowest"), Num(-INT_HIGH)), Reason.RANGE)

        def only_one() -> None:
            divides = Op("==", Op("*", fits, worth), Op("-", need, gone))
            exact = both(divides, Op("==", Local("highest"), fits))
            w.emit(low.If(low.Not(exact), (low.Return(ZERO),)))
            w.emit(low.If(Op("<", Local("lowest"), fits), (low.Set("lowest", fits),)))

        w.when(Op("==", place, last), only_one)
        refills = w.let(low.Load(row, at.REFILLS))
        w.set("n", Local("highest"))
        _down(lo, lambda: _step(lo, row, worth, refills))
        w.store(row, at.MOVED, ZERO)
        w.give(ZERO)


def _down(lo: Lowering, work: Callable[[], None]) -> None:
    w = lo.w

    def one(label: str) -> None:
        w.leave_if(either(Op("<", Local("n"), Local("lowest")), is_full(OPEN)), label)
        work()
        w.set("n", add(Local("n"), -1))

    w.loop(one)


def _step(lo: Lowering, row: Expr, worth: Expr, refills: Expr) -> None:
    w, n = lo.w, Local("n")
    w.store(row, at.MOVED, n)
    free = Op("+", Local("free"), low.Choice(Op(">", n, ZERO), Op("*", n, refills), n))
    w.call(FILL, OPEN.at, add(Local("place"), ROW), Op("+", Local("gone"), Op("*", n, worth)), free)


def _write_is_way(lo: Lowering) -> None:
    """Whether no piece is given needlessly, and no sources with one counter give more than their limit."""
    with lo.function(IS_WAY, ("purse",)) as w:
        over = w.let(OPEN.word(at.OVER))

        def needed(row: Expr) -> None:
            needless = both(Op(">", low.Load(row, at.MOVED), ZERO), Op("<=", low.Load(row, at.WORTH), over))
            w.emit(low.If(needless, (low.Return(ZERO),)))

        w.when(over, lambda: OPEN.each(lo, needed))

        def limited(row: Expr) -> None:
            def compare() -> None:
                w.set("sum", ZERO)
                w.set("most", ZERO)

                def other(row2: Expr) -> None:
                    def count() -> None:
                        w.set("sum", add(Local("sum"), _spent(lo, row2)))
                        most = w.let(low.Load(row2, at.MOST))
                        w.emit(low.If(Op(">", most, Local("most")), (low.Set("most", most),)))

                    w.when(Op("==", low.Load(row2, at.GROUP), low.Load(row, at.GROUP)), count)

                OPEN.each(lo, other)
                exceeds = both(Local("sum"), Op(">", Local("sum"), Local("most")))
                w.emit(low.If(exceeds, (low.Return(ZERO),)))

            w.when(low.Load(row, at.GROUP), compare)

        OPEN.each(lo, limited)
        w.give(ONE)


def _spent(lo: Lowering, row: Expr) -> Expr:
    """The pieces that a source gives."""
    moved = lo.w.let(low.Load(row, at.MOVED))
    return add(low.Load(row, at.START), low.Choice(Op(">", moved, ZERO), moved, ZERO))
