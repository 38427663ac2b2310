"""Zones in low code: a table of all zone instances, and who sees what they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dsl import ir
from dsl.base.types import ListType, SetType, bounds, width
from dsl.program import ALL, NOBODY, OWNER, PREDICATE, SEATS
from interpreter.backends.low.base.context import SEERS, TOP_SEERS, Lowering
from interpreter.backends.low.base.kinds import Number, kind_of
from interpreter.backends.low.base.make import ONE, ZERO, add, scale, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.values.functions import FUNCTION

KINDS = {"set": 1, "list": 2, "slot": 3}  # other zones hold no things
SET, LIST, SLOT = KINDS.values()
COLUMNS = 11
EVERYBODY, NO_ONE, COMPUTED, SEAT = 0, 1, 2, 3  # who sees: a seat has SEAT and its number


class Zone(NamedTuple):
    """The columns of a zone of the table."""

    kind: Expr
    base: Expr
    cap: Expr  # 0: none
    low: Expr  # the lowest thing of a set
    width: Expr  # words of a set
    most: Expr  # items of a list
    seers: Expr
    top: Expr  # who sees the first thing besides
    holder: Expr
    rule: Expr  # which of the computed audiences sees
    top_rule: Expr  # and which the first thing besides


def computed(lo: Lowering) -> list[tuple[str, str]]:
    """The audiences that functions of the program say, each with the symbol of its zones."""
    found: dict[tuple[str, str], None] = {}
    for z in (*lo.program.zones, *lo.cells):
        for who in (z.audience, z.top):
            if who and _seen_by(lo, z, who) == COMPUTED:
                found[who, z.symbol] = None
    return list(found)


def _seen_by(lo: Lowering, z: ir.ZoneInstance, who: str) -> int:
    if not who or who == NOBODY:
        return NO_ONE
    if who == ALL:
        return EVERYBODY
    seats = lo.program.domains[lo.program.seat_kind].values
    if who == OWNER:
        if z.holder in seats:
            return SEAT + seats.index(z.holder) + 1
        entries = {entry.symbol: entry.owner_fn for entry in lo.program.layout}
        return COMPUTED if entries.get(z.symbol, -1) >= 0 and z.holder else NO_ONE
    return COMPUTED


def write_table(lo: Lowering) -> int:
    """The address of the table of all zones, and of the cells whose audiences are asked for like theirs."""
    rules = computed(lo)
    numbers = {rule: n for n, rule in enumerate(rules)}
    rows: list[int] = []
    for z in (*lo.program.zones, *lo.cells):
        audiences = [numbers.get((who, z.symbol), 0) for who in (z.audience, z.top)]
        lowest = bounds(z.type.elem)[0] if isinstance(z.type, SetType) else 0
        most = z.type.cap if isinstance(z.type, ListType) else 0
        rows += [KINDS.get(z.kind, 0), z.base, z.cap, lowest, width(z.type) if z.kind == "set" else 0, most]
        rows += [_seen_by(lo, z, z.audience), _seen_by(lo, z, z.top), z.holder, *audiences]
    return lo.memory.words(rows)


def zone(lo: Lowering, number: Expr, table: int) -> Zone:
    """The columns of a zone instance."""
    row = lo.w.let(scale(number, COLUMNS))
    return Zone(*(low.Load(row, table + k) for k in range(COLUMNS)))


def everybody() -> Expr:
    """All seats, as a set of seat numbers."""
    return Op("-", Op("<<", ONE, add(word(SEATS), 1)), Num(2))


def write_seers(lo: Lowering, table: int) -> None:
    """Write the functions that say who sees a zone, and who sees its top, as sets of seat numbers."""
    rules = computed(lo)
    for name, column, rule in ((SEERS, "seers", "rule"), (TOP_SEERS, "top", "top_rule")):
        _write_audience(lo, table, name, (column, rule), rules)


def _write_audience(
    lo: Lowering, table: int, name: str, columns: tuple[str, str], rules: list[tuple[str, str]]
) -> None:
    with lo.function(name, ("zone",)) as w:
        z = zone(lo, Local("zone"), table)
        who = w.let(getattr(z, columns[0]))
        w.emit(low.If(Op("==", who, Num(EVERYBODY)), (low.Return(everybody()),)))
        w.emit(low.If(Op("==", who, Num(NO_ONE)), (low.Return(ZERO),)))
        if rules:
            rule, holder = w.let(getattr(z, columns[1])), w.let(z.holder)
            cases = {n: _computing(lo, audience, symbol, holder) for n, (audience, symbol) in enumerate(rules)}
            w.when(Op("==", who, Num(COMPUTED)), lambda: w.cases(rule, cases))
        w.give(Op("&", Op("<<", ONE, add(who, -SEAT)), everybody()))


def _computing(lo: Lowering, audience: str, symbol: str, holder: Expr) -> Callable[[], None]:
    """A writer of the work that gives an audience which a function of the program says."""

    def work() -> None:
        w, seats = lo.w, lo.program.domains[lo.program.seat_kind].values
        if audience == OWNER:
            number = next(e.owner_fn for e in lo.program.layout if e.symbol == symbol)
            seat = w.let(add(_called(lo, number, (holder,)), 1 - seats[0]))
            inside = low.Not(Op(">u", add(seat, -1), Num(len(seats) - 1)))
            w.give(Op("&", Op("<<", inside, seat), everybody()))
            return
        number = int(audience.removeprefix(PREDICATE))
        wanted = len(lo.program.functions[number].params)
        found = w.fresh("seen")
        w.set(found, ZERO)

        def one(seat: Expr) -> None:
            args = (holder, add(seat, seats[0] - 1))
            sees = low.Call(lo.want(FUNCTION, number), args[2 - wanted :])
            w.emit(low.If(sees, (low.Set(found, Op("|", Local(found), Op("<<", ONE, seat))),)))

        w.upto(ONE, add(word(SEATS), 1), one)
        w.give(Local(found))

    return work


def _called(lo: Lowering, number: int, args: tuple[Expr, ...]) -> Expr:
    """A function of the program with numbers as arguments, which must lie within their types."""
    for arg, (_, t) in zip(args, lo.program.functions[number].params, strict=True):
        kind = kind_of(t)
        assert isinstance(kind, Number)
        outside = low.Either(Op("<", arg, Num(kind.low)), Op(">", arg, Num(kind.high)))
        lo.w.trap_if(outside, Reason.RANGE)
    return low.Call(lo.want(FUNCTION, number), args)
