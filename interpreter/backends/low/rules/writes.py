"""Writing values into the store, and what routines give: each is tested against the bounds of its type."""

from __future__ import annotations

from dsl import ir
from dsl.base.types import INT_HIGH, IntType, ListType, MapType, SetType, SparseType, Type, width
from dsl.program import RV
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import (
    Dense,
    ItemsKind,
    Kind,
    MembersKind,
    Number,
    Pairs,
    Unsupported,
    kind_of,
    shape,
    within,
)
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, subtract
from interpreter.backends.low.base.stored import set_type, store_row, store_set
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.rules.wide import write_wide
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.ranges import set_kind
from interpreter.backends.low.values.sets import words_of
from interpreter.backends.low.values.wide import is_wide


def number_bounds(t: Type) -> tuple[int, int]:
    """The bounds of a number that may be written."""
    if isinstance(t, IntType):
        return t.low, t.high
    kind = kind_of(t)
    assert isinstance(kind, Number)
    return kind.low, kind.high


def write(lo: Lowering, place: WordsAt, t: Type, value: ir.Expr) -> None:
    """Write the value of an expression."""
    if isinstance(t, SetType) and is_wide(t):
        write_wide(lo, place, t, value)
        return
    kind = lo.kind(value)
    if isinstance(t, SetType):
        store_set(lo, place, t, lo.members(value), set_kind(lo, value))
    elif isinstance(t, ListType | MapType | SparseType):
        if isinstance(kind, Number | MembersKind):
            raise Unsupported(f"a number or set that is written as {t}")
        write_row(lo, place, t, lo.row(value), kind)
    elif isinstance(kind, Number):
        checked = keep_within(lo, lo.number(value), kind, number_bounds(t))
        lo.w.store(place.base, place.offset, checked)
    else:
        raise Unsupported(f"a set or list that is written as {t}")


def write_held(lo: Lowering, place: WordsAt, t: Type, held: Held) -> None:
    """Write a value that is in variables."""
    if isinstance(t, SetType):
        assert isinstance(held.kind, MembersKind)
        store_set(lo, place, t, words_of(held), held.kind)
    elif isinstance(held.kind, Number):
        checked = keep_within(lo, Local(held.names[0]), held.kind, number_bounds(t))
        lo.w.store(place.base, place.offset, checked)
    else:
        write_row(lo, place, t, Local(held.names[0]), held.kind)


def write_row(lo: Lowering, place: WordsAt, t: Type, row: Expr, kind: Kind) -> None:
    """Write a list or map that lies at an address; the words behind its items become 0."""
    wanted = kind_of(t)
    source, target = lo.w.let(row), lo.w.let(add(place.base, place.offset))
    match wanted, kind:
        case ItemsKind(), ItemsKind():
            size = lo.w.let(low.Load(source))
            lo.w.trap_if(Op(">", size, Num(wanted.most)), Reason.ROOM)
            used = lo.w.let(add(size, 1))
        case Pairs(), Pairs() | ItemsKind(most=0):
            size = lo.w.let(low.Load(source))
            lo.w.trap_if(Op(">", size, Num(wanted.most)), Reason.ROOM)
            used = lo.w.let(add(Op("<<", size, ONE), 1))
        case Dense(), Dense() if shape(wanted) == shape(kind):
            used = Num(wanted.count)
        case Dense(), ItemsKind(most=most) if most == wanted.count:  # a constant map is a list
            source, used = lo.w.let(add(source, 1)), Num(wanted.count)
        case _:
            raise Unsupported(f"a list or map that is written as {t}")
    if set_type(t) is not None:
        lo.w.emit(low.Clear(target, Num(width(t))))
        store_row(lo, source, target, t, kind)
        return
    if not isinstance(kind, Pairs):
        _check_items(lo, source, kind, wanted)
    lo.w.emit(low.Copy(target, source, used))
    if used != Num(width(t)):
        lo.w.emit(low.Clear(add(target, used), subtract(Num(width(t)), used)))


def _check_items(lo: Lowering, source: Expr, kind: Kind, wanted: Kind) -> None:
    """Test that the items of a list or map lie within the bounds of its type."""
    assert isinstance(kind, ItemsKind | Dense) and isinstance(wanted, ItemsKind | Dense | Pairs)
    if isinstance(wanted, Pairs) or not (
        isinstance(kind, ItemsKind) and kind.most == 0 or shape(kind.item) == "number"
    ):
        if isinstance(wanted, Pairs):
            return
        raise Unsupported("a list of lists that is written")
    item, bounds = kind.item, wanted.item
    assert isinstance(bounds, Number)
    if not isinstance(item, Number) or within(item, bounds.low, bounds.high):
        return
    is_list = isinstance(wanted, ItemsKind)
    size = low.Load(source) if is_list else Num(getattr(wanted, "count", 0))

    def one(n: Expr) -> None:
        keep_within(lo, low.Load(add(source, n), int(is_list)), item, (bounds.low, bounds.high))

    lo.w.upto(ZERO, size, one)


def give(lo: Lowering, value: ir.Expr) -> None:
    """Set the word of the result. A set or list is read right after the call, so its word is only what may stay in the
    store: a small set as a number, else 0."""
    kind = lo.kind(value)
    if isinstance(kind, Number):
        lo.w.put(RV, keep_within(lo, lo.number(value), kind, (-INT_HIGH, INT_HIGH)))
        return
    lo.gives_other = True
    if isinstance(kind, MembersKind):
        words = lo.members(value)
        lowest = lo.w.let(words.get(0, ZERO))
        large: Expr = Op(">u", lowest, Num(INT_HIGH))
        for w, part in words.items():
            large = low.Either(large, part) if w else large
        lo.w.put(RV, low.Choice(large, ZERO, lowest))
    else:
        lo.w.put(RV, ZERO)
