"""The bots of `tools.simulation`: which option they take, by the index in the list of the pending question.

A bot may take an action at any moment instead: then the global `moment` is its seat, the store is that of the question
for such an action, and the index is one in its list.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.program import SITE
from interpreter.backends.low.base.context import BULK, Lowering
from interpreter.backends.low.base.exported import BEGIN, BEST_WORTH, COUNT, DECLINE, NOW_WORTH, READY
from interpreter.backends.low.base.exported import BEST as BEST_FOR_HOST
from interpreter.backends.low.base.kinds import Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, word
from interpreter.backends.low.bots.foresight import (
    DEPTH,
    JUDGED,
    KNOWN,
    SEAT,
    VALUE,
    WORTH,
    best_of,
    item,
)
from interpreter.backends.low.bots.imagine import IMAGINE
from interpreter.backends.low.bots.looking import ASKED
from interpreter.backends.low.bots.moments import MOMENTS
from interpreter.backends.low.bots.stores import BACK, BACK_ROWS, KEEP, KEEP_ROWS, STASH, Places, row_of
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.generators.bot_numbers import BELOW, STATE
from interpreter.backends.low.rules.questions import LIST, guarded
from interpreter.backends.low.trials.draw import is_rare
from interpreter.backends.low.values.ranges import number_kind
from interpreter.choices.draw import INTERRUPT_ODDS, SELDOM_ODDS

RANDOM, GREEDY = range(2)  # sorts of bots
MOMENT = "moment"  # global
NOW, BEST = NOW_WORTH, BEST_WORTH  # globals: what the position is worth as it stands, and after the best options
CHOOSE_RANDOM, CHOOSE_GREEDY, FORCED, BEST_OF = "choose_random", "choose_greedy", "bot_forced", "bot_best_of"
"""Functions: the choices of the two bots; whether the first option is taken without asking; one of the best options, in
rows that are kept, of the store for a seat with a generator (declining: nothing is better than what brings nothing)."""


def generators(at: Places, sort: int) -> tuple[Num, Num]:
    """The addresses of the generators of a bot: for its choices, and for actions at any moment."""
    first = at.states + 2 * sort * STATE
    return Num(first), Num(first + STATE)


def write(lo: Lowering, at: Places) -> None:
    _write_best(lo)
    _write_random(lo, at)
    _write_greedy(lo, at)
    write_forced(lo)


def _write_best(lo: Lowering) -> None:
    """Gives an index, and sets what the best options are worth, and the position as it stands; if nothing is known of
    any option, the former is not above the latter."""
    with lo.function(BEST_OF, ("rows", "count", "seat", "at", "declining")) as w:
        rows, count = Local("rows"), Local("count")
        w.emit(low.SetGlobal(SEAT, Local("seat")))
        w.call(IMAGINE, Local("seat"), Local("at"))
        w.emit(low.SetGlobal(NOW, low.Call(WORTH)))
        items = w.let(low.Call(JUDGED, (rows, count, Num(DEPTH))), "items")
        best = best_of(lo, items, count, VALUE, lambda it: low.Load(it, KNOWN))
        value = low.LoadLong(item(items, add(Local(best), -1)), VALUE)
        w.emit(low.SetGlobal(BEST, low.Choice(Local(best), value, Global(NOW))))
        w.set("found", ZERO)
        w.set("idle", ZERO)

        def is_best(n: Expr) -> Expr:
            it = w.let(item(items, n))
            known = both(low.Load(it, KNOWN), Op("==", low.LoadLong(it, VALUE), Global(BEST)))
            return w.let(low.Choice(Local(best), known, ONE))

        def count_it(n: Expr) -> None:
            declines = Op("==", low.Load(row_of(lo, rows, n)), Num(DECLINE))
            w.when(is_best(n), lambda: w.emit(low.If(declines, (low.Set("idle", add(n, 1)),))))
            w.set("found", add(Local("found"), is_best(n)))

        w.upto(ZERO, count, count_it)
        idle = both(Local("declining"), Local("idle"))
        w.emit(low.If(idle, (low.Return(add(Local("idle"), -1)),)))
        # an action at any moment is only taken, and drawn, if it is better
        w.emit(low.If(both(low.Not(Local("declining")), Op("<=", Global(BEST), Global(NOW))), (low.Return(ZERO),)))
        w.set("left", low.Call(BELOW, (Local("at"), Local("found"))))
        w.set("chosen", ZERO)

        _pick(lo, count, is_best, "chosen")
        w.give(Local("chosen"))


def write_for_host(lo: Lowering, at: Places) -> None:
    """Write the choice of the greedy bot for a host that has the question, and the generator, in its hands."""
    own = generators(at, GREEDY)[0]
    lo.memory.bots = own.value
    with lo.function(BEST_FOR_HOST, ("length", "count", "seat", "declining"), exported=True) as w:
        w.call(BEGIN, Local("length"))
        w.emit(low.SetGlobal(BULK, ONE))
        w.emit(low.SetGlobal(STASH, Num(at.stash)))
        w.emit(low.SetGlobal(COUNT, Local("count")))
        rows = w.let(low.Call(KEEP_ROWS))
        w.give(low.Call(BEST_OF, (rows, Local("count"), Local("seat"), own, Local("declining"))))


def _pick(lo: Lowering, count: Expr, test: Callable[[Expr], Expr], chosen: str) -> None:
    """Set a variable to the number of the option that has `left` others in front of it that pass a test as it does."""
    w = lo.w

    def one(n: Expr) -> None:
        w.when(test(n), lambda: pick_it(n))

    def pick_it(n: Expr) -> None:
        w.emit(low.If(low.Not(Local("left")), (low.Set(chosen, n),)))
        w.set("left", add(Local("left"), -1))

    w.upto(ZERO, count, one)


def _begin(lo: Lowering, at: Places) -> None:
    """A choice begins: no seat acts out of turn, and nothing is kept."""
    lo.w.emit(low.SetGlobal(MOMENT, ZERO))
    lo.w.emit(low.SetGlobal(STASH, Num(at.stash)))


def _write_greedy(lo: Lowering, at: Places) -> None:
    own, interrupts = generators(at, GREEDY)
    with lo.function(CHOOSE_GREEDY, (), exported=True) as w:
        _begin(lo, at)
        if lo.program.evaluate < 0:
            w.emit(low.If(Op("==", Global(COUNT), ONE), (low.Return(ZERO),)))
            w.give(low.Call(BELOW, (own, Global(COUNT))))
            return
        seat, count = w.let(low.Call(ASKED)), w.let(Global(COUNT))
        rows, base = w.let(low.Call(KEEP_ROWS)), w.let(low.Call(KEEP))

        def act() -> None:
            stash = w.let(Global(STASH))
            some = w.let(low.Call(MOMENTS, (seat,)))

            def judge() -> None:
                asked = w.let(low.Call(ASKED))
                actions, question = w.let(low.Call(KEEP_ROWS)), w.let(low.Call(KEEP))
                chosen = w.let(low.Call(BEST_OF, (actions, some, asked, own, ZERO)))

                def take() -> None:
                    w.call(BACK, question)
                    w.call(BACK_ROWS, actions, some)
                    w.emit(low.SetGlobal(MOMENT, asked))
                    w.give(chosen)

                w.when(Op(">", Global(BEST), Global(NOW)), take)

            w.when(some, judge)
            w.call(BACK, base)
            w.call(BACK_ROWS, rows, count)
            w.emit(low.SetGlobal(STASH, stash))

        if lo.program.moment_proc >= 0:
            w.when(low.Call(BELOW, (interrupts, Num(INTERRUPT_ODDS))), act)
        w.emit(low.If(Op("==", count, ONE), (low.Return(ZERO),)))
        chosen = w.let(low.Call(BEST_OF, (rows, count, seat, own, ONE)))
        w.call(BACK, base)
        w.call(BACK_ROWS, rows, count)
        w.give(chosen)


def _write_random(lo: Lowering, at: Places) -> None:
    """Each option as likely as any other, actions at any moment among them, but for what is called `seldom`."""
    own, interrupts = generators(at, RANDOM)
    with lo.function(CHOOSE_RANDOM, (), exported=True) as w:
        _begin(lo, at)
        if lo.program.moment_proc < 0:
            w.give(_drawn(lo, own))
            return
        if lo.seldom:
            w.trap(Reason.GAP)
            return
        count = w.let(Global(COUNT))

        def act() -> None:
            rows, base = w.let(low.Call(KEEP_ROWS)), w.let(low.Call(KEEP))
            seat = w.let(low.Call(ASKED))
            some = w.let(low.Call(MOMENTS, (seat,)))
            chosen = w.let(low.Call(BELOW, (own, add(count, some))))

            def take() -> None:
                w.emit(low.SetGlobal(MOMENT, low.Call(ASKED)))
                w.give(Op("-", chosen, count))

            w.when(Op(">=", chosen, count), take)
            w.call(BACK, base)
            w.call(BACK_ROWS, rows, count)
            w.give(chosen)

        w.when(low.Not(low.Call(BELOW, (interrupts, Num(INTERRUPT_ODDS)))), act)
        w.give(low.Call(BELOW, (own, count)))


def _drawn(lo: Lowering, own: Expr) -> Expr:
    """The index of an option, each as likely as any other; what is called seldom is mostly replaced by another."""
    w = lo.w
    chosen = w.fresh("chosen")
    w.set(chosen, low.Call(BELOW, (own, Global(COUNT))))
    for number, seldom in sorted(lo.seldom.items()):

        def replace(rare: frozenset[int] = seldom) -> None:
            def other() -> None:
                w.set("others", ZERO)

                def count_it(n: Expr) -> None:
                    w.when(low.Not(rarely(n)), lambda: w.set("others", add(Local("others"), 1)))

                def draw() -> None:
                    w.set("left", low.Call(BELOW, (own, Local("others"))))
                    _pick(lo, Global(COUNT), lambda n: low.Not(rarely(n)), chosen)

                w.upto(ZERO, Global(COUNT), count_it)
                w.when(Local("others"), draw)

            def rarely(n: Expr) -> Expr:
                return is_rare(w.let(lo.option_row(n)), rare)

            test = both(rarely(Local(chosen)), low.Call(BELOW, (own, Num(SELDOM_ODDS))))
            w.when(test, other)

        w.when(Op("==", word(SITE), Num(number + 1)), replace)
    return Local(chosen)


def write_forced(lo: Lowering) -> None:
    """Whether an answer is taken without asking, as `Decision.forced` says."""
    sites = lo.program.sites
    defaults = lo.memory.words([0, *(int(site.by_default) for site in sites)])
    always = lo.memory.words([0, *(int(site.always_ask) for site in sites)])
    asked = sorted(number for sort, number in lo.known if sort == LIST)
    with lo.function(FORCED, ()) as w:
        w.emit(low.If(low.Load(word(SITE), defaults), (low.Return(ONE),)))
        first = w.let(low.Load(Num(lo.memory.options)))
        open_ = either(Op("!=", Global(COUNT), ONE), Op("==", first, Num(DECLINE)))
        w.emit(low.If(open_, (low.Return(ZERO),)))
        w.emit(low.If(low.Not(low.Load(word(SITE), always)), (low.Return(ONE),)))
        w.emit(low.If(Op("!=", first, Num(READY)), (low.Return(ZERO),)))
        rows = {n + 1: guarded(lo, n, _full(lo, sites[n])) for n in asked if sites[n].always_ask}
        others: dict[int, Callable[[], None]] = {n + 1: lambda: None for n in asked if not sites[n].always_ask}
        if rows:
            w.cases(word(SITE), {**others, **rows})
        w.give(ZERO)


def _full(lo: Lowering, site: ir.Site) -> Callable[[], None]:
    """Whether the answer has as many members as may be, and everybody knows that."""

    def work() -> None:
        w = lo.w
        if site.answer is None or site.shape not in ("some", "amounts"):  # it never ends with `ready`
            w.give(ZERO)
            return
        size = ir.Size("set" if site.shape == "some" else "total", ir.FrameVar(*site.answer))
        number = w.let(lo.number(size))
        full: Expr = ZERO
        for bound in site.bounds:
            if bound.known and bound.op in ("exactly", "at most"):
                if not isinstance(number_kind(lo, bound.amount), Number):
                    raise Unsupported("a bound that is no number")
                full = either(full, Op("<=", lo.number(bound.amount), number))
        w.give(both(Op("!=", number, ZERO), full))

    return work
