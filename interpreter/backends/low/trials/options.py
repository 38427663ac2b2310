"""The options that stay where a plan is open or an action must be possible: each candidate is tried.

The same as `interpreter.choices.options`. Candidates that are not decided within the limit of tries are withheld.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.program import PLAN
from interpreter.backends.low.base.context import BULK, DRAWING, HEAP, Bound, Held, Lowering
from interpreter.backends.low.base.exported import ALL_WAYS, COUNT, DECLINE, NUMBER, PICK, VALUES
from interpreter.backends.low.base.kinds import Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, scale, word
from interpreter.backends.low.base.status import NO, UNKNOWN, YES
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.questions import ALLOWED, SIFT
from interpreter.backends.low.scopes.possible import tried
from interpreter.backends.low.trials.search import TRIAL
from interpreter.backends.low.values.ranges import bound_kinds


def write_allowed(lo: Lowering, number: int) -> None:
    """Write the function that tries a candidate, a row outside of the options: NO, YES or UNKNOWN."""
    site = lo.program.sites[number]
    with lo.function(f"{ALLOWED}{number}", ("row",)) as w:
        if site.filter:
            w.emit(low.If(word(PLAN), (low.Return(low.Call(TRIAL, (Local("row"),))),)))
        for k, alternative in enumerate(site.alternatives):
            probe = alternative.probe
            if probe is not None:
                kind = NUMBER if site.shape == "number" else PICK
                own = both(Op("==", low.Load(Local("row")), Num(kind)), Op("==", low.Load(Local("row"), 1), Num(k + 1)))
                w.when(own, _probing(lo, alternative, probe))
        w.give(Num(YES))


def _probing(lo: Lowering, alternative: ir.Alternative, probe: ir.Possible) -> Callable[[], None]:
    """What tries the action of an alternative, with the values of its binders."""

    def work() -> None:
        kinds, _ = bound_kinds(lo, tuple((slot, domain) for _, slot, domain, _ in alternative.binders))
        bound: dict[int, Bound] = {}
        for j, (slot, held) in enumerate(kinds.items()):
            if not isinstance(held.kind, Number):
                raise Unsupported("an action that is tried with a set or list")
            name = lo.w.fresh("value")
            lo.w.set(name, low.Load(Local("row"), VALUES + j))
            bound[slot] = Held(held.kind, (name,))
        with lo.also(bound):
            lo.w.give(tried(lo, probe))

    return work


def write_sift(lo: Lowering, number: int) -> None:
    """Write the function that leaves the options which can be completed, and gives whether the question may be
    declined then. `unbegun`: whether a long answer has not been begun."""
    site, stride, memory = lo.program.sites[number], lo.memory.stride, lo.memory
    with lo.function(f"{SIFT}{number}", ("unbegun",)) as w:
        size = w.let(scale(Global(COUNT), stride))
        rows = lo.take(add(size, stride))
        w.emit(low.Copy(rows, Num(memory.options), size))
        count, kept, undecided = w.let(Global(COUNT)), w.fresh("kept"), w.fresh("undecided")
        w.emit(low.SetGlobal(COUNT, ZERO))
        w.set(kept, ZERO)
        w.set(undecided, ZERO)

        def one(n: Expr) -> None:
            row = w.let(add(scale(n, stride), rows), "row")

            def look() -> None:
                found = w.let(low.Call(lo.want(ALLOWED, number), (row,)))
                w.emit(low.If(Op("==", found, Num(UNKNOWN)), (low.Set(undecided, ONE),)))
                w.when(Op("==", found, Num(YES)), lambda: keep(row))

            w.when(wanted if site.by_default else ONE, look)

        wanted: Expr = low.Not(Local(kept))
        if lo.lists_ways:
            wanted = low.Either(wanted, Global(ALL_WAYS))

        def keep(row: Expr) -> None:
            w.emit(low.Copy(add(scale(Local(kept), stride), rows), row, Num(stride)))
            w.set(kept, add(Local(kept), 1))

        w.upto(ZERO, count, one)
        none = low.Not(Local(kept))
        if lo.checked or not site.decline:
            w.trap_if(Local(undecided) if lo.checked else both(Local(undecided), none), Reason.FAULT)
        if lo.tells_undecided:
            watched = low.Not(low.Either(Global(BULK), Global(DRAWING)))
            w.trap_if(both(Local(undecided), watched), Reason.BUDGET)
        if site.keys and site.shape not in ("some", "amounts"):
            w.trap_if(both(count, none), Reason.LOST)  # those with the next best keys would be options
        w.set("may_decline", ONE)
        if site.decline and site.filter:
            w.when(both(both(word(PLAN), Local(kept)), Local("unbegun")), lambda: w.set("may_decline", declining(lo)))
        w.emit(low.Copy(Num(memory.options), rows, scale(Local(kept), stride)))
        w.emit(low.SetGlobal(COUNT, Local(kept)))
        w.emit(low.SetGlobal(HEAP, rows))
        w.give(Local("may_decline"))


def declining(lo: Lowering) -> Expr:
    """Whether the plan can be completed after declining, or that is not decided. What is tried stands in a row of
    constants."""
    row = Num(lo.memory.words([DECLINE] + [0] * (lo.memory.stride - 1)))
    return Op("!=", low.Call(TRIAL, (row,)), Num(NO))
