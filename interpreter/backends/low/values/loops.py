"""Going through the members of a domain, each in a variable, in order; it counts as passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dsl import ir
from dsl.base.types import WORD_BITS, SetType, bounds
from interpreter.backends.low.base.context import Held, Lowering, Words
from interpreter.backends.low.base.kinds import ItemsKind, Kind, Number, width_of
from interpreter.backends.low.base.make import ZERO, WordsAt, add, load, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.numbers import table_item
from interpreter.backends.low.values.ranges import domain_kind
from interpreter.backends.low.values.sets import count, range_ends, size_of_range, words_of
from interpreter.backends.low.values.wide import member_kind, next_word, row_of, size_of, wide_type


class Pass(NamedTuple):
    """One pass through a domain: the member, and the labels that end the loop and this pass."""

    member: Held
    leave: str
    skip: str


Work = Callable[[Pass], None]


def each(lo: Lowering, d: ir.Domain, work: Work) -> None:
    """Do `work` for every member of a domain, which is read once."""
    if d.kind == "list":
        kind = lo.kind(d.a)
        assert isinstance(kind, ItemsKind)
        each_item(lo, lo.row(d.a), kind, work)
    elif d.kind == "range":
        assert d.b is not None
        _each_number(lo, lo.number(d.a), lo.number(d.b), domain_kind(lo, d), work)
    elif isinstance(d.a, ir.Const) and is_contiguous(d.a.value):
        lowest = (d.a.value & -d.a.value).bit_length() - 1
        highest = d.a.value.bit_length() - 1
        if highest >= 0:
            _each_number(lo, Num(lowest), Num(highest), Number(lowest, highest), work)
    elif isinstance(d.a, ir.RangeSet):
        first, last = range_ends(lo, d.a)
        _each_number(lo, first, last, domain_kind(lo, d), work)
    elif (t := wide_type(d.a)) is not None:
        each_wide(lo, row_of(lo, d.a), t, work)
    elif isinstance(d.a, ir.TableGet):
        _each_of_table(lo, d.a, domain_kind(lo, d), work)
    else:
        each_member(lo, lo.members(d.a), domain_kind(lo, d), work)


def is_contiguous(mask: int) -> bool:
    """True if the members of a set are all numbers from one to another."""
    mask >>= max((mask & -mask).bit_length() - 1, 0)
    return mask & (mask + 1) == 0


def _pass(lo: Lowering, name: str, kind: Kind, label: str, work: Work) -> None:
    """One pass; the scratch memory that it takes is free again afterwards."""

    def one(skip: str) -> None:
        with lo.cut_back():
            work(Pass(Held(kind, (name,)), label, skip))

    lo.w.block(one)


def _each_number(lo: Lowering, first: Expr, last: Expr, kind: Kind, work: Work) -> None:
    last, name = lo.w.let(last, "last"), lo.w.fresh("v")
    first = lo.w.let(first)
    size = lo.w.let(size_of_range(first, last))
    passes = size if isinstance(size, Num) else low.Choice(Op(">", size, ZERO), size, ZERO)
    lo.passes(passes)
    lo.w.set(name, add(first, -1))

    def one(label: str) -> None:
        lo.w.leave_if(Op(">=", Local(name), last), label)
        lo.w.set(name, add(Local(name), 1))
        _pass(lo, name, kind, label, work)

    lo.w.loop(one)


def each_item(lo: Lowering, row: Expr, kind: ItemsKind, work: Work) -> None:
    """Go through the items of a list at an address."""
    row = lo.w.let(row, "row")
    size = lo.w.let(low.Load(row), "size")
    lo.passes(size)
    n = lo.w.fresh("n")
    lo.w.set(n, ZERO)

    def one(label: str) -> None:
        lo.w.leave_if(Op(">=", Local(n), size), label)
        held = load_item(lo, add(row, scale(Local(n), width_of(kind.item))), 1, kind.item)
        lo.w.set(n, add(Local(n), 1))

        def inner(skip: str) -> None:
            with lo.cut_back():
                work(Pass(held, label, skip))

        lo.w.block(inner)

    lo.w.loop(one)


def load_item(lo: Lowering, base: Expr, offset: int, kind: Kind) -> Held:
    """An item of a list of scratch memory or tables, in fresh variables."""
    if isinstance(kind, Number):
        name = lo.w.fresh("v")
        lo.w.set(name, load(WordsAt(base, offset)))
        return Held(kind, (name,))
    names = []
    base = lo.w.let(base)
    words = len(getattr(kind, "words", ())) if width_of(kind) > 1 else 0
    for k in range(max(words, 1)):
        names.append(lo.w.fresh("v"))
        value = low.LoadLong(base, offset + 2 * k) if words else low.Load(base, offset)
        lo.w.set(names[-1], value)
    return Held(kind, tuple(names))


def _each_of_table(lo: Lowering, e: ir.TableGet, kind: Kind, work: Work) -> None:
    """A constant set that is only gone through lies in memory as a row of its members."""
    rows = [[m for m in range(v.bit_length()) if v >> m & 1] for v in lo.program.tables[e.table]]
    addresses = [lo.memory.words([len(row), *row]) for row in rows]
    at = table_item(lo, e, addresses)
    each_item(lo, at, ItemsKind(kind, max(map(len, rows), default=0)), work)


def each_member(lo: Lowering, words: Words, kind: Kind, work: Work) -> None:
    """Go through the members of a set, the lowest first."""
    if not words:
        return
    order = sorted(words)
    left = [lo.w.fresh("left") for _ in order]
    for name, w in zip(left, order, strict=True):
        lo.w.set(name, words[w])
    lo.passes(lo.w.let(count({w: Local(name) for name, w in zip(left, order, strict=True)})))
    name = lo.w.fresh("v")
    if len(order) == 1:
        _each_bit(lo, left[0], Num(64 * order[0]), name, kind, work)
        return
    current, offset = lo.w.fresh("word"), lo.w.fresh("offset")
    lo.w.set(offset, Num(64 * order[0]))
    lo.w.set(current, Local(left[0]))

    def one(label: str) -> None:
        def next_word(found: str) -> None:
            lo.w.leave_if(Local(current), found)
            step: low.Body = (low.Leave(label),)
            for k in range(len(order) - 1, 0, -1):
                here = Op("==", Local(offset), Num(64 * order[k - 1]))
                go = (low.Set(offset, Num(64 * order[k])), low.Set(current, Local(left[k])))
                step = (low.If(here, go, step),)
            lo.w.out += step

        lo.w.loop(next_word)
        _next_bit(lo, current, Local(offset), name)
        _pass(lo, name, kind, label, work)

    lo.w.loop(one)


def each_wide(lo: Lowering, row: Expr, t: SetType, work: Work) -> None:
    """Go through a set of very many members at an address, the lowest first; it must not change meanwhile."""
    current, n, name = lo.w.fresh("word"), lo.w.fresh("n"), lo.w.fresh("v")
    lo.passes(lo.w.let(size_of(lo, row, t)))
    lo.w.set(n, ZERO)
    lo.w.set(current, low.Load(row))

    def one(label: str) -> None:
        next_word(lo, row, t, n, current, label)
        _next_bit(lo, current, add(scale(Local(n), WORD_BITS), bounds(t.elem)[0]), name)
        _pass(lo, name, member_kind(t), label, work)

    lo.w.loop(one)


def _each_bit(lo: Lowering, current: str, offset: Expr, name: str, kind: Kind, work: Work) -> None:
    def one(label: str) -> None:
        lo.w.leave_if(Op("==", Local(current), ZERO), label)
        _next_bit(lo, current, offset, name)
        _pass(lo, name, kind, label, work)

    lo.w.loop(one)


def _next_bit(lo: Lowering, current: str, offset: Expr, name: str) -> None:
    """Take the lowest member out of a word."""
    lo.w.set(name, add(low.Lowest(Local(current)), offset) if offset != ZERO else low.Lowest(Local(current)))
    lo.w.set(current, Op("&", Local(current), add(Local(current), -1)))


def take_lowest(lo: Lowering, held: Held, name: str, label: str) -> None:
    """Take the lowest member out of a set in variables; leave the loop with this label where there is none."""
    body: low.Body = (low.Leave(label),)
    for w, part in reversed(list(words_of(held).items())):
        assert isinstance(part, Local)
        take = (
            low.Set(name, add(low.Lowest(part), 64 * w)),
            low.Set(part.name, Op("&", part, add(part, -1))),
        )
        body = (low.If(part, take, body),)
    lo.w.out += body
