"""Reasons at a table why an answer is not offered: as lines, leaf by leaf with values and clauses.

Takes a decision and the typed words of an answer; gives lines, which the terminal and the page show in their own ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from dsl.base.types import MemberType
from interpreter import Decision, Option, Reason, State, explain
from interpreter.core.question import RawOption as MachineOption
from interpreter.explaining.reason import engine_reason
from interpreter.explaining.reasons import interpret
from interpreter.explaining.reasons import reasons as reasons_against
from interpreter.rules.messages import message as engine_message
from interpreter.session.matching import best_match
from interpreter.visibility.audiences import knows
from tools.base.errors import shorten
from tools.display.typed_answers import read_words
from tools.shows.messages import message
from tools.table.candidates import Candidates, is_asked_elsewhere, nearest_name
from tools.table.listing import list_options

MOST_KINDS = 4  # kinds of answers, or offered answers, that are told about one by one
MOST_TRIED = 200  # answers of one kind that are explained to find what is common to all
FEW_TRIED = 25  # of those that are explained to somebody who only points
NOTHING_MORE = engine_message("why_nobody")  # says nothing besides a reason of the rules


@dataclass(slots=True)
class Why:
    """The lines that are told of an answer. `offered`: it, or one of those meant, can be taken now."""

    offered: bool = False
    lines: list[Text] = field(default_factory=list)

    def say(self, text: str, style: str = "") -> None:
        self.lines.append(Text(text, style=style))


def why(state: State, decision: Decision, typed: str, lang: str) -> Why:
    """The reasons why an answer in words is not offered, or a line that it is. A number alone means an option of the
    list."""
    told = Why()
    tell(told, state, decision, typed, lang)
    return told


def tell(told: Why, state: State, decision: Decision, typed: str, lang: str) -> None:
    """Say of an answer in words whether it is offered, and why not."""
    words, offered = read_words(decision, typed, lang), list_options(decision, lang)
    if (option := offered.find(typed)) is not None:
        words = list(option.ids)
    elif typed.isdecimal() and words == [typed] and decision.shape != "number":
        low, high = offered.labels[0], offered.labels[-1]
        told.say(message(lang, "number", n=shorten(typed, 12), low=low, high=high), "yellow")
        return
    reasons = explain(state, words, decision.seat)
    understood = words_were_understood(reasons)
    candidates = Candidates(state, decision, typed, lang)
    if option is not None or understood and (len(decision.site.alternatives) == 1 or not candidates.things):
        return tell_answer(told, decision, reasons, words, lang)
    groups = grouped(candidates.found())
    if not groups:
        return tell_answer(told, decision, reasons if understood else unknown(candidates, reasons), words, lang)
    if len(groups) > MOST_KINDS:
        texts = "; ".join(dict.fromkeys(group[0].text(lang) for group in groups))
        told.say(message(lang, "which", words=typed, texts=texts), "yellow")
        return
    for group in groups:
        tell_group(told, state, decision, group, lang)


def why_thing(state: State, decision: Decision, domain: str, value: int, lang: str) -> Why:
    """The reasons why a thing, or the member of an enum, cannot be chosen, or a line that it can: for somebody who
    points at it. What holds it, and things of other kinds with the same id, mean the same to who points."""
    program, names = state.game.program, state.game.names
    told, candidates = Why(), Candidates(state, decision, "", lang)
    if program.domains[domain].sort == "enum":
        members, id_ = {(domain, value)}, names.text(value, MemberType(domain, value, value))
    else:
        id_ = program.thing_ids[value]
        alike = {thing for thing, other in enumerate(program.thing_ids) if other == id_}
        seen = [thing for thing in alike if knows(state.game, candidates.presenter.words, thing, decision.seat)]
        members = {("", thing) for thing in (*alike, *(holder for one in seen for holder in candidates.holders(one)))}
    groups = grouped(candidates.naming(members))
    if not groups:
        name = state.game.texts.id(lang, domain, id_)
        tell_answer(told, decision, [engine_reason("offer", engine_message("why_not_here", word=name))], [id_], lang)
    for group in groups[:MOST_KINDS]:
        tell_group(told, state, decision, group, lang, FEW_TRIED)
    return told


def unknown(candidates: Candidates, reasons: Sequence[Reason]) -> Sequence[Reason]:
    """The reasons why words mean nothing in a question: the answer belongs to others, or the thing to none of its
    answers."""
    typed = candidates.typed
    if candidates.things or candidates.names_of_rest:
        return [engine_reason("offer", engine_message("why_not_here", word=typed))]
    if is_asked_elsewhere(candidates.decision, typed, candidates.lang):
        return [engine_reason("offer", engine_message("why_elsewhere", word=typed))]
    if reasons[0].kind != "word" or reasons[0].cites or candidates.decision.shape == "number":
        return reasons
    near = nearest_name(candidates)
    hint = engine_message("why_hint", word=near) if near else ()
    return [engine_reason("word", engine_message("why_no_such", word=typed, hint=hint))]


def words_were_understood(reasons: Sequence[Reason]) -> bool:
    """True if the reasons, none if an answer is offered, are about an answer, and not about words that mean none."""
    return not reasons or reasons[0].kind not in ("word", "type", "offer")


def grouped(answers: Sequence[Option]) -> list[list[Option]]:
    """The answers of each kind. Of kinds whose answers read the same, the one that least stands in the way."""
    groups: dict[int, list[Option]] = {}
    for option in answers:
        groups.setdefault(option.raw.alt, []).append(option)
    by_text: dict[frozenset[str], list[list[Option]]] = {}
    for group in groups.values():
        by_text.setdefault(frozenset(option.text() for option in group), []).append(group)
    return [max(alike, key=lambda g: conditions_met(g[0])) for alike in by_text.values()]


def conditions_met(option: Option) -> int:
    """The number of conditions of its kind that hold before the first that does not; more than all, if it is
    offered."""
    decision = option.decision
    alternative = decision.site.alternatives[option.raw.alt]
    if option in decision.options:
        return len(alternative.guards) + 1
    texts = {reason.text for reason in reasons_against(decision, [*option.ids], decision.seat)}
    return next((n for n, guard in enumerate(alternative.guards) if guard.text in texts), len(alternative.guards))


def tell_answer(told: Why, decision: Decision, reasons: Sequence[Reason], words: list[str], lang: str) -> None:
    """Say whether one answer is offered, and why not."""
    found, _ = best_match(decision, words) if not reasons else (None, 0)
    if not reasons:
        label = next((label for label, o in list_options(decision, lang).rows if o == found), "?")
        text = found.text(lang) if found is not None else " ".join(words)
        told.say(message(lang, "offered", words=text, n=label), "green")
        told.offered = True
        return
    told.say(message(lang, "not_offered", words=whole_text(decision, words, lang)), "yellow")
    for line in reason_lines(decision, reasons, lang):
        told.say(line)


def whole_text(decision: Decision, words: list[str], lang: str) -> str:
    """The text of the answer that the words are, offered or not; else the words."""
    if decision.site.shape == "one" and words:
        index, values, _ = interpret(decision, words)
        if index >= 0 and len(values) == len(decision.site.alternatives[index].binders):
            return Option(MachineOption("pick", (index + 1, *values), index, tuple(values)), decision).text(lang)
    return " ".join(name_of(decision, word, lang) for word in words)


def name_of(decision: Decision, word: str, lang: str) -> str:
    """The name of the thing with this id; other words as they are."""
    thing = decision.game.things.get(word)
    return decision.game.texts.id(lang, decision.game.program.thing_kinds[thing], word) if thing else word


def tell_group(told: Why, state: State, decision: Decision, group: Sequence[Option], lang: str,
               most: int = MOST_TRIED) -> None:  # fmt: skip
    """Say about answers of one kind whether one is offered; else what stands in the way of all of them, or of the
    one that least stands in the way of. True if one is offered."""
    offered = [(label, o) for label, o in list_options(decision, lang).rows if o in group]
    if offered:
        for label, option in offered[:MOST_KINDS]:
            told.say(message(lang, "offered", words=option.text(lang), n=label), "green")
        told.offered = True
        return
    found = [(option, explain(state, option, decision.seat)) for option in group[:most]]
    common = [r for r in found[0][1] if all(r in reasons for _, reasons in found)] if len(group) <= most else []
    nearest, least = min(found, key=lambda row: len(row[1]))
    name = nearest.text(lang)
    if len(group) > 1 and common:
        alternative = decision.site.alternatives[nearest.raw.alt]
        name = decision.game.texts.find(lang, f"{alternative.name}.title") or alternative.name.replace("_", " ")
    told.say(message(lang, "not_offered", words=name), "yellow")
    for line in reason_lines(decision, common or least, lang):
        told.say(line)


def reason_lines(decision: Decision, reasons: Sequence[Reason], lang: str) -> Iterator[str]:
    """The lines of all reasons, indented under the answer."""
    for reason in reasons:
        for line in lines_of_reason(decision, reason, lang):
            yield "  " + line


def lines_of_reason(decision: Decision, reason: Reason, lang: str) -> list[str]:
    """One reason in words that people who play say, and the clauses with their titles. A condition without such words
    is shown as the rules have it, with the values seen, unless the rules say why it stands."""
    texts = decision.game.texts
    because = (texts.find(lang, reason.key) if reason.key else None) or reason.because
    says_more = reason.message and not (because and reason.message == NOTHING_MORE)
    words = texts.render(lang, reason.message) if says_more else ""
    seen: tuple[tuple[str, str], ...] = ()
    if reason.hidden:
        lines = [message(lang, "hidden")]
    elif words:
        lines = [message(lang, "in_detail", text=because, words=words) if because else words]
    else:
        lines = [because or reason.text]
        seen = reason.seen if not because else ()
    lines += ["  " + message(lang, "seen", name=name, value=value) for name, value in seen]
    lines += [f"  [{clause}] {texts.clause(lang, clause)}".rstrip() for clause in reason.cites]
    return lines
