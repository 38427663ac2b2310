"""The effects of timed lines: whether a line holds, and the values that its records capture, folded."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import INT, SetType, Type, width
from dsl.ir.walk import free
from dsl.program import TIMED, TIMED_LINK
from interpreter.backends.low.base.context import Bound, Held, KindMaker, Lowering, NumberMaker, SetMaker, Words
from interpreter.backends.low.base.kinds import (
    TRUTH,
    ItemsKind,
    Kind,
    MembersKind,
    Number,
    Unsupported,
    join,
    kind_of,
    number,
    shape,
    width_of,
)
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, both, either, scale, word
from interpreter.backends.low.base.stored import load_row, load_set
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.scopes.records import LINE, record
from interpreter.backends.low.values.folds import store_item
from interpreter.backends.low.values.numbers import keep_within


def active_records(lo: Lowering, line: int, work: Callable[[Expr, str], None]) -> None:
    """Do `work` for the records of a line that hold, the latest first; it gets the address and the label that ends it.
    What an order added holds in its own scope only."""
    w = lo.w
    n, own = w.fresh("n"), w.fresh("own")
    w.set(n, word(TIMED))
    w.set(own, ONE)

    def one(label: str) -> None:
        w.leave_if(low.Not(Local(n)), label)
        w.set(n, add(Local(n), -1))
        at = record(lo, Local(n))
        here = w.let(low.Load(at, LINE))
        w.emit(low.If(low.Not(here), (low.Set(own, ZERO),)))
        ordered = both(Local(own), Op("==", here, Num(-(line + 1))))
        w.when(either(Op("==", here, Num(line + 1)), ordered), lambda: work(at, label))

    w.loop(one)


def active(lo: Lowering, e: ir.TimedActive) -> Expr:
    found = lo.w.fresh("active")
    lo.w.set(found, ZERO)

    def note(at: Expr, label: str) -> None:
        lo.w.emit(low.Set(found, ONE))
        lo.w.leave(label)

    active_records(lo, e.line, note)
    return Local(found)


# ------------------------------------------------------------ captured values


def _types(lo: Lowering, e: ir.TimedFold) -> tuple[Type, ...]:
    return e.types or (INT,) * lo.program.timed_args


def _kinds(lo: Lowering, e: ir.TimedFold) -> dict[int, Bound]:
    """The temps of the captured values, for what asks about kinds."""
    return {e.slot + k: Held(kind_of(t), ()) for k, t in enumerate(_types(lo, e))}


def _captured(lo: Lowering, e: ir.TimedFold, at: Expr) -> dict[int, Bound]:
    """The captured values that are read, in variables; a list stays where it lies."""
    needed = free((e.where, e.body))
    found: dict[int, Bound] = {}
    offset = TIMED_LINK
    for k, t in enumerate(_types(lo, e)):
        if e.slot + k in needed:
            kind = kind_of(t)
            if isinstance(t, SetType):
                assert isinstance(kind, MembersKind)
                found[e.slot + k] = lo.hold_words(kind, load_set(lo, WordsAt(at, offset), t))
            else:
                name = lo.w.fresh("captured")
                lo.w.set(name, low.Load(at, offset) if isinstance(kind, Number) else load_row(lo, add(at, offset), t))
                found[e.slot + k] = Held(kind, (name,))
        offset += width(t)
    return found


def _each(lo: Lowering, e: ir.TimedFold, work: Callable[[str], None]) -> None:
    """Do `work` for each record that counts, with its values bound, the latest first."""

    def one(at: Expr, label: str) -> None:
        with lo.also(_captured(lo, e, at)):
            if e.where is None:
                work(label)
            else:
                lo.w.when(lo.number(e.where), lambda: work(label))

    active_records(lo, e.line, one)


# ------------------------------------------------------------ folds


def kind(lo: Lowering, e: ir.TimedFold) -> Kind:
    if e.op == "or":
        return TRUTH
    with lo.also(_kinds(lo, e)):
        body = lo.kind(e.body)
    base: Kind = Number(0, 0) if e.base is None else lo.kind(e.base)
    if e.op == "list":
        return ItemsKind(body, lo.program.limits.timed)
    if e.op == "+" and isinstance(body, Number):
        most = lo.program.limits.timed
        return number(min(body.low * most, 0), max(body.high * most, 0))
    if e.op in ("to", "min", "max"):
        return join(body, base)
    raise Unsupported(f"TimedFold `{e.op}` of such values")


def value(lo: Lowering, e: ir.TimedFold) -> Expr:
    w = lo.w
    if e.op == "list" or (e.base is not None and e.op in ("+", "or")):
        raise Unsupported(f"TimedFold `{e.op}` where a number is needed")
    total = w.fresh("timed")
    w.set(total, lo.number(e.base) if e.base is not None else ZERO)

    def one(label: str) -> None:
        found = lo.number(e.body)
        if e.op == "+":
            w.set(total, add(Local(total), found))
        elif e.op == "or":
            w.emit(low.If(found, (low.Set(total, ONE), low.Leave(label))))
        elif e.op == "to":
            w.set(total, found)
            w.leave(label)
        else:
            found = w.let(found)
            w.emit(low.If(Op("<" if e.op == "min" else ">", found, Local(total)), (low.Set(total, found),)))

    _each(lo, e, one)
    own = lo.kind(e)
    assert isinstance(own, Number)
    return keep_within(lo, Local(total), own, (own.low, own.high))


def members(lo: Lowering, e: ir.TimedFold) -> Words:
    """The set of the latest record that counts."""
    own = lo.kind(e)
    if e.op != "to" or not isinstance(own, MembersKind):
        raise Unsupported(f"TimedFold `{e.op}` where a set is needed")
    held = lo.hold_words(own, lo.members(e.base) if e.base is not None else {})

    def one(label: str) -> None:
        new = lo.hold_words(own, lo.members(e.body))
        for name, other in zip(held.names, new.names, strict=True):
            lo.w.set(name, Local(other))
        lo.w.leave(label)

    _each(lo, e, one)
    return {w: Local(name) for w, name in zip(own.words, held.names, strict=True)}


def row(lo: Lowering, e: ir.TimedFold) -> Expr:
    """The address of a list of one value for each record that counts, or of the list or map of the latest one."""
    kind = lo.kind(e)
    if e.op == "to":
        return _latest_row(lo, e, kind)
    if e.op != "list" or not isinstance(kind, ItemsKind):
        raise Unsupported(f"TimedFold `{e.op}` where a list is needed")
    return _listed(lo, e, kind.item)


def _listed(lo: Lowering, e: ir.TimedFold, item: Kind) -> Expr:
    """The values of the records, the oldest first: the list grows towards its beginning."""
    w, size = lo.w, width_of(item)
    at = lo.take(add(scale(word(TIMED), size), 1))
    first, count = w.fresh("first"), w.fresh("count")
    w.set(first, add(at, scale(word(TIMED), size)))
    w.set(count, ZERO)

    def one(label: str) -> None:
        with lo.cut_back():
            held = lo.hold(item, e.body)
            w.set(first, add(Local(first), -size))
            store_item(lo, add(Local(first), 1), item, held)
        w.set(count, add(Local(count), 1))

    _each(lo, e, one)
    w.store(Local(first), 0, Local(count))
    return Local(first)


def _latest_row(lo: Lowering, e: ir.TimedFold, kind: Kind) -> Expr:
    parts = [lo.kind(e.base)] if e.base is not None else []
    with lo.also(_kinds(lo, e)):
        parts.append(lo.kind(e.body))
    if {shape(part) for part in parts} != {shape(kind)} or e.base is None:
        raise Unsupported("lists that lie in memory in different ways")
    found = lo.w.fresh("timed")
    lo.w.set(found, lo.row(e.base))

    def one(label: str) -> None:
        lo.w.set(found, lo.row(e.body))
        lo.w.leave(label)

    _each(lo, e, one)
    return Local(found)


KINDS: dict[type, KindMaker] = {ir.TimedFold: kind}
NUMBERS: dict[type, NumberMaker] = {ir.TimedActive: active, ir.TimedFold: value}
SETS: dict[type, SetMaker] = {ir.TimedFold: members}
ROWS: dict[type, NumberMaker] = {ir.TimedFold: row}
