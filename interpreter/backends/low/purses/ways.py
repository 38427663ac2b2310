"""The ways of an open purse: adding one that the search has found."""

from __future__ import annotations

from interpreter.backends.low.base.context import HEAP, Lowering
from interpreter.backends.low.base.make import ZERO, add, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.purses import layout as at
from interpreter.backends.low.purses.layout import OPEN, ROW
from interpreter.semantics.purses import MAX_PAYMENTS

ADD_WAY = "add_way"
"""The function that adds the way in `start` and `moved` of the rows; `gains`: what is moved comes in."""


def begin(lo: Lowering, opened: at.PurseAt, keys: int) -> None:
    """Ways are found from here on, each with so many keys."""
    lo.w.store(opened.at, at.WAYS, Global(HEAP))
    lo.w.store(opened.at, at.KEYS, Num(keys))
    words = add(scale(opened.word(at.SIZE), 2), at.COUNTS + 2 * keys)
    lo.w.store(opened.at, at.WAY_WORDS, words)


def forget(lo: Lowering, opened: at.PurseAt) -> None:
    """Those that were found are none."""
    lo.w.store(opened.at, at.FOUND, ZERO)
    lo.w.emit(low.SetGlobal(HEAP, opened.word(at.WAYS)))


def is_full(opened: at.PurseAt) -> Expr:
    """Whether as many are found as are looked for."""
    return Op(">=", opened.word(at.FOUND), opened.word(at.LIMIT))


def way(lo: Lowering, opened: at.PurseAt, n: Expr) -> Expr:
    """The address of a way."""
    return lo.w.let(add(opened.word(at.WAYS), Op("*", n, opened.word(at.WAY_WORDS))), "way")


def most(limit: int) -> int:
    """How many ways are looked for at most; 0: all that are compared."""
    return limit or MAX_PAYMENTS


def write(lo: Lowering) -> None:
    with lo.function(ADD_WAY, ("purse", "gains")) as w:
        new = lo.take(OPEN.word(at.WAY_WORDS))
        w.set("sum", ZERO)

        def one(n: Expr) -> None:
            row = w.let(add(add(OPEN.at, scale(n, ROW)), at.HEAD), "row")
            moved = w.let(low.Load(row, at.MOVED))
            out = w.let(low.Choice(Op(">", moved, ZERO), moved, ZERO))
            back = w.let(Op("-", out, moved))
            back = w.let(low.Choice(Local("gains"), moved, back))
            spent = low.Choice(Local("gains"), ZERO, add(low.Load(row, at.START), out))
            w.store(OPEN.spent(new, n), 0, spent)
            w.store(OPEN.back(new, n), 0, back)
            w.set("sum", add(Local("sum"), back))

        w.upto(ZERO, OPEN.word(at.SIZE), one)
        w.store(new, at.BACK_SUM, low.Choice(Local("gains"), ZERO, Local("sum")))
        w.store(OPEN.at, at.FOUND, add(OPEN.word(at.FOUND), 1))
        w.give(ZERO)
