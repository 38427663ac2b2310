"""Totals that have to be met exactly: the sums that rows can add up to, as bits from the least one on.

For `covering` the total is sought: the least sum from the target on that an answer can have, or else the greatest
below.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dsl import ir
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.long.rows import (
    ACTIVE,
    HIGH,
    LEAST,
    LEFT,
    LOW,
    MOST,
    REST_LEAST,
    REST_MOST,
    REST_SUMS,
    SUMS,
    WEIGHT,
    MemberRows,
    each_group,
)

MOST_SUM = 4095  # from the least sum of a group to the greatest


def is_listed(bound: ir.Bound) -> bool:
    """Whether the sums of a bound are listed, since not all between the least and the greatest may be reached."""
    return bound.op in ("exactly", "covering") and (bound.weight is not None or bound.slot >= 0)


def is_reached(sums: Expr, number: Expr) -> Expr:
    """Whether a sum can be reached, counted from the least one; it lies between the least and the greatest."""
    place = low.LoadLong(add(sums, Op("<<", Op(">>", number, Num(6)), ONE)))
    return Op("&", Op(">>u", place, number), ONE)


def add_up(lo: Lowering, site: ir.Site, rows: MemberRows) -> None:
    """Note between what numbers the rows add up to, for each group; and for exact totals the sums that can be reached
    by the rows behind each one."""
    w = lo.w

    def one(n: Expr) -> None:
        row = rows.at(lo, n)
        for k in range(len(site.bounds)):
            group = w.let(rows.group(row, k))
            for at, column in ((REST_LEAST, LEAST), (REST_MOST, MOST)):
                w.emit(low.StoreLong(group, at, add(low.LoadLong(group, at), rows.load(row, k, column))))

    if site.bounds:
        w.upto(ZERO, Local(rows.size), one)
    for k, bound in enumerate(site.bounds):
        if is_listed(bound):
            _list_sums(lo, site, rows, k)


def _list_sums(lo: Lowering, site: ir.Site, rows: MemberRows, k: int) -> None:
    """From the last row to the first: the sums of the rows behind it."""
    w = lo.w

    def nothing(group: Expr) -> None:
        own = lo.take(2)
        w.emit(low.StoreLong(own, 0, ONE))
        w.store(group, REST_SUMS, own)

    each_group(lo, rows, k, nothing)
    n = w.fresh("n")
    w.set(n, Local(rows.size))

    def one(label: str) -> None:
        w.leave_if(low.Not(Local(n)), label)
        w.set(n, add(Local(n), -1))
        row = rows.at(lo, Local(n))
        group = w.let(rows.group(row, k))
        before = w.let(low.Load(group, REST_SUMS))
        w.store(row, rows.place(k, SUMS), before)
        _add_row(lo, site, rows, k, row, group, before)

    w.loop(one)


def _add_row(lo: Lowering, site: ir.Site, rows: MemberRows, k: int, row: Expr, group: Expr, before: Expr) -> None:
    """Note the sums of a row and those behind it as the sums of its group so far."""
    w = lo.w
    total = w.let(Op("-", low.LoadLong(group, REST_MOST), low.LoadLong(group, REST_LEAST)))
    w.trap_if(Op(">", total, Num(MOST_SUM)), Reason.ROOM)
    words = w.let(add(Op(">>", total, Num(6)), 1))
    own = lo.take(scale(words, 2))
    w.emit(low.Clear(own, scale(words, 2)))
    w.store(group, REST_SUMS, own)
    least = w.let(rows.load(row, k, LEAST))

    def one(amount: Expr) -> None:
        weight = rows.load(row, k, WEIGHT)
        counted = low.Load(add(weight, amount)) if site.bounds[k].slot >= 0 else Op("*", weight, amount)
        shift = w.let(Op("-", counted, least))
        skipped, by = w.let(Op(">>", shift, Num(6))), w.let(Op("&", shift, Num(63)))

        def place(n: Expr) -> None:
            source = w.let(add(before, scale(Op("-", n, skipped), 2)))
            to = w.let(add(own, scale(n, 2)))
            w.emit(low.StoreLong(to, 0, Op("|", low.LoadLong(to), Op("<<", low.LoadLong(source), by))))

            def carry() -> None:
                rest = Op(">>u", low.LoadLong(add(source, -2)), Op("-", Num(64), by))
                w.emit(low.StoreLong(to, 0, Op("|", low.LoadLong(to), rest)))

            w.when(both(by, Op(">", n, skipped)), carry)

        w.upto(skipped, words, place)

    w.upto(low.Load(row, LOW), add(low.Load(row, HIGH), 1), one)


# ------------------------------------------------------------ totals that are sought


def seek_totals(lo: Lowering, site: ir.Site, rows: MemberRows, possible: Callable[[], Expr]) -> None:
    """Make what is left of each target of `covering` the total that answers can have. `possible` writes whether there
    is an answer with the targets that are known."""
    for k, bound in enumerate(site.bounds):
        if bound.op == "covering":
            each_group(lo, rows, k, partial(_seek, lo, is_listed(bound), possible))


def _seek(lo: Lowering, listed: bool, possible: Callable[[], Expr], group: Expr) -> None:
    w = lo.w
    least, most = w.let(low.LoadLong(group, REST_LEAST)), w.let(low.LoadLong(group, REST_MOST))
    target, sums = w.let(low.LoadLong(group, LEFT)), w.let(low.Load(group, REST_SUMS))
    w.store(group, ACTIVE, ONE)
    wanted, found = w.fresh("wanted"), w.fresh("found")
    w.set(found, ZERO)

    def attempt() -> None:
        w.emit(low.StoreLong(group, LEFT, Local(wanted)))
        w.set(found, possible())

    def through(step: int) -> Callable[[str], None]:
        def one(label: str) -> None:
            over = Op(">", Local(wanted), most) if step > 0 else Op("<", Local(wanted), least)
            w.leave_if(either(Local(found), over), label)
            w.when(is_reached(sums, Op("-", Local(wanted), least)) if listed else ONE, attempt)
            w.set(wanted, add(Local(wanted), step))

        return one

    w.set(wanted, low.Choice(Op(">", target, least), target, least))
    w.loop(through(1))
    w.set(wanted, low.Choice(Op("<=", target, most), add(target, -1), most))
    w.loop(through(-1))
