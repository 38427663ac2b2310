"""The options of a question that is answered by one alternative or one number, as rows of memory.

A row is the kind of the option, its first code, how many values follow, and these; rows stand in the canonical order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl import ir
from dsl.program import FRAME_LINK, PC, PLAN, SITE, STEPS
from interpreter.backends.low.base.context import DRAWING, HEAP, PROBING, Bound, Held, Lowering
from interpreter.backends.low.base.exported import ALL_WAYS, COUNT, DECLINE, NUMBER, PICK, VALUES
from interpreter.backends.low.base.kinds import MembersKind, Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, word
from interpreter.backends.low.base.memory import MOST_ROWS
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.values.best import is_better, is_same, rank
from interpreter.backends.low.values.loops import Pass, each_member
from interpreter.backends.low.values.narrowing import narrowed, when_all
from interpreter.backends.low.values.ranges import domain_kind
from interpreter.backends.low.values.sets import clear, put, words_of
from interpreter.choices.binding import tested_levels
from interpreter.choices.confirm import asked_again
from interpreter.core.question import Level

LIST = "list"
CONFIRMED = "confirmed"  # the function of a long answer that says whether it could be given now
ALLOWED, SIFT, DRAW = "allowed", "sift", "draw"
"""Functions of a question where candidates are tried: for one of them, for all, and for a random one."""

MOST_KEPT = 16  # words of a set of members that is found once for a level


def option(lo: Lowering, kind: int, code: Expr, values: Sequence[Expr]) -> None:
    """Add an option."""
    w = lo.w
    w.trap_if(Op(">=", Global(COUNT), Num(MOST_ROWS)), Reason.ROOM)
    at = w.let(lo.option_row(Global(COUNT)), "row")
    for k, value in enumerate((Num(kind), code, Num(len(values)), *values)):
        w.store(at, k, value)
    w.emit(low.SetGlobal(COUNT, add(Global(COUNT), 1)))


def bind(lo: Lowering, alternative: ir.Alternative, work: Callable[[list[Held]], None]) -> None:
    """Do `work` for all bindings that pass the guards, in order; its temps are bound meanwhile."""
    before, levels = tested_levels(alternative)
    when_all(lo, before, lambda: _bind_levels(lo, levels, work))


def _bind_levels(lo: Lowering, levels: Sequence[Level], work: Callable[[list[Held]], None]) -> None:
    found = {depth: _members(lo, level) for depth, level in enumerate(levels) if depth and _is_found_once(lo, level)}

    def bind_level(depth: int, values: list[Held]) -> None:
        if depth == len(levels):
            work(values)
            return
        level = levels[depth]
        walk = narrowed(lo, level.slot, level.domain, () if depth in found else level.own)
        tests = level.joint if depth in found else (*walk.tests, *level.joint)

        def one(p: Pass) -> None:
            bound: dict[int, Bound] = {level.slot: p.member}
            with lo.also(bound):
                when_all(lo, tests, lambda: bind_level(depth + 1, [*values, p.member]))

        if depth in found:
            kind = found[depth].kind
            assert isinstance(kind, MembersKind)
            each_member(lo, words_of(found[depth]), Number(kind.low, max(kind.low, kind.high)), one)
        else:
            walk.go(one)

    bind_level(0, [])


def _is_found_once(lo: Lowering, level: Level) -> bool:
    """True for a level whose members are found before the levels around it, as a set."""
    if not level.free or not level.own or level.domain.kind == "list":
        return False
    kind = domain_kind(lo, level.domain)
    return isinstance(kind, Number) and kind.low >= 0 and len(MembersKind(kind.low, kind.high).words) <= MOST_KEPT


def _members(lo: Lowering, level: Level) -> Held:
    """The members of a domain that pass the tests of their own."""
    kind = domain_kind(lo, level.domain)
    assert isinstance(kind, Number)
    held = clear(lo, lo.empty(MembersKind(kind.low, kind.high)))
    walk = narrowed(lo, level.slot, level.domain, level.own)

    def one(p: Pass) -> None:
        own = p.member.kind
        assert isinstance(own, Number)
        with lo.also({level.slot: p.member}):
            when_all(lo, walk.tests, lambda: put(lo, held, Local(p.member.names[0]), own, False))

    walk.go(one)
    return held


# ------------------------------------------------------------ the options of a site


def guarded(lo: Lowering, number: int, work: Callable[[], None]) -> Callable[[], None]:
    """A writer of the part of a question that `work` writes, as a row of a table; it gives up where it cannot be
    lowered."""

    def row() -> None:
        try:
            with lo.w.inside() as body:
                work()
        except Unsupported as reason:
            lo.give_up(lo.program.sites[number].address, reason)
            lo.w.trap(Reason.GAP)
        else:
            lo.w.out += body

    return row


def is_tried(site: ir.Site) -> bool:
    """True if candidates may have to be tried."""
    return site.filter or any(a.probe is not None for a in site.alternatives)


def write_list(lo: Lowering, number: int, offers: Callable[[Lowering, int], Expr]) -> None:
    """Write the function that lists the options of a site and gives their number. `offers` writes those of a long
    answer, and gives whether it has not been begun."""
    site = lo.program.sites[number]
    with lo.function(f"{LIST}{number}", ()) as w:
        w.emit(low.SetGlobal(COUNT, ZERO))
        w.set("mark", Global(HEAP))
        unbegun: Expr = ONE
        if site.shape in ("some", "amounts"):
            unbegun = w.let(offers(lo, number))
        else:
            _singles(lo, site)
        if is_tried(site) or number in lo.seldom:
            _choose_among(lo, number, unbegun)
        else:
            _take_default(lo, site)
            _offer_decline(lo, site, unbegun)
        w.emit(low.SetGlobal(HEAP, Local("mark")))
        w.give(Global(COUNT))


def _take_default(lo: Lowering, site: ir.Site) -> None:
    """Leave the first option of a question that answers itself; in a trial all stay."""
    if site.by_default:
        several: Expr = Op(">", Global(COUNT), ONE)
        if lo.trials.tries:
            several = both(several, low.Not(Global(PROBING)))
        if lo.lists_ways:
            several = both(several, low.Not(Global(ALL_WAYS)))
        lo.w.emit(low.If(several, (low.SetGlobal(COUNT, ONE),)))


def _offer_decline(lo: Lowering, site: ir.Site, unbegun: Expr) -> None:
    """Add the option to decline where there is one."""
    if site.decline or site.if_any:
        some: Expr = Op("!=", Global(COUNT), ZERO)
        wanted = unbegun if site.decline else both(unbegun, low.Not(some))
        wanted = wanted if site.always_ask else both(wanted, some)
        lo.w.when(wanted, lambda: option(lo, DECLINE, ZERO, ()))


def _choose_among(lo: Lowering, number: int, unbegun: Expr) -> None:
    """Leave the candidates that can be completed, or a random one of them; in a trial all stay."""
    w, site = lo.w, lo.program.sites[number]

    def draw() -> None:
        if site.decline:
            w.when(both(Global(COUNT), unbegun), lambda: option(lo, DECLINE, ZERO, ()))
        w.when(Global(COUNT), lambda: w.call(lo.want(DRAW, number)))
        if site.always_ask and (site.decline or site.if_any):
            w.when(both(low.Not(Global(COUNT)), unbegun), lambda: option(lo, DECLINE, ZERO, ()))

    def sift() -> None:
        w.set("may_decline", ONE)
        if is_tried(site):
            probed = any(a.probe is not None for a in site.alternatives)
            needed: Expr = low.Not(Global(PROBING))
            needed = needed if probed else both(needed, word(PLAN))
            w.when(needed, lambda: w.set("may_decline", low.Call(lo.want(SIFT, number), (unbegun,))))
        _take_default(lo, site)
        _offer_decline(lo, site, both(unbegun, Local("may_decline")))

    if site.by_default:
        sift()  # the one that stays is not drawn
    else:
        w.when(both(Global(DRAWING), low.Not(Global(PROBING))), draw, sift)


def _singles(lo: Lowering, site: ir.Site) -> None:
    """All bindings of all alternatives that meet the conditions; where there are keys, those with the best."""
    kind = NUMBER if site.shape == "number" else PICK
    known = [lo.w.fresh("best") for _ in site.keys]
    conditions = [guard.test for guard in site.such_that]
    for k, alternative in enumerate(site.alternatives):

        def one(values: list[Held], code: int = k + 1) -> None:
            def add_it() -> None:
                option(lo, kind, Num(code), [Local(h.names[0]) for h in values])

            def compare() -> None:
                _add_best(lo, site, known, add_it)

            whole: dict[int, Bound] = {site.whole_slot: values[-1]} if site.whole_slot >= 0 and values else {}
            with lo.also(whole):
                when_all(lo, conditions, compare if known else add_it)

        with lo.cut_back():
            bind(lo, alternative, one)


def _add_best(lo: Lowering, site: ir.Site, known: list[str], add_it: Callable[[], None]) -> None:
    """Add an option with keys unless those so far have better ones; if its own are better, they go."""
    w, here = lo.w, rank(lo, site.keys)
    best: list[Expr] = [Local(name) for name in known]

    def begin_again() -> None:
        for name, key in zip(known, here, strict=True):
            w.set(name, key)
        w.emit(low.SetGlobal(COUNT, ZERO))

    w.when(either(low.Not(Global(COUNT)), is_better(here, best)), begin_again)
    w.when(is_same(here, best), add_it)


def list_for_confirming(lo: Lowering, number: int) -> None:
    """List all options of a site that is not the pending question."""
    w = lo.w
    if not is_tried(lo.program.sites[number]) and number not in lo.seldom:
        w.call(lo.want(LIST, number))
        return
    kept = {at: w.let(word(at)) for at in (SITE, PC, STEPS)}
    drawing = w.let(Global(DRAWING))
    w.emit(low.SetGlobal(DRAWING, ZERO))
    w.put(SITE, Num(number + 1))
    code = lo.program.code
    confirms = next(pc for pc, i in enumerate(code) if isinstance(i, ir.Confirm) and i.site == number)
    w.put(PC, Num(asked_again(lo.program, confirms)))
    w.call(lo.want(LIST, number))
    for at, value in kept.items():
        w.put(at, value)
    w.emit(low.SetGlobal(DRAWING, drawing))


def is_offered(lo: Lowering, number: int) -> Expr:
    """A test that the answer of a site that stands in the frame is one of its options now."""
    w, site, frame = lo.w, lo.program.sites[number], lo.w.frame()
    if site.shape in ("some", "amounts"):
        return low.Call(lo.want(CONFIRMED, number), ())
    list_for_confirming(lo, number)
    found = w.fresh("found")
    w.set(found, ZERO)
    answer: Expr = ONE if site.answer is None else w.let(low.Load(frame, FRAME_LINK + site.answer[0]))

    def look(n: Expr) -> None:
        row = w.let(lo.option_row(n), "row")
        if site.shape == "number":
            last = low.Load(add(row, low.Load(row, 2)), VALUES - 1)
            same = both(Op("==", low.Load(row), Num(NUMBER)), Op("==", last, answer))
            w.emit(low.If(same, (low.Set(found, ONE),)))
            return
        for k, alternative in enumerate(site.alternatives):
            same = both(Op("==", answer, Num(k + 1)), Op("==", low.Load(row, 1), Num(k + 1)))
            for j, (slot, _) in enumerate(alternative.slots):
                same = both(same, Op("==", low.Load(row, VALUES + j), low.Load(frame, FRAME_LINK + slot)))
            w.emit(low.If(same, (low.Set(found, ONE),)))

    w.upto(ZERO, Global(COUNT), look)
    return Local(found)
