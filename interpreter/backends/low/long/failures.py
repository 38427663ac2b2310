"""Failures that a long search remembers: from which row on nothing can be filled with what is left of the targets.

A table in memory with a place for each hash; what comes later to a place takes it over. Only bounds count here, so it
is used where the conditions are met whatever follows. A search that is short does without.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import ZERO, add, both, scale, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.long.linear import with_totals
from interpreter.backends.low.long.rows import GROUP_WORDS, LEFT, MemberRows
from interpreter.backends.low.spans.spans import round_of

RECALL, NOTE = "recall", "note"
"""Functions of a question: the place of a failure from a row on, 0 if it is known already; and what puts it there."""

PARAMETERS = {RECALL: ("row",), NOTE: ("row", "place")}
PLACES = 1 << 10
MOST_GROUPS = 12
NOWHERE = -1  # the place of what is not kept
ROUND, ROW, KEYS = 0, 1, 2
PLACE = KEYS + 2 * MOST_GROUPS
FACTOR = 0x9E3779B97F4A7C15 - (1 << 64)


def _groups(lo: Lowering, number: int) -> int:
    """The address of where the groups of each bound are, and how many."""
    count = len(with_totals(lo.program.sites[number]).bounds)
    return lo.memory.named(("groups of", number), 2 * count)


def _table(lo: Lowering) -> int:
    return lo.memory.named("failures", PLACE * PLACES)


def note_groups(lo: Lowering, number: int, rows: MemberRows) -> None:
    """Note where the groups of a question are."""
    at = _groups(lo, number)
    for k, (base, count) in enumerate(rows.groups):
        lo.w.put(at + 2 * k, base)
        lo.w.put(at + 2 * k + 1, Local(count))


def _each_left(lo: Lowering, number: int, site: ir.Site, work: Callable[[Expr], None]) -> None:
    """Do `work` for what is left of every target."""
    at, w = _groups(lo, number), lo.w
    for k in range(len(site.bounds)):
        base = w.let(word(at + 2 * k))

        def one(n: Expr, base: Expr = base) -> None:
            work(low.LoadLong(add(base, scale(n, GROUP_WORDS)), LEFT))

        w.upto(ZERO, word(at + 2 * k + 1), one)


def write_recall(lo: Lowering, number: int) -> None:
    site = with_totals(lo.program.sites[number])
    at = _groups(lo, number)
    with lo.function(f"{RECALL}{number}", PARAMETERS[RECALL]) as w:
        count: Expr = ZERO
        for k in range(len(site.bounds)):
            count = add(count, word(at + 2 * k + 1))
        w.emit(low.If(Op(">", count, Num(MOST_GROUPS)), (low.Return(Num(NOWHERE)),)))
        w.set("hash", Local("row"))
        _each_left(lo, number, site, lambda left: w.set("hash", Op("*", Op("^", Local("hash"), left), Num(FACTOR))))
        place = w.let(add(scale(Op("&", Op(">>u", Local("hash"), Num(40)), Num(PLACES - 1)), PLACE), _table(lo)))
        own_round = Op("==", low.Load(place, ROUND), word(round_of(lo)))
        w.set("same", both(own_round, Op("==", low.Load(place, ROW), Local("row"))))
        w.emit(low.If(low.Not(Local("same")), (low.Return(place),)))
        w.set("key", add(place, KEYS))

        def compare(left: Expr) -> None:
            w.emit(low.If(Op("!=", low.LoadLong(Local("key")), left), (low.Set("same", ZERO),)))
            w.set("key", add(Local("key"), 2))

        _each_left(lo, number, site, compare)
        w.give(low.Choice(Local("same"), ZERO, place))


def write_note(lo: Lowering, number: int) -> None:
    site = with_totals(lo.program.sites[number])
    with lo.function(f"{NOTE}{number}", PARAMETERS[NOTE]) as w:
        place = Local("place")
        w.emit(low.If(Op("==", place, Num(NOWHERE)), (low.Return(ZERO),)))
        w.store(place, ROUND, word(round_of(lo)))
        w.store(place, ROW, Local("row"))
        w.set("key", add(place, KEYS))

        def keep(left: Expr) -> None:
            w.emit(low.StoreLong(Local("key"), 0, left))
            w.set("key", add(Local("key"), 2))

        _each_left(lo, number, site, keep)
        w.give(ZERO)


WRITERS = {RECALL: write_recall, NOTE: write_note}
