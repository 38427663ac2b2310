"""Conditions and keys on a whole answer: whether what has been chosen so far can meet them.

The answer is two sets in memory: the members that it certainly has, and those that it may have; of amounts it is two
rows, of the least and the greatest by key numbers.
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import NamedTuple

from dsl import ir
from dsl.base.types import INT_HIGH, SetType, bounds
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import FARTHEST, Dense, MembersKind, Number, Unsupported, kind_of
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, inverted, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.long.linear import with_totals
from interpreter.backends.low.long.rows import HIGH, KEY, LOW, MemberRows, keys_of, member_of
from interpreter.backends.low.spans.shared import begin_look, write_shared
from interpreter.backends.low.spans.spans import AnswerSpan, NumberSpan, Spans
from interpreter.backends.low.spans.tables import TABLES

MEETS = "meets"
"""The function that says whether the conditions can be met: NO, MET whatever follows, or OPEN."""

NO, MET, OPEN = range(3)
MOST_KEYS = 1 << 14  # of amounts with conditions on the whole answer
FIRST, LAST, VALUE, KEY_WORDS = 0, 2, 4, 6
"""Of a key, as numbers of which the least are the best: between what numbers it has to lie, and what it was at least
when it was looked at last."""


class Whole(NamedTuple):
    """The answer of a question in memory: its kind, the addresses of both sets or rows, how many words each has, and
    the addresses of the keys."""

    kind: MembersKind | Dense
    must: int
    may: int
    size: int
    keys: tuple[int, ...]


def whole(lo: Lowering, number: int) -> Whole:
    """Where the answer is. Raises Unsupported for amounts of too many keys."""
    site = lo.program.sites[number]
    assert site.answer is not None
    kind: MembersKind | Dense
    if isinstance(site.answer[1], SetType):
        kind = MembersKind(*bounds(site.answer[1].elem))
        size = 2 * len(kind.words)
    else:
        kind = Dense(Number(0, INT_HIGH), prod(count for _, count in keys_of(site.answer[1])))
        size = kind.count + kind.count % 2
        if size > MOST_KEYS:
            raise Unsupported(f"amounts of {size} keys")
    at = lo.memory.named(("whole answer", number), 2 * size + KEY_WORDS * len(site.keys))
    return Whole(kind, at, at + size, size, tuple(at + 2 * size + KEY_WORDS * k for k in range(len(site.keys))))


# ------------------------------------------------------------ the answer so far


def begin(lo: Lowering, number: int, rows: MemberRows) -> None:
    """Nothing is chosen yet, and the keys may be anything."""
    own, w = whole(lo, number), lo.w
    w.emit(low.Clear(Num(own.must), Num(2 * own.size)))

    def one(n: Expr) -> None:
        row = rows.at(lo, n)
        if isinstance(own.kind, Dense):
            leave_open(lo, number, row)
        else:
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
    """The member of a row is in the answer in this amount, or is not."""
    own = whole(lo, number)
    if isinstance(own.kind, Dense):
        _set_amounts(lo, own, row, amount, amount)
        return
    lo.w.when(amount, lambda: _add(lo, number, own.must, row), lambda: _drop(lo, number, own.may, row))


def leave_open(lo: Lowering, number: int, row: Expr) -> None:
    """The member of a row is not decided."""
    own = whole(lo, number)
    if isinstance(own.kind, Dense):
        _set_amounts(lo, own, row, low.Load(row, LOW), low.Load(row, HIGH))
        return
    lo.w.when(low.Load(row, HIGH), lambda: _add(lo, number, own.may, row))
    lo.w.when(low.Not(low.Load(row, LOW)), lambda: _drop(lo, number, own.must, row))


def _set_amounts(lo: Lowering, own: Whole, row: Expr, least: Expr, most: Expr) -> None:
    key = lo.w.let(low.Load(row, KEY))
    lo.w.store(key, own.must, least)
    lo.w.store(key, own.may, most)


def _place(lo: Lowering, number: int, row: Expr) -> tuple[Expr, Expr]:
    """The offset of the word of a member, and its bit."""
    value, kind = member_of(lo, lo.program.sites[number], row), whole(lo, number).kind
    assert isinstance(kind, MembersKind)
    offset = scale(add(Op(">>", value, Num(6)), -kind.words.start), 2)
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
        must, may = _ends(lo, site, own)
        lo.bound = {site.whole_slot: may}
        begin_look(lo)
        ends = partial(_ends, lo, site, own)
        answer = AnswerSpan(number, must.names, may.names, ends)
        spans = Spans(lo, TABLES, {site.whole_slot: must}, answer=answer)
        all_met = w.fresh("met")
        w.set(all_met, ONE)
        for guard in site.such_that:
            with lo.cut_back():
                _note(lo, all_met, _copied(lo, spans.truth(guard.test)))
        for (highest, key), at in zip(site.keys, own.keys, strict=True):
            with lo.cut_back():
                _note(lo, all_met, _within(lo, spans, highest, key, at))
        w.give(low.Choice(Local(all_met), Num(MET), Num(OPEN)))


def _ends(lo: Lowering, site: ir.Site, own: Whole) -> tuple[Held, Held]:
    """What the answer has at least and at most, in variables."""
    if isinstance(own.kind, MembersKind):
        return _loaded(lo, own.kind, own.must), _loaded(lo, own.kind, own.may)
    assert site.answer is not None
    least, most = lo.w.fresh("least"), lo.w.fresh("most")
    lo.w.set(least, Num(own.must))
    lo.w.set(most, Num(own.may))
    return Held(own.kind, (least,)), Held(kind_of(site.answer[1]), (most,))


def write_part(lo: Lowering, number: int) -> None:
    """Write a function of an answer as a whole."""
    write_shared(lo, number, TABLES)


def _loaded(lo: Lowering, kind: MembersKind, at: int) -> Held:
    return lo.hold_words(kind, {n: low.LoadLong(ZERO, at + 2 * k) for k, n in enumerate(kind.words)})


def _copied(lo: Lowering, truth: NumberSpan) -> NumberSpan:
    return NumberSpan(lo.w.let(truth.least), lo.w.let(truth.most))


def _note(lo: Lowering, all_met: str, truth: NumberSpan) -> None:
    """Go back where a condition cannot be met."""
    lo.w.emit(low.If(low.Not(truth.most), (low.Return(Num(NO)),)))
    lo.w.set(all_met, both(Local(all_met), truth.least))


def _within(lo: Lowering, spans: Spans, highest: bool, key: ir.Expr, at: int) -> NumberSpan:
    """Whether a key lies where it has to."""
    w, span = lo.w, spans.number(key)
    least, most = span
    if highest:
        least, most = w.let(Op("-", ZERO, span.most)), w.let(Op("-", ZERO, span.least))
    w.emit(low.StoreLong(ZERO, at + VALUE, least))
    first, last = w.let(low.LoadLong(ZERO, at + FIRST)), w.let(low.LoadLong(ZERO, at + LAST))
    outside = either(Op("<", most, first), Op(">", least, last))
    inside = both(Op("<=", first, least), Op("<=", most, last))
    return NumberSpan(w.let(inside), w.let(low.Not(outside)))
