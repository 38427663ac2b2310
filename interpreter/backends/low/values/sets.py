"""Sets: the words of each node whose value is a set, by absolute numbers of 64 members each.

Here a set lies in words of 64 members from 0 on.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import SetType
from dsl.program import FRAME_LINK
from interpreter.backends.low.base.context import Held, Later, Lowering, NumberMaker, SetMaker, Words
from interpreter.backends.low.base.kinds import MembersKind, Number, Unsupported, as_members, bits_of
from interpreter.backends.low.base.make import (
    ONE,
    ZERO,
    WordsAt,
    add,
    bit,
    both,
    either,
    inverted,
    load_long,
    num,
    scale,
    subtract,
    union,
)
from interpreter.backends.low.base.stored import load_set
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.numbers import checked_offset, keep_within, place_of
from interpreter.backends.low.values.ranges import number_kind, set_kind

ALL = Num(-1)
MOST_TESTED = 3  # words of which each is tested whether a member belongs into it

# ------------------------------------------------------------ sets by class


def _const(lo: Lowering, e: ir.Const) -> Words:
    kind = bits_of(e.value)
    return {w: num(e.value >> 64 * w & low.MASK_64) for w in kind.words}


def _temp(lo: Lowering, e: ir.Temp | ir.Force) -> Words:
    found = lo.bound[e.slot]
    if isinstance(found, Later):
        with lo.binding(found.bound):
            return lo.members(found.value)
    if isinstance(found.kind, Number):
        return as_bits(found.kind, Local(found.names[0]))
    if not isinstance(found.kind, MembersKind):
        raise Unsupported("a list where a set is needed")
    return words_of(found)


def as_bits(kind: Number, value: Expr) -> Words:
    """A number as the set of its bits."""
    return {w: value for w in as_members(kind).words}


def words_of(held: Held) -> Words:
    """The words of a set in variables."""
    assert isinstance(held.kind, MembersKind)
    return {w: Local(name) for w, name in zip(held.kind.words, held.names, strict=True)}


def _cell(lo: Lowering, e: ir.Cell) -> Words:
    if not isinstance(e.type, SetType):
        raise Unsupported(f"a {e.type} where a set is needed")
    return load_set(lo, place_of(lo, e.address), e.type)


def _frame_var(lo: Lowering, e: ir.FrameVar) -> Words:
    if not isinstance(e.type, SetType):
        raise Unsupported(f"a {e.type} where a set is needed")
    return load_set(lo, WordsAt(lo.w.frame(), FRAME_LINK + e.slot), e.type)


def _frame_item(lo: Lowering, e: ir.FrameItem) -> Words:
    if not isinstance(e.type, SetType):
        raise Unsupported(f"a {e.type} where a set is needed")
    return load_set(lo, WordsAt(lo.w.let(add(lo.w.frame(), lo.number(e.offset))), FRAME_LINK + e.slot), e.type)


def _table_get(lo: Lowering, e: ir.TableGet) -> Words:
    place = _table_place(lo, e)
    return {w: load_long(WordsAt(place.base, place.offset + 2 * k)) for k, w in enumerate(set_kind(lo, e).words)}


def _table_place(lo: Lowering, e: ir.TableGet) -> WordsAt:
    """The place of a set of a constant table."""
    kind = set_kind(lo, e)
    items = lo.program.tables[e.table]
    if not all(isinstance(v, int) for v in items):
        raise Unsupported("a table of lists where a set is needed")
    at = lo.memory.sets(items, kind)
    return WordsAt(lo.w.let(scale(checked_offset(lo, e), 2 * len(kind.words))), at)


def _if(lo: Lowering, e: ir.If) -> Words:
    kind = as_members(lo.kind(e))
    holds = lo.number(e.test)
    if isinstance(holds, Num):
        return lo.members(e.then if holds.value else e.orelse)
    with lo.w.inside() as body:
        first = lo.members(e.then)
    with lo.w.inside() as other:
        second = lo.members(e.orelse)
    if not body and not other and len(kind.words) == 1:
        return {w: low.Choice(holds, first.get(w, ZERO), second.get(w, ZERO)) for w in kind.words}
    held = lo.empty(kind)
    for part, words in ((body, first), (other, second)):
        part += [low.Set(n, words.get(w, ZERO)) for w, n in zip(kind.words, held.names, strict=True)]
    lo.w.emit(low.If(holds, tuple(body), tuple(other)))
    return words_of(held)


def _arith(lo: Lowering, e: ir.Arith) -> Words:
    x, y = lo.members(e.left), lo.members(e.right)
    match e.op:
        case "|":
            return {w: union(x.get(w), y.get(w, ZERO)) for w in sorted({*x, *y})}
        case "&":
            return {w: Op("&", x[w], y[w]) for w in sorted(x.keys() & y.keys())}
        case "&~":
            return {w: Op("&", v, inverted(y[w])) if w in y else v for w, v in x.items()}
    raise Unsupported(f"Arith `{e.op}` where a set is needed")


def member_bit(v: Expr, w: int, kind: Number) -> Expr:
    """The bit of a member in word `w`, 0 if it belongs into another one."""
    if kind.low >> 6 == kind.high >> 6 == w:
        return Op("<<", ONE, v)
    return Op("<<", Op("==", Op(">>", v, Num(6)), Num(w)), v)


def put(lo: Lowering, held: Held, v: Expr, kind: Number, nothing: bool = True) -> None:
    """Add a member to a set in variables; gives up if there is no place for it. `nothing`: 0 adds nothing."""
    assert isinstance(held.kind, MembersKind)
    v = lo.w.let(v)
    if nothing and kind.low <= 0:
        inner = Number(max(kind.low, 1), kind.high) if kind.low == 0 else kind
        if kind.high < 1 and kind.low == 0:
            return
        lo.w.when(Op("!=", v, ZERO), lambda: put(lo, held, v, inner, False))
        return
    v = keep_within(lo, v, kind, (held.kind.low, held.kind.high))
    known = Number(max(kind.low, held.kind.low), min(kind.high, held.kind.high))
    places = {w: n for w, n in zip(held.kind.words, held.names, strict=True) if known.low >> 6 <= w <= known.high >> 6}
    if len(places) > MOST_TESTED:
        lo.w.cases(Op(">>", v, Num(6)), {w: _setting(lo, name, v) for w, name in places.items()})
        return
    for w, name in places.items():
        lo.w.set(name, Op("|", Local(name), member_bit(v, w, known)))


def _setting(lo: Lowering, name: str, v: Expr) -> Callable[[], None]:
    return lambda: lo.w.set(name, Op("|", Local(name), Op("<<", ONE, v)))


def clear(lo: Lowering, held: Held) -> Held:
    for name in held.names:
        lo.w.set(name, ZERO)
    return held


def _make_set(lo: Lowering, e: ir.MakeSet) -> Words:
    kind = set_kind(lo, e)
    kinds = [number_kind(lo, item) for item in e.items]
    if len(kind.words) == 1 and all(kind.low >> 6 == kind.high >> 6 for kind in kinds if kind.high > 0):
        w, found = kind.words[0], None
        for item, own in zip(e.items, kinds, strict=True):
            v = lo.w.let(keep_within(lo, lo.number(item), own, (min(own.low, 0), kind.high)))
            if own.high > 0:
                one = ONE if own.low > 0 else Op("!=", v, ZERO)
                found = union(found, Op("<<", one, v))
        return {w: found} if found is not None else {}
    held = clear(lo, lo.empty(kind))
    for item, own in zip(e.items, kinds, strict=True):
        put(lo, held, lo.number(item), own)
    return words_of(held)


def range_ends(lo: Lowering, e: ir.RangeSet) -> tuple[Expr, Expr]:
    """The first and the last member; gives up where there are more than there may be."""
    kind = set_kind(lo, e)
    first, last = number_kind(lo, e.low), number_kind(lo, e.high)
    low_end = keep_within(lo, lo.number(e.low), first, (0, max(first.high, 0)))
    high_end = keep_within(lo, lo.number(e.high), last, (min(last.low, 0), kind.high if kind.high >= 0 else -1))
    return low_end, high_end


def _range_set(lo: Lowering, e: ir.RangeSet) -> Words:
    kind = set_kind(lo, e)
    if kind.high < 0:
        return {}
    ends = range_ends(lo, e)
    first, last = lo.w.let(ends[0]), lo.w.let(ends[1])
    return {w: _range_word(w, first, last) for w in kind.words}


def _range_word(w: int, first: Expr, last: Expr) -> Expr:
    """The members of one word from `first` to `last`."""
    begin, end = Num(64 * w), Num(64 * w + 63)
    upper: Expr = Op("-", Op("<<", Num(2), last), ONE)  # shifts count modulo 64
    upper = low.Choice(Op(">=", last, end), ALL, upper)
    lower: Expr = low.Choice(Op("<=", first, begin), ALL, Op("<<", ALL, first))
    none = either(Op("<", last, first), either(Op(">", first, end), Op("<", last, begin)))
    return low.Choice(none, ZERO, Op("&", upper, lower))


def _let(lo: Lowering, e: ir.Let) -> Words:
    with lo.also({e.slot: lo.hold(lo.kind(e.value), e.value)}):
        return lo.members(e.body)


def _lazy_let(lo: Lowering, e: ir.LazyLet) -> Words:
    with lo.also({e.slot: Later(e.value, lo.bound)}):
        return lo.members(e.body)


# ------------------------------------------------------------ questions about sets


def _in_set(lo: Lowering, e: ir.InSet) -> Expr:
    m, kind = lo.w.let(lo.number(e.member)), number_kind(lo, e.member)
    if isinstance(e.set, ir.TableGet):
        of = set_kind(lo, e.set)
        if kind.low >= 64 * of.words.start and kind.high < 64 * of.words.stop and of.words.start == 0:
            place = _table_place(lo, e.set)
            half = Op("<<", Op(">>u", m, Num(6)), ONE)
            return bit(load_long(WordsAt(add(place.base, half), place.offset)), m)
    return is_member(lo.members(e.set), m, kind)


def is_member(words: Words, m: Expr, kind: Number) -> Expr:
    """A test that a number is a member of a set; `m` is read more than once."""
    found: Expr = ZERO
    for w, e in words.items():
        if kind.low >> 6 == kind.high >> 6 == w:
            return bit(e, m)
        if kind.low >> 6 <= w <= kind.high >> 6:
            found = low.Choice(Op("==", Op(">>", m, Num(6)), Num(w)), bit(e, m), found)
    return found


def _subset(lo: Lowering, e: ir.Subset) -> Expr:
    x, y = lo.members(e.left), lo.members(e.right)
    found: Expr = ONE
    for w, v in x.items():
        rest = Op("&", v, inverted(y[w])) if w in y else v
        found = both(found, Op("==", rest, ZERO))
    return found


def some(words: Words) -> Expr:
    """Other than 0 if a set has members."""
    found: Expr = ZERO
    for part in words.values():
        found = union(found, part)
    return found


def count(words: Words) -> Expr:
    """The number of members of a set."""
    total: Expr = ZERO
    for e in words.values():
        total = add(total, low.Ones(e))
    return total


def size_of_range(first: Expr, last: Expr) -> Expr:
    """The number of integers from one to another; below 0 where there are none."""
    return add(subtract(last, first), 1)


SETS: dict[type, SetMaker] = {
    ir.Const: _const,
    ir.Temp: _temp,
    ir.Force: _temp,
    ir.Cell: _cell,
    ir.FrameVar: _frame_var,
    ir.FrameItem: _frame_item,
    ir.TableGet: _table_get,
    ir.If: _if,
    ir.ByPlace: lambda lo, e: lo.members(e.read),
    ir.Arith: _arith,
    ir.MakeSet: _make_set,
    ir.RangeSet: _range_set,
    ir.Let: _let,
    ir.LazyLet: _lazy_let,
}

SET_QUESTIONS: dict[type, NumberMaker] = {ir.InSet: _in_set, ir.Subset: _subset}
