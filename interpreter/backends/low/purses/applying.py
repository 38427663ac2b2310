"""A way carried out in the store, what it changes put aside and put back, and the way that is the best so far."""

from __future__ import annotations

from dsl.base.types import INT_HIGH, MOST_PIECES
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, both
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, LoadLong, Local, Num, Op, Reason
from interpreter.backends.low.purses import layout as at
from interpreter.backends.low.purses.layout import OPEN
from interpreter.backends.low.purses.ways import way

APPLY, CHANGE_END, SAVE, RESTORE, BEFORE, CHOOSE = (
    "apply_way", "change_end", "save_ends", "restore_ends", "is_way_before", "choose_way",
)  # fmt: skip
"""Functions: carry out a way; add pieces to an end; put the words that a payment may change aside in the rows, and put
them back; whether one way comes before another; and the address of the way with a number, the default is 1."""

SAVED = (at.SOURCE + at.AT, at.TARGET + at.AT, at.COUNTER)  # columns of the addresses of words that may change


def write(lo: Lowering) -> None:
    _write_change_end(lo)
    _write_apply(lo)
    _write_saving(lo)
    _write_before(lo)
    _write_choose(lo)


def _write_change_end(lo: Lowering) -> None:
    """Add pieces to an end, or take some away if `by` is below 0."""
    end, by = Local("end"), Local("by")
    with lo.function(CHANGE_END, ("end", "by")) as w:
        sort, place = w.let(low.Load(end, at.SORT)), w.let(low.Load(end, at.AT))

        def count() -> None:
            new = w.let(Op("+", low.Load(place), by))
            w.trap_if(Op(">", new, Num(MOST_PIECES)), Reason.RANGE)
            w.trap_if(Op("<", new, Num(-INT_HIGH)), Reason.RANGE)
            w.store(place, 0, new)

        w.when(both(by, Op("==", sort, Num(at.COUNT))), count)
        code = low.Choice(Op(">", by, ZERO), low.Load(end, at.CODE), ZERO)
        w.when(both(by, Op("==", sort, Num(at.SLOT))), lambda: w.store(place, 0, code))
        w.give(ZERO)


def _write_apply(lo: Lowering) -> None:
    way_at = Local("way")
    with lo.function(APPLY, ("purse", "way", "gains")) as w:

        def one(n: Expr) -> None:
            row = OPEN.row(lo, n)
            source, target = add(row, at.SOURCE), add(row, at.TARGET)
            spent, back = w.let(low.Load(OPEN.spent(way_at, n))), w.let(low.Load(OPEN.back(way_at, n)))

            def spend() -> None:
                w.call(CHANGE_END, source, Op("-", ZERO, spent))
                w.call(CHANGE_END, target, spent)

            def bring_back() -> None:
                origin = low.Choice(Local("gains"), target, add(OPEN.at, at.CHANGE))
                w.call(CHANGE_END, source, back)
                w.call(CHANGE_END, origin, Op("-", ZERO, back))

            w.when(spent, spend)
            w.when(back, bring_back)
            counter = w.let(low.Load(row, at.COUNTER))

            def count() -> None:
                w.store(counter, 0, add(low.Load(counter), spent))

            w.when(both(counter, Op(">", spent, ZERO)), count)

        w.upto(ZERO, OPEN.word(at.SIZE), one)
        w.give(ZERO)


def _write_saving(lo: Lowering) -> None:
    change = at.CHANGE + at.AT
    with lo.function(SAVE, ("purse",)) as w:

        def save(row: Expr) -> None:
            for k, offset in enumerate(SAVED):
                w.store(row, at.SAVED + k, low.Load(low.Load(row, offset)))

        OPEN.each(lo, save)
        w.store(OPEN.at, at.CHANGE_SAVED, low.Load(OPEN.word(change)))
        w.give(ZERO)
    with lo.function(RESTORE, ("purse",)) as w:

        def restore(row: Expr) -> None:
            for k, offset in enumerate(SAVED):
                place = w.let(low.Load(row, offset))
                w.emit(low.If(place, (low.Store(place, 0, low.Load(row, at.SAVED + k)),)))

        OPEN.each(lo, restore)
        place = w.let(OPEN.word(change))
        w.emit(low.If(place, (low.Store(place, 0, OPEN.word(at.CHANGE_SAVED)),)))
        w.give(ZERO)


# ------------------------------------------------------------ the order of the ways


def _write_before(lo: Lowering) -> None:
    """Whether one way comes before another: by its keys, the smallest first, then with the least change, then with the
    most of the first sources, then as they were found."""
    a, b = Local("a"), Local("b")
    with lo.function(BEFORE, ("purse", "a", "b")) as w:

        def by_key(n: Expr) -> None:
            mine, other = (w.let(LoadLong(add(OPEN.keys(e), Op("<<", n, ONE)))) for e in (a, b))
            w.emit(low.If(Op("!=", mine, other), (low.Return(Op("<", mine, other)),)))

        w.upto(ZERO, OPEN.word(at.KEYS), by_key)
        mine, other = w.let(low.Load(a, at.BACK_SUM)), w.let(low.Load(b, at.BACK_SUM))
        w.emit(low.If(Op("!=", mine, other), (low.Return(Op("<", mine, other)),)))

        def by_source(n: Expr) -> None:
            mine, other = (w.let(low.Load(OPEN.spent(e, n))) for e in (a, b))
            w.emit(low.If(Op("!=", mine, other), (low.Return(Op(">", mine, other)),)))

        w.upto(ZERO, OPEN.word(at.SIZE), by_source)
        w.give(Op("<", a, b))


def _write_choose(lo: Lowering) -> None:
    with lo.function(CHOOSE, ("purse", "number")) as w:
        w.set("chosen", ZERO)

        def once(n: Expr) -> None:
            w.set("last", Local("chosen"))
            w.set("chosen", ZERO)

            def look(k: Expr) -> None:
                here = way(lo, OPEN, k)
                later = low.Either(low.Not(Local("last")), low.Call(BEFORE, (OPEN.at, Local("last"), here)))
                better = low.Either(low.Not(Local("chosen")), low.Call(BEFORE, (OPEN.at, here, Local("chosen"))))
                w.emit(low.If(low.Both(later, better), (low.Set("chosen", here),)))

            w.upto(ZERO, OPEN.word(at.FOUND), look)

        w.upto(ZERO, Local("number"), once)
        w.give(Local("chosen"))
