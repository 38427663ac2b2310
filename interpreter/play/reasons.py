"""The reasons why an answer is not offered.

Takes the words of an answer, finds the alternative that they mean, and tests its guards one by one: a false one becomes
a reason with the values seen and the clauses. Unknown words become a reason with the nearest known id. Nothing is
changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import IntType, MemberType, Type
from interpreter.backends.analysis.dataflow import walk
from interpreter.choices import options, plan, sequence
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.core.question import Option as MachineOption
from interpreter.play.demands import Demand, failed_demands
from interpreter.rules.messages import Message, in_english, join_messages, message
from interpreter.rules.names import as_int, nearest
from interpreter.semantics.reach import frontier
from interpreter.session.decision import DECLINE, READY, Decision, Option
from interpreter.session.matching import Member, answer_value, members_named
from interpreter.session.state import State
from interpreter.visibility.cells import hidden_from

Temps = dict[int, Any]
MAX_ENDS = 4  # ends of a search that a reason lists


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an answer is not offered. `seen` are (operand, value) pairs; `key` names the guard's text in the locale;
    `hidden`: the reader may not see what it reads, so there are no values. `message` is the text as a message of the
    engine, if it is one.

    kind    `guard`, `such that`, `domain`, `bound`, `plan`, `order`; `offer`: the question has no such alternative;
            `type`: the alternative takes other words; `way`: no way to pay or gain; `word`: no answer to this question;
            `turn`: another seat is asked; `over`: nothing is asked
    """

    kind: str
    text: str
    cites: tuple[str, ...] = ()
    seen: tuple[tuple[str, str], ...] = ()
    because: str = ""
    key: str = ""
    hidden: bool = False
    message: Message = ()

    def line(self) -> str:
        """The reason as one sentence."""
        text = "hidden" if self.hidden else self.because or self.text
        if self.because and not self.hidden:
            text += f" (`{self.text}` is false)"
        values = "; ".join(f"{name} is {value}" for name, value in self.seen)
        clauses = f" [{', '.join(self.cites)}]" if self.cites else ""
        return text + (f": {values}" if values else "") + clauses


def engine_reason(kind: str, sentences: Message, cites: tuple[str, ...] = ()) -> Reason:
    """A reason whose text is a message of the engine."""
    return Reason(kind, in_english(sentences), cites, message=sentences)


def nothing_asked(state: State) -> Reason:
    """That no question is open: the game is over, or waits for chance, or the routine that was started has run out."""
    if state.over:
        return engine_reason("over", message("why_over"))
    return engine_reason("over", message("why_chance" if state.chance else "why_run_out"))


def turn_reason(decision: Decision, who: str | int) -> Reason:
    return engine_reason("turn", message("why_turn", actor=decision.actor, address=decision.address, who=str(who)))


class Refused(IllegalAnswer):
    """An answer that is not offered, with all its reasons."""

    def __init__(self, message: str, reasons: Sequence[Reason]) -> None:
        first = reasons[0]
        super().__init__(message, first.text, first.seen, first.cites)
        self.reasons = tuple(reasons)


def refusal(decision: Decision, given: Sequence[str] | Option | tuple[int, ...]) -> IllegalAnswer:
    """The error for an answer that is not offered: its first reason, with values and clauses."""
    if isinstance(given, Option):
        given = given.ids
    if given and not isinstance(given[0], str):
        return IllegalAnswer(f"no option with the code {list(given)} is offered at {decision.address}", "", (), ())
    words = [str(w) for w in given]
    found = reasons(decision, words, decision.seat) or [engine_reason("plan", message("why_not_now"))]
    lines = "; ".join(r.line() for r in found)
    return Refused(f"`{' '.join(words)}` is not legal at {decision.address}: {lines}", found)


def reasons(decision: Decision, words: list[str], seat: int) -> list[Reason]:
    """All reasons against the answer `words`, the most informative first."""
    if not words:
        return [engine_reason("word", message("why_silent"))]
    if words[0] in (DECLINE, READY) and len(words) == 1:
        if any(o.kind == words[0] for o in decision.options):
            return []
        if words[0] == DECLINE:  # where it may be offered, that it is not depends on what can be chosen
            kind = "domain" if decision.site.decline or decision.site.if_any else "offer"
            return [engine_reason(kind, message("why_asked"), decision.site.cites)]
        return _end_reasons(decision)
    if decision.shape == "number":
        number = as_int(words[0])
        if number is None:
            return [engine_reason("word", message("why_number", word=words[0]))]
        return _alternative_reasons(decision, 0, [number], seat)
    if decision.shape in ("some", "amounts"):
        named = members_named(decision, words)
        if named and sum(len(w) for _, w in named) == len(words):
            return _whole_reasons(decision, named, seat)
    index, values, unknown = interpret(decision, words)
    if index < 0:
        return [unknown]
    return _alternative_reasons(decision, index, values, seat)


