"""Conditions and keys on a whole answer: whether what has been chosen so far can meet them.

The answer is two sets in memory: the members that it certainly has, and those that it may have.
"""

from __future__ import annotations

from typing import NamedTuple

from dsl import ir
from dsl.base.types import SetType, bounds
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import FARTHEST, Members
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, inverted, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.long.linear import with_totals
from interpreter.backends.low.long.rows import HIGH, LOW, Rows, member_of
from interpreter.backends.low.spans.spans import Span, Spans
from interpreter.backends.low.spans.tables import TABLES

MEETS = "meets"
"""The function that says whether the conditions can be met: NO, MET whatever follows, or OPEN."""

NO, MET, OPEN = range(3)
FIRST, LAST, VALUE, KEY_WORDS = 0, 2, 4, 6
"""Of a key, as numbers of which the least are the best: between what numbers it has to lie, and what it was at least
when it was looked at last."""


class Whole(NamedTuple):
    """The answer of a question in memory: its kind, the addresses of both sets, and those of the keys."""

    kind: Members
    must: int
    may: int
    keys: tuple[int, ...]


def whole(lo: Lowering, number: int) -> Whole:
    site = lo.program.sites[number]
    assert site.answer is not None and isinstance(site.answer[1], SetType)
    kind = Members(*bounds(site.answer[1].elem))
    size = 2 * len(kind.words)
    at = lo.memory.named(("whole answer", number), 2 * size + KEY_WORDS * len(site.keys))
    return Whole(kind, at, at + size, tuple(at + 2 * size + KEY_WORDS * k for k in range(len(site.keys))))


# ------------------------------------------------------------ the answer so far


def begin(lo: Lowering, number: int, rows: Rows) -> None:
    """Nothing is chosen yet, and the keys may be anything."""
    own, w = whole(lo, number), lo.w
    w.emit(low.Clear(Num(own.must), Num(4 * len(own.kind.words))))

    def one(n: Expr) -> None:
        row = rows.at(lo, n)
        w.when(low.Load(row, HIGH), lambda: _add(lo, number, own.may, row))
        w.when(low.Load(row, LOW), lambda: _add(lo, number, own.must, row))

    w.upto(ZERO, Local(rows.size), one)
    for at in own.keys:
        set_ends(lo, at, Num(-FARTHEST), Num(FARTHEST))


def set_ends(lo: Lowering, key: int, first: Expr, last: Expr) -> None:
    """Say between what numbers a key has to lie."""
    lo.w.emit(low.StoreLong(ZERO, key + FIRST, first))
    lo.w.emit(low.StoreLong(ZERO, key + LAST, last))


def choose(lo: Lowering, number: int, row: Expr, amount: Expr) -> None:
    """The member of a row is in the answer, or is not."""
    own = whole(lo, number)
    lo.w.when(amount, lambda: _add(lo, number, own.must, row), lambda: _drop(lo, number, own.may, row))


def leave_open(lo: Lowering, number: int, row: Expr) -> None:
    """The member of a row is not decided."""
    own = whole(lo, number)
    lo.w.when(low.Load(row, HIGH), lambda: _add(lo, number, own.may, row))
    lo.w.when(low.Not(low.Load(row, LOW)), lambda: _drop(lo, number, own.must, row))


def _place(lo: Lowering, number: int, row: Expr) -> tuple[Expr, Expr]:
    """The offset of the word of a member, and its bit."""
    value = member_of(lo, lo.program.sites[number], row)
    offset = scale(add(Op(">>", value, Num(6)), -whole(lo, number).kind.words.start), 2)
    return lo.w.let(offset), lo.w.let(Op("<<", ONE, value))


def _add(lo: Lowering, number: int, to: int, row: Expr) -> None:
    offset, bit = _place(lo, number, row)
    lo.w.emit(low.StoreLong(offset, to, Op("|", low.LoadLong(offset, to), bit)))


def _drop(lo: Lowering, number: int, of: int, row: Expr) -> None:
    offset, bit = _place(lo, number, row)
    lo.w.emit(low.StoreLong(offset, of, Op("&", low.LoadLong(offset, of), inverted(bit))))


# ------------------------------------------------------------ what it can meet


def write_meets(lo: Lowering, number: int) -> None:
    """Write the function that looks at the conditions and keys."""
    site, own = with_totals(lo.program.sites[number]), whole(lo, number)
    with lo.function(f"{MEETS}{number}", ()) as w:
        must, may = (_loaded(lo, own.kind, at) for at in (own.must, own.may))
        lo.bound = {site.whole_slot: may}
        spans = Spans(lo, TABLES, {site.whole_slot: must})
        all_met = w.fresh("met")
        w.set(all_met, ONE)
        for guard in site.such_that:
            with lo.cut_back():
                _note(lo, all_met, _copied(lo, spans.truth(guard.test)))
        for (highest, key), at in zip(site.keys, own.keys, strict=True):
            with lo.cut_back():
                _note(lo, all_met, _within(lo, spans, highest, key, at))
        w.give(low.Choice(Local(all_met), Num(MET), Num(OPEN)))


def _loaded(lo: Lowering, kind: Members, at: int) -> Held:
    return lo.hold_words(kind, {n: low.LoadLong(ZERO, at + 2 * k) for k, n in enumerate(kind.words)})


def _copied(lo: Lowering, truth: Span) -> Span:
    return Span(lo.w.let(truth.least), lo.w.let(truth.most))


def _note(lo: Lowering, all_met: str, truth: Span) -> None:
    """Go back where a condition cannot be met."""
    lo.w.emit(low.If(low.Not(truth.most), (low.Return(Num(NO)),)))
    lo.w.set(all_met, both(Local(all_met), truth.least))


def _within(lo: Lowering, spans: Spans, highest: bool, key: ir.Expr, at: int) -> Span:
    """Whether a key lies where it has to."""
    w, span = lo.w, spans.number(key)
    least, most = span
    if highest:
        least, most = w.let(Op("-", ZERO, span.most)), w.let(Op("-", ZERO, span.least))
    w.emit(low.StoreLong(ZERO, at + VALUE, least))
    first, last = w.let(low.LoadLong(ZERO, at + FIRST)), w.let(low.LoadLong(ZERO, at + LAST))
    outside = either(Op("<", most, first), Op(">", least, last))
    inside = both(Op("<=", first, least), Op("<=", most, last))
    return Span(w.let(inside), w.let(low.Not(outside)))
