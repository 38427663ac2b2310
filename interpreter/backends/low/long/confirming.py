"""Confirming a long answer of a loop `at once`: it is given again, one small decision at a time, as in
`interpreter.choices.confirm`. The store stays as it is."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import SetType, bounds, width
from dsl.program import FRAME_LINK
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.exported import COUNT, DECLINE, READY, VALUES
from interpreter.backends.low.base.kinds import Number
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, both, scale
from interpreter.backends.low.base.stored import load_set
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.long.rows import keys_of
from interpreter.backends.low.long.taking import put
from interpreter.backends.low.rules.questions import CONFIRMED, list_for_confirming
from interpreter.backends.low.values.sets import is_member


def write_confirmed(lo: Lowering, number: int) -> None:
    """Write the function that says whether the answer in the frame could be given now."""
    site = lo.program.sites[number]
    with lo.function(f"{CONFIRMED}{number}", ()) as w:
        w.set("found", ZERO)
        with lo.cut_back():
            _give_again(lo, number, site)
        w.give(Local("found"))


def _give_again(lo: Lowering, number: int, site: ir.Site) -> None:
    assert site.answer is not None
    w, (slot, t) = lo.w, site.answer
    frame, size = w.frame(), Num(width(t))
    at, cursor = w.let(add(frame, FRAME_LINK + slot)), FRAME_LINK + site.cursor
    given = lo.take(size)
    w.emit(low.Copy(given, at, size))
    begun = w.let(low.Load(frame, cursor))
    w.store(frame, cursor, ZERO)

    def one(label: str) -> None:
        list_for_confirming(lo, number)
        w.set("row", _first(lo, site, given))
        w.leave_if(low.Not(Local("row")), label)

        def end() -> None:
            taken = low.Load(frame, cursor)
            same = _same(lo, low.Choice(taken, at, given), given, size)
            w.set("found", both(same, low.Either(taken, _same(lo, given, None, size))))
            w.leave(label)

        w.when(Op("==", low.Load(Local("row")), Num(READY)), end)
        put(lo, site, Local("row"))

    w.loop(one)
    w.emit(low.Copy(at, given, size))
    w.store(frame, cursor, begun)


def _same(lo: Lowering, a: Expr, b: Expr | None, size: Expr) -> Expr:
    """Whether two rows of words are the same; with None: whether all words of the first are 0."""
    w = lo.w
    same, a = w.fresh("same"), w.let(a)
    w.set(same, ONE)

    def one(n: Expr) -> None:
        other = ZERO if b is None else low.Load(add(b, n))
        w.emit(low.If(Op("!=", low.Load(add(a, n)), other), (low.Set(same, ZERO),)))

    w.upto(ZERO, size, one)
    return Local(same)


def _first(lo: Lowering, site: ir.Site, given: Expr) -> Expr:
    """The address of the first option that belongs to the answer, the end of it included; 0: there is none."""
    w = lo.w
    found, n = w.fresh("first"), w.fresh("n")
    w.set(found, ZERO)
    w.set(n, ZERO)

    def one(label: str) -> None:
        w.leave_if(Op(">=", Local(n), Global(COUNT)), label)
        row = w.let(lo.option_row(Local(n)), "row")

        def compare() -> None:
            belongs = low.Either(Op("==", low.Load(row), Num(READY)), _belongs(lo, site, row, given))
            w.emit(low.If(belongs, (low.Set(found, row), low.Leave(label))))

        w.when(Op("!=", low.Load(row), Num(DECLINE)), compare)
        w.set(n, add(Local(n), 1))

    w.loop(one)
    return Local(found)


def _belongs(lo: Lowering, site: ir.Site, row: Expr, given: Expr) -> Expr:
    assert site.answer is not None
    w, t, last = lo.w, site.answer[1], VALUES + len(site.alternatives[0].binders) - 1
    if isinstance(t, SetType):
        return is_member(load_set(lo, WordsAt(given), t), w.let(low.Load(row, last)), Number(*bounds(t.elem)))
    key: Expr = ZERO
    for k, (lowest, count) in enumerate(keys_of(t)):
        key = add(scale(key, count), add(low.Load(row, VALUES + k), -lowest))
    key, found = w.let(key), w.fresh("belongs")
    w.set(found, ZERO)

    def one(n: Expr) -> None:
        pair = w.let(add(given, scale(n, 2)))
        same = both(Op("==", low.Load(pair, 1), key), Op("==", low.Load(pair, 2), low.Load(row, last + 1)))
        w.emit(low.If(same, (low.Set(found, ONE),)))

    w.upto(ZERO, low.Load(given), one)
    return Local(found)
