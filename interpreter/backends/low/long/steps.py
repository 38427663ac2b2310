"""The search through whole answers, as functions over rows: a row takes an amount, nothing again, and all that follow
are filled.

The greatest amount of each row comes first, and a way is given up where a bound or a condition can certainly not be
met any more, as in `interpreter.search.solver`. It takes far fewer steps than the reference may before it gives up.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.long import failures, sums
from interpreter.backends.low.long.conditions import MEETS, MET, NO, OPEN, choose, leave_open, write_meets, write_part
from interpreter.backends.low.long.linear import with_totals
from interpreter.backends.low.long.rows import (
    ACTIVE,
    GROUP,
    HIGH,
    LEAST,
    LEFT,
    LOW,
    MOST,
    REST_LEAST,
    REST_MOST,
    SUMS,
    WEIGHT,
    demands,
    layout,
    limits,
)
from interpreter.backends.low.spans.shared import SHARED

STEP, BACK, FILLS, ENDS = "step", "unstep", "fills", "ends"
"""Functions of a question: a row takes so much, which gives whether that can be met: NO, MET or OPEN, where `open` says
whether the conditions are open so far; a row gives back so much; whether the rows from one on can be filled; whether
the conditions are met where they take no more than they must."""

PARAMETERS = {
    STEP: ("row", "amount", "open"),
    BACK: ("row", "amount"),
    FILLS: ("row", "open"),
    ENDS: ("row",),
    MEETS: (),
    SHARED: (),
    **failures.PARAMETERS,
}
MOST_STEPS = 20_000  # of one list of options
SHORT = 256  # steps after which failures are noted
END, STEPS_LEFT = 0, 1  # words of a search


def search_words(lo: Lowering) -> int:
    """The address of what a search keeps: where its rows end, and the steps that are left."""
    return lo.memory.named("search", 2)


def is_whole(site: ir.Site) -> bool:
    """Whether there are conditions or keys on the whole answer."""
    return bool(site.such_that or site.keys)


class _Row:
    """What a row says for each bound of a site."""

    def __init__(self, lo: Lowering, site: ir.Site, row: Expr) -> None:
        self.lo, self.site, self.row = lo, site, row
        self.width, self.columns = layout(site, searched=True)
        self.first = self.width - self.columns * len(site.bounds)

    def load(self, bound: int, column: int) -> Expr:
        return low.Load(self.row, self.first + self.columns * bound + column)

    def counted(self, bound: int, amount: Expr) -> Expr:
        """What an amount counts for a bound."""
        weight = self.load(bound, WEIGHT)
        if self.site.bounds[bound].slot >= 0:
            return low.Load(add(weight, amount))
        return amount if self.site.bounds[bound].weight is None else Op("*", weight, amount)

    def passed(self, op: str, bound: int, amount: Expr) -> Expr:
        """Take the row with an amount from what its group has before it (`-`), or put it back (`+`); gives the address
        of the group."""
        w = self.lo.w
        group = w.let(self.load(bound, GROUP))
        parts = (
            (LEFT, self.counted(bound, amount)),
            (REST_LEAST, self.load(bound, LEAST)),
            (REST_MOST, self.load(bound, MOST)),
        )
        for at, part in parts:
            w.emit(low.StoreLong(group, at, Op(op, low.LoadLong(group, at), part)))
        return group


def can_be_met(lo: Lowering, bound: ir.Bound, group: Expr, reached: Expr) -> Expr:
    """Whether the rows further on can add up to what is left of a target. `reached`: the sums that they can have."""
    left, least, most = (lo.w.let(low.LoadLong(group, at)) for at in (LEFT, REST_LEAST, REST_MOST))
    fits: Expr = ONE
    if limits(bound):
        fits = Op("<=", least, left)
    if demands(bound):
        fits = both(fits, Op("<=", left, most))
    if sums.is_listed(bound):
        fits = both(fits, sums.is_reached(reached, Op("-", left, least)))
    if bound.op == "covering":
        fits = either(low.Not(low.Load(group, ACTIVE)), fits)
    return fits


def write_step(lo: Lowering, number: int) -> None:
    site = with_totals(lo.program.sites[number])
    with lo.function(f"{STEP}{number}", PARAMETERS[STEP]) as w:
        row, amount = _Row(lo, site, Local("row")), Local("amount")
        fits: Expr = ONE
        for k, bound in enumerate(site.bounds):
            group = row.passed("-", k, amount)
            fits = both(fits, w.let(can_be_met(lo, bound, group, row.load(k, SUMS))))
        if is_whole(site):
            choose(lo, number, row.row, amount)
        w.emit(low.If(low.Not(fits), (low.Return(Num(NO)),)))
        if is_whole(site):
            same = Op("==", low.Load(row.row, LOW), low.Load(row.row, HIGH))
            w.emit(low.If(low.Not(Local("open")), (low.Return(Num(MET)),)))
            w.emit(low.If(same, (low.Return(Num(OPEN)),)))
            w.give(low.Call(lo.want(MEETS, number), ()))
        else:
            w.give(Num(MET))


def write_back(lo: Lowering, number: int) -> None:
    site = with_totals(lo.program.sites[number])
    with lo.function(f"{BACK}{number}", PARAMETERS[BACK]) as w:
        row = _Row(lo, site, Local("row"))
        for k in range(len(site.bounds)):
            row.passed("+", k, Local("amount"))
        if is_whole(site):
            leave_open(lo, number, row.row)
        w.give(ZERO)


def write_fills(lo: Lowering, number: int) -> None:
    """Write the search from a row on. What was chosen is undone again, whatever it gives."""
    site = with_totals(lo.program.sites[number])
    at = search_words(lo)
    with lo.function(f"{FILLS}{number}", PARAMETERS[FILLS]) as w:
        row, amount = Local("row"), Local("amount")
        w.put(at + STEPS_LEFT, add(word(at + STEPS_LEFT), -1))
        w.trap_if(Op("<", word(at + STEPS_LEFT), ZERO), Reason.BUDGET)

        def is_over() -> None:
            w.trap_if(Local("open"), Reason.LOST)
            if site.keys:
                w.call(lo.want(MEETS, number))  # it notes the keys
            w.give(ONE)

        def recall() -> None:
            w.set("place", low.Call(lo.want(failures.RECALL, number), (row,)))
            w.emit(low.If(low.Not(Local("place")), (low.Return(ZERO),)))

        w.when(Op("==", row, word(at + END)), is_over)
        if not site.keys:
            w.emit(low.If(both(low.Not(Local("open")), _is_decided(lo, site)), (low.Return(ONE),)))
        w.set("amount", low.Load(row, HIGH))
        w.set("place", ZERO)
        if site.bounds:
            long = both(low.Not(Local("open")), Op("<", word(at + STEPS_LEFT), Num(MOST_STEPS - SHORT)))
            w.when(long, recall)

        def one(label: str) -> None:
            w.leave_if(Op("<", amount, low.Load(row, LOW)), label)
            w.set("met", low.Call(lo.want(STEP, number), (row, amount, Local("open"))))
            w.set("found", ZERO)
            after = low.Call(
                lo.want(FILLS, number), (add(row, layout(site, True)[0]), Op("==", Local("met"), Num(OPEN)))
            )
            w.emit(low.If(Local("met"), (low.Set("found", after),)))
            w.call(lo.want(BACK, number), row, amount)
            w.emit(low.If(Local("found"), (low.Return(ONE),)))
            w.set("amount", add(amount, -1))

        w.loop(one)
        if site.bounds:
            w.when(Local("place"), lambda: w.call(lo.want(failures.NOTE, number), row, Local("place")))
        w.give(ZERO)


def ends_soon(site: ir.Site) -> bool:
    """Whether it is worth a look whether an answer can end at once, before the rest of it is searched."""
    return is_whole(site) and not site.bounds and not site.keys


def write_ends(lo: Lowering, number: int) -> None:
    end = word(search_words(lo) + END)
    width = layout(with_totals(lo.program.sites[number]), True)[0]

    with lo.function(f"{ENDS}{number}", PARAMETERS[ENDS]) as w:

        def each_row(work: Callable[[], None]) -> None:
            w.set("at", Local("row"))

            def one(label: str) -> None:
                w.leave_if(Op(">=", Local("at"), end), label)
                work()
                w.set("at", add(Local("at"), width))

            w.loop(one)

        each_row(lambda: choose(lo, number, Local("at"), low.Load(Local("at"), LOW)))
        w.set("found", low.Call(lo.want(MEETS, number), ()))
        each_row(lambda: leave_open(lo, number, Local("at")))
        w.give(Local("found"))


def _is_decided(lo: Lowering, site: ir.Site) -> Expr:
    """Whether the bounds can certainly be met: each alone can, and no more than one of them is open."""
    if any(bound.per is not None for bound in site.bounds):
        return ZERO
    row = _Row(lo, site, Local("row"))
    found: Expr = ZERO
    for k, bound in enumerate(site.bounds):
        group = lo.w.let(row.load(k, GROUP))
        left, least, most = (low.LoadLong(group, at) for at in (LEFT, REST_LEAST, REST_MOST))
        met: Expr = Op(">=", left, most) if bound.op == "at most" else Op("<=", left, least)
        if bound.op in ("exactly", "covering"):
            met = Op("==", least, most)
        if bound.op == "covering":
            met = either(low.Not(low.Load(group, ACTIVE)), met)
        found = add(found, low.Not(met))
    return Op("<=", found, ONE) if site.bounds else ONE


WRITERS = {
    STEP: write_step,
    BACK: write_back,
    FILLS: write_fills,
    ENDS: write_ends,
    MEETS: write_meets,
    SHARED: write_part,
    **failures.WRITERS,
}
