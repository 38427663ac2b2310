"""The members of a long answer as rows of scratch memory, and the groups that their bounds count.

A row says how much of its member may be taken and has been taken, and for every bound what a piece of it counts and in
which group. A group is what one target is for: all members, or those with one value of a binder.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dsl import ir
from dsl.base.types import SetType, SparseType, Type, bounds
from dsl.program import FRAME_LINK
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import Number
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, both, either, scale, subtract
from interpreter.backends.low.base.stored import load_set
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.rules.questions import bind
from interpreter.backends.low.values.folds import item_word
from interpreter.backends.low.values.ranges import bound_kinds, number_kind
from interpreter.backends.low.values.sets import is_member

MOST_MEMBERS = 1024  # of a question
HIGH, LOW, KEY, GIVEN, FIRST = range(5)  # columns of a row; its values follow, then what is said for each bound
WEIGHT, GROUP, LEAST, MOST, SUMS = range(5)
"""For a bound: what one piece counts, or the address of what each amount counts; the address of the group. Where the
answer is searched: the least and the greatest that the member can count; the sums that rows behind it can have."""

LEFT, REST_LEAST, REST_MOST, REST_SUMS, ACTIVE, GROUP_WORDS = 0, 2, 4, 6, 7, 8
"""Of a group: what is left of its target, between what numbers lies what its rows further on add up to, the sums that
they can have, and whether the target is known."""

MOST_TABLES = 8192  # words for what amounts count, of one bound


class MemberRows(NamedTuple):
    """The members of a question: their address, how many there are, the words and the binders of each."""

    base: Expr
    size: str
    width: int
    values: int
    columns: int  # for each bound
    groups: tuple[tuple[Expr, str], ...]  # of each bound: the address of its groups, and how many there are

    def at(self, lo: Lowering, n: Expr) -> Expr:
        return lo.w.let(add(self.base, scale(n, self.width)), "row")

    def load(self, row: Expr, bound: int, column: int) -> Expr:
        """What a row says for a bound."""
        return low.Load(row, self.place(bound, column))

    def place(self, bound: int, column: int) -> int:
        return FIRST + self.values + self.columns * bound + column

    def group(self, row: Expr, bound: int) -> Expr:
        return self.load(row, bound, GROUP)

    @property
    def end(self) -> Expr:
        """The address behind the last row."""
        return add(self.base, scale(Local(self.size), self.width))


def limits(bound: ir.Bound) -> bool:
    """Whether no more than its target may be taken."""
    return bound.op != "at least"


def demands(bound: ir.Bound) -> bool:
    """Whether no less than its target may be taken."""
    return bound.op != "at most"


# ------------------------------------------------------------ the members


def layout(site: ir.Site, searched: bool) -> tuple[int, int]:
    """The words of a row, and those of them for each bound."""
    columns = SUMS + 1 if searched else GROUP + 1
    return FIRST + len(site.alternatives[0].binders) + columns * len(site.bounds), columns


def read(lo: Lowering, site: ir.Site, searched: bool) -> MemberRows:
    """Write the rows of all members."""
    w = lo.w
    alternative = site.alternatives[0]
    binders = tuple((slot, domain) for _, slot, domain, _ in alternative.binders)
    most = min(bound_kinds(lo, binders)[1], MOST_MEMBERS)
    size, columns = layout(site, searched)
    groups = tuple((lo.take(GROUP_WORDS * (most + 1)), w.fresh("groups")) for _ in site.bounds)
    rows = MemberRows(lo.take(size * most), w.fresh("members"), size, len(binders), columns, groups)
    tables = {k: lo.take(MOST_TABLES) for k, bound in enumerate(site.bounds) if bound.slot >= 0}
    ends = {k: w.fresh("end") for k in tables}
    for k, name in ends.items():
        w.set(name, tables[k])
    w.set(rows.size, ZERO)
    for bound, (base, count) in zip(site.bounds, groups, strict=True):
        w.set(count, ZERO)
        if bound.per is None:
            _add_group(lo, base, count, bound)

    def one(members: list[Held]) -> None:
        w.trap_if(Op(">=", Local(rows.size), Num(most)), Reason.ROOM)
        row = _write_row(lo, site, rows, members)
        for k, bound in enumerate(site.bounds):
            if bound.slot >= 0:
                w.trap_if(Op(">=", add(Local(ends[k]), low.Load(row, HIGH)), add(tables[k], MOST_TABLES)), Reason.ROOM)
                _write_table(lo, site, rows, row, k, ends[k])
            else:
                _write_weight(lo, site, rows, row, k, searched)
            w.store(row, rows.place(k, GROUP), _group_of(lo, rows, k, bound, members))
        w.set(rows.size, add(Local(rows.size), 1))

    bind(lo, alternative, one)
    return rows


def _add_group(lo: Lowering, base: Expr, count: str, bound: ir.Bound) -> Expr:
    """A new group, whose target is worked out; gives its address."""
    at = lo.w.let(add(base, scale(Local(count), GROUP_WORDS)))
    lo.w.emit(low.Clear(at, Num(GROUP_WORDS)))
    lo.w.emit(low.StoreLong(at, LEFT, lo.number(bound.amount)))
    lo.w.set(count, add(Local(count), 1))
    return at


def _write_row(lo: Lowering, site: ir.Site, rows: MemberRows, members: list[Held]) -> Expr:
    """Write what does not belong to a bound; gives the address of the row."""
    w = lo.w
    row = rows.at(lo, Local(rows.size))
    least, most = site.each if site.each is not None else (ir.Const(0), ir.Const(1))
    first, last = w.let(lo.number(least)), w.let(lo.number(most))
    for column, value, e in ((LOW, first, least), (HIGH, last, most)):
        fits = both(Op("<=", first, last), Op(">", value, ZERO))
        taken = value if isinstance(value, Num) and isinstance(first, Num) else low.Choice(fits, value, ZERO)
        w.store(row, column, item_word(lo, taken, number_kind(lo, e)))
    w.store(row, KEY, key_number(lo, site, members))
    w.store(row, GIVEN, ZERO)
    for k, h in enumerate(members):
        w.store(row, FIRST + k, Local(h.names[0]))
    return row


def _write_weight(lo: Lowering, site: ir.Site, rows: MemberRows, row: Expr, k: int, searched: bool) -> None:
    """What one piece counts for a bound, and between what numbers lies what the member counts."""
    w, bound = lo.w, site.bounds[k]
    weight: Expr = ONE
    if bound.weight is not None:
        weight = item_word(lo, w.let(lo.number(bound.weight)), number_kind(lo, bound.weight))
    w.store(row, rows.place(k, WEIGHT), weight)
    if not searched:
        return
    ends = [w.let(Op("*", weight, low.Load(row, column))) for column in (LOW, HIGH)]
    for column, end in ((LEAST, low.Choice(Op("<", *ends), *ends)), (MOST, low.Choice(Op(">", *ends), *ends))):
        w.store(row, rows.place(k, column), item_word(lo, w.let(end), Number(-(1 << 62), 1 << 62)))


def _write_table(lo: Lowering, site: ir.Site, rows: MemberRows, row: Expr, k: int, end: str) -> None:
    """What each amount counts for a bound, behind what other members have there."""
    w, bound = lo.w, site.bounds[k]
    weight = bound.weight
    assert weight is not None and site.each is not None
    table = w.let(Local(end))
    w.store(row, rows.place(k, WEIGHT), table)
    first, last = w.let(low.Load(row, LOW)), w.let(low.Load(row, HIGH))
    least, most, amount = w.fresh("least"), w.fresh("most"), w.fresh("amount")
    kind = number_kind(lo, site.each[1])

    def one(n: Expr) -> None:
        w.set(amount, n)
        with lo.also({bound.slot: Held(Number(0, max(kind.high, 0)), (amount,))}):
            value = w.let(item_word(lo, lo.number(weight), number_kind(lo, weight)))
        w.store(add(table, n), 0, value)

        def compare() -> None:
            begins = Op("==", n, first)
            w.emit(low.If(either(begins, Op("<", value, Local(least))), (low.Set(least, value),)))
            w.emit(low.If(either(begins, Op(">", value, Local(most))), (low.Set(most, value),)))

        w.when(Op(">=", n, first), compare)

    w.upto(ZERO, add(last, 1), one)
    w.set(end, add(table, add(last, 1)))
    w.store(row, rows.place(k, LEAST), Local(least))
    w.store(row, rows.place(k, MOST), Local(most))


def _group_of(lo: Lowering, rows: MemberRows, k: int, bound: ir.Bound, members: list[Held]) -> Expr:
    """The address of the group of a bound that a member counts for: that of the last one with the same value."""
    base, count = rows.groups[k]
    if bound.per is None:
        return base
    w, per = lo.w, bound.per
    found, j = w.fresh("group"), w.fresh("j")
    w.set(found, ZERO)
    w.set(j, add(Local(rows.size), -1))

    def back(label: str) -> None:
        w.leave_if(Op("<", Local(j), ZERO), label)
        before = rows.at(lo, Local(j))
        same = Op("==", low.Load(before, FIRST + per), Local(members[per].names[0]))
        w.emit(low.If(same, (low.Set(found, rows.group(before, k)), low.Leave(label))))
        w.set(j, add(Local(j), -1))

    w.loop(back)
    w.when(low.Not(Local(found)), lambda: w.set(found, _add_group(lo, base, count, bound)))
    return Local(found)


def keys_of(t: Type) -> list[tuple[int, int]]:
    """The lowest value and the number of values of each key of a sparse map."""
    if not isinstance(t, SparseType):
        return []
    return [(lowest, highest - lowest + 1) for lowest, highest in map(bounds, t.keys)]


def key_number(lo: Lowering, site: ir.Site, members: list[Held]) -> Expr:
    """The number of a slot among all keys; 0 for a member of a set."""
    assert site.answer is not None
    number: Expr = ZERO
    for h, (lowest, count) in zip(members, keys_of(site.answer[1]), strict=False):
        key = Local(h.names[0])
        kind = h.kind
        if not (isinstance(kind, Number) and lowest <= kind.low and kind.high < lowest + count):
            lo.w.trap_if(Op(">u", subtract(key, Num(lowest)), Num(count - 1)), Reason.RANGE)
        number = add(scale(number, count), add(key, -lowest))
    return number


# ------------------------------------------------------------ the answer so far


def note_given(lo: Lowering, site: ir.Site, rows: MemberRows, passed: Expr) -> None:
    """Note how much of each member that is passed has been taken."""
    assert site.answer is not None
    w = lo.w
    slot, t = site.answer
    answer = w.let(add(w.frame(), FRAME_LINK + slot))

    def of_map(n: Expr) -> None:
        row = rows.at(lo, n)

        def pair(k: Expr) -> None:
            at = w.let(add(answer, Op("<<", k, ONE)))
            same = Op("==", low.Load(at, 1), low.Load(row, KEY))
            w.emit(low.If(same, (low.Store(row, GIVEN, low.Load(at, 2)),)))

        w.upto(ZERO, low.Load(answer), pair)

    if isinstance(t, SetType):
        kind = Number(*bounds(t.elem))
        words = {word: w.let(e) for word, e in load_set(lo, WordsAt(answer), t).items()}

        def of_set(n: Expr) -> None:
            row = rows.at(lo, n)
            w.store(row, GIVEN, is_member(words, member_of(lo, site, row), kind))

        w.upto(ZERO, passed, of_set)
    else:
        w.upto(ZERO, passed, of_map)


def member_of(lo: Lowering, site: ir.Site, row: Expr) -> Expr:
    """The member of a set that a row stands for; gives up if it is none."""
    assert site.answer is not None and isinstance(site.answer[1], SetType)
    lowest, highest = bounds(site.answer[1].elem)
    value = lo.w.let(low.Load(row, FIRST + len(site.alternatives[0].binders) - 1))
    lo.w.trap_if(either(Op("<", value, Num(lowest)), Op(">", value, Num(highest))), Reason.RANGE)
    return value


def has_room(lo: Lowering, site: ir.Site) -> Expr:
    """Whether another amount has a place in the answer."""
    assert site.answer is not None
    slot, t = site.answer
    if not isinstance(t, SparseType):
        return ONE
    room = lo.w.let(Op("<", low.Load(lo.w.frame(), FRAME_LINK + slot), Num(t.cap)))
    begun = low.Load(lo.w.frame(), FRAME_LINK + site.cursor)
    return lo.w.let(low.Choice(begun, room, Num(int(t.cap > 0))))


def each_group(lo: Lowering, rows: MemberRows, bound: int, work: Callable[[Expr], None]) -> None:
    """Do `work` for the address of every group of a bound."""
    base, count = rows.groups[bound]

    def one(n: Expr) -> None:
        work(lo.w.let(add(base, scale(n, GROUP_WORDS))))

    lo.w.upto(ZERO, Local(count), one)
