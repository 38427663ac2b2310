"""Taking an option of a long answer: a member is put into the set or map, or the answer ends."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import WORD_BITS, SetType, SparseType, bounds, width
from dsl.program import FRAME_LINK
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.exported import READY, VALUES
from interpreter.backends.low.base.make import ONE, ZERO, add, either, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.long.rows import keys_of


def take(lo: Lowering, site: ir.Site, row: Expr, pc: Expr) -> None:
    """Put a member into the answer, or end it: then the instruction behind the question follows."""
    w = lo.w

    def go_on() -> None:
        put(lo, site, row)
        w.give(pc)

    w.when(Op("!=", low.Load(row), Num(READY)), go_on)
    _begin(lo, site)
    w.store(w.frame(), FRAME_LINK + site.cursor, ZERO)


def _begin(lo: Lowering, site: ir.Site) -> Expr:
    """Empty an answer that has not been begun; gives the address of the answer."""
    assert site.answer is not None
    w, frame = lo.w, lo.w.frame()
    slot, t = site.answer
    at = w.let(add(frame, FRAME_LINK + slot))
    cursor = low.Load(frame, FRAME_LINK + site.cursor)
    w.emit(low.If(low.Not(cursor), (low.Clear(at, Num(width(t))),)))
    return at


def put(lo: Lowering, site: ir.Site, row: Expr) -> None:
    """Put the member of an option into the answer."""
    assert site.answer is not None
    t, at, frame = site.answer[1], _begin(lo, site), lo.w.frame()
    lo.w.store(frame, FRAME_LINK + site.cursor, low.Load(row, 1))
    if isinstance(t, SparseType):
        _put_amount(lo, t, at, row)
    elif isinstance(t, SetType):
        _put_member(lo, t, at, low.Load(row, VALUES + len(site.alternatives[0].binders) - 1))


def _put_member(lo: Lowering, t: SetType, at: Expr, value: Expr) -> None:
    lowest, highest = bounds(t.elem)
    w = lo.w
    value = w.let(value)
    w.trap_if(either(Op("<", value, Num(lowest)), Op(">", value, Num(highest))), Reason.RANGE)
    number = w.let(add(value, -lowest))
    place = w.let(add(at, Op("/u", number, Num(WORD_BITS))))
    w.store(place, 0, Op("|", low.Load(place), Op("<<", ONE, Op("%u", number, Num(WORD_BITS)))))


def _put_amount(lo: Lowering, t: SparseType, at: Expr, row: Expr) -> None:
    """Put a pair into a sparse map, which is in the order of its keys."""
    w = lo.w
    number: Expr = ZERO
    keys = keys_of(t)
    for k, (lowest, count) in enumerate(keys):
        number = add(scale(number, count), add(low.Load(row, VALUES + k), -lowest))
    key = w.let(number)
    size = w.let(low.Load(at))
    w.trap_if(Op(">=", size, Num(t.cap)), Reason.ROOM)
    w.store(at, 0, add(size, 1))
    j = w.fresh("j")
    w.set(j, size)

    def shift(label: str) -> None:
        w.leave_if(low.Not(Local(j)), label)
        before = w.let(add(at, Op("<<", add(Local(j), -1), ONE)))
        w.leave_if(Op("<", low.Load(before, 1), key), label)
        w.store(before, 3, low.Load(before, 1))
        w.store(before, 4, low.Load(before, 2))
        w.set(j, add(Local(j), -1))

    w.loop(shift)
    place = w.let(add(at, Op("<<", Local(j), ONE)))
    w.store(place, 1, key)
    w.store(place, 2, low.Load(row, VALUES + len(keys)))
