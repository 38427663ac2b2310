"""The result of a study, for text, JSON and a page alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from dsl.driver.reference import RulesetReference
from dsl.program import Program
from tools.lab.effects import Finding
from tools.lab.sequence import ERROR
from tools.pairs.figures import Figure, figure_text
from tools.pairs.trouble import LeftOut

KNOWN, RULE, EVEN = "known", "rule", "even"
"""Sorts of effects: once players know a change; of the rule itself; with no change, against an even share of wins."""
DECIDED, GAMES, TIME, BY_HAND = "decided", "games", "time", "by_hand"  # why a level stops
NO_SEARCH, NOT_ALIKE = "no_search", "not_alike"  # why there is no effect of the rule itself


@dataclass(frozen=True, slots=True)
class StudyQuestion:
    """The question to each level: pairs of games, so many at most, with these numbers of seats in turn, until what is
    said of these figures is decided, or within this share the same."""

    rules: tuple[RulesetReference, RulesetReference]
    seats: tuple[int, ...]
    asked: tuple[Figure, ...]
    until: float
    games: int
    seed: int
    max_decisions: int
    backend: str

    @property
    def alone(self) -> bool:
        """True without overlays: wins are compared with an even share of them."""
        return self.rules[0] == self.rules[1]

    def to_json(self) -> dict[str, Any]:
        return {
            "before": self.rules[0].label,
            "after": self.rules[1].label,
            "seats": list(self.seats),
            "asked": [figure_text(figure) for figure in self.asked],
            "until": self.until,
            "error": ERROR,
            "games": self.games,
            "seed": self.seed,
            "max_decisions": self.max_decisions,
        }


@dataclass(slots=True)
class StudyLevel:
    """The findings of the games of one level of bots. `effects`: by the sort of effect; `no_rule`: why that of the
    rule itself is missing; `lengths`: of the games before and after that are compared."""

    bot: str
    no_rule: str = ""
    played: int = 0
    compared: int = 0
    alike: int = 0
    stop: str = GAMES
    effects: dict[str, list[Finding]] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    lengths: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    pairs: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "bot": self.bot,
            "played": self.played,
            "compared": self.compared,
            "alike": self.alike,
            "stop": self.stop,
            "effects": {sort: [effect.to_json() for effect in effects] for sort, effects in self.effects.items()},
            "no_effect_of_the_rule": self.no_rule or None,
            "left_out": [asdict(game) for game in self.left_out],
            "pairs": self.pairs,
        }


@dataclass(slots=True)
class Study:
    """`command`: what was typed, as far as the result depends on it; `name_of`: from the id of an actor or value to its
    name in the language of the report."""

    question: StudyQuestion
    programs: tuple[Program, Program]
    command: str
    lang: str
    name_of: Callable[[str], str]
    levels: list[StudyLevel] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            **self.question.to_json(),
            "ruleset": self.programs[0].id,
            "version": self.programs[0].version,
            "digests": [program.digest for program in self.programs],
            "command": self.command,
            "levels": [level.to_json() for level in self.levels],
        }
