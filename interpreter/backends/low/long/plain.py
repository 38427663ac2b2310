"""Long answers that bounds alone decide, member by member.

Bounds `at most` decide one by one. So do bounds `at least`: each is met as long as what stands behind a member can
still take the rest. Together they decide where there are only such of one kind, or where all count the same members
alike; so does a single `exactly`. All other answers are searched.
"""

from __future__ import annotations

from functools import partial

from dsl import ir
from dsl.program import FRAME_LINK
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.exported import ADD, AMOUNT, READY
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.long.rows import (
    FIRST,
    GIVEN,
    HIGH,
    LEFT,
    REST_MOST,
    WEIGHT,
    MemberRows,
    demands,
    each_group,
    has_room,
    limits,
    note_given,
    read,
)
from interpreter.backends.low.rules.questions import option
from interpreter.backends.low.values.ranges import bound_kinds, number_kind


def is_plain(lo: Lowering, site: ir.Site) -> bool:
    """Whether bounds alone decide a long answer."""
    if site.such_that or site.keys or any(b.slot >= 0 for b in site.bounds):
        return False
    ops = {b.op for b in site.bounds}
    uniform = all(b.weight is None for b in site.bounds)
    alike = uniform and (len(site.bounds) == 1 or all(b.per is None for b in site.bounds))
    if "covering" in ops or not (alike or (len(ops) <= 1 and "exactly" not in ops)):
        return False
    binders = tuple((slot, domain) for _, slot, domain, _ in site.alternatives[0].binders)
    held: dict[int, Held] = bound_kinds(lo, binders)[0]
    with lo.also(held):
        if site.each is not None and number_kind(lo, site.each[0]).high > 0:
            return False
        return all(b.weight is None or number_kind(lo, b.weight).low >= 0 for b in site.bounds)


def offers(lo: Lowering, site: ir.Site) -> Expr:
    """Write what lists the options; gives whether the answer has not been begun."""
    w = lo.w
    passed = w.let(low.Load(w.frame(), FRAME_LINK + site.cursor), "passed")
    rows = read(lo, site, searched=False)
    note_given(lo, site, rows, passed)
    _subtract_given(lo, rows, passed)
    fits = w.fresh("fits")
    w.set(fits, ONE)
    if any(map(demands, site.bounds)):
        _sum_up(lo, site, rows, passed)
    for k, bound in enumerate(site.bounds):
        each_group(lo, rows, k, partial(_test_group, lo, bound, fits))
    w.when(Local(fits), lambda: _offer(lo, site, rows, passed))
    return Op("==", passed, ZERO)


def _subtract_given(lo: Lowering, rows: MemberRows, passed: Expr) -> None:
    """Note what that leaves of the targets."""
    w = lo.w

    def one(n: Expr) -> None:
        row = rows.at(lo, n)
        given = w.let(low.Load(row, GIVEN))

        def subtract() -> None:
            for k in range(len(rows.groups)):
                group = w.let(rows.group(row, k))
                left = Op("-", low.LoadLong(group, LEFT), Op("*", rows.load(row, k, WEIGHT), given))
                w.emit(low.StoreLong(group, LEFT, left))

        w.when(given, subtract)

    if rows.groups:
        w.upto(ZERO, passed, one)


def _sum_up(lo: Lowering, site: ir.Site, rows: MemberRows, passed: Expr) -> None:
    """Note for each group how much the members that are not passed can take."""

    def one(n: Expr) -> None:
        row = rows.at(lo, n)
        for k, bound in enumerate(site.bounds):
            if demands(bound):
                group = lo.w.let(rows.group(row, k))
                most = Op("*", rows.load(row, k, WEIGHT), low.Load(row, HIGH))
                lo.w.emit(low.StoreLong(group, REST_MOST, add(low.LoadLong(group, REST_MOST), most)))

    lo.w.upto(passed, Local(rows.size), one)