def _whole_reasons(decision: Decision, named: list[Member], seat: int) -> list[Reason]:
    """Why a long answer is not possible: a member that may not be in it, else a condition on the whole."""
    arity = len(decision.site.alternatives[0].binders)
    for values, _ in named:
        found = _alternative_reasons(decision, 0, list(values[:arity]), seat)
        if found and found[0].kind not in ("bound", "plan", "order"):
            return found
        outside = _amount_outside(decision, values, seat)
        if outside is not None:
            return [outside]
    temps: Temps = {decision.site.whole_slot: answer_value(decision, named)} if decision.site.whole_slot >= 0 else {}
    conditions = [false_guard(decision, g, temps, seat, "such that") for g in decision.site.such_that]
    found = [r for r in conditions if r is not None]
    alone = list(named[0][0]) if len(named) == 1 else []
    if not found and any(list(o.raw.values) == alone for o in decision.options if o.kind in ("add", "amount")):
        return []
    failed = _failed_by_whole(decision, named) if not found else None
    if failed is not None:
        return failed
    return found or (_plan_reasons(decision, 0, alone, {}) if alone else []) or [_not_offered(decision)]


def _end_reasons(decision: Decision) -> list[Reason]:
    """Why a long answer may not end here: the demands that it fails, else the bounds."""
    failed = _failed_by_whole(decision, []) if decision.shape in ("some", "amounts") else None
    bounds = message("why_incomplete", bounds=_bounds(decision))
    return failed or [engine_reason("bound", bounds, decision.site.cites)]


def _failed_by_whole(decision: Decision, named: list[Member]) -> list[Reason] | None:
    """The demands that fail if these members, with those that were given before, are the whole answer: empty if it can
    be given; None if its own bounds or conditions rule it out."""
    site, game, room = decision.site, decision.game, [0] * decision.game.temps
    machine = game.machine
    machine.words = decision.words[:]
    left = {values for values, _ in named}
    while left:
        option = next((o for o in sequence.offers(machine, site, room) if o.values in left), None)
        if option is None:
            return None
        left.discard(option.values)
        sequence.take(machine, site, option)
    if options.READY not in sequence.offers(machine, site, room):
        return None
    if not (decision.words[hdr.PLAN] and site.filter):
        return []
    return as_reasons(failed_demands(game, machine.words, lambda m: options.take(m, options.READY), decision.seat))


def _amount_outside(decision: Decision, values: Sequence[int], seat: int) -> Reason | None:
    """Why an amount is too small or too large for its own member, whatever the rest of the answer is."""
    binders, each = decision.site.alternatives[0].binders, decision.site.each
    if decision.shape != "amounts" or each is None or len(values) <= len(binders):
        return None
    temps: Temps = {slot: value for (_, slot, _, _), value in zip(binders, values, strict=False)}
    if any(_is_hidden(decision, e, temps, seat) for e in each):
        return None
    low, high = (_value(decision, e, temps) for e in each)
    if low <= values[-1] <= high:
        return None
    cites = decision.site.cites
    member = " ".join(
        decision.game.names.text(value, type_) for (_, _, _, type_), value in zip(binders, values, strict=False)
    )
    outside = message("why_amount", amount=str(values[-1]), member=member, range=f"{low}..{high}")
    return engine_reason("domain", outside, cites)


def interpret(decision: Decision, words: list[str]) -> tuple[int, list[int], Reason]:
    """The alternative (its index, -1: none) that the words mean, with the values of its binders as far as they are
    given; else the reason why the words mean nothing here."""
    names = decision.game.names
    best: tuple[int, list[int]] = (-1, [])
    most = 0
    word, types, named = words[0], [b[3] for a in decision.site.alternatives for b in a.binders[:1]], False
    for index, alternative in enumerate(decision.site.alternatives):
        at = 1 if alternative.name and words[0] == alternative.name else 0
        values: list[int] = []
        for _, _, _, type_ in alternative.binders:
            value = names.parse(words[at], type_) if at < len(words) else None
            if value is None:
                break
            values.append(value)
            at += 1
        if at > most:
            best, most = (index, values), at
        if at < len(words) and at == most and len(values) < len(alternative.binders):
            word, types, named = words[at], [alternative.binders[len(values)][3]], at > 0
    if best[0] >= 0 and (most >= len(words) or len(best[1]) == len(decision.site.alternatives[best[0]].binders)):
        return best[0], best[1], Reason("word", "")
    return -1, [], _unknown(decision, word, types, named)


