"""Obstacles, as parts of a condition in words, and how several are put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dsl import ir
from interpreter.explaining.scope import ReadingScope
from interpreter.rules.messages import Message, message

DEEPEST = 8  # values that are opened inside one another
MOST_PARTS = 4  # parts of a value that are told one by one; of more, the value as a whole


@dataclass(frozen=True, slots=True)
class ConditionPart:
    """A part of a condition that stands in the way: in words, with the clauses of the values around it."""

    words: Message
    cites: tuple[str, ...] = ()


Unfold: TypeAlias = "Callable[[ReadingScope, ir.Expr, bool], list[ConditionPart]]"


def as_parts(words: Message | None) -> list[ConditionPart]:
    return [ConditionPart(words)] if words else []


def joined(parts: Sequence[ConditionPart]) -> Message:
    """The words of several parts as one message."""
    return together([part.words for part in parts])


def together(found: Sequence[Message]) -> Message:
    """Messages all of which hold, as one."""
    words: Message = ()
    for other in dict.fromkeys(found):
        words = message("why_and", a=words, b=other) if words else other
    return words


def with_cites(parts: Sequence[ConditionPart], cites: Sequence[str]) -> list[ConditionPart]:
    """The parts with further clauses."""
    return [ConditionPart(part.words, tuple(dict.fromkeys((*part.cites, *cites)))) for part in parts]


def either(alternatives: Sequence[list[ConditionPart]]) -> list[ConditionPart]:
    """Alternatives, none of which holds, as one part."""
    told = [parts for parts in alternatives if parts]
    if len(told) < 2:
        return told[0] if told else []
    words = joined(told[0])
    for parts in told[1:]:
        words = message("why_either", a=words, b=joined(parts))
    return [ConditionPart(words, tuple(dict.fromkeys(c for parts in told for p in parts for c in p.cites)))]
