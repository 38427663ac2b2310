"""The best whole answers by keys: the best value of each key in turn, found by narrowing its bounds as in
`interpreter.search.best`."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import FARTHEST
from interpreter.backends.low.base.make import ONE, ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.long.conditions import MEETS, VALUE, set_ends, whole


def narrow(lo: Lowering, number: int, find: Callable[[], Expr]) -> None:
    """Let each key be the least that an answer can have, the first key first. `find` writes whether there is an answer
    within the bounds of the keys; the keys are those of it then."""
    w = lo.w

    def all_keys(label: str) -> None:
        for key in whole(lo, number).keys:
            w.leave_if(low.Not(find()), label)
            _least(lo, number, key, find)

    w.block(all_keys)


def _least(lo: Lowering, number: int, key: int, find: Callable[[], Expr]) -> None:
    """The least value of a key; that of some answer was noted. An answer is sought just below it, and then within 1, 3,
    7 and so on of the best that could be."""
    w = lo.w
    high, least, width, within = (w.fresh(stem) for stem in ("high", "least", "width", "within"))
    w.set(high, low.LoadLong(ZERO, key + VALUE))
    w.call(lo.want(MEETS, number))
    w.set(least, low.LoadLong(ZERO, key + VALUE))  # while nothing is chosen
    w.set(width, ZERO)
    w.set(within, add(Local(high), -1))

    def one(label: str) -> None:
        w.leave_if(Op(">=", Local(least), Local(high)), label)
        set_ends(lo, key, Num(-FARTHEST), Local(within))

        def worse() -> None:
            w.set(least, add(Local(within), 1))
            w.set(width, add(Op("<<", Local(width), ONE), 1))

        w.when(find(), lambda: w.set(high, low.LoadLong(ZERO, key + VALUE)), worse)
        further = w.let(Op("+", Local(least), Local(width)))
        w.set(within, add(Local(high), -1))
        w.emit(low.If(Op("<", further, Local(within)), (low.Set(within, further),)))

    w.loop(one)
    set_ends(lo, key, Local(high), Local(high))