def _unknown(decision: Decision, word: str, types: list[Type], named: bool) -> Reason:
    """Why a word means nothing here; `named`: the words before it name an alternative."""
    known = {w for t in types for w in decision.game.names.words_of(t)}
    known |= {a.name for a in decision.site.alternatives if a.name}
    if word not in known and any(a.name == word for site in decision.game.program.sites for a in site.alternatives):
        return engine_reason("offer", message("why_elsewhere", word=word))
    numbers = [t for t in types if isinstance(t, IntType)]
    if numbers and as_int(word) is not None:
        return engine_reason("domain", message("why_range", word=word, range=str(numbers[0])), decision.site.cites)
    expected, near = ", ".join(sorted({str(t) for t in types})), nearest(word, known)
    hint = message("why_hint", word=near) if near and near != word else ()
    if not expected:
        return engine_reason("word", message("why_word_at_all", word=word, hint=hint))
    return engine_reason("type" if named else "word", message("why_word", word=word, expected=expected, hint=hint))


def _alternative_reasons(decision: Decision, index: int, values: list[int], seat: int) -> list[Reason]:
    alternative = decision.site.alternatives[index]
    temps: Temps = {}
    hidden: list[Reason] = []
    for (name, slot, domain, type_), value in zip(alternative.binders, values, strict=False):
        if any(_is_hidden(decision, e, temps, seat) for e in (domain.a, domain.b) if e is not None):
            hidden.append(Reason("domain", "hidden", decision.site.cites, hidden=True))
        elif not _in_domain(decision, domain, temps, value):
            shown = decision.game.names.text(value, type_)
            sentences = message("why_domain", word=shown, name=name, ends=reach_ends(decision, domain.a, temps, type_))
            if domain.b is not None:
                ends = _value(decision, domain.a, temps), _value(decision, domain.b, temps)
                sentences = message("why_range", word=shown, range=f"{ends[0]}..{ends[1]}")
            return [engine_reason("domain", sentences, decision.site.cites)]
        temps[slot] = value
    if len(values) < len(alternative.binders):
        missing = ", ".join(f"{n} ({t})" for n, _, _, t in alternative.binders[len(values) :])
        return [engine_reason("word", message("why_more", missing=missing))]
    found = _false_guards(decision, alternative.guards, temps, seat)
    if not found and decision.shape == "one" and decision.site.whole_slot >= 0 and values:
        temps[decision.site.whole_slot] = values[-1]
        conditions = [false_guard(decision, g, temps, seat, "such that") for g in decision.site.such_that]
        found = [r for r in conditions if r is not None]
    found = [r for r in found if not r.hidden] or hidden + found
    if found or any(_is_same_option(o, index, values) for o in decision.options):
        return found
    return _plan_reasons(decision, index, values, temps) or [_not_offered(decision)]


def _false_guards(decision: Decision, guards: Sequence[ir.Guard], temps: Temps, seat: int) -> list[Reason]:
    """The guards that are false. A guard that has no value when an earlier one is false, such as `n <= w.size` without
    a `w`, is skipped, and so is one that reads what an earlier one found to be none."""
    found: list[Reason] = []
    missing: list[ir.Expr] = []
    for guard in guards:
        if any(node == e for e in missing for node in walk(guard.test)):
            continue
        try:
            reason = false_guard(decision, guard, temps, seat, "guard")
        except RulesetError:
            if not found:
                raise
            continue
        if reason is not None:
            found.append(reason)
            optional = [e for _, e, t in guard.parts if isinstance(t, MemberType) and t.optional]
            missing += [e for e in optional if guard.test == ir.Not(ir.Compare("==", e, ir.Const(0)))]
    return found


def reach_ends(decision: Decision, expr: ir.Expr, temps: Temps, type_: Type) -> Message:
    """Where the search ends, as a message, if the set is one of `reach`; else nothing."""
    game, names = decision.game, decision.game.names
    if isinstance(expr, ir.CallFn):
        args = enumerate([_value(decision, arg, temps) for arg in expr.args])
        expr, temps = game.program.functions[expr.fn].body, dict(args)
    if not isinstance(expr, ir.Reach) or expr.gives != "reach":
        return ()
    room = [0] * max(game.temps, max(temps, default=-1) + 1)
    for slot, value in temps.items():
        room[slot] = value
    game.machine.words = decision.words
    ends = [
        message("why_closed" if closed else "why_too_far", place=names.text(x, type_), next=names.text(y, type_))
        for x, y, closed in frontier(game.machine, expr, room)
    ]
    more = message("why_more_ends", n=str(len(ends) - MAX_ENDS)) if len(ends) > MAX_ENDS else ()
    return message("why_ends", ends=join_messages(ends[:MAX_ENDS]) + more) if ends else ()


