"""Rounds of a loop `at once`: which question belongs to one, whose answer it is, and what was answered early.

The rules ask the members one after the other and apply no answer before all are there, so what one is offered does not
depend on what another answers. A member may therefore answer before its turn: its answer is kept beside the store,
which waits for the first member still, and is taken when the rules come to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dsl import ir
from dsl.program import FP, FRAME_LINK, PC, SITE
from interpreter.core.words import Words
from interpreter.rules.rules import Rules

Code = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Early:
    """Answers that were given before their turn, by the places of their members in the order of the rules. `frame`,
    `first`: of the round that they belong to, its frame and its first question."""

    frame: int = 0
    first: int = -1
    answers: Mapping[int, tuple[Code, ...]] = field(default_factory=dict)

    def of(self, words: Words, site: ir.Site) -> Mapping[int, tuple[Code, ...]]:
        """The early answers of the round that this question belongs to, by place; none for another round."""
        return self.answers if round_of(words, site) == (self.frame, self.first) else {}

    def to_json(self) -> list[Any]:
        """The answers as JSON data: place and code of each."""
        return [[place, list(code)] for place, codes in self.answers.items() for code in codes]


NONE_EARLY = Early()


def places(rules: Rules) -> frozenset[int]:
    """The instructions that ask in a round. An answer that can no longer be given when it is applied is asked for once
    more, alone: that question follows answers of others, and is no part of a round."""
    first: dict[int, int] = {}  # by question: where it is asked, before where it is asked again
    for place, i in enumerate(rules.program.code):
        if isinstance(i, ir.Ask) and rules.program.sites[i.site].at_once is not None:
            first.setdefault(i.site, place)
    return frozenset(first.values())


def is_in_round(rules: Rules, words: Words) -> bool:
    """True if the pending question is asked to all members together."""
    number = words[SITE] - 1
    return number >= 0 and rules.program.sites[number].at_once is not None and words[PC] in rules.cached(places)


def round_of(words: Words, site: ir.Site) -> tuple[int, int]:
    """The frame and the first question of a round."""
    return words[FP], site.at_once[0] if site.at_once is not None else -1


def place_of(words: Words, site: ir.Site) -> int:
    """The place of the member that is asked in the order of the members."""
    assert site.at_once is not None, "a question of a loop `at once`"
    return words[words[FP] + FRAME_LINK + site.at_once[1]] - 1


def is_last(words: Words, site: ir.Site) -> bool:
    """True if no member follows the one that is asked."""
    assert site.at_once is not None, "a question of a loop `at once`"
    return place_of(words, site) >= words[words[FP] + FRAME_LINK + site.at_once[2]]


def goes_on(rules: Rules, before: Words, then: Words) -> bool:
    """True if a store with a question of a round has led to one with the next question of the same round: of a later
    member, or one more of the same member."""
    if not (is_in_round(rules, before) and is_in_round(rules, then)):
        return False
    was, now = (rules.program.sites[words[SITE] - 1] for words in (before, then))
    return round_of(before, was) == round_of(then, now) and reached(before, was) < reached(then, now)


def reached(words: Words, site: ir.Site) -> tuple[int, int, int]:
    """The progress of a round, to be compared: the place of the member, its question, and the place in a long
    answer."""
    cursor = words[words[FP] + FRAME_LINK + site.cursor] if site.cursor >= 0 else 0
    return place_of(words, site), words[SITE], cursor
