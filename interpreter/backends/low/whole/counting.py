"""Sequences of decisions, counted: what is known of many games, and finds faults of rules and engines alike."""

from __future__ import annotations

from dsl.program import SITE
from interpreter.backends.low.base.context import BULK, Lowering
from interpreter.backends.low.base.exported import BEGIN, COUNT, PERFT, RELIST
from interpreter.backends.low.base.make import ONE, ZERO, add, word
from interpreter.backends.low.bots.stores import BACK, KEEP, KEEP_ROWS, STASH, TO_FIRST, Places, row_of
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Global, Local, Num, Op
from interpreter.backends.low.whole.driver import ANSWER, RUN

BRANCHES = "branches"  # function: the sequences of so many decisions from the question whose options are listed


def write(lo: Lowering, at: Places) -> None:
    _write_branches(lo)
    with lo.function(PERFT, ("length", "depth"), exported=True) as w:
        w.call(BEGIN, Local("length"))
        w.emit(low.SetGlobal(BULK, ONE))
        w.emit(low.SetGlobal(STASH, Num(at.stash)))
        w.emit(low.If(word(SITE), (low.Do(low.Call(RELIST)),), (low.Do(low.Call(RUN)),)))
        w.give(low.Call(BRANCHES, (Local("depth"),)))


def _write_branches(lo: Lowering) -> None:
    with lo.function(BRANCHES, ("depth",)) as w:
        w.emit(low.If(low.Not(word(SITE)), (low.Return(ZERO),)))
        w.emit(low.If(Op("<=", Local("depth"), ONE), (low.Return(Global(COUNT)),)))
        stash, count = w.let(Global(STASH)), w.let(Global(COUNT))
        base, rows = w.let(low.Call(KEEP)), w.let(low.Call(KEEP_ROWS))
        w.set("found", ZERO)

        def one(n: low.Expr) -> None:
            w.emit(low.If(n, (low.Do(low.Call(BACK, (base,))),)))
            w.call(TO_FIRST, row_of(lo, rows, n))
            w.call(ANSWER, ZERO)
            w.set("found", add(Local("found"), low.Call(BRANCHES, (add(Local("depth"), -1),))))

        w.upto(ZERO, count, one)
        w.emit(low.SetGlobal(STASH, stash))
        w.give(Local("found"))