def _is_same_option(option: Option, index: int, values: list[int]) -> bool:
    return (
        option.kind not in (DECLINE, READY)
        and option.raw.alt == index
        and list(option.raw.values[: len(values)]) == values
    )


def _plan_reasons(decision: Decision, index: int, values: list[int], temps: Temps) -> list[Reason]:
    """The demands that fail when the action of this option, or the open plan after it, is tried."""
    site, game, words = decision.site, decision.game, decision.words
    probe = site.alternatives[index].probe
    found: list[Demand] = []
    if words[hdr.PLAN] and site.filter:
        option = _as_machine_option(decision, index, tuple(values))
        if option is not None:
            found = failed_demands(game, words, lambda m: options.take(m, option), decision.seat)
    elif probe is not None:
        room = [0] * game.temps
        for slot, value in temps.items():
            room[slot] = value
        found = failed_demands(game, words, lambda m: plan.begin(m, probe, room), decision.seat)
    return as_reasons(found)


def as_reasons(demands: Sequence[Demand]) -> list[Reason]:
    """Demands that were not met, as reasons."""
    reasons = []
    for d in demands:
        text, because, key = (d.guard.text, d.guard.reason, d.guard.key) if d.guard else (d.text, "", "")
        reasons.append(Reason("plan", text, d.cites, d.seen, because, key))
    return reasons


def _as_machine_option(decision: Decision, index: int, values: tuple[int, ...]) -> MachineOption | None:
    """The option that the machine would have offered if the plan had allowed it."""
    if decision.shape not in ("some", "amounts"):
        kind = "number" if decision.site.shape == "number" else "pick"
        return MachineOption(kind, (index + 1, *values), index, values)
    machine = decision.game.machine
    machine.words = decision.words
    offers = sequence.offers(machine, decision.site, [0] * decision.game.temps)
    return next((o for o in offers if o.values[: len(values)] == values), None)


def _not_offered(decision: Decision) -> Reason:
    """The reason if all guards hold: the whole answer, the order or a later demand rules the option out."""
    cites = decision.site.cites
    if decision.shape in ("some", "amounts"):
        return engine_reason("bound", message("why_bound", bounds=_bounds(decision)), cites)
    if decision.site.keys:
        return engine_reason("order", message("why_order"), cites)
    return engine_reason("plan", message("why_plan"), cites)


def _bounds(decision: Decision) -> Message:
    """The bounds of the whole answer, as a message."""
    parts = []
    for bound in decision.site.bounds:
        if bound.per is None:
            part = message(bound.op, n=str(_value(decision, bound.amount, {})))
            parts.append(message("in_total", bound=part) if bound.weight else part)
    parts += [message("as_it_is", text=g.reason or g.text) for g in decision.site.such_that]
    return message("bounds", bounds=join_messages(parts)) if parts else ()


def false_guard(decision: Decision, guard: ir.Guard, temps: Temps, seat: int, kind: str) -> Reason | None:
    """The guard as a reason, if it is false or if the reader may not know whether it holds; else None."""
    if _is_hidden(decision, guard.test, temps, seat):
        return Reason(kind, "hidden", guard.cites, key=guard.key, hidden=True)
    if _value(decision, guard.test, temps):
        return None
    game = decision.game
    seen = []
    for text, expr, type_ in guard.parts:
        try:
            if decision.keeps(expr, seat) or hidden_from(game, decision.words, expr, temps, seat):
                continue  # of which the guard reads the size alone
            seen.append((text, game.names.text(_value(decision, expr, temps), type_)))
        except RulesetError:
            continue  # an operand without a value here (after an `or`, say) is left out
    return Reason(kind, guard.text, guard.cites, tuple(seen), guard.reason, guard.key)


def _is_hidden(decision: Decision, expr: ir.Expr, temps: Temps, seat: int) -> bool:
    """Whether an expression reads what the reader may not see; the seat that is asked sees all that decides."""
    if seat == decision.seat:
        return False
    return decision.keeps(expr, seat) or hidden_from(decision.game, decision.words, expr, temps, seat)


def _in_domain(decision: Decision, domain: ir.Domain, temps: Temps, value: int) -> bool:
    a = _value(decision, domain.a, temps)
    if domain.kind == "set":
        return bool(a >> value & 1)
    if domain.kind == "list":
        return value in a
    assert domain.b is not None
    return bool(a <= value <= _value(decision, domain.b, temps))


def _value(decision: Decision, expr: ir.Expr, temps: Temps) -> Any:
    return decision.game.evaluate(decision.words, expr, temps, decision.site.temps)
