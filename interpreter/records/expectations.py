"""What a ruling expects, judged: values, answers, who is asked, what is known.

Answers that are the only possibility give themselves, and values are read behind them; a step `WHO chooses X` may name
them nevertheless. `legal X` holds exactly if such a step could be taken, `asks WHO` if that one could take some.
`illegal X` holds if a rule refuses the step: not because X is no answer to the question, nor because nothing is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl.base.types import MemberType
from dsl.files.phrases import FALLBACK
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.explaining.reason import Reason, Refused, nothing_asked
from interpreter.explaining.reasons import reasons
from interpreter.play.answer import asked_text, play_items
from interpreter.play.hand_over import fact_types, rows
from interpreter.play.ways import NAMING, take_forced
from interpreter.records.steps import StepError, take_all_forced
from interpreter.rules.facts import texts
from interpreter.rules.names import tokens
from interpreter.rules.payments import words_before_payment
from interpreter.session.matching import best_match
from interpreter.session.state import State, copy
from interpreter.visibility.audiences import knows, place_of
from interpreter.visibility.cells import hidden_from

AT_QUESTION = ("asks", "options", "legal", "illegal")  # expectations that look at the question that is open
NO_RULE = ("word", "turn", "over")  # reasons of refusals that do not come from a rule
Wrong = tuple[str, str]  # what was expected, what was seen


@dataclass(frozen=True, slots=True)
class Verdict:
    """`wrong`: what was expected and what was seen, if they differ; `refused`: why an illegal answer was refused."""

    wrong: Wrong | None = None
    refused: str = ""


def questions(state: State) -> list[State]:
    """The state, and the states behind each answer that is the only possibility; the last one waits for a real choice,
    or for nothing."""
    found = [state]
    trial = copy(state)
    while (decision := trial.decision) is not None and take_forced(trial, decision):
        found.append(copy(trial))
    return found


def judge(states: Sequence[State], e: ir.Expectation, temps: int) -> Verdict:
    """`states`: those that `questions` gives."""
    last = states[-1]
    match e.op:
        case "legal":
            return Verdict(judge_legal(states, e))
        case "illegal":
            return judge_illegal(states, e)
        case "value":
            return Verdict(judge_value(last, e, temps))
        case "known" | "hidden":
            return Verdict(judge_knowledge(last, e, temps))
        case "asks":
            asked = any(s.decision is not None and s.decision.asks(e.who) for s in states)
            return Verdict(None if asked else (f"{e.who} is asked", question_text(last)))
        case "nothing":
            return Verdict(None if is_idle(last) else ("nothing is asked", question_text(last)))
        case "options":
            return Verdict(judge_options(states, e))
        case "handed":
            return Verdict(judge_fact(last, e))
        case "over":
            return Verdict(None if last.over else ("the end of the game", question_text(last)))
        case "not over":
            return Verdict(("a game that goes on", "the end of the game") if last.over else None)
    raise StepError(f"an expectation of the unknown kind `{e.op}`")


def judge_value(state: State, e: ir.Expectation, temps: int) -> Wrong | None:
    assert e.left is not None and e.right is not None and e.type is not None
    game = state.game
    left = game.evaluate(state.words, e.left, {}, temps)
    right = game.evaluate(state.words, e.right, {}, temps)
    if left == right:
        return None
    return game.names.text(right, e.type), game.names.text(left, e.type)


def judge_fact(state: State, e: ir.Expectation) -> Wrong | None:
    """Whether a fact has these rows and no others, if the game handed it on now."""
    fact = next(f for f in state.game.program.hands_on if f.name == e.who)
    keys, t = fact_types(state, fact)
    seen, names = rows(state, fact), state.game.names

    def text(said: Sequence[tuple[tuple[int, ...], Any]]) -> str:
        shown = [" ".join((*texts(names, row, keys), names.text(value, t))) for row, value in said]
        return ", ".join(shown) or "none"

    return None if sorted(seen) == sorted(e.items) else (text(e.items), text(seen))


def judge_knowledge(state: State, e: ir.Expectation, temps: int) -> Wrong | None:
    """Whether all seats know (or none knows, if `hidden` is expected) where a named thing is, else the cells that are
    read."""
    assert e.left is not None and e.right is not None
    game, words = state.game, state.words
    thing = e.left.value if isinstance(e.left, ir.Const) and isinstance(e.type, MemberType) else 0
    for seat in game.names.seats_of(game.evaluate(words, e.right, {}, temps)):
        if isinstance(thing, int) and place_of(game, words, thing):
            known = knows(game, words, thing, seat)
        else:
            known = not hidden_from(game, words, e.left, {temps: 0}, seat)
        if known != (e.op == "known"):
            return f"{e.op} to p{seat}", "hidden" if e.op == "known" else "known"
    return None


# ------------------------------------------------------------ the question that is open


def judge_options(states: Sequence[State], e: ir.Expectation) -> Wrong | None:
    """Whether some question has these options, in any order, and no others."""
    wanted = {" ".join(tokens(item)) for item in e.items}
    found: set[str] = set()
    for state in states:
        found = {" ".join(o.ids) for o in state.decision.options} if state.decision else set()
        if found == wanted:
            return None
    missing, more = wanted - found, found - wanted
    differs = [f"without {', '.join(sorted(missing))}"] if missing else []
    differs += [f"also {', '.join(sorted(more))}"] if more else []
    return f"the options {', '.join(sorted(wanted)) or 'none'}", " and ".join(differs)


def is_idle(state: State) -> bool:
    """Whether nothing is asked, of nobody and not of chance."""
    return state.decision is None and state.chance is None


def question_text(state: State) -> str:
    """The open question in words."""
    if state.decision is not None:
        return f"{asked_text(state.decision)} is asked at {state.decision.address}"
    return in_one_line([nothing_asked(state)])


# ------------------------------------------------------------ answers


def judge_legal(states: Sequence[State], e: ir.Expectation) -> Wrong | None:
    refused = refusals(states, e)
    return None if refused is None else ("a legal answer", f"refused: {in_one_line(refused)}")


def judge_illegal(states: Sequence[State], e: ir.Expectation) -> Verdict:
    refused = refusals(states, e)
    if refused is None:
        decision = states[0].decision
        return Verdict(("a refusal", f"it is legal at {decision.address}" if decision else "it is legal"))
    lines = in_one_line(refused)
    if all(reason.kind == "over" for reason in refused):
        return Verdict(("a refusal by a rule", f"{lines}; a row `nothing asked` can expect that"))
    if e.reason:
        fits = any(matches_reason(reason, e.reason, states[0]) for reason in refused if reason.kind != "over")
        return Verdict(None, lines) if fits else Verdict((f"refused because `{e.reason}`", f"refused: {lines}"))
    if not NAMING.isdisjoint(tokens(e.items)):
        if not any(reason.kind == "way" for reason in refused):
            return Verdict(("a refusal of the way that is named", f"refused: {lines}"))
    elif all(reason.kind in NO_RULE for reason in refused):
        return Verdict(("a refusal by a rule", f"no answer to this question: {lines} ({question_text(states[-1])})"))
    return Verdict(None, lines)


def refusals(states: Sequence[State], e: ir.Expectation) -> Sequence[Reason] | None:
    """Why a step with this answer is refused; None if it can be taken. Words that a question which answers itself could
    take belong to a later one where that one takes them all."""
    found: list[Reason] = []
    for state in states:
        refused = refusal_at(state, e)
        if refused is None:
            return None
        found = found or refused
    weak = NO_RULE if all(reason.kind in NO_RULE for reason in found) else (*NO_RULE, "offer")
    return [*(reason for reason in passed_over(states, e) if reason.kind not in weak), *found]


def refusal_at(state: State, e: ir.Expectation) -> list[Reason] | None:
    try:
        trial = copy(state)
        play_items(trial, e.items, e.who or None)
        take_all_forced(trial)
        return None
    except Refused as refusal:
        return list(refusal.reasons)
    except (IllegalAnswer, RulesetError) as refusal:
        return [Reason("word", refusal.message)]


def passed_over(states: Sequence[State], e: ir.Expectation) -> list[Reason]:
    """Why the answer does not answer the questions before the one that refused it, which have answered themselves."""
    words = tokens(e.items)
    words = words[: words_before_payment(words, 1)]
    found: list[Reason] = []
    for state in states[:-1]:
        decision = state.decision
        if decision is None or best_match(decision, words)[0] is not None:
            break
        if not decision.cursor and (not e.who or decision.asks(e.who)):
            found += reasons(decision, words, decision.seat)
    return found


def in_one_line(reasons: Sequence[Reason]) -> str:
    return "; ".join(dict.fromkeys(reason.line() for reason in reasons))


def matches_reason(reason: Reason, wanted: str, state: State) -> bool:
    """Whether a reason is the one that a ruling names, by its key, or by a part of its text, its `because` or its
    words."""
    if reason.key and reason.key == wanted:
        return True
    words = state.game.texts.render(FALLBACK, reason.message)
    texts = (reason.text, reason.because, words)
    target = " ".join(wanted.split()).casefold()
    return any(target in " ".join(text.split()).casefold() for text in texts if text)
