"""Opening a purse: the sources that take part are read from the store into rows of scratch memory, in their order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dsl import ir
from dsl.base.types import INT_HIGH
from interpreter.backends.low.base.context import DEPTH, Bound, Held, Lowering
from interpreter.backends.low.base.kinds import ANY, Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.purses import layout as at
from interpreter.backends.low.purses.layout import HEAD, MOST_SOURCES, MOST_WORTH, ROW
from interpreter.backends.low.values.functions import MOST_DEPTH, parameters
from interpreter.backends.low.values.loops import Pass, each
from interpreter.backends.low.values.numbers import keep_within, place_of
from interpreter.backends.low.values.ranges import number_kind

OPENS = "open_purse"  # the function that opens a purse with its arguments, and gives its address


def given(lo: Lowering, number: int) -> tuple[tuple[str, ...], dict[int, Bound]]:
    """The parameters of a function for those of a purse, with the cause where it has one, and the temps that they are.
    The temp of the overpayment is bound to the variable `over`, which is 0 before it is set."""
    purse = lo.program.purses[number]
    names, bound = parameters(purse.params)
    for slot in range(len(purse.params), purse.over_slot):
        names += (f"p{slot}",)
        bound[slot] = Held(ANY, (f"p{slot}",))
    return names, {**bound, purse.over_slot: Held(Number(0, INT_HIGH), ("over",))}


def write_open(lo: Lowering, number: int) -> None:
    purse = lo.program.purses[number]
    if lo.trials.may_fail(purse) or lo.trials.asks(purse):
        raise Unsupported(f"a purse that tries or demands something (`{purse.name}`)")
    names, bound = given(lo, number)
    with lo.function(f"{OPENS}{number}", names) as w:
        lo.bound = bound
        w.emit(low.SetGlobal(DEPTH, add(Global(DEPTH), 1)))  # a purse may ask for another, or for itself
        w.trap_if(Op(">", Global(DEPTH), Num(MOST_DEPTH)), Reason.ROOM)
        opened = at.PurseAt(lo.take(HEAD + (MOST_SOURCES + 1) * ROW))
        w.emit(low.Clear(opened.at, Num(HEAD)))
        for source in purse.sources:
            with lo.cut_back():
                _each(lo, source, partial(_add_row, lo, number, source, opened))
        w.emit(low.Clear(opened.row(lo, opened.word(at.SIZE)), Num(ROW)))
        if any(source.rank is not None for source in purse.sources):
            _sort(lo, opened)
        if purse.change is not None:
            with lo.cut_back():
                _write_end(lo, purse.change, opened.at, at.CHANGE)
        w.emit(low.SetGlobal(DEPTH, add(Global(DEPTH), -1)))
        w.give(opened.at)


def _each(lo: Lowering, source: ir.PurseSource, work: Callable[[], None]) -> None:
    """Do `work` for each pass of a source in which it takes part."""

    def test() -> None:
        if source.where is None:
            work()
        else:
            lo.w.when(lo.number(source.where), work)

    if source.domain is None:
        test()
        return

    def one(p: Pass) -> None:
        with lo.also({source.slot: p.member}):
            test()

    each(lo, source.domain, one)


def _add_row(lo: Lowering, number: int, source: ir.PurseSource, opened: at.PurseAt) -> None:
    w, program = lo.w, lo.program
    purse = program.purses[number]
    size = w.let(opened.word(at.SIZE))
    w.trap_if(Op(">=", size, Num(MOST_SOURCES)), Reason.ROOM)
    row = opened.row(lo, size)
    w.emit(low.Clear(row, Num(ROW)))
    worth = w.let(lo.number(source.worth))
    w.trap_if(Op("<=", worth, ZERO), Reason.FAULT)
    w.trap_if(Op(">", worth, Num(MOST_WORTH)), Reason.RANGE)
    w.store(row, at.WORTH, worth)
    held = _write_end(lo, source.pool, row, at.SOURCE)
    if source.most is not None:
        most = w.let(keep_within(lo, lo.number(source.most), number_kind(lo, source.most), (-INT_HIGH, INT_HIGH)))
        most = w.let(low.Choice(Op(">", most, ZERO), most, ZERO))
        w.store(row, at.MOST, most)
        w.store(row, at.SOURCE + at.HELD, low.Choice(Op("<", held, most), held, most))
    if source.target is not None:
        _write_end(lo, source.target, row, at.TARGET)
    rank: Expr = Num(-1)
    if source.rank is not None:
        rank = keep_within(lo, lo.number(source.rank), number_kind(lo, source.rank), (-INT_HIGH, INT_HIGH))
    pieces = {entry.symbol: entry.piece for entry in program.layout}
    takes = purse.change is not None and not source.never_back
    takes = takes and pieces.get(source.pool.symbol) == pieces.get(purse.change.symbol if purse.change else "")
    shared = sum(1 for s in purse.sources if s.counter == source.counter) > 1
    facts = (
        (at.RANK, rank),
        (at.FIRST, Num(int(source.first))),
        (at.TAKES_CHANGE, Num(int(takes))),
        (at.NEVER_BACK, Num(int(source.never_back))),
        (at.COUNTER, Num(source.counter)),
        (at.GROUP, Num(source.counter if shared else 0)),
    )
    for offset, value in facts:
        if value != ZERO:
            w.store(row, offset, value)
    if purse.change is not None and source.target is not None:
        change = ZERO if _is_endless(purse.change) else _address(lo, purse.change)
        w.store(row, at.REFILLS, Op("==", low.Load(row, at.TARGET + at.AT), change))
    w.store(opened.at, at.SIZE, add(size, 1))


def _is_endless(pool: ir.Pool) -> bool:
    return pool.kind == "endless" or pool.address is None


def _address(lo: Lowering, pool: ir.Pool) -> Expr:
    assert pool.address is not None
    place = place_of(lo, pool.address)
    return lo.w.let(add(*place))


def _code(lo: Lowering, pool: ir.Pool) -> Expr:
    """The code of the piece that a slot holds."""
    return ONE if pool.code is None else lo.w.let(lo.number(pool.code))


def _write_end(lo: Lowering, pool: ir.Pool, base: Expr, offset: int) -> Expr:
    """Write the state of a pool; gives the pieces that are there."""
    w = lo.w
    if _is_endless(pool):
        w.store(base, offset + at.SORT, Num(at.ENDLESS))
        w.store(base, offset + at.AT, ZERO)
        w.store(base, offset + at.HELD, Num(INT_HIGH))
        return Num(INT_HIGH)
    place = _address(lo, pool)
    held, code = w.let(low.Load(place)), ZERO if pool.kind == "count" else _code(lo, pool)
    if pool.kind == "count":
        w.trap_if(Op("<", held, ZERO), Reason.RANGE)
    else:
        held = w.let(Op("==", held, code))
    sort = at.COUNT if pool.kind == "count" else at.SLOT
    for k, value in ((at.SORT, Num(sort)), (at.AT, place), (at.CODE, code), (at.HELD, held)):
        w.store(base, offset + k, value)
    return held


def _sort(lo: Lowering, opened: at.PurseAt) -> None:
    """Put the rows in the order of their ranks; equal ones stay as they came."""
    w = lo.w
    spare = opened.row(lo, opened.word(at.SIZE))

    def insert(n: Expr) -> None:
        own = opened.row(lo, n)
        w.emit(low.Copy(spare, own, Num(ROW)))
        j = w.fresh("j")
        w.set(j, n)

        def shift(label: str) -> None:
            w.leave_if(low.Not(Local(j)), label)
            before = opened.row(lo, add(Local(j), -1))
            w.leave_if(Op("<=", low.Load(before, at.RANK), low.Load(spare, at.RANK)), label)
            w.emit(low.Copy(add(before, ROW), before, Num(ROW)))
            w.set(j, add(Local(j), -1))

        w.loop(shift)
        w.emit(low.Copy(opened.row(lo, Local(j)), spare, Num(ROW)))

    w.upto(ZERO, opened.word(at.SIZE), insert)
    w.emit(low.Clear(spare, Num(ROW)))
