"""Matching the words of an answer with the options of a question.

Options are matched by what their words mean (aliases included), and the members of a long answer are read by their
types. Nothing is played here; `interpreter.play.answer` plays and `interpreter.play.explain` gives reasons.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import IntType, SparseType, bounds
from interpreter.core.words import members
from interpreter.rules.names import as_int
from interpreter.rules.payments import is_same_payment
from interpreter.session.decision import DECLINE, READY, Decision, Option

Member = tuple[tuple[int, ...], list[str]]
Offered = dict[tuple[int, ...], list[int]]  # what stands for the things that are named, by alternative and things


def best_match(decision: Decision, words: Sequence[str]) -> tuple[Option | None, int]:
    """The option that uses the most leading words, with their number."""
    best, most_used = None, 0
    offered: Offered = {}
    for option in decision.options:
        used = match(decision, option, words, offered)
        if used > most_used:
            best, most_used = option, used
    return best, most_used


def match(decision: Decision, option: Option, words: Sequence[str], offered: Offered) -> int:
    """The number of leading words that name this option; 0 if they do not. What `stand_in` says is kept in `offered`,
    as it is the same for all options of an alternative."""
    if option.kind in (DECLINE, READY):
        return 1 if words[0] == option.kind else 0
    if decision.site.payment is not None and is_same_payment(ids := option.ids, words[: len(ids)]):
        return len(ids)
    if option.kind == "number":
        return 1 if as_int(words[0]) == option.raw.values[-1] else 0
    alternative = decision.alternative(option.raw)
    if alternative is None:
        return 0
    at = 1 if alternative.name and words[0] == alternative.name else 0
    named, values = at, option.raw.values
    given: list[int] = []
    for (_, _, _, type_), value in zip(alternative.binders, values, strict=False):
        meant = decision.game.names.parse(words[at], type_) if at < len(words) else None
        if meant is None or meant != value and alternative.alike is None:
            return 0
        given.append(meant)
        at += 1
    if alternative.alike is not None:
        named_by = option.raw.alt, *given
        if named_by not in offered:
            offered[named_by] = stand_in(decision, alternative, given)
        if offered[named_by] != list(values[: len(given)]):
            return 0
    if option.kind == "amount":
        if at >= len(words) or as_int(words[at]) != values[-1]:
            return 0
        at += 1
    return at if named or not _fits_another(decision, alternative, words) else 0


def _fits_another(decision: Decision, mine: ir.Alternative, words: Sequence[str]) -> bool:
    """True if these words, without a name before them, would fit another alternative of this question too."""
    parse = decision.game.names.parse
    for other in decision.site.alternatives:
        types = [type_ for _, _, _, type_ in other.binders]
        if other is mine or not types or len(types) > len(words):
            continue
        if all(parse(word, type_) is not None for word, type_ in zip(words, types, strict=False)):
            return True
    return False


def stand_in(
    decision: Decision, alternative: ir.Alternative, values: Sequence[int], taken: Container[int] = ()
) -> list[int]:
    """The values of binders, with the thing that `alike` is about replaced by the one that is offered in its stead: the
    first of those that cannot be told apart from it and are in no answer yet, if there is one."""
    found = list(values)
    if alternative.alike is None:
        return found
    slot, same = alternative.alike
    temps = {own: value for (_, own, _, _), value in zip(alternative.binders, values, strict=False)}
    if slot not in temps:
        return found
    kin = members(decision.game.evaluate(decision.words, same, temps, decision.site.temps))
    thing = temps[slot]
    answer = decision.site.answer
    given: tuple[int, ...] = ()
    if decision.shape == "some" and decision.cursor and answer is not None:
        given = members(decision.game.evaluate(decision.words, ir.FrameVar(*answer)))
    if thing in kin and thing not in given:
        at = next(n for n, (_, own, _, _) in enumerate(alternative.binders) if own == slot)
        found[at] = next((x for x in kin if x not in given and x not in taken), thing)
    return found


def members_named(decision: Decision, words: Sequence[str]) -> list[Member]:
    """The leading words as members of a `some`, or slots with amounts of an `amounts`: (values, words) each, as far
    as they fit by type and none comes twice. Things that are one option stand for each other."""
    found: list[Member] = []
    seen: set[tuple[int, ...]] = set()
    at = 0
    while at < len(words):
        member = _member(decision, words, at)
        if member is None or member[0] in seen:
            break
        found.append(member)
        seen.add(member[0])
        at += len(member[1])
    alternative = decision.site.alternatives[0]
    if alternative.alike is None:
        return found
    taken: set[int] = set()
    for n, (values, own) in enumerate(found):
        now = stand_in(decision, alternative, values, taken)
        taken.add(now[-1])
        found[n] = tuple(now), own
    return found


def _member(decision: Decision, words: Sequence[str], at: int) -> Member | None:
    start, values = at, []
    types = [b[3] for b in decision.site.alternatives[0].binders]
    if decision.shape == "amounts":
        types.append(IntType())
    for type_ in types:
        value = decision.game.names.parse(words[at], type_) if at < len(words) else None
        if value is None:
            return None
        values.append(value)
        at += 1
    return tuple(values), list(words[start:at])


def answer_value(decision: Decision, members: Sequence[Member]) -> Any:
    """The members as one value: a set, or a sparse map of (key number, amount) in key order."""
    if decision.shape == "some":
        mask = 0
        for values, _ in members:
            mask |= 1 << values[-1]
        return mask
    keys = (
        decision.site.answer[1].keys if decision.site.answer and isinstance(decision.site.answer[1], SparseType) else ()
    )
    pairs = []
    for values, _ in members:
        number = 0
        for value, key in zip(values, keys, strict=False):
            low, high = bounds(key)
            number = number * (high - low + 1) + value - low
        if values[-1]:
            pairs.append((number, values[-1]))
    return tuple(sorted(pairs))
