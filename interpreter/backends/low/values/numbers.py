"""Numbers and truth: the low expression of each node whose value is a number.

What must be worked out before is written as statements in front; nothing here changes the store.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl.program import FP, FRAME_LINK, RV, WAIVE
from interpreter.backends.low.base.context import PENDING, Held, Later, Lowering, NumberMaker, Words
from interpreter.backends.low.base.kinds import (
    FARTHEST,
    WORD,
    ItemsKind,
    Kind,
    MembersKind,
    Number,
    Unsupported,
    shape,
    width_of,
    within,
)
from interpreter.backends.low.base.make import (
    ONE,
    ZERO,
    WordsAt,
    add,
    both,
    either,
    load,
    scale,
    subtract,
    word,
)
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.values.ranges import OPERANDS, number_kind

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def place_of(lo: Lowering, e: ir.Expr) -> WordsAt:
    """An address, with its constant part apart. What is worked out is never below 0, since an offset is added to it
    without wrapping around."""
    if isinstance(e, ir.Const):
        return WordsAt(ZERO, e.value)
    if isinstance(e, ir.Linear):
        base, apart = _linear_parts(lo, e)
        return WordsAt(base, e.const) if apart else WordsAt(add(base, e.const))
    return WordsAt(lo.number(e))


def _linear_parts(lo: Lowering, e: ir.Linear) -> tuple[Expr, bool]:
    """The sum without its constant part, and whether that is certainly not below 0."""
    base: Expr = ZERO
    for term, stride in e.terms:
        base = add(base, scale(operand(lo, term, WORD), stride))
    return base, number_kind(lo, ir.Linear(0, e.terms)).low >= 0


def keep_within(lo: Lowering, value: Expr, kind: Number, bounds: tuple[int, int]) -> Expr:
    """A number, with a test unless it certainly lies within these bounds."""
    low_end, high_end = bounds
    if within(kind, low_end, high_end):
        return value
    value = lo.w.let(value)
    tests = []
    if kind.low < low_end:
        tests.append(Op("<", value, Num(low_end)))
    if kind.high > high_end:
        tests.append(Op(">", value, Num(high_end)))
    test = tests[0] if len(tests) == 1 else either(tests[0], tests[1])
    lo.w.trap_if(test, Reason.RANGE)
    return value


def operand(lo: Lowering, e: ir.Expr, bound: int) -> Expr:
    """A number that is no farther from 0 than this; else it is given up."""
    return keep_within(lo, lo.number(e), number_kind(lo, e), (-bound, bound))


# ------------------------------------------------------------ loads


def _const(lo: Lowering, e: ir.Const) -> Expr:
    if not isinstance(e.value, int) or abs(e.value) > FARTHEST:
        raise Unsupported("a constant list or set where a number is needed")
    return Num(int(e.value))


def _temp(lo: Lowering, e: ir.Temp | ir.Force) -> Expr:
    found = lo.bound[e.slot]
    if isinstance(found, Later):
        with lo.binding(found.bound):
            return lo.number(found.value)
    if not isinstance(found.kind, Number):
        raise Unsupported("a set or list where a number is needed")
    return Local(found.names[0])


def _frame_var(lo: Lowering, e: ir.FrameVar) -> Expr:
    return low.Load(lo.w.frame(), FRAME_LINK + e.slot)


def _frame_item(lo: Lowering, e: ir.FrameItem) -> Expr:
    return low.Load(add(lo.w.frame(), lo.number(e.offset)), FRAME_LINK + e.slot)


def _cell_sum(lo: Lowering, e: ir.CellSum) -> Expr:
    base, offset = place_of(lo, e.address)
    base = lo.w.let(base) if e.count > 1 else base
    total = load(WordsAt(base, offset))
    for n in range(1, e.count):
        total = add(total, load(WordsAt(base, offset + n * e.stride)))
    return total


def _linear(lo: Lowering, e: ir.Linear) -> Expr:
    return add(_linear_parts(lo, e)[0], e.const)


def checked_offset(lo: Lowering, e: ir.TableGet) -> Expr:
    """The number of an item of a table, which must be there."""
    size = len(lo.program.tables[e.table])
    return keep_within(lo, lo.number(e.offset), number_kind(lo, e.offset), (0, size - 1))


def _table_get(lo: Lowering, e: ir.TableGet) -> Expr:
    items = lo.program.tables[e.table]
    if not all(isinstance(v, int) for v in items):
        raise Unsupported("a table of lists where a number is needed")
    return table_item(lo, e, [int(v) for v in items])


def table_item(lo: Lowering, e: ir.TableGet, items: list[int]) -> Expr:
    """An item of a table of numbers, or of addresses."""
    if any(not -(1 << 31) <= v < 1 << 31 for v in items):
        raise Unsupported("a constant that needs more than 32 bits")
    offset = checked_offset(lo, e)
    if len(set(items)) == 1:
        return Num(items[0])
    at = lo.memory.words(items)
    match offset:
        case Num(value):
            return Num(items[value]) if 0 <= value < len(items) else ZERO  # it has been given up then
        case Op("+", base, Num(value)) if number_kind(lo, e.offset).low >= value:
            return load(WordsAt(base, at + value))
    return load(WordsAt(offset, at))


def _range_table(lo: Lowering, e: ir.RangeTable) -> Expr:
    return looked_up(e.rows, lo.w.let(lo.number(e.key)))


def looked_up(rows: Sequence[tuple[int, int, Any]], key: Expr) -> Expr:
    """The value of the first row that holds a number, else of the last one: a search in halves, of any number of
    rows."""
    starts = sorted({start for first, last, _ in rows for start in (first, last + 1)})
    values = [next((v for first, last, v in rows if first <= start <= last), rows[-1][2]) for start in starts]

    def among(first: int, end: int) -> Expr:
        if end - first == 1:
            return Num(values[first])
        half = (first + end) // 2
        return low.Choice(Op("<", key, Num(starts[half])), among(first, half), among(half, end))

    return among(-1, len(starts))  # before the first of them it is the last row, as behind the last one


# ------------------------------------------------------------ truth


def _not(lo: Lowering, e: ir.Not) -> Expr:
    value = lo.number(e.operand)
    return Num(int(not value.value)) if isinstance(value, Num) else low.Not(value)


def _and(lo: Lowering, e: ir.And) -> Expr:
    return _chain(lo, list(e.items), True)


def _or(lo: Lowering, e: ir.Or) -> Expr:
    return _chain(lo, list(e.items), False)


def _chain(lo: Lowering, items: list[ir.Expr], wanted: bool) -> Expr:
    """A test that all hold, or (not `wanted`) one does; once it is decided, the rest is not worked out."""
    if not items:
        return ONE if wanted else ZERO
    first = lo.number(items[0])
    if isinstance(first, Num):
        return (ONE if first.value else ZERO) if bool(first.value) != wanted else _chain(lo, items[1:], wanted)
    if len(items) == 1:
        return Op("!=", first, ZERO) if number_kind(lo, items[0]) != Number(0, 1) else first
    with lo.w.inside() as body:
        rest = _chain(lo, items[1:], wanted)
    if not body:
        return both(first, rest) if wanted else either(first, rest)
    found = lo.w.fresh("holds")
    body.append(low.Set(found, rest))
    lo.w.set(found, Num(int(not wanted)))
    lo.w.emit(low.If(first, tuple(body)) if wanted else low.If(low.Not(first), tuple(body)))
    return Local(found)


def choose(lo: Lowering, test: ir.Expr, then: Callable[[], Expr], orelse: Callable[[], Expr]) -> Expr:
    """One of two values; only the chosen one is worked out."""
    holds = lo.number(test)
    if isinstance(holds, Num):
        return then() if holds.value else orelse()
    with lo.w.inside() as body:
        first = then()
    with lo.w.inside() as other:
        second = orelse()
    if not body and not other:
        return low.Choice(holds, first, second)
    found = lo.w.fresh("either")
    lo.w.emit(low.If(holds, (*body, low.Set(found, first)), (*other, low.Set(found, second))))
    return Local(found)


def _if(lo: Lowering, e: ir.If) -> Expr:
    return choose(lo, e.test, lambda: lo.number(e.then), lambda: lo.number(e.orelse))


def _compare(lo: Lowering, e: ir.Compare) -> Expr:
    a, b = lo.kind(e.left), lo.kind(e.right)
    if isinstance(a, MembersKind) or isinstance(b, MembersKind):
        return _same_sets(lo, e)
    if isinstance(a, Number) and isinstance(b, Number):
        return compared(e.op, lo.number(e.left), lo.number(e.right))
    if isinstance(a, ItemsKind) and isinstance(b, ItemsKind) and e.op in ("==", "!="):
        same = _same_lists(lo, e.left, e.right)
        return same if e.op == "==" else low.Not(same)
    raise Unsupported("a comparison of maps")


def compared(op: str, left: Expr, right: Expr) -> Expr:
    """A comparison; one of constants is decided."""
    if isinstance(left, Num) and isinstance(right, Num):
        return Num(int(COMPARE[op](left.value, right.value)))
    return Op(op, left, right)


def _same_sets(lo: Lowering, e: ir.Compare) -> Expr:
    if e.op not in ("==", "!="):
        raise Unsupported("an order of sets")
    same = same_words(lo.members(e.left), lo.members(e.right))
    return same if e.op == "==" else low.Not(same)


def same_words(x: Words, y: Words) -> Expr:
    """A test that two sets have the same members."""
    same: Expr = ONE
    for w in sorted({*x, *y}):
        same = both(same, Op("==", x.get(w, ZERO), y.get(w, ZERO)))
    return same


def _same_lists(lo: Lowering, left: ir.Expr, right: ir.Expr) -> Expr:
    width = _width_of_both(lo.kind(left), lo.kind(right))
    a, b = lo.w.let(lo.row(left)), lo.w.let(lo.row(right))
    same = lo.w.fresh("same")
    lo.w.set(same, Op("==", low.Load(a), low.Load(b)))

    def item(n: Expr) -> None:
        differ = Op("!=", low.Load(add(a, n), 1), low.Load(add(b, n), 1))
        lo.w.emit(low.If(differ, (low.Set(same, ZERO),)))

    lo.w.when(Local(same), lambda: lo.w.upto(ZERO, scale(low.Load(a), width), item))
    return Local(same)


def _width_of_both(a: Kind, b: Kind) -> int:
    """The words of an item of two lists that lie in memory in the same way."""
    assert isinstance(a, ItemsKind) and isinstance(b, ItemsKind)
    if not a.most or not b.most:
        return 1  # only lengths may differ
    sides = (a.item, b.item)
    if not all(isinstance(side, Number | MembersKind) for side in sides):
        raise Unsupported("a comparison of lists of lists")
    if shape(a.item) != shape(b.item):
        raise Unsupported("a comparison of lists that lie in memory in different ways")
    return width_of(a.item)


# ------------------------------------------------------------ numbers


def _arith(lo: Lowering, e: ir.Arith) -> Expr:
    if e.op in ("|", "&", "&~"):
        raise Unsupported("a set where a number is needed")
    left, right = (operand(lo, part, OPERANDS.get(e.op, FARTHEST)) for part in (e.left, e.right))
    match e.op:
        case "+":
            return add(left, right)
        case "-":
            return subtract(left, right)
        case "*":
            return Op("*", left, right)
        case "min" | "max":
            a, b = lo.w.let(left), lo.w.let(right)
            return low.Choice(Op("<" if e.op == "min" else ">", a, b), a, b)
        case "half_up":
            return Op(">>", add(left, 1), ONE)
        case "half_down":
            return Op(">>", left, ONE)
        case "div_down":
            return _floor(lo, left, right)
        case "div_up":
            return Op("-", ZERO, _floor(lo, Op("-", ZERO, left), right))
        case "mod":
            a, b = lo.w.let(left), lo.w.let(right)
            return Op("-", a, Op("*", _floor(lo, a, b), b))
    raise Unsupported(f"Arith `{e.op}`")


def _floor(lo: Lowering, left: Expr, right: Expr) -> Expr:
    """Division that rounds down; by 0 it gives up."""
    a, b = lo.w.let(left), lo.w.let(right)
    lo.w.trap_if(Op("==", b, ZERO) if not isinstance(b, Num) else Num(int(not b.value)), Reason.FAULT)
    q = lo.w.let(Op("/", a, b))
    return Op("-", q, both(Op("!=", Op("*", q, b), a), Op("<", Op("^", a, b), ZERO)))


def _bounded(lo: Lowering, e: ir.Bounded) -> Expr:
    return keep_within(lo, lo.number(e.value), number_kind(lo, e.value), (e.low, e.high))


# ------------------------------------------------------------ the running game


def _last_result(lo: Lowering, e: ir.LastResult) -> Expr:
    lo.reads_result = True
    return word(RV)


def _running(lo: Lowering, e: ir.Running) -> Expr:
    found, base = lo.w.fresh("runs"), lo.w.fresh("base")
    lo.w.set(base, word(FP))
    lo.w.set(found, ZERO)

    def up(label: str) -> None:
        lo.w.leave_if(Op("==", Local(base), ZERO), label)
        one: Expr = ZERO
        for proc in e.procs:
            one = either(one, Op("==", low.Load(Local(base), 2), Num(proc)))
        lo.w.emit(low.If(one, (low.Set(found, ONE), low.Leave(label))))
        lo.w.set(base, low.Load(Local(base), 1))

    lo.w.loop(up)
    return Local(found)


def _pending(lo: Lowering, e: ir.Pending) -> Expr:
    return lo.w.let(low.Call(PENDING, (lo.number(e.thing), Num(int(e.what == "seat")))))


def _waived(lo: Lowering, e: ir.Waived) -> Expr:
    return Op("&", Op(">>u", word(WAIVE), lo.number(e.cause)), ONE)


def _let(lo: Lowering, e: ir.Let) -> Expr:
    with lo.also({e.slot: lo.hold(lo.kind(e.value), e.value)}):
        return lo.number(e.body)


def _lazy_let(lo: Lowering, e: ir.LazyLet) -> Expr:
    with lo.also({e.slot: Later(e.value, lo.bound)}):
        return lo.number(e.body)


def held_number(lo: Lowering, kind: Number, value: Expr) -> Held:
    """A number in a fresh variable."""
    name = lo.w.fresh("v")
    lo.w.set(name, value)
    return Held(kind, (name,))


NUMBERS: dict[type, NumberMaker] = {
    ir.Const: _const,
    ir.Temp: _temp,
    ir.Force: _temp,
    ir.FrameVar: _frame_var,
    ir.FrameItem: _frame_item,
    ir.Cell: lambda lo, e: load(place_of(lo, e.address)),
    ir.CellSum: _cell_sum,
    ir.Linear: _linear,
    ir.TableGet: _table_get,
    ir.RangeTable: _range_table,
    ir.Not: _not,
    ir.And: _and,
    ir.Or: _or,
    ir.If: _if,
    ir.ByPlace: lambda lo, e: lo.number(e.read),
    ir.Arith: _arith,
    ir.Compare: _compare,
    ir.Bounded: _bounded,
    ir.LastResult: _last_result,
    ir.Running: _running,
    ir.Pending: _pending,
    ir.Waived: _waived,
    ir.Let: _let,
    ir.LazyLet: _lazy_let,
}
