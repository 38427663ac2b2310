"""Questions in the function of a whole game: one of the options is drawn where they are asked.

Where each alternative has one value at most, the values that can be given are sets, which are counted; else the options
are rows of memory: the number of the alternative, and the values.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.program import STEPS
from interpreter.backends.analysis.playout_graph import ACCEPTED, ASKED
from interpreter.backends.low.base.context import HEAP, Held, Words
from interpreter.backends.low.base.context import PASSES as PASSES_LEFT
from interpreter.backends.low.base.kinds import Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, union, word
from interpreter.backends.low.base.memory import MOST_ROWS
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.games.game import MOST, PASSES, TAKEN, WORK, Game
from interpreter.backends.low.games.members import filtered, members_that_pass
from interpreter.backends.low.games.variables import key, set_number, variable
from interpreter.backends.low.rules.questions import bind
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.backends.low.values.narrowing import when_all
from interpreter.backends.low.values.ranges import bound_kinds, number_kind
from interpreter.backends.low.values.sets import count, is_member
from interpreter.choices.binding import tested_levels
from interpreter.choices.options import has_bare_bindings

COUNT, GIVEN, INDEX, CHOSEN = "options", "given", "index", "chosen"
"""Variables: the number of options, the same without the one to decline, the number of the option that is drawn, and
that of its alternative."""


def value_name(n: int) -> str:
    """The variable of a value of the option that is drawn."""
    return f"value{n}"


def words_name(alternative: int, w: int) -> str:
    """The variable of a word of the values that an alternative can have."""
    return f"values{alternative}_{w}"


def scan_name(alternative: int) -> str:
    """The variable with the passes that it took to find the values of an alternative."""
    return f"scan{alternative}"


def is_counted(site: ir.Site) -> bool:
    """Whether the options are counted, not listed."""
    return all(len(a.binders) <= 1 and all(d.kind == "set" for _, _, d, _ in a.binders) for a in site.alternatives)


def spent(game: Game) -> None:
    """Give up where there was more work, or there were more answers, than there may be."""
    lo, w = game.lo, game.lo.w
    w.trap_if(Op(">", Local(TAKEN), Local(MOST)), Reason.ENDLESS)
    w.trap_if(Op(">", add(Local(WORK), word(STEPS)), Num(lo.program.limits.steps)), Reason.BUDGET)
    w.trap_if(Op(">", Local(PASSES), Global(PASSES_LEFT)), Reason.BUDGET)


def write_question(game: Game) -> None:
    """Draw an option, or store the one that was drawn, according to the part of the question."""
    lo, w, part = game.lo, game.lo.w, game.node.spot.part
    if part >= ACCEPTED:
        _store_answer(game, part - ACCEPTED)
        return
    if part != ASKED:
        some = list_options(game)
        w.trap_if(low.Not(some), Reason.FAULT)
    w.set(TAKEN, add(Local(TAKEN), 1))
    spent(game)
    w.set(INDEX, low.Portion(low.Call(FRACTION), Local(COUNT)))
    for name in (WORK, PASSES):
        w.set(name, ZERO)
    w.put(STEPS, ZERO)
    w.emit(low.SetGlobal(PASSES_LEFT, Num(lo.program.limits.passes)))
    w.emit(low.SetGlobal(HEAP, lo.floor))
    site = _site(game)
    if is_counted(site):
        _pick_counted(game, site)
    else:
        _pick_row(game, site)


def _site(game: Game) -> ir.Site:
    site = game.node.site
    assert site is not None
    if not has_bare_bindings(site):
        raise Unsupported(f"the question `{site.address}` in a whole game")
    return site


# ------------------------------------------------------------ options


def list_options(game: Game) -> Expr:
    """Count the options of a question, or list them; gives whether there is one."""
    w, site = game.lo.w, _site(game)
    w.set(COUNT, ZERO)
    for k, alternative in enumerate(site.alternatives):
        if is_counted(site):
            _count(game, site, k)
        else:
            _list(game, k, alternative)
    w.set(GIVEN, Local(COUNT))
    if site.decline or site.if_any:
        some = Op("!=", Local(COUNT), ZERO)
        wanted: Expr = ONE if site.decline else low.Not(some)
        wanted = wanted if site.always_ask else both(wanted, some)
        w.set(COUNT, add(Local(COUNT), wanted if isinstance(wanted, Num) else Op("!=", wanted, ZERO)))
    return Local(COUNT)


def _count(game: Game, site: ir.Site, number: int) -> None:
    """Find the values that an alternative can have, and count them."""
    lo, w, alternative = game.lo, game.lo.w, site.alternatives[number]
    with lo.cut_back():
        if not alternative.binders:
            _count_bare(game, site, number)
            return
        before, (level,) = tested_levels(alternative)
        w.set(scan_name(number), Local(PASSES))
        for n in _words_of(game, alternative):
            w.set(words_name(number, n), ZERO)

        def find() -> None:
            found = members_that_pass(lo, game.plain, level.slot, level.domain, (*level.own, *level.joint))
            for n, e in found.items():
                w.set(words_name(number, n), e)

        when_all(lo, before, find)
        words: Words = {n: Local(words_name(number, n)) for n in _words_of(game, alternative)}
        w.set(COUNT, add(Local(COUNT), count(words)))
        w.set(scan_name(number), Op("-", Local(PASSES), Local(scan_name(number))))


def _count_bare(game: Game, site: ir.Site, number: int) -> None:
    """Find whether an alternative without values can be chosen."""
    w, name = game.lo.w, words_name(number, 0)
    tests = [guard.test for guard in site.alternatives[number].guards]
    w.set(name, ZERO)
    known = [(test, _repeated(game, site.alternatives[:number], test)) for test in tests]
    left = [test for test, found in known if found is None]
    holds: Expr = ONE
    for _, found in known:
        holds = holds if found is None else both(found, holds)
    w.when(holds, lambda: when_all(game.lo, left, lambda: w.set(name, ONE)))
    w.set(COUNT, add(Local(COUNT), Local(name)))


def _repeated(game: Game, before: Sequence[ir.Alternative], test: ir.Expr) -> Expr | None:
    """A test whether an alternative that is counted already offers something; None: it is another test."""
    asked = game.constants.existence_test(test)
    for number, alternative in enumerate(before if asked is not None else ()):
        if len(alternative.binders) != 1:
            continue
        first, (level,) = tested_levels(alternative)
        own = game.constants.normal_form(level.slot, level.domain, (*level.own, *level.joint))
        if not first and asked is not None and asked[1:] == own:
            some: Expr = ZERO
            for n in _words_of(game, alternative):
                some = union(some, Local(words_name(number, n)))
            game.lo.passes(Local(scan_name(number)))
            return Op("!=" if asked[0] else "==", some, ZERO)
    return None


def _words_of(game: Game, alternative: ir.Alternative) -> range:
    """The numbers of the words of the values that an alternative with one value can have."""
    (_, slot, domain, _) = alternative.binders[0]
    domain, _ = filtered(slot, domain, ())
    kind = bound_kinds(game.lo, ((slot, domain),))[0][slot].kind
    if not isinstance(kind, Number) or kind.low < 0:
        raise Unsupported("answers that are no small set")
    return range(kind.low >> 6, (kind.high >> 6) + 1)


def _list(game: Game, number: int, alternative: ir.Alternative) -> None:
    lo, w = game.lo, game.lo.w

    def one(values: list[Held]) -> None:
        w.trap_if(Op(">=", Local(COUNT), Num(MOST_ROWS)), Reason.ROOM)
        at = w.let(lo.option_row(Local(COUNT)), "row")
        row: list[Expr] = [Num(number), *(Local(h.names[0]) for h in values)]
        for k, value in enumerate(row):
            w.store(at, k, value)
        w.set(COUNT, add(Local(COUNT), 1))

    with lo.cut_back():
        bind(lo, alternative, one)


# ------------------------------------------------------------ the option that is drawn


def _pick_row(game: Game, site: ir.Site) -> None:
    lo, w = game.lo, game.lo.w
    most = max(len(a.binders) for a in site.alternatives)

    def take() -> None:
        at = w.let(lo.option_row(Local(INDEX)), "row")
        w.set(CHOSEN, low.Load(at))
        for n in range(most):
            w.set(value_name(n), low.Load(at, 1 + n))

    if site.decline or site.if_any:
        w.when(Op("<", Local(INDEX), Local(GIVEN)), take, lambda: w.set(CHOSEN, Num(len(site.alternatives))))
    else:
        take()


def _pick_counted(game: Game, site: ir.Site) -> None:
    """Find which alternative, and which of its values, the drawn number stands for."""
    w = game.lo.w
    last = len(site.alternatives) - 1
    may_decline = site.decline or site.if_any

    def from_alternative(number: int) -> None:
        alternative = site.alternatives[number]
        names = _words_of(game, alternative) if alternative.binders else range(1)
        words: Words = {n: Local(words_name(number, n)) for n in names}

        def take() -> None:
            w.set(CHOSEN, Num(number))
            if alternative.binders:
                _select(game, words)

        def go_on() -> None:
            w.set(INDEX, Op("-", Local(INDEX), size))
            if number < last:
                from_alternative(number + 1)
            else:
                w.set(CHOSEN, Num(last + 1))

        size = w.let(count(words)) if alternative.binders else words[0]
        if number == last and not may_decline:
            take()
        else:
            w.when(Op("<", Local(INDEX), size), take, go_on)

    from_alternative(0)


def _select(game: Game, words: Words) -> None:
    """Set the value to the member with the drawn number, counted from the lowest."""
    w, part = game.lo.w, game.lo.w.fresh("part")
    order = sorted(words)

    def among(k: int) -> None:
        def here() -> None:
            w.set(part, words[order[k]])

            def drop(label: str) -> None:
                w.leave_if(low.Not(Local(INDEX)), label)
                w.set(part, Op("&", Local(part), add(Local(part), -1)))
                w.set(INDEX, add(Local(INDEX), -1))

            w.loop(drop)
            w.set(value_name(0), add(low.Lowest(Local(part)), 64 * order[k]))

        def further() -> None:
            w.set(INDEX, Op("-", Local(INDEX), low.Ones(words[order[k]])))
            among(k + 1)

        if k + 1 == len(order):
            here()
        else:
            w.when(Op("<", Local(INDEX), low.Ones(words[order[k]])), here, further)

    among(0)


# ------------------------------------------------------------ answers


def outcome(at: int) -> Expr:
    """Whether the option that is drawn is of this alternative."""
    return Op("==", Local(CHOSEN), Num(at))


def _store_answer(game: Game, at: int) -> None:
    """Put an option of an alternative into the variables of the frame."""
    lo, site, node = game.lo, _site(game), game.node
    if at == len(site.alternatives):
        return
    alternative = site.alternatives[at]
    kinds, _ = bound_kinds(lo, tuple((slot, domain) for _, slot, domain, _ in alternative.binders))
    number: Number | None = None
    for n, (_, temp, _, _) in enumerate(alternative.binders):
        kind = kinds[temp].kind
        if not isinstance(kind, Number):
            raise Unsupported("an answer that is no number")
        number = kind
        if n < len(alternative.slots):
            slot, t = alternative.slots[n]
            if key(slot) in lo.bound or game.graph.is_needed(node, slot):
                set_number(lo, slot, t, Local(value_name(n)), kind)
    if site.answer is not None:
        slot, t = site.answer
        if key(slot) in lo.bound or game.graph.is_needed(node, slot):
            if site.shape == "number" and number is not None:
                set_number(lo, slot, t, Local(value_name(len(alternative.binders) - 1)), number)
            else:
                set_number(lo, slot, t, Num(at + 1), Number(at + 1, at + 1))


def confirmed(game: Game) -> Expr:
    """Whether the answer in the frame could be given now."""
    lo, w, site = game.lo, game.lo.w, _site(game)
    if len(site.alternatives) > 1 or len(site.alternatives[0].binders) != 1:
        raise Unsupported("an answer of several values that is confirmed")
    alternative = site.alternatives[0]
    slot = site.answer[0] if site.shape == "number" and site.answer is not None else alternative.slots[0][0]
    known = dict(game.node.spot.known[-1])
    temp, domain = alternative.binders[0][1:3]
    domain, tests = filtered(temp, domain, [guard.test for guard in alternative.guards])
    if domain.kind != "set":
        raise Unsupported("an answer from a list that is confirmed")
    held = variable(lo, slot)
    if slot in known:
        game.constant(held, known[slot])
    found = w.fresh("found")
    w.set(found, ZERO)
    mask = domain.a.value if isinstance(domain.a, ir.Const) else 0
    lo.passes(Num(mask.bit_count() or 64))
    with lo.cut_back(), lo.also({temp: held}):
        inside = is_member(lo.members(domain.a), Local(held.names[0]), number_kind(lo, ir.Temp(temp)))
        w.when(inside, lambda: when_all(lo, tests, lambda: w.set(found, ONE)))
    return Local(found)