def _test_group(lo: Lowering, bound: ir.Bound, fits: str, group: Expr) -> None:
    """Nothing can be chosen if a target is exceeded, or what must be taken is not there."""
    wrong: Expr = Op("<", low.LoadLong(group, LEFT), ZERO) if limits(bound) else ZERO
    if demands(bound):
        wrong = either(wrong, Op(">", low.LoadLong(group, LEFT), low.LoadLong(group, REST_MOST)))
    lo.w.emit(low.If(wrong, (low.Set(fits, ZERO),)))


# ------------------------------------------------------------ the options


def _offer(lo: Lowering, site: ir.Site, rows: MemberRows, passed: Expr) -> None:
    w = lo.w
    ready = w.fresh("ready")
    w.set(ready, ONE)

    def members() -> None:
        n = w.fresh("n")
        w.set(n, passed)

        def one(inner: str) -> None:
            w.leave_if(Op(">=", Local(n), Local(rows.size)), inner)
            row = rows.at(lo, Local(n))
            _offer_member(lo, site, rows, row, Local(n), (low.Set(ready, ZERO), low.Leave(inner)))
            w.set(n, add(Local(n), 1))

        w.loop(one)

    def nothing_more() -> None:
        for k, bound in enumerate(site.bounds):
            if demands(bound):
                each_group(lo, rows, k, unmet)

    def unmet(group: Expr) -> None:
        w.when(Op(">", low.LoadLong(group, LEFT), ZERO), lambda: w.set(ready, ZERO))

    w.when(has_room(lo, site), members, nothing_more)
    offer_end(lo, site, rows, Local(ready))


def offer_end(lo: Lowering, site: ir.Site, rows: MemberRows, ready: Expr) -> None:
    """Offer the end of the answer if it may end here."""
    if site.if_any or site.decline:
        ready = both(ready, Local(rows.size))
    lo.w.when(ready, lambda: option(lo, READY, Num(-1), ()))


def _offer_member(lo: Lowering, site: ir.Site, rows: MemberRows, row: Expr, n: Expr, stop: low.Body) -> None:
    """As much of a member as no bound forbids, and no less than what stands behind it cannot take. `stop` is what
    follows where the member cannot be left out."""
    w = lo.w
    least, most = w.fresh("least"), w.fresh("most")
    w.set(least, ONE)
    w.set(most, low.Load(row, HIGH))
    needed: Expr = ZERO
    for k, bound in enumerate(site.bounds):
        weight, group = w.let(rows.load(row, k, WEIGHT)), w.let(rows.group(row, k))
        left = w.let(low.LoadLong(group, LEFT))
        if limits(bound):
            exceeds = both(weight, Op(">", Op("*", weight, Local(most)), left))
            w.when(exceeds, partial(w.set, most, Op("/", left, weight)))
        if demands(bound):
            rest = w.let(Op("-", low.LoadLong(group, REST_MOST), Op("*", weight, low.Load(row, HIGH))))
            w.emit(low.StoreLong(group, REST_MOST, rest))
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


def _offer_amounts(lo: Lowering, site: ir.Site, rows: MemberRows, row: Expr, n: Expr, least: Expr, most: Expr) -> None:
    if site.shape == "amounts":
        lo.w.upto(least, add(most, 1), lambda a: offer(lo, site, rows, row, n, a))
    else:
        fits = both(Op("<=", least, ONE), Op(">=", most, ONE))
        lo.w.when(fits, lambda: offer(lo, site, rows, row, n, ONE))


def offer(lo: Lowering, site: ir.Site, rows: MemberRows, row: Expr, n: Expr, amount: Expr) -> None:
    """Offer so much of the n-th member, whose row is given."""
    values: list[Expr] = [low.Load(row, FIRST + k) for k in range(rows.values)]
    if site.shape == "amounts":
        option(lo, AMOUNT, add(n, 1), [*values, amount])
    else:
        option(lo, ADD, add(n, 1), values)
