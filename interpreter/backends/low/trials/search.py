"""The search of a trial: it runs on to a question of the one who plans, and tries the answers, depth first.

The same order of answers and the same count of tries as in `interpreter.choices.plan`, so that the same trials are left
undecided by the limit.
"""

from __future__ import annotations

from dsl.program import SITE
from interpreter.backends.low.base.context import FLOOR, GO, HEAP, STATUS, Lowering
from interpreter.backends.low.base.exported import ADD, AMOUNT, COUNT, READY
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, scale, word
from interpreter.backends.low.base.status import NO
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.rules.answers import TAKE
from interpreter.backends.low.trials.store import ASIDE, BACK, ENTER, FINISH, OUTER, ROWS, count_try, rows_of

COMPLETES, TRIAL = "completes", "trial"
"""Functions: whether what goes on at an instruction can be completed, and whether the pending question can be answered
by an option so that it can; they give NO, YES or UNKNOWN."""

TRY, EXTREMES, SEARCH = "try_option", "try_extremes", "search"
PLAIN, LAST_FIRST, LONG = range(3)  # the order in which answers are tried, by the shape of the question


def write(lo: Lowering) -> None:
    sorts = []
    for site in lo.program.sites:
        long = site.shape in ("some", "amounts")
        sorts.append(LONG if long else LAST_FIRST if site.shape == "number" and site.payment is None else PLAIN)
    table = lo.memory.words(sorts)
    _write_trial(lo)
    _write_completes(lo)
    _write_try(lo)
    _write_extremes(lo)
    _write_search(lo, table)


def first_option(lo: Lowering, row: Expr) -> None:
    """Make a row the first option."""
    lo.w.emit(low.Copy(Num(lo.memory.options), row, Num(lo.memory.stride)))


def _write_trial(lo: Lowering) -> None:
    with lo.function(TRIAL, ("row",)) as w:
        at = w.let(low.Call(ENTER))
        first_option(lo, Local("row"))
        found = w.let(low.Call(COMPLETES, (low.Call(TAKE, (ZERO,)),)))
        w.call(FINISH, at)
        w.give(found)


def _write_completes(lo: Lowering) -> None:
    with lo.function(COMPLETES, ("pc",)) as w:
        w.emit(low.If(low.Not(Global(STATUS)), (low.Do(low.Call(GO, (Local("pc"),))),)))
        status = w.let(Global(STATUS))
        w.emit(low.SetGlobal(STATUS, ZERO))
        w.emit(low.If(status, (low.Return(add(status, -1)),)))
        w.give(low.Call(SEARCH))


def _write_try(lo: Lowering) -> None:
    """Try an option on the store that was put aside, which is put back if something was tried before."""
    with lo.function(TRY, ("at", "row", "again")) as w:
        w.when(Local("again"), lambda: w.call(BACK, Local("at")))
        count_try(lo)
        first_option(lo, Local("row"))
        w.give(low.Call(COMPLETES, (low.Call(TAKE, (ZERO,)),)))


def is_member(row: Expr) -> Expr:
    """Whether an option is a further member of a long answer."""
    return either(Op("==", low.Load(row), Num(ADD)), Op("==", low.Load(row), Num(AMOUNT)))


def _write_extremes(lo: Lowering) -> None:
    """Try the full answer (always the first member, with its greatest amount), then the one that ends here, from the
    store that was put aside; `ready` is the row that ends it."""
    w_options, stride = Num(lo.memory.options), lo.memory.stride
    with lo.function(EXTREMES, ("at", "ready")) as w:
        site = w.let(word(SITE))

        def fill(label: str) -> None:
            w.leave_if(low.Not(is_member(w_options)), label)
            count_try(lo)
            n = w.fresh("n")
            w.set(n, ZERO)

            def further(inner: str) -> None:
                after = w.let(add(scale(add(Local(n), 1), stride), w_options), "row")
                w.leave_if(Op(">=", add(Local(n), 1), Global(COUNT)), inner)
                w.leave_if(Op("!=", low.Load(after, 1), low.Load(w_options, 1)), inner)
                w.set(n, add(Local(n), 1))

            w.loop(further)
            w.call(GO, low.Call(TAKE, (Local(n),)))
            w.trap_if(either(Global(STATUS), Op("!=", word(SITE), site)), Reason.LOST)

        w.loop(fill)
        count_try(lo)
        first_option(lo, Local("ready"))
        found = w.let(low.Call(COMPLETES, (low.Call(TAKE, (ZERO,)),)))
        w.emit(low.If(found, (low.Return(found),)))
        w.give(low.Call(TRY, (Local("at"), Local("ready"), ONE)))


def _write_search(lo: Lowering, table: int) -> None:
    """Try the options of the pending question one after the other."""
    stride = lo.memory.stride
    with lo.function(SEARCH, ()) as w:

        def only_one() -> None:
            count_try(lo)
            w.give(low.Call(COMPLETES, (low.Call(TAKE, (ZERO,)),)))  # whoever called puts the store back

        w.when(Op("==", Global(COUNT), ONE), only_one)
        sort = w.let(low.Load(word(SITE), table - 1))
        at = w.let(low.Call(ASIDE, (Global(FLOOR),)))
        base, count = w.let(rows_of(at), "rows"), w.let(low.Load(at, ROWS))
        w.set("found", Num(NO))
        w.set("first", ZERO)
        w.set("ready", ZERO)
        w.set("again", ZERO)

        def find_ready() -> None:
            def look(n: Expr) -> None:
                row = w.let(add(scale(n, stride), base), "row")
                w.emit(low.If(Op("==", low.Load(row), Num(READY)), (low.Set("ready", row),)))

            w.when(is_member(base), lambda: w.upto(ZERO, count, look))
            w.when(Local("ready"), extremes)

        def extremes() -> None:
            w.set("found", low.Call(EXTREMES, (at, Local("ready"))))
            w.set("again", ONE)

        w.when(Op("==", sort, Num(LONG)), find_ready)

        def last_first() -> None:
            w.set("found", low.Call(TRY, (at, add(scale(add(count, -1), stride), base), ZERO)))
            w.set("first", ONE)
            w.set("again", ONE)

        w.when(Op("==", sort, Num(LAST_FIRST)), last_first)
        w.set("n", ZERO)

        def one(label: str) -> None:
            w.leave_if(either(Local("found"), Op(">=", add(Local("n"), Local("first")), count)), label)
            row = w.let(add(scale(Local("n"), stride), base), "row")
            other = both(Local("ready"), Op("==", row, Local("ready")))
            attempt = low.Set("found", low.Call(TRY, (at, row, Local("again"))))
            w.emit(low.If(low.Not(other), (attempt, low.Set("again", ONE))))
            w.set("n", add(Local("n"), 1))

        w.loop(one)
        w.emit(low.SetGlobal(FLOOR, low.Load(at, OUTER)))
        w.emit(low.SetGlobal(HEAP, Global(FLOOR)))
        w.give(Local("found"))
