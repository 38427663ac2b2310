"""Folds: one value from all bindings that pass a test.

Each sort of fold is a function that goes through the bindings and changes variables; those that go by keys are in
`best`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dsl import ir
from interpreter.backends.low.base.context import Held, Lowering, Words
from interpreter.backends.low.base.kinds import (
    Dense,
    ItemsKind,
    Kind,
    MembersKind,
    Number,
    Unsupported,
    as_members,
    width_of,
)
from interpreter.backends.low.base.make import ONE, ZERO, add, scale, subtract
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.values import best
from interpreter.backends.low.values.loops import Pass, Work, each
from interpreter.backends.low.values.narrowing import narrowed, when_all
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.ranges import SUMMED, number_kind
from interpreter.backends.low.values.searches import each_met
from interpreter.backends.low.values.sets import clear, put, words_of


class Binding(NamedTuple):
    """The place inside all binders of a fold: the member of the last one, and the label that ends the whole fold."""

    member: Held
    leave: str


def bindings(
    lo: Lowering,
    binders: tuple[tuple[int, ir.Domain], ...],
    where: ir.Expr | None,
    work: Callable[[Binding], None],
    through: Callable[[Lowering, ir.Domain, Work], None] = each,
) -> None:
    """Do `work` for every binding that passes, in order; its temps are bound meanwhile."""

    def level(depth: int, outer: str) -> None:
        slot, domain = binders[depth]
        last = depth + 1 == len(binders)
        walk = narrowed(lo, slot, domain, (where,) if last and where is not None else (), through)

        def one(p: Pass) -> None:
            leave = outer or p.leave
            with lo.also({slot: p.member}):
                if last:
                    when_all(lo, walk.tests, lambda: work(Binding(p.member, leave)))
                else:
                    level(depth + 1, leave)

        walk.go(one)

    level(0, "")


def body_number(lo: Lowering, e: ir.Fold, b: Binding) -> Expr:
    """The folded value of a binding: the body, or the member."""
    if e.body is not None:
        return lo.number(e.body)
    if not isinstance(b.member.kind, Number):
        raise Unsupported(f"Fold `{e.kind}` over what is no number")
    return Local(b.member.names[0])


# ------------------------------------------------------------ numbers


def number(lo: Lowering, e: ir.Fold) -> Expr:
    if e.kind in ("first", "only"):
        return best.one(lo, e, bindings)
    work = {"count": _count, "sum": _sum, "max": _extreme, "min": _extreme, "any": _any, "every": _every}.get(e.kind)
    if work is None:
        raise Unsupported(f"Fold `{e.kind}` where a number is needed")
    found = lo.w.fresh(e.kind)
    lo.w.set(found, ONE if e.kind == "every" else ZERO)
    work(lo, e, found)
    return Local(found)


def _count(lo: Lowering, e: ir.Fold, found: str) -> None:
    bindings(lo, e.binders, e.where, lambda b: lo.w.set(found, add(Local(found), 1)))


def _sum(lo: Lowering, e: ir.Fold, found: str) -> None:
    def one(b: Binding) -> None:
        kind = b.member.kind if e.body is None else number_kind(lo, e.body)
        value = body_number(lo, e, b)
        value = keep_within(lo, value, kind, (-SUMMED, SUMMED)) if isinstance(kind, Number) else value
        lo.w.set(found, add(Local(found), value))

    bindings(lo, e.binders, e.where, one)


def _extreme(lo: Lowering, e: ir.Fold, found: str) -> None:
    some = lo.w.fresh("some")
    lo.w.set(some, ZERO)
    lo.w.set(found, Num(e.empty))

    def compare(b: Binding) -> None:
        value = lo.w.let(body_number(lo, e, b))
        better = Op(">" if e.kind == "max" else "<", value, Local(found))
        lo.w.emit(low.If(low.Either(low.Not(Local(some)), better), (low.Set(found, value), low.Set(some, ONE))))

    bindings(lo, e.binders, e.where, compare)


def _any(lo: Lowering, e: ir.Fold, found: str) -> None:
    def test(b: Binding) -> None:
        done: low.Body = (low.Set(found, ONE), low.Leave(b.leave))
        if e.body is None:
            lo.w.out += done
        else:
            lo.w.emit(low.If(lo.number(e.body), done))

    bindings(lo, e.binders, e.where, test, each_met)


def _every(lo: Lowering, e: ir.Fold, found: str) -> None:
    body = e.body
    if body is None:
        return

    def test(b: Binding) -> None:
        lo.w.emit(low.If(low.Not(lo.number(body)), (low.Set(found, ZERO), low.Leave(b.leave))))

    bindings(lo, e.binders, e.where, test, each_met)


# ------------------------------------------------------------ sets


def members(lo: Lowering, e: ir.Fold) -> Words:
    held = clear(lo, lo.empty(as_members(lo.kind(e))))
    if e.kind == "tied":
        best.tied(lo, e, held, bindings)
    elif e.kind == "set":
        own = e.body is None or e.body == ir.Temp(e.binders[-1][0])

        def one(b: Binding) -> None:
            kind = b.member.kind if own or e.body is None else number_kind(lo, e.body)
            if not isinstance(kind, Number):
                raise Unsupported("a set of what is no number")
            put(lo, held, Local(b.member.names[0]) if own else body_number(lo, e, b), kind, not own)

        bindings(lo, e.binders, e.where, one)
    else:
        raise Unsupported(f"Fold `{e.kind}` where a set is needed")
    return words_of(held)


# ------------------------------------------------------------ lists and maps


def row(lo: Lowering, e: ir.Fold) -> Expr:
    kind = lo.kind(e)
    if e.kind == "table" and isinstance(kind, Dense):
        return _table(lo, e, kind)
    if not isinstance(kind, ItemsKind):
        raise Unsupported(f"Fold `{e.kind}` where a list is needed")
    if e.kind == "list":
        found = new_list(lo, kind)
        bindings(lo, e.binders, e.where, lambda b: append(lo, found, kind, _item(lo, e, b)))
        return found
    if e.kind == "ranked":
        return best.ranked(lo, e, kind, bindings)
    if e.kind == "tiers":
        return best.tiers(lo, e, kind, bindings)
    raise Unsupported(f"Fold `{e.kind}`")


def _item(lo: Lowering, e: ir.Fold, b: Binding) -> Held:
    if e.body is None:
        return b.member
    kind = lo.kind(e.body)
    if not isinstance(kind, Number | MembersKind) and not isinstance(e.body, ir.TableGet):
        raise Unsupported("a list of lists that are made")
    return lo.hold(kind, e.body)


def new_list(lo: Lowering, kind: ItemsKind) -> Expr:
    """The address of an empty list with room for as many items as it may have."""
    at = lo.take(1 + kind.most * width_of(kind.item))
    lo.w.store(at, 0, ZERO)
    return at


def append(lo: Lowering, row: Expr, kind: ItemsKind, item: Held) -> None:
    """Add an item to a list of scratch memory; gives up if it is full."""
    n = lo.w.let(low.Load(row))
    lo.w.trap_if(Op(">=", n, Num(kind.most)), Reason.ROOM)
    store_item(lo, add(add(row, scale(n, width_of(kind.item))), 1), kind.item, item)
    lo.w.store(row, 0, add(n, 1))


def store_item(lo: Lowering, at: Expr, kind: Kind, item: Held) -> None:
    """Write an item of a list of scratch memory at an address; gives up if it does not fit."""
    if isinstance(kind, MembersKind):
        words = words_of(item)
        at = lo.w.let(at)
        lo.refuse({w: x for w, x in words.items() if w not in kind.words})
        for k, w in enumerate(kind.words):
            lo.w.emit(low.StoreLong(at, 2 * k, words.get(w, ZERO)))
    else:
        lo.w.store(at, 0, item_word(lo, Local(item.names[0]), item.kind))


def item_word(lo: Lowering, value: Expr, kind: Kind) -> Expr:
    """A number or address that is put into a word; gives up if it does not fit."""
    if isinstance(kind, Number) and not (-(1 << 31) <= kind.low and kind.high < 1 << 31):
        value = lo.w.let(value)
        high = Op("!=", Op(">>", Op("<<", value, Num(32)), Num(32)), value)
        lo.w.trap_if(high, Reason.RANGE)
    return value


def _table(lo: Lowering, e: ir.Fold, kind: Dense) -> Expr:
    if not isinstance(kind.item, Number):
        raise Unsupported("Fold `table` of sets or lists")
    at = lo.take(kind.count)
    if e.empty:
        lo.w.upto(ZERO, Num(kind.count), lambda n: lo.w.store(add(at, n), 0, Num(e.empty)))
    else:
        lo.w.emit(low.Clear(at, Num(kind.count)))

    def one(b: Binding) -> None:
        offset: Expr = ZERO
        for (slot, _), (lowest, highest) in zip(e.binders, e.table_keys, strict=True):
            key = ir.Temp(slot)
            own = number_kind(lo, key)
            inside = key_within(lo, lo.number(key), own, lowest, highest)
            offset = add(scale(offset, highest - lowest + 1), subtract(inside, Num(lowest)))
        offset = lo.w.let(offset)
        value = body_number(lo, e, b)
        body_kind = b.member.kind if e.body is None else lo.kind(e.body)
        lo.w.store(add(at, offset), 0, item_word(lo, value, body_kind))

    bindings(lo, e.binders, e.where, one)
    return at


def key_within(lo: Lowering, key: Expr, kind: Number, lowest: int, highest: int) -> Expr:
    """A key of a map; gives up if it is none."""
    if lowest <= kind.low and kind.high <= highest:
        return key
    key = lo.w.let(key)
    lo.w.trap_if(Op(">u", subtract(key, Num(lowest)), Num(highest - lowest)), Reason.RANGE)
    return key
