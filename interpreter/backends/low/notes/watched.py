"""Trajectories of watched values: the readings of a game, thinned out as it goes on, and their points at its end.

The same as `tools.simulation.trajectory`; a value of a seat is added up over the seats, which the host makes a mean.
"""

from __future__ import annotations

from dsl.program import SEATS
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import Number, Unsupported, kind_of
from interpreter.backends.low.base.make import ONE, ZERO, add, scale, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op
from interpreter.backends.low.notes.book import MOST_POINTS, MOST_READINGS
from interpreter.backends.low.values.functions import FUNCTION

WATCH, POINTS = "watch", "watched_points"
"""Functions: read the values, if it is the turn of this position or it is the `last` one; write the points of the game
to an address."""

POSITIONS, STRIDE, READINGS, BEHIND = "positions", "stride", "readings", "behind"
"""Globals: positions so far, every how many of them are read, readings that are kept, and whether the last one stands
behind them."""


def write(lo: Lowering) -> None:
    count = len(lo.program.watch)
    size = 2 * count
    rows = lo.memory.room(size * (MOST_READINGS + 2))
    with lo.function(WATCH, ("last",)) as w:
        turn = w.let(low.Not(Op("%u", Global(POSITIONS), Global(STRIDE)))) if count else ZERO
        w.emit(low.SetGlobal(POSITIONS, add(Global(POSITIONS), 1)))
        if count:
            w.emit(low.If(low.Not(low.Either(turn, Local("last"))), (low.Return(ZERO),)))
            at = w.let(add(scale(Global(READINGS), size), rows))
            for k, (_, number) in enumerate(lo.program.watch):
                w.emit(low.StoreLong(at, 2 * k, _value(lo, number)))
            w.emit(low.SetGlobal(BEHIND, low.Not(turn)))
            w.emit(low.SetGlobal(READINGS, add(Global(READINGS), turn)))
            w.when(Op(">", Global(READINGS), Num(MOST_READINGS)), lambda: _thin(lo, rows, size))
        w.give(ZERO)
    with lo.function(POINTS, ("to",)) as w:
        last = w.let(add(add(Global(READINGS), Global(BEHIND)), -1))
        for i in range(MOST_POINTS):
            tenths = w.let(scale(last, i))
            whole, rest = w.let(Op("/u", tenths, Num(10))), w.let(Op("%u", tenths, Num(10)))
            up = low.Either(Op(">", rest, Num(5)), low.Both(Op("==", rest, Num(5)), Op("&", whole, ONE)))
            row = w.let(add(scale(add(whole, up), size), rows))
            w.emit(low.Copy(add(Local("to"), size * i), row, Num(size)))
        w.give(ZERO)


def _thin(lo: Lowering, rows: int, size: int) -> None:
    """Drop every second reading."""
    half = (MOST_READINGS + 2) // 2

    def one(n: Expr) -> None:
        source = add(scale(n, 2 * size), rows)
        lo.w.emit(low.Copy(add(scale(n, size), rows), source, Num(size)))

    lo.w.upto(ONE, Num(half), one)
    lo.w.emit(low.SetGlobal(READINGS, Num(half)))
    lo.w.emit(low.SetGlobal(STRIDE, scale(Global(STRIDE), 2)))


def _value(lo: Lowering, number: int) -> Expr:
    """The value of a function of the program, added up over the seats if it is by seat."""
    w, fn = lo.w, lo.program.functions[number]
    if not isinstance(kind_of(fn.result), Number) or len(fn.params) > 1:
        raise Unsupported(f"`{fn.name}`, which is watched")
    if not fn.params:
        return low.Call(lo.want(FUNCTION, number), ())
    seats, total = lo.program.domains[lo.program.seat_kind].values, w.fresh("total")
    w.set(total, ZERO)

    def one(n: Expr) -> None:
        w.set(total, add(Local(total), low.Call(lo.want(FUNCTION, number), (add(n, seats[0]),))))

    w.upto(ZERO, word(SEATS), one)
    return Local(total)
