"""Maps of numbers over an answer that is not known yet: each item lies between two numbers.

A map is two rows in memory, of the least and of the greatest numbers, by the places of its items. The answer itself is
sparse in the rules: its rows go by key numbers, and it becomes a row of pairs where something has to wait until it is
decided.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from dsl import ir
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import Dense, ItemsKind, Number, Pairs, join, within
from interpreter.backends.low.base.make import ONE, ZERO, add, both, load, scale
from interpreter.backends.low.base.make import WordsAt as At
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.spans.folds import bindings
from interpreter.backends.low.spans.numbers import put, variables, within_call, within_let
from interpreter.backends.low.spans.spans import MapSpan, NumberSpan, Spans, UnseenSpan
from interpreter.backends.low.values.folds import item_word, key_within
from interpreter.backends.low.values.numbers import keep_within, looked_up
from interpreter.backends.low.values.ranges import number_kind


def _temp(s: Spans, e: ir.Temp | ir.Force) -> MapSpan:
    most = s.lo.bound[e.slot]
    if not isinstance(most, Held) or not isinstance(most.kind, Dense):
        raise UnseenSpan
    return _rows(s, e.slot, most)


def _answer(s: Spans, e: ir.Expr) -> MapSpan:
    """The answer, which is a sparse map in the rules."""
    most = s.lo.bound.get(e.slot) if isinstance(e, ir.Temp) else None
    if not isinstance(e, ir.Temp) or not isinstance(most, Held) or not isinstance(most.kind, Pairs):
        raise UnseenSpan
    return _rows(s, e.slot, most)


def _rows(s: Spans, slot: int, most: Held) -> MapSpan:
    least = s.lower[slot]
    assert isinstance(least.kind, Dense)
    return MapSpan(least.kind, Local(least.names[0]), Local(most.names[0]))


def _item_kind(m: MapSpan) -> Number:
    if not isinstance(m.kind.item, Number):
        raise UnseenSpan
    return m.kind.item


def _at(row: Expr, n: Expr) -> Expr:
    return load(At(add(row, n)))


# ------------------------------------------------------------ what is made


def _new(s: Spans, count: int) -> tuple[Expr, Expr]:
    return s.lo.take(count), s.lo.take(count)


def _put(lo: Lowering, rows: tuple[Expr, Expr], n: Expr, least: Expr, most: Expr) -> None:
    for row, value in zip(rows, (least, most), strict=True):
        lo.w.store(add(row, n), 0, item_word(lo, value, Number(-(1 << 62), 1 << 62)))


def _dense(s: Spans, e: ir.ListOp) -> MapSpan:
    """The answer as a dense map; what it does not have is 0."""
    if e.op != "dense" or not all(isinstance(arg, ir.Const) for arg in e.args[1:]):
        raise UnseenSpan
    size, first = (int(arg.value) for arg in e.args[1:] if isinstance(arg, ir.Const))
    source, lo = _answer(s, e.args[0]), s.lo
    if first == 0 and size == source.kind.count:
        return source
    rows = _new(s, size)
    for row, own in zip(rows, (source.must, source.may), strict=True):
        lo.w.emit(low.Clear(row, Num(size)))
        start, end = max(first, 0), min(size, first + source.kind.count)
        if end > start:
            lo.w.emit(low.Copy(add(row, start), add(own, start - first), Num(end - start)))
    return MapSpan(Dense(source.kind.item, size), *rows)


def _map_with(s: Spans, e: ir.MapWith) -> MapSpan:
    if not s.is_known(e.offset):
        raise UnseenSpan
    source, lo = s.map(e.map), s.lo
    count, rows = source.kind.count, _new(s, source.kind.count)
    for row, own in zip(rows, (source.must, source.may), strict=True):
        lo.w.emit(low.Copy(row, own, Num(count)))
    at = keep_within(lo, s.known_number(e.offset), number_kind(lo, e.offset), (0, count - 1))
    value = s.number(e.value)
    _put(lo, rows, lo.w.let(at), value.least, value.most)
    return MapSpan(Dense(join(source.kind.item, number_kind(lo, e.value)), count), *rows)


def _if(s: Spans, e: ir.If) -> MapSpan:
    """One map or the other; each item of either, if the test is not decided."""
    w, test = s.lo.w, s.truth(e.test)
    must, may = w.fresh("must"), w.fresh("may")
    kinds: list[Dense] = []

    def first() -> None:
        found = s.map(e.then)
        kinds.append(found.kind)
        w.set(must, found.must)
        w.set(may, found.may)

    def second() -> None:
        found = s.map(e.orelse)
        kinds.append(found.kind)
        w.when(test.most, partial(mix, found), partial(replace, found))

    def replace(found: MapSpan) -> None:
        w.set(must, found.must)
        w.set(may, found.may)

    def mix(found: MapSpan) -> None:
        rows = _new(s, found.kind.count)

        def one(n: Expr) -> None:
            least, other = w.let(_at(Local(must), n)), w.let(_at(found.must, n))
            most, another = w.let(_at(Local(may), n)), w.let(_at(found.may, n))
            smaller = low.Choice(Op("<", least, other), least, other)
            _put(s.lo, rows, n, smaller, low.Choice(Op(">", most, another), most, another))

        w.upto(ZERO, Num(found.kind.count), one)
        w.set(must, rows[0])
        w.set(may, rows[1])

    w.when(test.most, first)
    w.when(low.Not(test.least), second)
    kind = join(kinds[0], kinds[1]) if kinds[0].count == kinds[1].count else None
    if not isinstance(kind, Dense):
        raise UnseenSpan
    return MapSpan(kind, Local(must), Local(may))


def _table(s: Spans, e: ir.Fold) -> MapSpan:
    """A map of what each binding gives; one that may not pass leaves what was there."""
    kind, lo = s.lo.kind(e), s.lo
    if e.kind != "table" or not isinstance(kind, Dense) or not isinstance(kind.item, Number):
        raise UnseenSpan
    rows = _new(s, kind.count)
    lo.w.upto(ZERO, Num(kind.count), lambda n: _put(lo, rows, n, Num(e.empty), Num(e.empty)))

    def one(inner: Spans, member: Held, sure: Expr, leave: str) -> None:
        offset: Expr = ZERO
        for (slot, _), (lowest, highest) in zip(e.binders, e.table_keys, strict=True):
            key = ir.Temp(slot)
            if not inner.is_known(key):
                raise UnseenSpan
            inside = key_within(lo, lo.number(key), number_kind(lo, key), lowest, highest)
            offset = add(scale(offset, highest - lowest + 1), add(inside, -lowest))
        offset = lo.w.let(offset)
        value = inner.number(e.body) if e.body is not None else NumberSpan(*[Local(member.names[0])] * 2)
        least, most = lo.w.let(_at(rows[0], offset)), lo.w.let(_at(rows[1], offset))
        smaller = low.Choice(either_way(sure, Op("<", value.least, least)), value.least, least)
        greater = low.Choice(either_way(sure, Op(">", value.most, most)), value.most, most)
        _put(lo, rows, offset, smaller, greater)

    bindings(s, e, one)
    return MapSpan(kind, *rows)


def either_way(sure: Expr, better: Expr) -> Expr:
    return ONE if sure == ONE else low.Either(sure, better)


# ------------------------------------------------------------ questions


def item(s: Spans, e: ir.MapItem) -> NumberSpan:
    if not s.is_known(e.offset):
        raise UnseenSpan
    m = _answer(s, e.map) if e.sparse else s.map(e.map)
    _item_kind(m)
    w, kind, count = s.lo.w, number_kind(s.lo, e.offset), m.kind.count
    offset = s.known_number(e.offset)
    if not e.sparse:
        offset = w.let(keep_within(s.lo, offset, kind, (0, count - 1)))
        return _loaded(s, m, offset, ONE)
    inside: Expr = ONE if within(kind, 0, count - 1) else w.let(low.Not(Op(">u", offset, Num(count - 1))))
    return _loaded(s, m, offset if inside == ONE else w.let(low.Choice(inside, offset, ZERO)), inside)


def _loaded(s: Spans, m: MapSpan, offset: Expr, inside: Expr) -> NumberSpan:
    def one(row: Expr) -> Expr:
        value = _at(row, offset)
        return s.lo.w.let(value if inside == ONE else low.Choice(inside, value, ZERO))

    least = one(m.must)
    return NumberSpan(least, least if m.must is m.may else one(m.may))


def size(s: Spans, e: ir.Size) -> NumberSpan:
    """The sum of all items, or how many are other than 0."""
    try:
        m = _answer(s, e.operand)
    except UnseenSpan:
        if e.kind != "total":
            raise
        m = s.map(e.operand)
    _item_kind(m)
    found = variables(s, ZERO, ZERO)

    def one(n: Expr) -> None:
        least, most = _at(m.must, n), _at(m.may, n)
        if e.kind != "total":
            least, most = Op("!=", least, ZERO), Op("!=", most, ZERO)
        put(s, found, add(found.least, least), add(found.most, most))

    s.lo.w.upto(ZERO, Num(m.kind.count), one)
    return found


# ------------------------------------------------------------ tables


def table_item(s: Spans, e: ir.TableGet) -> NumberSpan:
    """The least and the greatest of the items that a place may mean."""
    items = s.lo.program.tables[e.table]
    if not all(isinstance(v, int) and -(1 << 31) <= v < 1 << 31 for v in items):
        raise UnseenSpan
    place, w = s.number(e.offset), s.lo.w
    at, last = s.lo.memory.words([int(v) for v in items]), len(items) - 1
    least, most = w.fresh("least"), w.fresh("most")
    known = w.let(Op("==", place.least, place.most))
    outside = both(known, Op(">u", place.least, Num(last)))
    w.trap_if(outside, low.Reason.RANGE)
    first = w.let(low.Choice(Op("<", place.least, ZERO), ZERO, place.least))
    end = w.let(low.Choice(Op(">", place.most, Num(last)), Num(last), place.most))
    first = w.let(low.Choice(Op(">", first, Num(last)), Num(last), first))
    w.set(least, low.Load(first, at))
    w.set(most, Local(least))

    def one(n: Expr) -> None:
        value = w.let(low.Load(n, at))
        w.emit(low.If(Op("<", value, Local(least)), (low.Set(least, value),)))
        w.emit(low.If(Op(">", value, Local(most)), (low.Set(most, value),)))

    w.upto(add(first, 1), add(end, 1), one)
    return NumberSpan(Local(least), Local(most))


def range_item(s: Spans, e: ir.RangeTable) -> NumberSpan:
    """The least and the greatest of what stands in the rows that a key may mean."""
    if not all(isinstance(row[2], int) for row in e.rows):
        raise UnseenSpan
    key, w = s.number(e.key), s.lo.w
    exact = w.let(looked_up(e.rows, key.least))
    found = variables(s, exact, exact)

    def all_rows() -> None:
        for first, last, value in (*e.rows, (-(1 << 62), 1 << 62, e.rows[-1][2])):
            meets = w.let(both(Op("<=", Num(first), key.most), Op("<=", key.least, Num(last))))
            lesser = low.Choice(both(meets, Op("<", Num(value), found.least)), Num(value), found.least)
            greater = low.Choice(both(meets, Op(">", Num(value), found.most)), Num(value), found.most)
            put(s, found, lesser, greater)

    w.when(Op("!=", key.least, key.most), all_rows)
    return found


# ------------------------------------------------------------ the answer where it is decided


def pairs(lo: Lowering, kind: Dense, row: Expr) -> Expr:
    """A row of items as the pairs of a sparse map: those that are other than 0."""
    w = lo.w
    at = lo.take(1 + 2 * kind.count)
    w.store(at, 0, ZERO)

    def one(n: Expr) -> None:
        value = w.let(_at(row, n))

        def append() -> None:
            count = w.let(low.Load(at))
            pair = w.let(add(at, scale(count, 2)))
            w.store(pair, 1, n)
            w.store(pair, 2, value)
            w.store(at, 0, add(count, 1))

        w.when(value, append)

    w.upto(ZERO, Num(kind.count), one)
    return at


def known(s: Spans, e: ir.Expr) -> MapSpan:
    """A map that does not depend on the answer."""
    kind, lo = s.lo.kind(e), s.lo
    if isinstance(kind, ItemsKind):  # a constant map is a list, whose length comes first
        kind, row = Dense(kind.item, kind.most), lo.w.let(add(lo.row(e), 1))
    elif isinstance(kind, Dense):
        row = lo.w.let(lo.row(e))
    else:
        raise UnseenSpan
    return MapSpan(kind, row, row)


MAPS: dict[type, Callable[[Spans, Any], MapSpan]] = {
    ir.Temp: _temp,
    ir.Force: _temp,
    ir.ListOp: _dense,
    ir.MapWith: _map_with,
    ir.If: _if,
    ir.Fold: _table,
    ir.ByPlace: lambda s, e: s.map(e.read),
    ir.CallFn: partial(within_call, Spans.map),
    ir.Let: partial(within_let, Spans.map),
    ir.LazyLet: partial(within_let, Spans.map),
}
