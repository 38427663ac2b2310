"""Judging the expectations of a ruling: values, answers, who is asked, what is known.

Answers that are the only possibility give themselves, and values are read behind them; a step `WHO chooses X` may name
them nevertheless. `legal X` holds exactly if such a step could be taken, `asks WHO` if that one could take some.
`illegal X` holds if a rule refuses the step: not because X is no answer to the question, nor because nothing is asked.
A step behind such rows answers a question that they looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl.base.types import MemberType
from dsl.files.phrases import FALLBACK
from dsl.ir.sites import OWN
from interpreter.core.errors import IllegalAnswer, RulesetError
from interpreter.explaining.reason import Reason, Refused, nothing_asked
from interpreter.explaining.reasons import reasons
from interpreter.play.answer import AnswerNotes, asked_text, play_items
from interpreter.play.hand_over import fact_types, rows
from interpreter.play.ways import NAMING
from interpreter.records.steps import StepError, take_all_forced, take_given
from interpreter.rules.facts import texts
from interpreter.rules.names import tokens
from interpreter.rules.payments import words_before_payment
from interpreter.session.decision import READY
from interpreter.session.entry import AUTO, CHOICE
from interpreter.session.state import State, copy
from interpreter.visibility.audiences import knows, place_of, thing_name
from interpreter.visibility.cells import hidden_from

AT_QUESTION = ("asks", "options", "legal", "illegal")  # expectations that look at the question that is open
NO_RULE = ("word", "turn", "over")  # reasons of refusals that do not come from a rule
Wrong = tuple[str, str]  # what was expected, what was seen


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of an expectation. `wrong`: what was expected and what was seen, if they differ; `refused`: why an
    illegal answer was refused; `at`: which of the questions a row that holds looked at, where it looked at one."""

    wrong: Wrong | None = None
    refused: str = ""
    at: int | None = None


def questions(state: State) -> list[State]:
    """The state, and the states behind each answer that is the only possibility; the last one waits for a real choice,
    or for nothing."""
    found = [state]
    trial = copy(state)
    while (decision := trial.decision) is not None and take_given(trial, decision):
        found.append(copy(trial))
    return found


def judge(states: Sequence[State], e: ir.Expectation, temps: int) -> Verdict:
    """`states`: those that `questions` gives."""
    last = states[-1]
    match e.op:
        case "legal":
            return judge_legal(states, e)
        case "illegal":
            return judge_illegal(states, e)
        case "value":
            return Verdict(judge_value(last, e, temps))
        case "known" | "hidden":
            return Verdict(judge_knowledge(last, e, temps))
        case "asks":
            at = last_of(states, lambda s: s.decision is not None and s.decision.asks(e.who))
            return Verdict((f"{e.who} is asked", question_text(states)) if at is None else None, at=at)
        case "nothing":
            return Verdict(None if is_idle(last) else ("nothing is asked", question_text(states)))
        case "options":
            return judge_options(states, e)
        case "handed":
            return Verdict(judge_fact(last, e))
        case "over":
            return Verdict(None if last.over else ("the end of the game", question_text(states)))
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
    """The expected and the true rows of a fact that the game would hand on now; None if they agree."""
    fact = next(f for f in state.game.program.hands_on if f.name == e.who)
    keys, t = fact_types(state, fact)
    seen, names = rows(state, fact), state.game.names

    def text(said: Sequence[tuple[tuple[int, ...], Any]]) -> str:
        shown = [" ".join((*texts(names, row, keys), names.text(value, t))) for row, value in said]
        return ", ".join(shown) or "none"

    return None if sorted(seen) == sorted(e.items) else (text(e.items), text(seen))


def judge_knowledge(state: State, e: ir.Expectation, temps: int) -> Wrong | None:
    """The first seat whose knowledge of where a named thing is, else of the cells that are read, is not as expected
    (`known` or `hidden`): what was expected of it, and what it has; None if all is as expected."""
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
        if not known and isinstance(thing, int) and is_named(state, thing, seat):
            return f"{e.op} to p{seat}", "named in the log"
    return None


def is_named(state: State, thing: int, seat: int) -> bool:
    """True if the lines about the last answer, and what gave itself behind it, name to a seat a thing that was chosen
    among hidden ones."""
    program, name = state.game.program, thing_name(state.game, thing)
    id_ = program.thing_ids[thing]
    hidden = {answers.site.address for answers in state.game.answers if OWN in answers.site.named}
    for entry in reversed(state.log):
        chosen = entry.address in hidden and any(
            i == id_ and thing in program.domains[domain].values
            for i, domain in zip(entry.ids, entry.domains, strict=False)
            if domain in program.domains
        )
        if chosen and entry.seen_by(seat) and name not in entry.unnamed_to(seat):
            return True
        if entry.kind == CHOICE:
            break
    return False


# ------------------------------------------------------------ the question that is open


def last_of(states: Sequence[State], test: Callable[[State], bool]) -> int | None:
    """The number of the last state that is so; None if none is."""
    return next((at for at in reversed(range(len(states))) if test(states[at])), None)


