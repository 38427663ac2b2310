"""Why a plan cannot be completed: the demands that fail when it is tried.

Takes an option that its guards allow and the plan does not, tries it with a machine that records every demand that was
not met, and gives these, those furthest into the action first. It only works on copies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.span import NOWHERE, Span
from interpreter.choices import plan
from interpreter.core.errors import RulesetError, TriesUsedUp
from interpreter.core.question import Option
from interpreter.core.run import Run
from interpreter.machine.machine import Machine
from interpreter.rules.rules import Rules
from interpreter.visibility.cells import hidden_from


@dataclass(frozen=True, slots=True)
class Demand:
    """A demand that was not met: `guard` is its condition, where it has one; `at` the instruction that was running."""

    text: str
    cites: tuple[str, ...]
    at: int
    guard: ir.Guard | None = None
    seen: tuple[tuple[str, str], ...] = ()


class ProbingMachine(Machine):
    """The reference machine, which records the demands that fail while a plan is tried, with the values that `seat`
    sees."""

    def __init__(self, game: Rules, seat: int) -> None:
        super().__init__(game.program)
        self.game = game
        self.failed: list[Demand] = []
        self.told = False  # whether the demand that fails next has been recorded
        handler = self.ex[ir.Require]

        def require(m: Run, s: ir.Require, t: list[Any]) -> int:
            if not m.value(s.guard.test, t):
                values = tuple(
                    (name, game.names.text(m.value(e, t), type_))
                    for name, e, type_ in s.guard.parts
                    if not hidden_from(game, m.words, e, dict(enumerate(t)), seat)
                )
                text = s.guard.reason or s.guard.text
                self.failed.append(Demand(text, s.guard.cites, m.words[hdr.PC], s.guard, values))
            return handler(m, s, t)

        self.ex[ir.Require] = require

    def list_options(self) -> list[Option]:
        """Where a question has no answer because of the conditions on it, these are what was not met."""
        found = super().list_options()
        site = self.program.sites[self.words[hdr.SITE] - 1]
        if not found and site.such_that and not (site.decline or site.if_any):
            self.told = True
            for guard in site.such_that:
                text = guard.reason or guard.text
                self.failed.append(Demand(text, guard.cites or site.cites, self.words[hdr.PC], guard))
        return found

    def demand(self, message: str, span: Span = NOWHERE, cites: Sequence[str] = (), ends: bool = False) -> Exception:
        told, self.told = self.told, False
        if not told and not message.startswith("required: "):
            self.failed.append(Demand(message, tuple(cites), self.words[hdr.PC]))
        return super().demand(message, span, cites, ends)


def failed_demands(
    game: Rules, words: list[int], start: Callable[[ProbingMachine], int], seat: int, limit: int = 3
) -> list[Demand]:
    """The demands that prevent the completion of what `start` begins; empty if it can be completed. `start` takes the
    machine and gives the first instruction; `seat` is the reader."""
    machine = ProbingMachine(game, seat)
    machine.words = words[:]
    try:
        if plan.trial(machine, lambda: start(machine)):
            return []
    except TriesUsedUp:
        return [Demand(f"not decided within {game.program.limits.tries} tries", (), 0)]
    except RulesetError as error:
        return [Demand(error.message, error.cites, 0)]
    distinct: dict[str, Demand] = {}
    for demand in sorted(machine.failed, key=lambda d: -d.at):
        distinct.setdefault(demand.text, demand)
    return list(distinct.values())[:limit]
