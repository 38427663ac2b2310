"""Questions in the function of a whole game: an option is drawn where they are asked, and becomes the answer."""

from __future__ import annotations

from dsl import ir
from dsl.program import STEPS
from interpreter.backends.analysis.playout_graph import ACCEPTED, ASKED
from interpreter.backends.low.base.context import HEAP, Words
from interpreter.backends.low.base.context import PASSES as PASSES_LEFT
from interpreter.backends.low.base.kinds import Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Global, Local, Num, Op, Reason
from interpreter.backends.low.games.game import MOST, PASSES, TAKEN, WORK, GameFunction
from interpreter.backends.low.games.members import filtered
from interpreter.backends.low.games.options import (
    COUNT,
    GIVEN,
    is_counted,
    list_options,
    site_of,
    words_name,
    words_of_values,
)
from interpreter.backends.low.games.variables import key, set_number, variable
from interpreter.backends.low.trials.draw import FRACTION
from interpreter.backends.low.values.narrowing import when_all
from interpreter.backends.low.values.ranges import bound_kinds, number_kind
from interpreter.backends.low.values.sets import count, is_member

INDEX, CHOSEN = "index", "chosen"
"""Variables: the number of the option that is drawn, and that of its alternative."""


def value_name(n: int) -> str:
    """The variable of a value of the option that is drawn."""
    return f"value{n}"


def spent(game: GameFunction) -> None:
    """Give up where there was more work, or there were more answers, than there may be."""
    lo, w = game.lo, game.lo.w
    w.trap_if(Op(">", Local(TAKEN), Local(MOST)), Reason.ENDLESS)
    w.trap_if(Op(">", add(Local(WORK), word(STEPS)), Num(lo.program.limits.steps)), Reason.BUDGET)
    w.trap_if(Op(">", Local(PASSES), Global(PASSES_LEFT)), Reason.BUDGET)


def write_question(game: GameFunction) -> None:
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
    if game.notes is not None:
        game.notes.question(Local(COUNT))
    for name in (WORK, PASSES):
        w.set(name, ZERO)
    w.put(STEPS, ZERO)
    w.emit(low.SetGlobal(PASSES_LEFT, Num(lo.program.limits.passes)))
    w.emit(low.SetGlobal(HEAP, lo.floor))
    site = site_of(game)
    if is_counted(site):
        _pick_counted(game, site)
    else:
        _pick_row(game, site)
    if game.notes is not None and isinstance(node := game.node.i, ir.Ask):
        game.notes.answer(node.site, site, Local(CHOSEN), lambda n: Local(value_name(n)))


# ------------------------------------------------------------ the option that is drawn


def _pick_row(game: GameFunction, site: ir.Site) -> None:
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


def _pick_counted(game: GameFunction, site: ir.Site) -> None:
    """Find which alternative, and which of its values, the drawn number stands for."""
    w = game.lo.w
    last = len(site.alternatives) - 1
    may_decline = site.decline or site.if_any

    def from_alternative(number: int) -> None:
        alternative = site.alternatives[number]
        names = words_of_values(game, alternative) if alternative.binders else range(1)
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


def _select(game: GameFunction, words: Words) -> None:
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
    """A test that the option which is drawn is of this alternative."""
    return Op("==", Local(CHOSEN), Num(at))


def _store_answer(game: GameFunction, at: int) -> None:
    """Put an option of an alternative into the variables of the frame."""
    lo, site, node = game.lo, site_of(game), game.node
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


def confirmed(game: GameFunction) -> Expr:
    """A test that the answer in the frame could be given now."""
    lo, w, site = game.lo, game.lo.w, site_of(game)
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
