"""The reasons why an answer is not offered.

Takes the words of an answer, finds the alternative that they mean, and tests its guards one by one: a false one becomes
a reason with the values seen and the clauses. Unknown words become a reason with the nearest known id. Nothing is
changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.base.types import IntType, Type
from interpreter.core.errors import IllegalAnswer
from interpreter.explaining.guards import alternative_reasons, kind_label
from interpreter.explaining.reason import Reason, Refused, engine_reason
from interpreter.explaining.whole import end_reasons, whole_reasons
from interpreter.rules.messages import join_messages, message
from interpreter.rules.names import as_int, nearest
from interpreter.session.decision import DECLINE, READY, Decision, Option
from interpreter.session.matching import members_named, stand_in


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
        return end_reasons(decision)
    if decision.shape == "number":
        number = as_int(words[0])
        if number is None:
            return [engine_reason("word", message("why_number", word=words[0]))]
        return alternative_reasons(decision, 0, [number], seat)
    if decision.shape in ("some", "amounts"):
        named = members_named(decision, words)
        if named and sum(len(w) for _, w in named) == len(words):
            return whole_reasons(decision, named, seat)
    index, values, unknown = interpret(decision, words)
    if index < 0:
        return [unknown]
    values = stand_in(decision, decision.site.alternatives[index], values)
    return alternative_reasons(decision, index, values, seat)


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
    """The reason why a word means nothing here; `named`: the words before it name an alternative."""
    known = {w for t in types for w in decision.game.names.words_of(t)}
    known |= {a.name for a in decision.site.alternatives if a.name}
    if word not in known and any(a.name == word for site in decision.game.program.sites for a in site.alternatives):
        return engine_reason("offer", message("why_elsewhere", word=word))
    numbers = [t for t in types if isinstance(t, IntType)]
    if numbers and as_int(word) is not None:
        return engine_reason("domain", message("why_range", word=word, range=str(numbers[0])), decision.site.cites)
    near = nearest(word, known)
    expected = join_messages([kind_label(t) for t in sorted(dict.fromkeys(types), key=str)])
    hint = message("why_hint", word=near) if near and near != word else ()
    if not expected:
        return engine_reason("word", message("why_word_at_all", word=word, hint=hint))
    return engine_reason("type" if named else "word", message("why_word", word=word, expected=expected, hint=hint))