def judge_options(states: Sequence[State], e: ir.Expectation) -> Verdict:
    """The verdict on whether some question has these options, in any order, and no others."""
    wanted = {" ".join(tokens(item)) for item in e.items}
    expected = f"the options {', '.join(sorted(wanted)) or 'none'}"
    offered = [{" ".join(o.ids) for o in s.decision.options} if s.decision else set() for s in states]
    if wanted in offered:
        return Verdict(at=len(offered) - 1 - offered[::-1].index(wanted))
    if states[-1].decision is None:
        return Verdict((expected, question_text(states)))
    missing, more = wanted - offered[-1], offered[-1] - wanted
    differs = [f"without {', '.join(sorted(missing))}"] if missing else []
    differs += [f"also {', '.join(sorted(more))}"] if more else []
    return Verdict((expected, " and ".join(differs)))


def is_idle(state: State) -> bool:
    """True if neither a seat nor chance is asked anything."""
    return state.decision is None and state.chance is None


def question_text(states: Sequence[State]) -> str:
    """The open question in words; where nobody is asked, also the last one that gave its only answer by itself."""
    decision = states[-1].decision
    if decision is not None:
        return f"{asked_text(decision)} is asked at {decision.address}"
    idle = in_one_line([nothing_asked(states[-1])])
    given = [entry for entry in states[-1].log[len(states[0].log) :] if entry.kind == AUTO]
    asked = next((s.decision for s in reversed(states[:-1]) if s.decision and not s.decision.site.by_default), None)
    if asked is not None:
        own = [entry for entry in given if (entry.address, entry.actor) == (asked.address, asked.actor)]
        answer = ", ".join(" ".join(entry.ids) for entry in own if entry.ids) or own[-1].form
        return f"{idle}: the only answer of {asked_text(asked)} at {asked.address}, `{answer}`, gave itself"
    return idle


# ------------------------------------------------------------ answers


def judge_legal(states: Sequence[State], e: ir.Expectation) -> Verdict:
    at = last_of(states, lambda state: may_begin_at(state, e) and refusal_at(state, e) is None)
    if at is not None:
        return Verdict(at=at)
    return Verdict(("a legal answer", f"refused: {in_one_line(refusals(states, e) or ())}"))


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
        return Verdict(("a refusal by a rule", f"no answer to this question: {lines} ({question_text(states)})"))
    return Verdict(None, lines)


def refusals(states: Sequence[State], e: ir.Expectation) -> Sequence[Reason] | None:
    """The reasons why a step with this answer is refused, by the first question to which its words are an answer; None
    if it can be taken."""
    found: list[Reason] = []
    for state in states:
        refused = refusal_at(state, e) if may_begin_at(state, e) else found
        if refused is None:
            return None
        if all(reason.kind == "word" for reason in found):
            found = refused or found
    return found


def may_begin_at(state: State, e: ir.Expectation) -> bool:
    """True if an answer can begin here: not behind members that gave themselves, if its `ready` says that it names all
    of them."""
    return state.decision is None or not state.decision.cursor or READY not in tokens(e.items)[1:]


def refusal_at(state: State, e: ir.Expectation) -> list[Reason] | None:
    """The reasons of the question that is open, or of the next one that the words can answer; None if they are
    taken."""
    trial, notes = copy(state), AnswerNotes()
    try:
        play_items(trial, e.items, e.who or None, notes=notes)
        take_all_forced(trial)
        return None
    except Refused as refusal:
        found = list(refusal.reasons)
    except (IllegalAnswer, RulesetError) as refusal:
        found = [Reason("word", refusal.message)]
    weak = NO_RULE if all(reason.kind in NO_RULE for reason in found) else (*NO_RULE, "offer")
    return [*(reason for reason in passed_over(trial, e, notes) if reason.kind not in weak), *found]


def passed_over(refused: State, e: ir.Expectation, notes: AnswerNotes) -> list[Reason]:
    """The reasons why the words that were refused do not answer the questions before, which have answered themselves:
    words that such a question could take belong to a later one where that one takes them all. A reason counts only for
    whom the answer is of: who is named, else whose question has taken its first words, else who is asked in the end.
    Where that is nobody, and several were asked, a row that names no reason means all of them."""
    asked = notes.taker or (refused.decision.actor if refused.decision is not None else "")
    actors = {decision.actor for decision, _ in notes.passed}
    found: list[Reason] = []
    for decision, words in notes.passed:
        mine = decision.actor == asked if asked else len(actors) == 1 or not e.reason
        if decision.asks(e.who) if e.who else mine:
            words = words[: words_before_payment(words, 1)]
            found += reasons(decision, words, decision.seat)
    return found


def in_one_line(reasons: Sequence[Reason]) -> str:
    return "; ".join(dict.fromkeys(reason.line() for reason in reasons))


def matches_reason(reason: Reason, wanted: str, state: State) -> bool:
    """True if a reason is the one that a ruling names, by its key, or by a part of its text, its `because` or its
    words."""
    if reason.key and reason.key == wanted:
        return True
    words = state.game.texts.render(FALLBACK, reason.message)
    texts = (reason.text, reason.because, words)
    target = " ".join(wanted.split()).casefold()
    return any(target in " ".join(text.split()).casefold() for text in texts if text)
