"""Long answers that are searched: a member is offered if the rest of the answer can then meet all bounds, conditions
and keys, as in `interpreter.search`."""

from __future__ import annotations

from dsl import ir
from dsl.program import FRAME_LINK
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.long import best, failures, sums
from interpreter.backends.low.long.conditions import MEETS, OPEN, begin
from interpreter.backends.low.long.linear import with_totals
from interpreter.backends.low.long.plain import offer, offer_end
from interpreter.backends.low.long.rows import (
    GIVEN,
    HIGH,
    LOW,
    REST_SUMS,
    MemberRows,
    each_group,
    has_room,
    note_given,
    read,
)
from interpreter.backends.low.long.steps import (
    BACK,
    END,
    ENDS,
    FILLS,
    MOST_STEPS,
    STEP,
    STEPS_LEFT,
    can_be_met,
    ends_soon,
    is_whole,
    search_words,
)
from interpreter.backends.low.spans.spans import round_of


def offers(lo: Lowering, number: int) -> Expr:
    """Write what lists the options; gives whether the answer has not been begun. Raises Unsupported."""
    w, site = lo.w, with_totals(lo.program.sites[number])
    _refuse(lo, site)
    passed = w.let(low.Load(w.frame(), FRAME_LINK + site.cursor), "passed")
    rows = read(lo, site, searched=True)
    note_given(lo, site, rows, passed)
    sums.add_up(lo, site, rows)
    at = search_words(lo)
    w.put(at + END, rows.end)
    w.put(at + STEPS_LEFT, Num(MOST_STEPS))
    failures.note_groups(lo, number, rows)
    w.put(round_of(lo), add(word(round_of(lo)), 1))
    if is_whole(site):
        begin(lo, number, rows)
    sums.seek_totals(lo, site, rows, lambda: both(_all_can_be_met(lo, site, rows), _fills(lo, number, rows.base, ZERO)))
    met = w.fresh("met")
    w.set(met, _all_can_be_met(lo, site, rows))
    if site.keys:
        w.when(Local(met), lambda: best.narrow(lo, number, lambda: _find(lo, number, rows)))
    if is_whole(site):
        w.emit(low.If(Local(met), (low.Set(met, low.Call(lo.want(MEETS, number), ())),)))
    w.upto(ZERO, passed, lambda n: _take(lo, number, rows.at(lo, n), low.Load(rows.at(lo, n), GIVEN), met))
    w.when(Local(met), lambda: _offer(lo, number, rows, passed, met))
    return Op("==", passed, ZERO)


def _refuse(lo: Lowering, site: ir.Site) -> None:
    listed = any(domain.kind == "list" for _, _, domain, _ in site.alternatives[0].binders)
    if is_whole(site) and site.shape == "amounts" and listed:
        raise Unsupported(f"conditions on whole amounts from a list (`{site.address}`)")
    if lo.trials.may_fail((site.such_that, site.keys)):
        raise Unsupported(f"conditions on the whole answer that may fail (`{site.address}`)")


def _all_can_be_met(lo: Lowering, site: ir.Site, rows: MemberRows) -> Expr:
    """Whether no bound is certainly missed while nothing is chosen."""
    fits = lo.w.fresh("fits")
    lo.w.set(fits, ONE)
    for k, bound in enumerate(site.bounds):

        def one(group: Expr, bound: ir.Bound = bound) -> None:
            possible = can_be_met(lo, bound, group, low.Load(group, REST_SUMS))
            lo.w.emit(low.If(low.Not(possible), (low.Set(fits, ZERO),)))

        each_group(lo, rows, k, one)
    return Local(fits)


def _fills(lo: Lowering, number: int, row: Expr, is_open: Expr) -> Expr:
    return low.Call(lo.want(FILLS, number), (row, is_open))


def _find(lo: Lowering, number: int, rows: MemberRows) -> Expr:
    """Whether there is an answer, from the beginning."""
    w = lo.w
    found = w.fresh("found")
    w.set(found, low.Call(lo.want(MEETS, number), ()))
    is_open = Op("==", Local(found), Num(OPEN))
    w.emit(low.If(Local(found), (low.Set(found, _fills(lo, number, rows.base, is_open)),)))
    return Local(found)


def _take(lo: Lowering, number: int, row: Expr, amount: Expr, met: str) -> None:
    """Take an amount of a row; `met` says whether all can be met, and after that whether it can be met still."""
    step = low.Call(lo.want(STEP, number), (row, amount, Op("==", Local(met), Num(OPEN))))
    lo.w.emit(low.If(Local(met), (low.Set(met, step),)))


def _offer(lo: Lowering, number: int, rows: MemberRows, passed: Expr, met: str) -> None:
    """Offer each member that is not passed, as if those between were left out, and the end."""
    w, site = lo.w, with_totals(lo.program.sites[number])
    room = has_room(lo, site)
    n = w.fresh("n")
    w.set(n, passed)

    def one(label: str) -> None:
        w.leave_if(Op(">=", Local(n), Local(rows.size)), label)
        row = rows.at(lo, Local(n))
        least = w.let(low.Load(row, LOW))
        w.when(room, lambda: _offer_member(lo, number, rows, row, Local(n), least, met))
        w.emit(low.If(least, (low.Set(met, ZERO), low.Leave(label))))
        _take(lo, number, row, ZERO, met)
        w.leave_if(low.Not(Local(met)), label)
        w.set(n, add(Local(n), 1))

    w.loop(one)
    offer_end(lo, site, rows, Op("!=", Local(met), ZERO))


def _offer_member(lo: Lowering, number: int, rows: MemberRows, row: Expr, n: Expr, least: Expr, met: str) -> None:
    w, site = lo.w, with_totals(lo.program.sites[number])

    def one(amount: Expr) -> None:
        found = w.fresh("found")
        w.set(found, low.Call(lo.want(STEP, number), (row, amount, Op("==", Local(met), Num(OPEN)))))
        rest = add(row, rows.width)
        after = low.Set(found, _fills(lo, number, rest, Op("==", Local(found), Num(OPEN))))
        if ends_soon(site):
            at_once = low.Call(lo.want(ENDS, number), (rest,))
            w.when(Local(found), lambda: w.emit(low.If(low.Not(at_once), (after,))))
        else:
            w.emit(low.If(Local(found), (after,)))
        w.call(lo.want(BACK, number), row, amount)
        w.when(Local(found), lambda: offer(lo, site, rows, row, n, amount))

    first = low.Choice(Op(">", least, ONE), least, ONE)
    w.upto(first, add(low.Load(row, HIGH), 1), one)
