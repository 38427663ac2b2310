"""Folds by keys: the member or members whose keys are the best, and all in the order of their keys.

A key that wants the highest is turned around, so that the best rank is always the least.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from dsl import ir
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import ItemsKind, MembersKind, Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, scale
from interpreter.backends.low.base.status import fail_if
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.values.sets import put

Bindings = Callable[[Lowering, Any, Any, Callable[[Any], None]], None]


def rank(lo: Lowering, keys: tuple[tuple[bool, ir.Expr], ...]) -> list[Expr]:
    """The keys at the present binding, the smallest the best."""
    found = []
    for highest, key in keys:
        value = lo.number(key)
        found.append(lo.w.let(Op("-", ZERO, value) if highest else value, "key"))
    return found


def is_better(here: list[Expr], known: list[Expr]) -> Expr:
    """A test that one rank comes before another."""
    if not here:
        return ZERO
    found: Expr = Op("<", here[-1], known[-1])
    for a, b in zip(here[-2::-1], known[-2::-1], strict=True):
        found = either(Op("<", a, b), both(Op("==", a, b), found))
    return found


def is_same(here: list[Expr], known: list[Expr]) -> Expr:
    found: Expr = ONE
    for a, b in zip(here, known, strict=True):
        found = both(found, Op("==", a, b))
    return found


def _member(held: Held) -> tuple[Expr, Number]:
    if not isinstance(held.kind, Number):
        raise Unsupported("the best of what is no number")
    return Local(held.names[0]), held.kind


class _Best:
    """Variables for the best rank so far, and how many bindings have it."""

    def __init__(self, lo: Lowering, e: ir.Fold) -> None:
        self.names = [lo.w.fresh("best") for _ in e.keys]
        self.count = lo.w.fresh("tied")
        lo.w.set(self.count, ZERO)

    @property
    def rank(self) -> list[Expr]:
        return [Local(name) for name in self.names]

    def improves(self, here: list[Expr]) -> Expr:
        return either(low.Not(Local(self.count)), is_better(here, self.rank))

    def taken(self, here: list[Expr]) -> low.Body:
        known = tuple(low.Set(name, key) for name, key in zip(self.names, here, strict=True))
        return (*known, low.Set(self.count, ONE))


def one(lo: Lowering, e: ir.Fold, bindings: Bindings) -> Expr:
    """`first` and `only`: a member, or 0."""
    known, found = _Best(lo, e), lo.w.fresh(e.kind)
    lo.w.set(found, ZERO)

    def compare(b: Any) -> None:
        member, _ = _member(b.member)
        if not e.keys and e.kind == "first":
            lo.w.out += (low.Set(found, member), low.Set(known.count, ONE), low.Leave(b.leave))
            return
        here = rank(lo, e.keys)
        another: low.Body = ()
        if e.kind == "only":
            another = (low.Set(known.count, add(Local(known.count), 1)),)
            another = (low.If(is_same(here, known.rank), another),)
        lo.w.emit(low.If(known.improves(here), (*known.taken(here), low.Set(found, member)), another))

    bindings(lo, e.binders, e.where, compare)
    if e.kind == "only":
        lo.w.emit(low.If(Op("!=", Local(known.count), ONE), (low.Set(found, ZERO),)))
    elif e.required:
        fail_if(lo, low.Not(Local(known.count)))
    return Local(found)


def tied(lo: Lowering, e: ir.Fold, held: Held, bindings: Bindings) -> None:
    """Put all members with the best keys into a set."""
    known = _Best(lo, e)

    def compare(b: Any) -> None:
        member, kind = _member(b.member)
        here = rank(lo, e.keys)
        add_it = lo.w.written(lambda: put(lo, held, member, kind))
        cleared = tuple(low.Set(name, ZERO) for name in held.names)
        same = (low.If(is_same(here, known.rank), add_it),)
        lo.w.emit(low.If(known.improves(here), (*known.taken(here), *cleared, *add_it), same))

    bindings(lo, e.binders, e.where, compare)


def ranked(lo: Lowering, e: ir.Fold, kind: ItemsKind, bindings: Bindings) -> Expr:
    """The address of the list of all members in the order of their keys; equal ones stay as they came."""
    found = lo.take(1 + kind.most)
    rows = _in_order(lo, e, kind.most, bindings)
    lo.w.store(found, 0, Local(rows.size))
    lo.w.upto(ZERO, Local(rows.size), lambda n: lo.w.store(add(found, n), 1, rows.member(rows.at(lo, n))))
    return found


def tiers(lo: Lowering, e: ir.Fold, kind: ItemsKind, bindings: Bindings) -> Expr:
    """The address of the list of the sets of those that have the same keys, the best first."""
    if not isinstance(kind.item, MembersKind):
        raise Unsupported("Fold `tiers` of what is no number")
    w, words = lo.w, kind.item.words
    size = 2 * len(words)
    found = lo.take(1 + kind.most * size)
    w.store(found, 0, ZERO)
    rows = _in_order(lo, e, kind.most, bindings)

    def one(n: Expr) -> None:
        row = rows.at(lo, n)
        before = w.let(low.Choice(n, add(row, -2 * rows.width), row))
        begins = either(low.Not(n), low.Not(is_same(rows.keys(row), rows.keys(before))))
        tier = w.fresh("tier")
        w.set(tier, add(found, scale(add(low.Load(found), -1), size)))

        def begin() -> None:
            w.set(tier, add(found, scale(low.Load(found), size)))
            w.emit(low.Clear(add(Local(tier), 1), Num(size)))
            w.store(found, 0, add(low.Load(found), 1))

        w.when(begins, begin)
        member = w.let(rows.member(row))
        number = add(Op(">>", member, Num(6)), -words[0])
        at = w.let(add(Local(tier), scale(number, 2)))
        bit = Op("<<", ONE, Op("&", member, Num(63)))
        w.emit(low.StoreLong(at, 1, Op("|", low.LoadLong(at, 1), bit)))

    w.upto(ZERO, Local(rows.size), one)
    return found


class _Rows(NamedTuple):
    """Members in the order of their keys, in scratch memory: the keys and the member, as long numbers."""

    base: Expr
    size: str
    width: int

    def at(self, lo: Lowering, n: Expr) -> Expr:
        return lo.w.let(add(self.base, scale(n, 2 * self.width)))

    def keys(self, row: Expr) -> list[Expr]:
        return [low.LoadLong(row, 2 * k) for k in range(self.width - 1)]

    def member(self, row: Expr) -> Expr:
        return low.LoadLong(row, 2 * (self.width - 1))


def _in_order(lo: Lowering, e: ir.Fold, most: int, bindings: Bindings) -> _Rows:
    w, width = lo.w, len(e.keys) + 1
    rows = _Rows(lo.take(most * width * 2), w.fresh("ranked"), width)
    w.set(rows.size, ZERO)

    def insert(b: Any) -> None:
        member, _ = _member(b.member)
        here = rank(lo, e.keys)
        w.trap_if(Op(">=", Local(rows.size), Num(most)), Reason.ROOM)
        j = w.fresh("j")
        w.set(j, Local(rows.size))

        def shift(label: str) -> None:
            w.leave_if(Op("==", Local(j), ZERO), label)
            before = rows.at(lo, add(Local(j), -1))
            w.leave_if(low.Not(is_better(here, rows.keys(before))), label)
            w.emit(low.Copy(add(before, 2 * width), before, Num(2 * width)))
            w.set(j, add(Local(j), -1))

        w.loop(shift)
        at = rows.at(lo, Local(j))
        for k, value in enumerate((*here, member)):
            w.emit(low.StoreLong(at, 2 * k, value))
        w.set(rows.size, add(Local(rows.size), 1))

    bindings(lo, e.binders, e.where, insert)
    return rows
