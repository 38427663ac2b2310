"""The sources of a purse as a Python function of the store and the temps `T` that hold the arguments of the purse.

It gives the rows of `interpreter.semantics.purses.source_rows`, in the same order.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import INT_HIGH
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.folds.loops import begin_if, begin_loop
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.storage import StoreVariables


def write_purse(ctx: ModuleContext, number: int) -> None:
    """The function that lists the sources of a purse."""
    fn = Fn(ctx, StoreVariables)
    fn.line("out = []")
    for at, source in enumerate(ctx.program.purses[number].sources):
        with fn.scope():
            write_source(fn, at, source)
    fn.line("return out")
    ctx.add("u", ["S", "T"], fn.line.text, f"_u{number}")


def write_source(fn: Fn, at: int, s: ir.PurseSource) -> None:
    """The rows of one source."""
    if s.domain is not None:
        begin_loop(fn, s.slot, s.domain)
    if s.where is not None:
        begin_if(fn, s.where)
    worth, source = fn.hold(fn(s.worth)), state_text(fn, s.pool)
    most = "-1" if s.most is None else fn.hold(f"max(0, {fn(s.most)})")
    target = "None" if s.target is None else state_text(fn, s.target)
    order = "-1" if s.rank is None else fn(s.rank)
    fn.line(f"out.append(({at}, {order}, {worth}, {most}, {source}, {target}))")


def state_text(fn: Fn, pool: ir.Pool) -> str:
    """The text of the address of a pool, the code of a piece and the number of pieces."""
    if pool.kind == "endless" or pool.address is None:
        return f"(0, 0, {INT_HIGH})"
    at = fn.hold(fn(pool.address))
    if pool.kind == "count":
        return f"({at}, 0, S[{at}])"
    code = "1" if pool.code is None else fn.hold(fn(pool.code))
    return f"({at}, {code}, 1 if S[{at}] == {code} else 0)"
