"""The standing of each seat as its share of a win, as `interpreter.bots.standing` defines it."""

from __future__ import annotations

from collections.abc import Callable

from dsl.base.types import SetType
from dsl.program import OVER, SEATS
from interpreter.backends.low.base.context import FRESH, Lowering
from interpreter.backends.low.base.make import ONE, ZERO, add, scale, word
from interpreter.backends.low.bots.foresight import SEAT, WORTH
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.functions import FUNCTION
from interpreter.machine.shares import CURVE, REACH, STEPS, WHOLE, score_of_seats, winners_of_seats

STANDING, CHANCE = "bot_standing", "bot_chance"
"""Functions: write the share of each seat; what a margin is worth."""

LOWEST = Num(-(1 << 62))


def write(lo: Lowering) -> int:
    """Write these functions; gives the address of the shares, a word for each seat."""
    seats = lo.program.domains[lo.program.seat_kind].values
    shares, worth = lo.memory.room(len(seats)), lo.memory.room(2 * len(seats))
    curve = lo.memory.words(CURVE)
    with lo.function(CHANCE, ("margin", "scale")) as w:
        far = w.let(scale(Local("scale"), REACH))
        margin = w.let(low.Choice(Op(">", Local("margin"), far), far, Local("margin")))
        margin = w.let(low.Choice(Op("<", margin, Op("-", ZERO, far)), Op("-", ZERO, far), margin))
        w.give(low.Load(add(Op("/", scale(margin, STEPS), Local("scale")), REACH * STEPS), curve))
    with lo.function(STANDING, ("scale",)) as w:
        over = _won(lo, worth)
        if over is not None:
            w.when(word(OVER), lambda: _share_win(lo, over, shares))
        if lo.program.evaluate < 0:
            _for_seats(lo, lambda n: w.store(n, shares, Op("/", Num(WHOLE), word(SEATS))))
            w.give(ZERO)
            return shares

        def value(n: Expr) -> None:
            w.emit(low.SetGlobal(SEAT, add(n, 1)))
            w.emit(low.StoreLong(scale(n, 2), worth, low.Call(WORTH)))

        def share(n: Expr) -> None:
            w.set("other", LOWEST)
            _for_seats(lo, lambda k: w.when(Op("!=", k, n), lambda: _raise(lo, "other", _long(worth, k))))
            w.emit(low.If(Op("==", word(SEATS), ONE), (low.Set("other", ZERO),)))
            margin = Op("-", _long(worth, n), Local("other"))
            w.store(n, shares, low.Call(CHANCE, (margin, Local("scale"))))

        _for_seats(lo, value)
        _for_seats(lo, share)
        w.give(ZERO)
    return shares


def _for_seats(lo: Lowering, work: Callable[[Expr], None]) -> None:
    lo.w.upto(ZERO, word(SEATS), work)


def _long(at: int, n: Expr) -> Expr:
    return low.LoadLong(scale(n, 2), at)


def _raise(lo: Lowering, name: str, value: Expr) -> None:
    value = lo.w.let(value)
    lo.w.emit(low.If(Op(">", value, Local(name)), (low.Set(name, value),)))


def _won(lo: Lowering, worth: int) -> Callable[[], Callable[[Expr], Expr]] | None:
    """What works out who has won, and then says of a seat whether it has; None where the rules do not say it."""
    program, w = lo.program, lo.w
    seats = program.domains[program.seat_kind].values
    number = winners_of_seats(program)
    if number >= 0:
        several = isinstance(program.functions[number].result, SetType)

        def by_winners() -> Callable[[Expr], Expr]:
            w.call(FRESH)
            found = w.let(low.Call(lo.want(FUNCTION, number)))
            if several:
                return lambda n: Op("&", Op(">>u", found, add(n, seats[0])), ONE)
            return lambda n: Op("==", found, add(n, seats[0]))

        return by_winners
    score = score_of_seats(program)
    if score < 0:
        return None

    def by_score() -> Callable[[Expr], Expr]:
        w.call(FRESH)
        w.set("top", LOWEST)

        def one(n: Expr) -> None:
            value = low.Call(lo.want(FUNCTION, score), (add(n, seats[0]),))
            w.emit(low.StoreLong(scale(n, 2), worth, value))
            _raise(lo, "top", _long(worth, n))

        _for_seats(lo, one)
        return lambda n: Op("==", _long(worth, n), Local("top"))

    return by_score


def _share_win(lo: Lowering, work: Callable[[], Callable[[Expr], Expr]], shares: int) -> None:
    w = lo.w
    has_won = work()
    w.set("winners", ZERO)
    _for_seats(lo, lambda n: w.set("winners", add(Local("winners"), has_won(n))))
    whole = w.let(Op("/", Num(WHOLE), low.Choice(Local("winners"), Local("winners"), ONE)))
    _for_seats(lo, lambda n: w.store(n, shares, Op("*", whole, has_won(n))))
    w.give(ZERO)
