"""Long answers, sets and amounts: which member may come next, as far as bounds alone decide it.

The members of a question are rows of scratch memory; each row says what is left of the target of every bound that it
counts for. Bounds `at most` decide one by one. So do bounds `at least`: each is met as long as what stands behind a
member can still take the rest. Together they decide where there are only such of one kind, or where all count the same
members alike; so does a single `exactly`. All other questions are searched, which low code does not do.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from dsl import ir
from dsl.base.types import WORD_BITS, SetType, SparseType, Type, bounds, width
from dsl.ir.walk import walk
from dsl.program import FRAME_LINK
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, Place, add, both, either, scale, subtract
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.rules.questions import ADD, AMOUNT, READY, VALUES, bind, option
from interpreter.backends.low.values.folds import item_word
from interpreter.backends.low.values.ranges import bound_kinds, number_kind
from interpreter.backends.low.values.sets import is_member, load_set

MOST_MEMBERS = 1024  # of a question
HIGH, KEY, GIVEN, FIRST = range(4)  # columns of a row; its values follow, then weight and group of each bound
LEFT, SUFFIX, GROUP_WORDS = 0, 2, 4  # of a group: what is left of its target, what rows further on can take


class Rows(NamedTuple):
    """The members of a question: their address, how many there are, the words of each."""

    base: Expr
    size: str
    width: int
    values: int
    groups: tuple[tuple[Expr, str], ...]  # of each bound: the address of its groups, and how many there are

    def at(self, lo: Lowering, n: Expr) -> Expr:
        return lo.w.let(add(self.base, scale(n, self.width)), "row")

    def weight(self, row: Expr, bound: int) -> Expr:
        return low.Load(row, FIRST + self.values + 2 * bound)

    def group(self, row: Expr, bound: int) -> Expr:
        return low.Load(row, FIRST + self.values + 2 * bound + 1)


def demands(site: ir.Site) -> list[bool]:
    """For each bound whether it demands something, as `exactly` and `at least` do. Raises Unsupported for a question
    that must be searched."""
    assert site.answer is not None
    ops = {b.op for b in site.bounds}
    plain = all(b.weight is None and b.slot < 0 for b in site.bounds)
    alike = plain and (len(site.bounds) == 1 or all(b.per is None for b in site.bounds))
    one_by_one = len(ops) <= 1 and all(b.slot < 0 for b in site.bounds) and "exactly" not in ops
    if "covering" in ops or not (alike or one_by_one):
        raise Unsupported(f"an answer that is searched (`{site.address}`)")
    own = {site.answer[0], site.cursor}
    for node in walk((site.alternatives, site.each, site.bounds)):
        if isinstance(node, ir.FrameVar) and node.slot in own:
            raise Unsupported(f"an answer that reads itself (`{site.address}`)")
    return [b.op != "at most" for b in site.bounds]


def limits(bound: ir.Bound) -> bool:
    """Whether no more than its target may be taken."""
    return bound.op != "at least"


def offers(lo: Lowering, site: ir.Site) -> Expr:
    """Write what lists the options; gives whether the answer has not been begun."""
    demanding = demands(site)
    w = lo.w
    passed = w.let(low.Load(w.frame(), FRAME_LINK + site.cursor), "passed")
    rows = _read(lo, site)
    _note_given(lo, site, rows, passed)
    fits = w.fresh("fits")
    w.set(fits, ONE)
    if any(demanding):
        _sum_up(lo, rows, passed, demanding)
    for bound, demand, (base, count) in zip(site.bounds, demanding, rows.groups, strict=True):
        w.upto(ZERO, Local(count), partial(_test_group, lo, base, bound=bound, demand=demand, fits=fits))
    w.when(Local(fits), lambda: _offer(lo, site, rows, passed, demanding))
    return Op("==", passed, ZERO)


def _test_group(lo: Lowering, base: Expr, n: Expr, bound: ir.Bound, demand: bool, fits: str) -> None:
    """Nothing can be chosen if a target is exceeded, or what must be taken is not there."""
    at = lo.w.let(add(base, scale(n, GROUP_WORDS)))
    wrong: Expr = Op("<", low.LoadLong(at, LEFT), ZERO) if limits(bound) else ZERO
    if demand:
        wrong = either(wrong, Op(">", low.LoadLong(at, LEFT), low.LoadLong(at, SUFFIX)))
    lo.w.emit(low.If(wrong, (low.Set(fits, ZERO),)))


# ------------------------------------------------------------ the members


def _read(lo: Lowering, site: ir.Site) -> Rows:
    """Write the rows of all members."""
    w = lo.w
    alternative = site.alternatives[0]
    binders = tuple((slot, domain) for _, slot, domain, _ in alternative.binders)
    most = min(bound_kinds(lo, binders)[1], MOST_MEMBERS)
    values = len(binders)
    size = FIRST + values + 2 * len(site.bounds)
    groups = tuple((lo.take(GROUP_WORDS * (most + 1)), w.fresh("groups")) for _ in site.bounds)
    rows = Rows(lo.take(size * most), w.fresh("members"), size, values, groups)
    w.set(rows.size, ZERO)
    for bound, (base, count) in zip(site.bounds, groups, strict=True):
        w.set(count, ZERO)
        if bound.per is None:
            _add_group(lo, base, count, bound)

    def one(members: list[Held]) -> None:
        w.trap_if(Op(">=", Local(rows.size), Num(most)), Reason.ROOM)
        _write_row(lo, site, rows, members)
        w.set(rows.size, add(Local(rows.size), 1))

    bind(lo, alternative, one)
    return rows


def _add_group(lo: Lowering, base: Expr, count: str, bound: ir.Bound) -> Expr:
    """A new group, whose target is worked out; gives its address."""
    at = lo.w.let(add(base, scale(Local(count), GROUP_WORDS)))
    lo.w.emit(low.StoreLong(at, LEFT, lo.number(bound.amount)))
    lo.w.emit(low.StoreLong(at, SUFFIX, ZERO))
    lo.w.set(count, add(Local(count), 1))
    return at


def _write_row(lo: Lowering, site: ir.Site, rows: Rows, members: list[Held]) -> None:
    w = lo.w
    row = rows.at(lo, Local(rows.size))
    least, most = site.each if site.each is not None else (ir.Const(0), ir.Const(1))
    first, last = w.let(lo.number(least)), w.let(lo.number(most))
    w.trap_if(both(first, Op("<=", first, last)), Reason.LOST)  # then it is searched
    last = low.Choice(Op("<", last, ZERO), ZERO, last)
    w.store(row, HIGH, item_word(lo, last, number_kind(lo, most)))
    w.store(row, KEY, key_number(lo, site, members))
    w.store(row, GIVEN, ZERO)
    for k, h in enumerate(members):
        w.store(row, FIRST + k, Local(h.names[0]))
    for k, bound in enumerate(site.bounds):
        weight = ONE if bound.weight is None else w.let(lo.number(bound.weight))
        if bound.weight is not None:
            w.trap_if(Op("<", weight, ZERO), Reason.LOST)
            weight = item_word(lo, weight, number_kind(lo, bound.weight))
        w.store(row, FIRST + rows.values + 2 * k, weight)
        w.store(row, FIRST + rows.values + 2 * k + 1, _group_of(lo, rows, k, bound, members))


def _group_of(lo: Lowering, rows: Rows, k: int, bound: ir.Bound, members: list[Held]) -> Expr:
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


def _note_given(lo: Lowering, site: ir.Site, rows: Rows, passed: Expr) -> None:
    """Note how much of each member has been taken, and what that leaves of the targets."""
    assert site.answer is not None
    w = lo.w
    slot, t = site.answer
    answer = w.let(add(w.frame(), FRAME_LINK + slot))

    def subtract_given(row: Expr) -> None:
        given = w.let(low.Load(row, GIVEN))

        def one() -> None:
            for k in range(len(rows.groups)):
                group = w.let(rows.group(row, k))
                left = Op("-", low.LoadLong(group, LEFT), Op("*", rows.weight(row, k), given))
                w.emit(low.StoreLong(group, LEFT, left))

        w.when(given, one)

    def of_map(n: Expr) -> None:
        row = rows.at(lo, n)

        def pair(k: Expr) -> None:
            at = w.let(add(answer, Op("<<", k, ONE)))
            same = Op("==", low.Load(at, 1), low.Load(row, KEY))
            w.emit(low.If(same, (low.Store(row, GIVEN, low.Load(at, 2)),)))

        w.upto(ZERO, low.Load(answer), pair)
        subtract_given(row)

    if isinstance(t, SetType):
        kind = Number(*bounds(t.elem))
        words = {word: w.let(e) for word, e in load_set(lo, Place(answer), t).items()}

        def of_set(n: Expr) -> None:
            row = rows.at(lo, n)
            value = w.let(low.Load(row, FIRST + rows.values - 1))
            w.trap_if(either(Op("<", value, Num(kind.low)), Op(">", value, Num(kind.high))), Reason.RANGE)
            w.store(row, GIVEN, is_member(words, value, kind))
            subtract_given(row)

        w.upto(ZERO, passed, of_set)
    else:
        w.upto(ZERO, passed, of_map)


def _sum_up(lo: Lowering, rows: Rows, passed: Expr, demanding: list[bool]) -> None:
    """Note for each group how much the members that are not passed can take."""

    def one(n: Expr) -> None:
        row = rows.at(lo, n)
        for k, demand in enumerate(demanding):
            if demand:
                group = lo.w.let(rows.group(row, k))
                most = Op("*", rows.weight(row, k), low.Load(row, HIGH))
                lo.w.emit(low.StoreLong(group, SUFFIX, add(low.LoadLong(group, SUFFIX), most)))

    lo.w.upto(passed, Local(rows.size), one)


# ------------------------------------------------------------ the options


def _offer(lo: Lowering, site: ir.Site, rows: Rows, passed: Expr, demanding: list[bool]) -> None:
    w = lo.w
    ready = w.fresh("ready")
    w.set(ready, ONE)

    def members(label: str) -> None:
        n = w.fresh("n")
        w.set(n, passed)

        def one(inner: str) -> None:
            w.leave_if(Op(">=", Local(n), Local(rows.size)), inner)
            row = rows.at(lo, Local(n))
            _offer_member(lo, site, rows, row, Local(n), demanding, (low.Set(ready, ZERO), low.Leave(inner)))
            w.set(n, add(Local(n), 1))

        w.loop(one)

    w.when(_has_room(lo, site, any(demanding)), lambda: w.block(members))
    wanted: Expr = Local(ready)
    if site.if_any or site.decline:
        wanted = both(wanted, Local(rows.size))
    w.when(wanted, lambda: option(lo, READY, Num(-1), ()))


def _has_room(lo: Lowering, site: ir.Site, demand: bool) -> Expr:
    """Whether another amount has a place in the answer."""
    assert site.answer is not None
    slot, t = site.answer
    if not isinstance(t, SparseType):
        return ONE
    room = lo.w.let(Op("<", low.Load(lo.w.frame(), FRAME_LINK + slot), Num(t.cap)))
    begun = low.Load(lo.w.frame(), FRAME_LINK + site.cursor)
    room = lo.w.let(low.Choice(begun, room, Num(int(t.cap > 0))))
    if demand:
        lo.w.trap_if(low.Not(room), Reason.LOST)
    return room


def _offer_member(
    lo: Lowering, site: ir.Site, rows: Rows, row: Expr, n: Expr, demanding: list[bool], stop: low.Body
) -> None:
    """As much of a member as no bound forbids, and no less than what stands behind it cannot take. `stop` is what
    follows where the member cannot be left out."""
    w = lo.w
    least, most = w.fresh("least"), w.fresh("most")
    w.set(least, ONE)
    w.set(most, low.Load(row, HIGH))
    needed: Expr = ZERO
    for k, (bound, demand) in enumerate(zip(site.bounds, demanding, strict=True)):
        weight, group = w.let(rows.weight(row, k)), w.let(rows.group(row, k))
        left = w.let(low.LoadLong(group, LEFT))
        if limits(bound):
            exceeds = both(weight, Op(">", Op("*", weight, Local(most)), left))
            w.when(exceeds, partial(w.set, most, Op("/", left, weight)))
        if demand:
            rest = w.let(Op("-", low.LoadLong(group, SUFFIX), Op("*", weight, low.Load(row, HIGH))))
            w.emit(low.StoreLong(group, SUFFIX, rest))
            wanting = w.let(Op("-", left, rest))
            w.when(Op(">", wanting, ZERO), partial(_at_least, lo, weight, wanting, least, most))
            needed = either(needed, Op(">", wanting, ZERO))
    _offer_amounts(lo, site, rows, row, n, Local(least), Local(most))
    if needed != ZERO:
        lo.w.emit(low.If(needed, stop))


def _at_least(lo: Lowering, weight: Expr, wanting: Expr, least: str, most: str) -> None:
    """As much of a member as is wanting; there is nothing to choose if it adds nothing."""

    def raise_it() -> None:
        needed = lo.w.let(Op("/", add(Op("+", wanting, weight), -1), weight))
        lo.w.emit(low.If(Op(">", needed, Local(least)), (low.Set(least, needed),)))

    lo.w.when(weight, raise_it, lambda: lo.w.set(most, ZERO))


def _offer_amounts(lo: Lowering, site: ir.Site, rows: Rows, row: Expr, n: Expr, least: Expr, most: Expr) -> None:
    values: list[Expr] = [low.Load(row, FIRST + k) for k in range(rows.values)]
    code = add(n, 1)
    if site.shape == "amounts":
        lo.w.upto(least, add(most, 1), lambda a: option(lo, AMOUNT, code, [*values, a]))
    else:
        fits = both(Op("<=", least, ONE), Op(">=", most, ONE))
        lo.w.when(fits, lambda: option(lo, ADD, code, values))


# ------------------------------------------------------------ taking


def take(lo: Lowering, site: ir.Site, row: Expr, pc: Expr) -> None:
    """Put a member into the answer, or end it: then the instruction behind the question follows."""
    assert site.answer is not None
    w, frame = lo.w, lo.w.frame()
    slot, t = site.answer
    at = w.let(add(frame, FRAME_LINK + slot))
    cursor = low.Load(frame, FRAME_LINK + site.cursor)
    w.emit(low.If(low.Not(cursor), (low.Clear(at, Num(width(t))),)))

    def go_on() -> None:
        w.store(frame, FRAME_LINK + site.cursor, low.Load(row, 1))
        if isinstance(t, SparseType):
            _put_amount(lo, site, t, at, row)
        elif isinstance(t, SetType):
            _put_member(lo, t, at, low.Load(row, VALUES + len(site.alternatives[0].binders) - 1))
        w.give(pc)

    w.when(Op("!=", low.Load(row), Num(READY)), go_on)
    w.store(frame, FRAME_LINK + site.cursor, ZERO)


def _put_member(lo: Lowering, t: SetType, at: Expr, value: Expr) -> None:
    lowest, highest = bounds(t.elem)
    w = lo.w
    value = w.let(value)
    w.trap_if(either(Op("<", value, Num(lowest)), Op(">", value, Num(highest))), Reason.RANGE)
    number = w.let(add(value, -lowest))
    place = w.let(add(at, Op("/u", number, Num(WORD_BITS))))
    w.store(place, 0, Op("|", low.Load(place), Op("<<", ONE, Op("%u", number, Num(WORD_BITS)))))


def _put_amount(lo: Lowering, site: ir.Site, t: SparseType, at: Expr, row: Expr) -> None:
    """Put a pair into a sparse map, which is in the order of its keys."""
    w = lo.w
    number: Expr = ZERO
    keys = keys_of(t)
    for k, (lowest, count) in enumerate(keys):
        number = add(scale(number, count), add(low.Load(row, VALUES + k), -lowest))
    key = w.let(number)
    size = w.let(low.Load(at))
    w.trap_if(Op(">=", size, Num(t.cap)), Reason.ROOM)
    w.store(at, 0, add(size, 1))
    j = w.fresh("j")
    w.set(j, size)

    def shift(label: str) -> None:
        w.leave_if(low.Not(Local(j)), label)
        before = w.let(add(at, Op("<<", add(Local(j), -1), ONE)))
        w.leave_if(Op("<", low.Load(before, 1), key), label)
        w.store(before, 3, low.Load(before, 1))
        w.store(before, 4, low.Load(before, 2))
        w.set(j, add(Local(j), -1))

    w.loop(shift)
    place = w.let(add(at, Op("<<", Local(j), ONE)))
    w.store(place, 1, key)
    w.store(place, 2, low.Load(row, VALUES + len(keys)))
