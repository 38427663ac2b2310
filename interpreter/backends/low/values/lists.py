"""Lists and maps: the address of each node whose value is one, and questions about them.

What is made lies in scratch memory, a stack that is cut back where a statement, a pass or a function ends. What stands
in the store is read where it lies.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.program import FRAME_LINK
from interpreter.backends.low.base.context import Held, Later, Lowering, NumberMaker, SetMaker, Words
from interpreter.backends.low.base.kinds import (
    Dense,
    ItemsKind,
    Kind,
    MembersKind,
    Number,
    Pairs,
    Unsupported,
    shape,
    width_of,
)
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, load, load_long, scale, subtract, union
from interpreter.backends.low.base.stored import load_row
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.values.folds import append, item_word, new_list
from interpreter.backends.low.values.loops import Pass, each, each_item
from interpreter.backends.low.values.numbers import choose, keep_within, place_of, same_words, table_item
from interpreter.backends.low.values.ranges import number_kind, table_kind
from interpreter.backends.low.values.sets import as_bits, clear, count, is_member, put, words_of


def list_kind(lo: Lowering, e: ir.Expr) -> ItemsKind:
    kind = lo.kind(e)
    if not isinstance(kind, ItemsKind):
        raise Unsupported(f"{type(e).__name__} where a list is needed")
    return kind


# ------------------------------------------------------------ addresses


def _const(lo: Lowering, e: ir.Const) -> Expr:
    kind = lo.kind(e)
    if not isinstance(kind, ItemsKind):
        raise Unsupported("a number where a list is needed")
    return Num(lo.memory.row(e.value, kind.item))


def _temp(lo: Lowering, e: ir.Temp | ir.Force) -> Expr:
    found = lo.bound[e.slot]
    if isinstance(found, Later):
        with lo.binding(found.bound):
            return lo.row(found.value)
    if isinstance(found.kind, Number | MembersKind):
        raise Unsupported("a number or set where a list is needed")
    return Local(found.names[0])


def _cell(lo: Lowering, e: ir.Cell) -> Expr:
    base, offset = place_of(lo, e.address)
    return load_row(lo, add(base, offset), e.type)


def _frame_var(lo: Lowering, e: ir.FrameVar) -> Expr:
    return load_row(lo, add(lo.w.frame(), FRAME_LINK + e.slot), e.type)


def _frame_item(lo: Lowering, e: ir.FrameItem) -> Expr:
    return load_row(lo, lo.w.let(add(add(lo.w.frame(), lo.number(e.offset)), FRAME_LINK + e.slot)), e.type)


def _table_get(lo: Lowering, e: ir.TableGet) -> Expr:
    kind = table_kind(lo, e.table)
    if not isinstance(kind, ItemsKind):
        raise Unsupported("a table of numbers where a list is needed")
    return table_item(lo, e, [lo.memory.row(v, kind.item) for v in lo.program.tables[e.table]])


def _if(lo: Lowering, e: ir.If) -> Expr:
    kinds = [lo.kind(part) for part in (e.then, e.orelse)]
    if len({shape(kind) for kind in kinds if kind != ItemsKind(Number(0, 0), 0)}) > 1:
        raise Unsupported("lists that lie in memory in different ways")
    return choose(lo, e.test, lambda: lo.row(e.then), lambda: lo.row(e.orelse))


def _let(lo: Lowering, e: ir.Let) -> Expr:
    with lo.also({e.slot: lo.hold(lo.kind(e.value), e.value)}):
        return lo.row(e.body)


def _lazy_let(lo: Lowering, e: ir.LazyLet) -> Expr:
    with lo.also({e.slot: Later(e.value, lo.bound)}):
        return lo.row(e.body)


def _item_place(lo: Lowering, e: ir.ListItem) -> tuple[WordsAt, Kind]:
    """The place of an item of a list, with its kind; gives up where the item is not there."""
    kind = list_kind(lo, e.list)
    row, n = lo.w.let(lo.row(e.list)), lo.w.let(lo.number(e.index))
    lo.w.trap_if(Op(">u", add(n, -1), add(low.Load(row), -1)), Reason.FAULT)
    lo.w.trap_if(low.Not(low.Load(row)), Reason.FAULT)
    width = width_of(kind.item)
    return WordsAt(add(row, scale(n, width)), 1 - width), kind.item


def _map_place(lo: Lowering, e: ir.MapItem) -> tuple[WordsAt, Kind]:
    """The place of an item of a dense map, with its kind; a constant one is a list, whose length comes first."""
    kind = lo.kind(e.map)
    if not isinstance(kind, ItemsKind | Dense):
        raise Unsupported("MapItem of what is no dense map")
    size = kind.most if isinstance(kind, ItemsKind) else kind.count
    row = lo.w.let(lo.row(e.map))
    offset = keep_within(lo, lo.number(e.offset), number_kind(lo, e.offset), (0, max(size - 1, 0)))
    return WordsAt(add(row, scale(offset, width_of(kind.item))), int(isinstance(kind, ItemsKind))), kind.item


def _item(lo: Lowering, place: WordsAt, kind: Kind, of: type) -> Expr:
    is_number = isinstance(kind, Number)
    if isinstance(kind, MembersKind) or is_number != (of is Number):
        raise Unsupported("an item of another kind than is needed")
    return load(place)


def _words(lo: Lowering, place: WordsAt, kind: Kind) -> Words:
    if isinstance(kind, Number):
        return as_bits(kind, lo.w.let(load(place)))
    if not isinstance(kind, MembersKind):
        raise Unsupported("an item that is no set where one is needed")
    base = lo.w.let(place.base)
    return {w: load_long(WordsAt(base, place.offset + 2 * k)) for k, w in enumerate(kind.words)}


# ------------------------------------------------------------ what is made


def _map_with(lo: Lowering, e: ir.MapWith) -> Expr:
    kind = lo.kind(e)
    assert isinstance(kind, Dense)
    if not isinstance(kind.item, Number):
        raise Unsupported("MapWith of sets or lists")
    at, source = lo.take(kind.count), lo.w.let(lo.row(e.map))
    lo.w.emit(low.Copy(at, source, Num(kind.count)))
    offset = keep_within(lo, lo.number(e.offset), number_kind(lo, e.offset), (0, kind.count - 1))
    offset = lo.w.let(offset)
    lo.w.store(add(at, offset), 0, item_word(lo, lo.number(e.value), lo.kind(e.value)))
    return at


def _list_op(lo: Lowering, e: ir.ListOp) -> Expr:
    work = LIST_OPS.get(e.op)
    if work is None:
        raise Unsupported(f"ListOp `{e.op}` where a list is needed")
    return work(lo, e)


def _to_list(lo: Lowering, e: ir.ListOp) -> Expr:
    kind = list_kind(lo, e)
    found = new_list(lo, kind)
    each(lo, ir.Domain("set", e.args[0]), lambda p: append(lo, found, kind, p.member))
    return found


def _concat(lo: Lowering, e: ir.ListOp) -> Expr:
    kind = list_kind(lo, e)
    sides = [(lo.w.let(lo.row(part)), list_kind(lo, part)) for part in e.args]
    if {shape(side.item) for _, side in sides if side.most} - {shape(kind.item)}:
        raise Unsupported("lists that lie in memory in different ways")
    found = new_list(lo, kind)
    for row, side in sides:
        each_item(lo, row, side, lambda p: append(lo, found, kind, p.member))
    return found


def _insert(lo: Lowering, e: ir.ListOp) -> Expr:
    kind, old = list_kind(lo, e), list_kind(lo, e.args[0])
    if not isinstance(kind.item, Number | MembersKind):
        raise Unsupported("ListOp `insert` of lists")
    row = lo.w.let(lo.row(e.args[0]))
    item = lo.hold(kind.item if isinstance(kind.item, MembersKind) else lo.kind(e.args[1]), e.args[1])
    at = lo.w.let(lo.number(e.args[2]))
    at = lo.w.let(low.Choice(Op("<", at, ZERO), add(at, low.Load(row)), at))  # from behind, as slices count
    found, n = new_list(lo, kind), lo.w.fresh("n")
    lo.w.set(n, ZERO)

    def one(p: Pass) -> None:
        here = Op("==", Local(n), at)
        lo.w.when(here, lambda: append(lo, found, kind, item))
        append(lo, found, kind, p.member)
        lo.w.set(n, add(Local(n), 1))

    lo.w.trap_if(Op("<", at, ZERO), Reason.RANGE)
    each_item(lo, row, old, one)
    lo.w.when(Op("<=", Local(n), at), lambda: append(lo, found, kind, item))
    return found


def _without(lo: Lowering, e: ir.ListOp) -> Expr:
    kind = list_kind(lo, e)
    gone = {w: lo.w.let(part) for w, part in lo.members(e.args[1]).items()}
    row, found = lo.row(e.args[0]), new_list(lo, kind)

    def one(p: Pass) -> None:
        if not isinstance(p.member.kind, Number):
            raise Unsupported("ListOp `without` of sets or lists")
        dropped = is_member(gone, Local(p.member.names[0]), p.member.kind)
        lo.w.when(low.Not(dropped), lambda: append(lo, found, kind, p.member))

    each_item(lo, row, kind, one)
    return found


def _some(lo: Lowering, e: ir.ListOp) -> Expr:
    """The first or the last items, as many as are wanted and there."""
    kind = list_kind(lo, e)
    row, width = lo.w.let(lo.row(e.args[0])), width_of(kind.item)
    wanted, size = lo.w.let(lo.number(e.args[1])), lo.w.let(low.Load(row))
    n = lo.w.let(low.Choice(Op("<", wanted, size), wanted, size))
    n = lo.w.let(low.Choice(Op("<", n, ZERO), ZERO, n))
    found = new_list(lo, kind)
    lo.w.store(found, 0, n)
    skipped: Expr = subtract(size, n) if e.op == "last_some" else ZERO
    lo.w.emit(low.Copy(add(found, 1), add(add(row, scale(skipped, width)), 1), scale(n, width)))
    return found


def _dense(lo: Lowering, e: ir.ListOp) -> Expr:
    """A sparse map as a dense one; the keys of the sparse one all lie in it."""
    kind = lo.kind(e)
    assert isinstance(kind, Dense)
    if not isinstance(e.args[2], ir.Const):
        raise Unsupported("ListOp `dense` at a place that is not constant")
    first = e.args[2].value
    at, pairs = lo.take(kind.count), lo.w.let(lo.row(e.args[0]))
    lo.w.emit(low.Clear(at, Num(kind.count)))

    def one(n: Expr) -> None:
        pair = lo.w.let(add(pairs, Op("<<", n, ONE)))
        key = lo.w.let(add(low.Load(pair, 1), first))
        inside = low.Not(Op(">u", key, Num(kind.count - 1)))
        lo.w.emit(low.If(inside, (low.Store(add(at, key), 0, low.Load(pair, 2)),)))

    lo.w.upto(ZERO, low.Load(pairs), one)
    return at


LIST_OPS: dict[str, Callable[[Lowering, ir.ListOp], Expr]] = {
    "to_list": _to_list,
    "concat": _concat,
    "insert": _insert,
    "without": _without,
    "front_some": _some,
    "last_some": _some,
    "dense": _dense,
}

# ------------------------------------------------------------ questions


def _size(lo: Lowering, e: ir.Size) -> Expr:
    if e.kind == "set":
        return count(lo.members(e.operand))
    if e.kind == "list":
        return low.Load(lo.row(e.operand))
    kind, row, total = lo.kind(e.operand), lo.w.let(lo.row(e.operand)), lo.w.fresh("total")
    lo.w.set(total, ZERO)
    match kind:
        case Pairs():
            amounts, offset, size, width = row, 2, add(low.Load(row), ZERO), 2
        case Dense(Number(), number):
            amounts, offset, size, width = row, 0, Num(number), 1
        case ItemsKind(Number(), _):
            amounts, offset, size, width = row, 1, low.Load(row), 1
        case _:
            raise Unsupported("the total of what are no numbers")

    def one(n: Expr) -> None:
        lo.w.set(total, add(Local(total), low.Load(add(amounts, scale(n, width)), offset)))

    lo.w.upto(ZERO, size, one)
    return Local(total)


def _in_list(lo: Lowering, e: ir.InList) -> Expr:
    return Op("!=", _position(lo, e.member, e.list, False), ZERO)


def _position(lo: Lowering, member: ir.Expr, of: ir.Expr, zero_counts: bool) -> Expr:
    """The place of a number or set in a list, from 1; 0: it is not there. `zero_counts`: 0 may stand in the list."""
    kind = list_kind(lo, of)
    some, is_same = _same_item(lo, member, kind.item)
    row = lo.row(of)
    found, n = lo.w.fresh("found"), lo.w.fresh("n")
    lo.w.set(found, ZERO)
    lo.w.set(n, ZERO)

    def one(p: Pass) -> None:
        lo.w.set(n, add(Local(n), 1))
        lo.w.emit(low.If(is_same(p.member), (low.Set(found, Local(n)), low.Leave(p.leave))))

    each_item(lo, row, kind, one)
    return Local(found) if zero_counts else low.Choice(some, Local(found), ZERO)


def _same_item(lo: Lowering, member: ir.Expr, item: Kind) -> tuple[Expr, Callable[[Held], Expr]]:
    """A test that a number or set, worked out here, is other than 0, and the maker of a test that an item of a list is
    equal to it."""
    if isinstance(item, MembersKind):
        words = {w: lo.w.let(part) for w, part in lo.members(member).items()}
        some: Expr = ZERO
        for part in words.values():
            some = union(some, part)
        return some, lambda held: same_words(words_of(held), words)
    if not isinstance(item, Number):
        raise Unsupported("a search in a list of lists")
    m = lo.w.let(lo.number(member))
    return m, lambda held: Op("==", Local(held.names[0]), m)


def _number_of_list(lo: Lowering, e: ir.ListOp) -> Expr:
    if e.op == "place":
        return _position(lo, e.args[0], e.args[1], True)
    if e.op not in ("front", "last"):
        raise Unsupported(f"ListOp `{e.op}` where a number is needed")
    kind, row = list_kind(lo, e.args[0]), lo.w.let(lo.row(e.args[0]))
    if not isinstance(kind.item, Number):
        raise Unsupported(f"ListOp `{e.op}` of sets or lists")
    size = lo.w.let(low.Load(row))
    item = low.Load(row, 1) if e.op == "front" else low.Load(add(row, size))
    return low.Choice(size, item, ZERO)


def _list_item(lo: Lowering, e: ir.ListItem) -> Expr:
    place, kind = _item_place(lo, e)
    return _item(lo, place, kind, Number)


def _map_item(lo: Lowering, e: ir.MapItem) -> Expr:
    if not e.sparse:
        place, kind = _map_place(lo, e)
        return _item(lo, place, kind, Number)
    if not isinstance(lo.kind(e.map), Pairs):
        raise Unsupported("a constant sparse map")
    row, key, found = lo.w.let(lo.row(e.map)), lo.w.let(lo.number(e.offset)), lo.w.fresh("amount")
    lo.w.set(found, ZERO)

    def one(n: Expr) -> None:
        pair = lo.w.let(add(row, Op("<<", n, ONE)))
        lo.w.emit(low.If(Op("==", low.Load(pair, 1), key), (low.Set(found, low.Load(pair, 2)),)))

    lo.w.upto(ZERO, low.Load(row), one)
    return Local(found)


def _end_set(lo: Lowering, e: ir.ListOp) -> Words:
    """The first or the last item of a list of sets; none where it is empty."""
    kind, row = list_kind(lo, e.args[0]), lo.w.let(lo.row(e.args[0]))
    size = lo.w.let(low.Load(row))
    skipped = scale(add(size, -1), width_of(kind.item)) if e.op == "last" else ZERO
    words = _words(lo, WordsAt(add(row, skipped), 1), kind.item)
    return {w: low.Choice(size, part, ZERO) for w, part in words.items()}


def _set_of_list(lo: Lowering, e: ir.ListOp) -> Words:
    if e.op in ("front", "last"):
        return _end_set(lo, e)
    if e.op != "to_set":
        raise Unsupported(f"ListOp `{e.op}` where a set is needed")
    kind, held = lo.kind(e), None
    assert isinstance(kind, MembersKind)
    held = clear(lo, lo.empty(kind))

    def one(p: Pass) -> None:
        assert isinstance(p.member.kind, Number) and held is not None
        put(lo, held, Local(p.member.names[0]), p.member.kind)

    each_item(lo, lo.row(e.args[0]), list_kind(lo, e.args[0]), one)
    return words_of(held)


ROWS: dict[type, NumberMaker] = {
    ir.Const: _const,
    ir.Temp: _temp,
    ir.Force: _temp,
    ir.Cell: _cell,
    ir.FrameVar: _frame_var,
    ir.FrameItem: _frame_item,
    ir.TableGet: _table_get,
    ir.If: _if,
    ir.ByPlace: lambda lo, e: lo.row(e.read),
    ir.ListOp: _list_op,
    ir.MapWith: _map_with,
    ir.MapItem: lambda lo, e: _item(lo, *_map_place(lo, e), ItemsKind),
    ir.ListItem: lambda lo, e: _item(lo, *_item_place(lo, e), ItemsKind),
    ir.Let: _let,
    ir.LazyLet: _lazy_let,
}

LIST_QUESTIONS: dict[type, NumberMaker] = {
    ir.Size: _size,
    ir.InList: _in_list,
    ir.ListOp: _number_of_list,
    ir.ListItem: _list_item,
    ir.MapItem: _map_item,
}

LIST_SETS: dict[type, SetMaker] = {
    ir.ListOp: _set_of_list,
    ir.ListItem: lambda lo, e: _words(lo, *_item_place(lo, e)),
    ir.MapItem: lambda lo, e: _words(lo, *_map_place(lo, e)),
}
