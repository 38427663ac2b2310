"""Transfers of counted pieces between two pools: as many as are there and fit, or exactly so many."""

from __future__ import annotations

from typing import NamedTuple

from dsl import ir
from dsl.base.types import INT_HIGH, MOST_PIECES
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, either, load, subtract
from interpreter.backends.low.base.status import fail_if
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.values.numbers import place_of

MANY = Num(INT_HIGH)


class PoolEnd(NamedTuple):
    """One end: its sort, its word (None: it is endless), and the code of the piece that a slot takes."""

    kind: str
    place: WordsAt | None
    code: Expr


def _pool(lo: Lowering, pool: ir.Pool) -> PoolEnd:
    if pool.kind == "endless" or pool.address is None:
        return PoolEnd("endless", None, ZERO)
    base, offset = place_of(lo, pool.address)
    place = WordsAt(lo.w.let(base), offset)
    if pool.kind == "count":
        return PoolEnd("count", place, ZERO)
    return PoolEnd("slot", place, ONE if pool.code is None else lo.w.let(lo.number(pool.code)))


def _held(pool: PoolEnd) -> Expr:
    """The pieces that are there."""
    if pool.place is None:
        return MANY
    return load(pool.place) if pool.kind == "count" else Op("==", load(pool.place), pool.code)


def _room(pool: PoolEnd, limit: int | None) -> Expr:
    """The number of pieces that still fit."""
    if pool.place is None:
        return MANY
    if pool.kind == "slot":
        return low.Not(load(pool.place))
    return MANY if limit is None else Op("-", Num(limit), load(pool.place))


def _is_same(source: PoolEnd, target: PoolEnd) -> Expr:
    """A test that both ends are one word."""
    if source.kind != target.kind or source.place is None or target.place is None:
        return ZERO
    a, b = add(*source.place), add(*target.place)
    if isinstance(a, Num) and isinstance(b, Num):
        return Num(int(a == b))
    return Op("==", a, b)


def transfer(lo: Lowering, s: ir.Transfer) -> None:
    amount = lo.w.let(lo.number(s.amount))
    source, target = _pool(lo, s.source), _pool(lo, s.target)
    lo.w.trap_if(_below(amount, ZERO), Reason.FAULT)
    same = lo.w.let(_is_same(source, target))
    there, room = lo.w.let(_held(source)), _room(target, s.limit)
    if room != MANY and same != ZERO:
        room = low.Choice(same, MANY, room)
    room = lo.w.let(room)
    moved = lo.w.fresh("moved")
    lo.w.set(moved, amount)
    for bound in (there, room):
        if bound == MANY and lo.kind(s.amount) is not None and not _may_exceed(lo, s.amount):
            continue
        more = Op(">", Local(moved), bound)
        if s.exact:
            fail_if(lo, more)
        else:
            lo.w.emit(low.If(more, (low.Set(moved, bound),)))
    if not s.exact:
        lo.w.emit(low.If(Op("<", Local(moved), ZERO), (low.Set(moved, ZERO),)))
    idle: Expr = low.Not(Local(moved))
    if same != ZERO:
        idle = either(idle, low.Both(same, Op("==", source.code, target.code)))
    lo.w.emit(low.If(idle, (), lo.w.written(lambda: _change(lo, source, target, Local(moved), s.limit))))
    if s.moved is not None:
        held = lo.bound[s.moved]
        assert isinstance(held, Held)
        lo.w.set(held.names[0], Local(moved))


def _may_exceed(lo: Lowering, amount: ir.Expr) -> bool:
    kind = lo.kind(amount)
    return getattr(kind, "high", INT_HIGH + 1) > INT_HIGH


def _below(a: Expr, b: Expr) -> Expr:
    return Num(int(a.value < b.value)) if isinstance(a, Num) and isinstance(b, Num) else Op("<", a, b)


def _change(lo: Lowering, source: PoolEnd, target: PoolEnd, moved: Expr, limit: int | None) -> None:
    if source.place is not None:
        left = subtract(load(source.place), moved) if source.kind == "count" else ZERO
        lo.w.store(*source.place, left)
    if target.place is not None:
        new = add(load(target.place), moved) if target.kind == "count" else target.code
        if target.kind == "count" and limit is None:
            new = lo.w.let(new)
            lo.w.trap_if(Op(">", new, Num(MOST_PIECES)), Reason.RANGE)
        lo.w.store(*target.place, new)
