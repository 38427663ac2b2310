"""Reasons against one alternative with these values: a domain, a guard or a demand of its action that fails.

Tests the domains and guards one by one, and tries the action; a false condition becomes a reason with the values seen,
the clauses, and its words. Nothing is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType, Type
from dsl.files.phrases import FALLBACK
from dsl.ir.walk import walk
from interpreter.choices import options, plan, sequence
from interpreter.core.errors import RulesetError
from interpreter.core.question import RawOption as MachineOption
from interpreter.explaining.conditions import in_words, missing_in, unfold
from interpreter.explaining.demands import UnmetDemand, failed_demands
from interpreter.explaining.membership import keeps_out
from interpreter.explaining.parts import ConditionPart, joined
from interpreter.explaining.reason import Reason, engine_reason
from interpreter.explaining.scope import scope_of
from interpreter.rules.messages import Message, Named, TextLabel, in_english, join_messages, message
from interpreter.semantics.reach import frontier
from interpreter.session.decision import DECLINE, READY, Decision, Option
from interpreter.visibility.cells import hidden_from

Temps = dict[int, Any]
MAX_ENDS = 4  # ends of a search that a reason lists


def alternative_reasons(decision: Decision, index: int, values: list[int], seat: int) -> list[Reason]:
    alternative = decision.site.alternatives[index]
    temps: Temps = {}
    hidden: list[Reason] = []
    for (_, slot, domain, type_), value in zip(alternative.binders, values, strict=False):
        if any(is_hidden(decision, e, temps, seat) for e in (domain.a, domain.b) if e is not None):
            hidden.append(Reason("domain", "hidden", decision.site.cites, hidden=True))
        elif not _in_domain(decision, domain, temps, value):
            return [_outside(decision, domain, temps, value, type_, seat)]
        temps[slot] = value
    if len(values) < len(alternative.binders):
        missing = alternative.binders[len(values) :]
        by_name = ", ".join(f"{name} ({type_})" for name, _, _, type_ in missing)
        kinds = join_messages([kind_label(type_) for _, _, _, type_ in missing])
        text = in_english(message("why_more", missing=by_name))
        return [Reason("word", text, message=message("why_more", missing=kinds))]
    found = _false_guards(decision, alternative.guards, temps, seat)
    if not found and decision.shape == "one" and decision.site.whole_slot >= 0 and values:
        temps[decision.site.whole_slot] = values[-1]
        conditions = [false_guard(decision, g, temps, seat, "such that") for g in decision.site.such_that]
        found = [r for r in conditions if r is not None]
    found = [r for r in found if not r.hidden] or hidden + found
    if found or any(_is_same_option(o, index, values) for o in decision.options):
        return found
    return plan_reasons(decision, index, values, temps) or [not_offered(decision)]


def kind_label(type_: Type) -> Message:
    """The name of a kind or enum, or a range of numbers, as a message."""
    if isinstance(type_, MemberType):
        return message("as_it_is", text=TextLabel((f"kind.{type_.domain}", type_.domain)))
    return message("as_it_is", text=str(type_))


def _outside(decision: Decision, domain: ir.Domain, temps: Temps, value: int, type_: Type, seat: int) -> Reason:
    """The reason that a value is not in the domain of a binder: the filter that keeps it out, where there is one."""
    cites, named = decision.site.cites, decision.game.names.text(value, type_)
    if domain.b is not None:
        low, high = value_of(decision, domain.a, temps), value_of(decision, domain.b, temps)
        return engine_reason("domain", message("why_range", word=named, range=f"{low}..{high}"), cites)
    ends = reach_ends(decision, domain.a, temps, type_)
    parts = [] if ends else _filters(decision, domain.a, temps, value, type_, seat)
    if parts:
        words = joined(parts)
        cites = tuple(dict.fromkeys((*cites, *(c for part in parts for c in part.cites))))
        return Reason("domain", decision.game.texts.render(FALLBACK, words), cites, message=words)
    text = in_english(message("why_domain", word=named, ends=ends))
    return Reason("domain", text, cites, message=message("why_domain", word=Named(value, type_), ends=ends))


def _filters(
    decision: Decision, domain: ir.Expr, temps: Temps, value: int, type_: Type, seat: int
) -> list[ConditionPart]:
    types = {slot: t for a in decision.site.alternatives for _, slot, _, t in a.binders}
    try:
        return keeps_out(scope_of(decision, seat, temps, types), domain, value, type_, unfold)
    except RulesetError:
        return []


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
            missing += missing_in(guard.test)
            if not any(_says_the_same(reason, earlier) for earlier in found):
                found.append(reason)
    return found


def _says_the_same(reason: Reason, earlier: Reason) -> bool:
    """True if a reason tells what an earlier one has told: the same value of the same thing."""
    if reason.because or len(reason.message) != 1 or len(earlier.message) != 1:
        return False
    one, other = dict(reason.message[0][1]), dict(earlier.message[0][1])
    if "what" not in one or one["what"] != other.get("what"):
        return False
    return earlier.message[0][0] == "why_nothing" or one.get("value") == other.get("value") is not None


def reach_ends(decision: Decision, expr: ir.Expr, temps: Temps, type_: Type) -> Message:
    """The places where the search of a `reach` ends, as a message; empty for any other set."""
    game, names = decision.game, decision.game.names
    if isinstance(expr, ir.CallFn):
        args = enumerate([value_of(decision, arg, temps) for arg in expr.args])
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


def plan_reasons(decision: Decision, index: int, values: list[int], temps: Temps) -> list[Reason]:
    """The demands that fail when the action of this option, or the open plan after it, is tried."""
    site, game, words = decision.site, decision.game, decision.words
    probe = site.alternatives[index].probe
    found: list[UnmetDemand] = []
    if words[hdr.PLAN] and site.filter:
        option = _as_machine_option(decision, index, tuple(values))
        if option is not None:
            found = failed_demands(decision, words, lambda m: options.take(m, option))
    elif probe is not None:
        room = [0] * game.temps
        for slot, value in temps.items():
            room[slot] = value
        found = failed_demands(decision, words, lambda m: plan.begin(m, probe, room))
    return as_reasons(found)


def as_reasons(demands: Sequence[UnmetDemand]) -> list[Reason]:
    """Demands that were not met, as reasons."""
    reasons = []
    for d in demands:
        text, because, key = (d.guard.text, d.guard.reason, d.guard.key) if d.guard else (d.text, "", "")
        reasons.append(Reason("plan", text, d.cites, d.seen, because, key, message=d.words))
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


def not_offered(decision: Decision) -> Reason:
    """The reason if all guards hold: the whole answer, the order or a later demand rules the option out."""
    cites = decision.site.cites
    if decision.shape in ("some", "amounts"):
        return engine_reason("bound", message("why_bound", bounds=bounds_text(decision)), cites)
    if decision.site.keys:
        return engine_reason("order", message("why_order"), cites)
    return engine_reason("plan", message("why_plan"), cites)


def bounds_text(decision: Decision) -> Message:
    """The bounds of the whole answer, as a message."""
    parts = []
    for bound in decision.site.bounds:
        if bound.per is None:
            part = message(bound.op, n=str(value_of(decision, bound.amount, {})))
            parts.append(message("in_total", bound=part) if bound.weight else part)
    parts += [message("as_it_is", text=g.reason or g.text) for g in decision.site.such_that if g.text]
    return message("bounds", bounds=join_messages(parts)) if parts else ()


def false_guard(decision: Decision, guard: ir.Guard, temps: Temps, seat: int, kind: str) -> Reason | None:
    """The guard as a reason, if it is false or if the reader may not know whether it holds; else None."""
    if is_hidden(decision, guard.test, temps, seat):
        return Reason(kind, "hidden", guard.cites, key=guard.key, hidden=True)
    if value_of(decision, guard.test, temps):
        return None
    game = decision.game
    seen = []
    for text, expr, type_ in guard.parts:
        try:
            if decision.keeps(expr, seat) or hidden_from(game, decision.words, expr, temps, seat):
                continue  # of which the guard reads the size alone
            seen.append((text, game.names.text(value_of(decision, expr, temps), type_)))
        except RulesetError:
            continue  # an operand without a value here (after an `or`, say) is left out
    types = {slot: t for a in decision.site.alternatives for _, slot, _, t in a.binders}
    parts = in_words(scope_of(decision, seat, temps, types), guard.test)
    cites = tuple(dict.fromkeys((*guard.cites, *(c for part in parts for c in part.cites))))
    return Reason(kind, guard.text, cites, tuple(seen), guard.reason, guard.key, message=joined(parts))


def is_hidden(decision: Decision, expr: ir.Expr, temps: Temps, seat: int) -> bool:
    """True if an expression reads what the reader may not see; the seat that is asked sees all that decides."""
    if seat == decision.seat:
        return False
    return decision.keeps(expr, seat) or hidden_from(decision.game, decision.words, expr, temps, seat)


def _in_domain(decision: Decision, domain: ir.Domain, temps: Temps, value: int) -> bool:
    a = value_of(decision, domain.a, temps)
    if domain.kind == "set":
        return bool(a >> value & 1)
    if domain.kind == "list":
        return value in a
    assert domain.b is not None
    return bool(a <= value <= value_of(decision, domain.b, temps))


def value_of(decision: Decision, expr: ir.Expr, temps: Temps) -> Any:
    return decision.game.evaluate(decision.words, expr, temps, decision.site.temps)
