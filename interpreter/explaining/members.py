"""Reasons why none of several members meets a condition, in words, for those that meet most of it.

Takes each member by what it is called, with the scope in which it is bound; gives parts of a condition in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from dsl import ir
from interpreter.explaining.parts import ConditionPart, Unfold, as_parts, joined, together
from interpreter.explaining.scope import ReadingScope, evaluate, is_visible
from interpreter.rules.messages import Message, join_messages, message

MOST_MEMBERS = 4  # members of a set that are told one by one
Member: TypeAlias = tuple[Message, ReadingScope]


def none_will_do(
    members: Sequence[Member], tests: Sequence[ir.Expr], wanted: bool, unfold: Unfold, whole: Message | None
) -> list[ConditionPart]:
    """The part that says of the members which pass the most of these tests, in their order, why the next test does not
    come out as `wanted`; empty where the reader may not see what decides. `whole`: the set of the members in words."""
    for test in tests:
        if not all(is_visible(scope, test) for _, scope in members):
            return []
        fitting = [(name, scope) for name, scope in members if bool(evaluate(scope, test)) == wanted]
        if not fitting:
            return _told(members, test, wanted, unfold, whole)
        members = fitting
    return []


def _told(
    members: Sequence[Member], test: ir.Expr, wanted: bool, unfold: Unfold, whole: Message | None
) -> list[ConditionPart]:
    told: list[Message] = []
    cites: list[str] = []
    for name, scope in members[:MOST_MEMBERS]:
        parts = unfold(scope, test, wanted)
        if not parts:
            return as_parts(message("why_none_of", members=_listed(members)))
        told.append(message("why_for", member=name, why=joined(parts)))
        cites += [cite for part in parts for cite in part.cites]
    words = together(told)
    if len(members) > MOST_MEMBERS:
        words = message("why_example", what=whole or _listed(members[:MOST_MEMBERS]), example=told[0])
    return [ConditionPart(words, tuple(dict.fromkeys(cites)))]


def _listed(members: Sequence[Member]) -> Message:
    return join_messages([name for name, _ in members])
