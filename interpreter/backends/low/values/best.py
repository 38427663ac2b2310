"""Folds by keys: the member or members whose keys are the best, and all in the order of their keys.

A key that wants the highest is turned around, so that the best rank is always the least.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl import ir
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import Items, Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, scale
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
    """Whether one rank comes before another."""
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
        lo.w.trap_if(low.Not(Local(known.count)), Reason.FAULT)
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


def ranked(lo: Lowering, e: ir.Fold, kind: Items, bindings: Bindings) -> Expr:
    """The address of the list of all members in the order of their keys; equal ones stay as they came."""
    width = len(e.keys) + 1
    found = lo.take(1 + kind.most)
    rows = lo.take(kind.most * width * 2)  # the keys are long numbers
    lo.w.store(found, 0, ZERO)

    def insert(b: Any) -> None:
        member, _ = _member(b.member)
        here = rank(lo, e.keys)
        count = lo.w.let(low.Load(found))
        lo.w.trap_if(Op(">=", count, Num(kind.most)), Reason.ROOM)
        j = lo.w.fresh("j")
        lo.w.set(j, count)

        def shift(label: str) -> None:
            lo.w.leave_if(Op("==", Local(j), ZERO), label)
            before = lo.w.let(add(rows, scale(add(Local(j), -1), 2 * width)))
            known: list[Expr] = [low.LoadLong(before, 2 * k) for k in range(width - 1)]
            lo.w.leave_if(low.Not(is_better(here, known)), label)
            lo.w.emit(low.Copy(add(before, 2 * width), before, Num(2 * width)))
            lo.w.set(j, add(Local(j), -1))

        lo.w.loop(shift)
        at = lo.w.let(add(rows, scale(Local(j), 2 * width)))
        for k, value in enumerate((*here, member)):
            lo.w.emit(low.StoreLong(at, 2 * k, value))
        lo.w.store(found, 0, add(count, 1))

    bindings(lo, e.binders, e.where, insert)

    def write(n: Expr) -> None:
        value = low.LoadLong(add(rows, scale(n, 2 * width)), 2 * (width - 1))
        lo.w.store(add(found, n), 1, value)

    lo.w.upto(ZERO, low.Load(found), write)
    return found
