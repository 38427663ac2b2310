"""The values of options: what they lead to is judged, and more answers of the same action are searched.

The same as `interpreter.bots.foresight`, on a store that has been imagined. What is looked at again is played again.
An option has an item of a few words: what it is worth, how far it is known, what makes it promising.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.program import FP, PLAN, SITE
from interpreter.backends.low.base.context import EPOCH, FRESH, Lowering
from interpreter.backends.low.base.exported import COUNT, DECLINE, RELIST
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, scale, word
from interpreter.backends.low.bots.looking import ASKED, LISTED, PLAYED
from interpreter.backends.low.bots.stores import BACK, KEEP, KEEP_ROWS, ROOM, STASH, row_of
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.values.functions import FUNCTION

WORTH, GOES_ON, FILLED = "bot_worth", "bot_goes_on", "bot_filled"
END, HOPE, JUDGED = "bot_end", "bot_hope", "bot_judged"
"""Functions: what the store is worth to the one who looks ahead; whether he has to answer more within the action; fill
an answer well that needs more members; play an option to its end; how promising that is; judge all options, in items
whose address it gives."""

SEAT, STORES = "bot_seat", "bot_stores"  # globals: the seat that looks ahead, and how many stores were judged
DEPTH, BREADTH = 2, 3  # more answers of one action that are searched; options of a question after which they are
VALUE, PROMISE, KNOWN, FURTHER, NEEDS, DONE, NUMBERED = 0, 2, 4, 5, 6, 7, 8  # words of an item; the first two are long
ITEM = 10
LOWEST = Num(-(1 << 62))


def write(lo: Lowering) -> None:
    numbered = lo.memory.words([0, *(int(site.shape == "number") for site in lo.program.sites)])
    _write_worth(lo)
    _write_goes_on(lo)
    _write_filled(lo)
    _write_end(lo)
    _write_hope(lo)
    _write_judged(lo, numbered)


def item(items: Expr, n: Expr) -> Expr:
    return add(scale(n, ITEM), items)


def _write_worth(lo: Lowering) -> None:
    seats = lo.program.domains[lo.program.seat_kind].values
    with lo.function(WORTH, ()) as w:
        w.call(FRESH)
        if lo.program.evaluate < 0:
            w.give(ZERO)
            return
        w.emit(low.SetGlobal(STORES, add(Global(STORES), 1)))
        if lo.remembered:
            w.emit(low.SetGlobal(EPOCH, Global(STORES)))
        seat = add(Global(SEAT), seats[0] - 1)
        value = w.let(low.Call(lo.want(FUNCTION, lo.program.evaluate), (seat,)))
        if lo.remembered:
            w.emit(low.SetGlobal(EPOCH, ZERO))
        w.give(value)


def _write_goes_on(lo: Lowering) -> None:
    """Whether the store goes on with a question to the same seat, after the question, frame and procedure before."""
    with lo.function(GOES_ON, ("site", "frame", "proc")) as w:
        w.emit(low.If(either(low.Not(word(SITE)), Op("==", word(SITE), Local("site"))), (low.Return(ZERO),)))
        w.emit(low.If(Op("!=", low.Call(ASKED), Global(SEAT)), (low.Return(ZERO),)))
        same = both(Op("==", word(FP), Local("frame")), Op("==", low.Load(word(FP), 2), Local("proc")))
        w.give(either(Op("!=", word(PLAN), ZERO), both(same, Op(">", word(SITE), Local("site")))))


def _write_filled(lo: Lowering) -> None:
    """Give the answer that has been begun its best members, each time the one that is best at a glance."""
    with lo.function(FILLED, ()) as w:
        w.set("stash", Global(STASH))

        def member(label: str) -> None:
            w.call(RELIST)
            w.trap_if(low.Not(Global(COUNT)), Reason.LOST)
            count = w.let(Global(COUNT))
            rows, base = w.let(low.Call(KEEP_ROWS)), w.let(low.Call(KEEP))
            w.set("best", LOWEST)

            def option(n: Expr) -> None:
                w.call(BACK, base)
                more = w.let(low.Call(PLAYED, (row_of(lo, rows, n), ZERO)))
                value = w.let(low.Call(WORTH))
                w.when(Op(">", value, Local("best")), lambda: choose(n, value, more))

            def choose(n: Expr, value: Expr, more: Expr) -> None:
                w.set("best", value)
                w.set("chosen", n)
                w.set("needs", more)

            w.upto(ZERO, count, option)
            w.call(BACK, base)
            w.call(PLAYED, row_of(lo, rows, Local("chosen")), Local("needs"))
            w.emit(low.SetGlobal(STASH, Local("stash")))
            w.leave_if(low.Not(Local("needs")), label)

        w.loop(member)
        w.give(ZERO)


def _write_end(lo: Lowering) -> None:
    """Play an option of the store that is kept at `base` to its end; `filled`: with the best members."""
    with lo.function(END, ("base", "row", "filled")) as w:
        w.call(BACK, Local("base"))
        w.call(PLAYED, Local("row"), Local("filled"))
        w.emit(low.If(Local("filled"), (low.Do(low.Call(FILLED)),)))
        w.give(ZERO)


def _write_hope(lo: Lowering) -> None:
    """What a store that asks for a number is worth with the lowest or the highest one."""
    with lo.function(HOPE, ()) as w:
        w.set("stash", Global(STASH))
        w.call(RELIST)
        w.trap_if(low.Not(Global(COUNT)), Reason.LOST)
        last = w.let(add(Global(COUNT), -1))
        rows, base = w.let(low.Call(KEEP_ROWS)), w.let(low.Call(KEEP))
        w.call(PLAYED, rows, ZERO)
        w.set("worth", low.Call(WORTH))

        def highest() -> None:
            w.call(BACK, base)
            w.call(PLAYED, row_of(lo, rows, last), ZERO)
            value = w.let(low.Call(WORTH))
            w.emit(low.If(Op(">", value, Local("worth")), (low.Set("worth", value),)))

        w.when(last, highest)
        w.emit(low.SetGlobal(STASH, Local("stash")))
        w.give(Local("worth"))


def best_of(lo: Lowering, items: Expr, count: Expr, key: int, test: Callable[[Expr], Expr]) -> str:
    """The variable with the number plus 1 of the first item with the greatest key among those that pass a test; 0:
    there is none."""
    w = lo.w
    best, found = w.fresh("best"), w.fresh("found")
    w.set(found, ZERO)
    w.set(best, LOWEST)

    def one(n: Expr) -> None:
        at = w.let(item(items, n))
        better = both(test(at), Op(">", low.LoadLong(at, key), Local(best)))
        w.emit(low.If(better, (low.Set(best, low.LoadLong(at, key)), low.Set(found, add(n, 1)))))

    w.upto(ZERO, count, one)
    return found


def _write_judged(lo: Lowering, numbered: int) -> None:
    """Judge the options in `rows` of the store that stands there; items and more stay in the stash."""
    with lo.function(JUDGED, ("rows", "count", "depth")) as w:
        rows, count = Local("rows"), Local("count")
        items = w.let(low.Call(ROOM, (scale(count, ITEM),)), "items")
        w.emit(low.Clear(items, scale(count, ITEM)))
        base = w.let(low.Call(KEEP), "base")
        before = tuple(w.let(e) for e in (word(SITE), word(FP), low.Load(word(FP), 2)))
        w.set("declined", ZERO)
        w.set("again", ZERO)

        def note(at: Expr) -> None:
            value = w.let(low.Call(WORTH))
            w.emit(low.StoreLong(at, VALUE, value))
            w.emit(low.StoreLong(at, PROMISE, value))
            w.store(at, KNOWN, ONE)
            further = both(Local("depth"), low.Call(GOES_ON, before))
            w.store(at, FURTHER, further)
            w.store(at, NUMBERED, low.Load(word(SITE), numbered))

        def play(n: Expr) -> None:
            at, row = w.let(item(items, n)), w.let(row_of(lo, rows, n))
            w.call(BACK, base)
            w.store(at, NEEDS, low.Call(PLAYED, (row, ZERO)))
            w.emit(low.If(Op("==", word(SITE), before[0]), (low.Set("again", ONE),)))
            w.emit(low.If(Op("==", low.Load(row), Num(DECLINE)), (low.Set("declined", add(n, 1)),)))
            note(at)

        w.upto(ZERO, count, play)

        def as_declined() -> None:
            w.call(BACK, base)
            note(w.let(item(items, add(Local("declined"), -1))))

        w.when(both(Local("declined"), Local("again")), as_declined)
        _fill_well(lo, items, base, note)
        _follow(lo, items, base)
        w.give(items)


def _fill_well(lo: Lowering, items: Expr, base: Expr, note: Callable[[Expr], None]) -> None:
    """The best of the members that need others beside them get the best others."""
    w, rows = lo.w, Local("rows")
    w.set("most", low.Choice(Op("==", Local("depth"), Num(DEPTH)), Num(BREADTH), ONE))

    def one(label: str) -> None:
        w.leave_if(low.Not(Local("most")), label)
        found = best_of(
            lo, items, Local("count"), PROMISE, lambda at: both(low.Load(at, NEEDS), low.Not(low.Load(at, DONE)))
        )
        w.leave_if(low.Not(Local(found)), label)
        n = w.let(add(Local(found), -1))
        at = w.let(item(items, n))
        w.call(END, base, row_of(lo, rows, n), ONE)
        note(at)
        w.store(at, DONE, ONE)
        w.set("most", add(Local("most"), -1))

    w.loop(one)


def _follow(lo: Lowering, items: Expr, base: Expr) -> None:
    """Judge the options that lead to more answers by the best of these, as far as they are promising."""
    w, rows, count = lo.w, Local("rows"), Local("count")
    w.set("open", ZERO)

    def close(n: Expr) -> None:
        at = w.let(item(items, n))

        def unknown() -> None:
            w.store(at, KNOWN, ZERO)
            w.set("open", add(Local("open"), 1))

        w.when(low.Load(at, FURTHER), unknown)

    w.upto(ZERO, count, close)

    def hope(n: Expr) -> None:
        at = w.let(item(items, n))

        def look() -> None:
            w.call(END, base, row_of(lo, rows, n), low.Load(at, DONE))
            w.emit(low.StoreLong(at, PROMISE, low.Call(HOPE)))

        w.when(both(low.Load(at, FURTHER), low.Load(at, NUMBERED)), look)

    w.when(Op(">", Local("open"), Num(BREADTH)), lambda: w.upto(ZERO, count, hope))
    w.set("left", Num(BREADTH))

    def one(label: str) -> None:
        w.leave_if(low.Not(both(Local("left"), Local("open"))), label)
        found = best_of(lo, items, count, PROMISE, lambda at: low.Load(at, FURTHER))
        w.leave_if(low.Not(Local(found)), label)
        n = w.let(add(Local(found), -1))
        at = w.let(item(items, n))
        w.store(at, FURTHER, ZERO)
        stash = w.let(Global(STASH))
        w.call(END, base, row_of(lo, rows, n), low.Load(at, DONE))
        more = w.let(low.Call(LISTED))
        further = w.let(low.Call(KEEP_ROWS))
        inner = w.let(low.Call(JUDGED, (further, more, add(Local("depth"), -1))))
        best = best_of(lo, inner, more, VALUE, lambda at: low.Load(at, KNOWN))

        def judge() -> None:
            w.emit(low.StoreLong(at, VALUE, low.LoadLong(w.let(item(inner, add(Local(best), -1))), VALUE)))
            w.store(at, KNOWN, ONE)

        w.when(Local(best), judge)
        w.emit(low.SetGlobal(STASH, stash))
        w.set("left", add(Local("left"), -1))

    w.loop(one)
