"""A random answer where candidates must be tried, or some answers are seldom taken: drawn first, and tried then.

The same as `interpreter.choices.draw`, with the same random numbers in the same order.
"""

from __future__ import annotations

from collections.abc import Collection

from dsl.program import PLAN
from interpreter.backends.low.base.context import CANDIDATES, DRAWN, HEAP, Lowering
from interpreter.backends.low.base.exported import COUNT, DECLINE, PICK, READY
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, scale, word
from interpreter.backends.low.base.status import UNKNOWN, YES
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.questions import ALLOWED, DRAW, is_tried
from interpreter.backends.low.trials.options import declining
from interpreter.choices.draw import ENDING, SELDOM_ODDS

FRACTION = "fraction"  # function: 53 random bits

BITS = 53
NOTHING, ANSWER, NO_ANSWER = range(3)  # what was spurned: nothing, an answer, or to decline


def write_draw(lo: Lowering, number: int) -> None:
    """Write the function that draws one of the candidates and makes it the only option; there is none if none of them
    can be completed."""
    site, stride, memory = lo.program.sites[number], lo.memory.stride, lo.memory
    seldom = lo.seldom.get(number, frozenset())
    with lo.function(f"{DRAW}{number}", ()) as w:
        first = w.let(Global(COUNT))
        w.emit(low.SetGlobal(CANDIDATES, first))
        size = w.let(scale(first, stride))
        rows = lo.take(add(size, 3 * stride))
        w.emit(low.Copy(rows, Num(memory.options), size))
        w.emit(low.SetGlobal(COUNT, ZERO))
        own = w.let(add(rows, size), "own")
        spurned, chosen = w.let(add(own, stride), "spurned"), w.let(add(own, 2 * stride), "chosen")
        tried: Expr = ZERO
        if is_tried(site):
            tried = ONE if any(a.probe is not None for a in site.alternatives) else w.let(word(PLAN))
        w.set("left", first)
        w.set("known", low.Not(tried))
        for name in ("found", "declined", "passed_by", "undecided"):
            w.set(name, ZERO)

        def choose(row: Expr) -> None:
            w.emit(low.Copy(chosen, row, Num(stride)))
            w.set("found", ONE)

        def spurn(sort: int) -> None:
            w.emit(low.Copy(spurned, own, Num(stride)))
            w.set("passed_by", Num(sort))

        def decline() -> None:
            def agree() -> None:
                w.set("declined", ONE)
                w.when(Local("known"), lambda: choose(own))

            if ENDING in seldom:
                w.when(_rarely(lo), lambda: spurn(NO_ANSWER), agree)  # there is another candidate besides
            else:
                agree()

        def look_at_decline() -> None:
            allowed: Expr = ONE
            if site.filter:
                w.set("may", ONE)
                spurned_before = Local("passed_by") if ENDING in seldom else ZERO
                asked = both(low.Not(spurned_before), word(PLAN))
                w.when(asked, lambda: w.set("may", declining(lo)))
                allowed = Local("may")
            if ENDING in seldom:
                allowed = both(low.Not(Local("passed_by")), allowed)
            w.when(allowed, decline)

        def accept() -> None:
            w.set("known", ONE)

            def by_rarity() -> None:
                if not seldom:
                    choose(own)
                    return
                w.when(is_rare(own, seldom), rare, lambda: choose(own))

            def rare() -> None:
                w.when(
                    low.Not(Local("passed_by")), lambda: w.when(_rarely(lo), lambda: spurn(ANSWER), lambda: choose(own))
                )

            if site.decline:
                w.when(Local("declined"), lambda: choose(Num(decline_row(lo))), by_rarity)
            else:
                by_rarity()

        def look_at_answer() -> None:
            def try_it() -> None:
                if is_tried(site):
                    w.set("allowed", Num(YES))
                    w.when(tried, lambda: w.set("allowed", low.Call(lo.want(ALLOWED, number), (own,))))
                    w.emit(low.If(Op("==", Local("allowed"), Num(UNKNOWN)), (low.Set("undecided", ONE),)))
                    w.when(Op("==", Local("allowed"), Num(YES)), accept)
                else:
                    accept()

            if seldom:
                skipped = both(both(Local("passed_by"), Local("known")), is_rare(own, seldom))
                w.when(low.Not(skipped), try_it)
            else:
                try_it()

        def one(label: str) -> None:
            w.leave_if(either(low.Not(Local("left")), Local("found")), label)
            at = w.let(add(scale(low.Portion(low.Call(FRACTION), Local("left")), stride), rows), "at")
            w.set("left", add(Local("left"), -1))
            w.emit(low.Copy(own, at, Num(stride)))
            w.emit(low.Copy(at, add(scale(Local("left"), stride), rows), Num(stride)))
            if site.decline:
                w.when(Op("==", low.Load(own), Num(DECLINE)), look_at_decline, look_at_answer)
            else:
                look_at_answer()

        w.loop(one)
        if seldom:
            usable = either(Op("==", Local("passed_by"), Num(ANSWER)), both(Local("passed_by"), Local("known")))
            w.when(both(low.Not(Local("found")), usable), lambda: choose(spurned))
        if lo.checked:
            w.trap_if(Local("undecided"), Reason.FAULT)
        elif not site.decline:
            w.trap_if(both(Local("undecided"), low.Not(Local("found"))), Reason.FAULT)
        if site.keys and site.shape not in ("some", "amounts"):
            w.trap_if(both(first, low.Not(Local("found"))), Reason.LOST)
        w.emit(low.Copy(Num(memory.options), chosen, Num(stride)))
        w.emit(low.SetGlobal(COUNT, Local("found")))
        w.emit(low.SetGlobal(DRAWN, Local("found")))
        w.emit(low.SetGlobal(HEAP, rows))
        w.give(ZERO)


def decline_row(lo: Lowering) -> int:
    """The address of a row of constants that declines."""
    return lo.memory.words([DECLINE] + [0] * (lo.memory.stride - 1))


def _rarely(lo: Lowering) -> Expr:
    """Whether a seldom answer that was drawn is passed by; this draws a number."""
    return lo.w.let(Op(">=", scale(low.Call(FRACTION), SELDOM_ODDS), Num(1 << BITS)))


def is_rare(row: Expr, seldom: Collection[int]) -> Expr:
    """Whether random play takes an option once in a while only."""
    kind: Expr = ZERO
    for k in sorted(n for n in seldom if n != ENDING):
        kind = either(kind, Op("==", low.Load(row, 1), Num(k + 1)))
    rare = both(Op("==", low.Load(row), Num(PICK)), kind)
    if ENDING in seldom:
        ends = either(Op("==", low.Load(row), Num(READY)), Op("==", low.Load(row), Num(DECLINE)))
        rare = either(rare, ends)
    return rare
