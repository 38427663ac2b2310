"""A chance event that is asked, for drivers: the possible outcomes, and how likely each is.

Takes a store that waits for chance (a game begun with `chance="ask"`), gives the outcomes with exact weights. It draws
nothing itself: `interpreter.apply` takes the outcome that the driver has chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from dsl.base.types import MemberType
from interpreter.core.words import Words
from interpreter.rules.rules import Rules
from interpreter.semantics import chance


@dataclass(frozen=True, slots=True)
class Outcome:
    """One possible outcome, with the probability `weight` / `total`. `code` is its number in the store."""

    code: int
    id: str
    weight: int
    total: int
    event: ChanceEvent = field(repr=False, compare=False)

    @property
    def probability(self) -> Fraction:
        return Fraction(self.weight, self.total)

    def text(self, lang: str = "en") -> str:
        return self.event.game.texts.id(lang, self.event.domain(self.code), self.id)


class ChanceEvent:
    """The chance event that a store waits for. `op` is `member`, `number`, `piece` or `shuffle`; a shuffle is asked as
    the next thing from the top."""

    def __init__(self, game: Rules, words: Words) -> None:
        self.game = game
        self.words = words
        game.machine.words = words
        self.node = chance.awaited_event(game.machine)

    @property
    def address(self) -> str:
        return self.node.address

    @property
    def op(self) -> str:
        return self.node.op

    def domain(self, code: int) -> str:
        """The kind or enum of an outcome; empty for numbers."""
        if self.op == "shuffle":
            return self.game.program.thing_kinds[code]
        return self.node.type.domain if isinstance(self.node.type, MemberType) else ""

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The possible outcomes, in a fixed order; their weights add up to `total`."""
        program, weights = self.game.program, self.game.machine.outcomes(self.words)
        total = sum(weights.values())
        if self.op == "shuffle":
            ids = {code: program.thing_ids[code] for code in weights}
        else:
            ids = {code: chance.outcome_id(program, code, self.node.type) for code in weights}
        return tuple(Outcome(code, ids[code], weight, total, self) for code, weight in weights.items())

    def outcome(self, id_: str) -> Outcome | None:
        """The outcome with this id; None if it is not possible."""
        return next((o for o in self.outcomes if o.id == id_), None)
