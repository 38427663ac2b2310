"""Demands that keep a plan from being completed: those that fail when it is tried.

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
from dsl.base.types import INT
from interpreter.choices import plan
from interpreter.core.errors import RulesetError, TriesUsedUp
from interpreter.core.question import RawOption
from interpreter.core.run import Run
from interpreter.core.words import Words
from interpreter.explaining.conditions import in_words, unfold
from interpreter.explaining.nouns import WORTH
from interpreter.explaining.parts import joined
from interpreter.explaining.scope import ReadingScope, evaluate, is_visible
from interpreter.machine.machine import Machine
from interpreter.rules.messages import Message, TextLabel, message
from interpreter.session.decision import Decision
from interpreter.visibility.cells import hidden_from


@dataclass(frozen=True, slots=True)
class UnmetDemand:
    """A demand that was not met: `guard` is its condition, where it has one; `at` the instruction that was running."""

    text: str
    cites: tuple[str, ...]
    at: int
    guard: ir.Guard | None = None
    seen: tuple[tuple[str, str], ...] = ()
    words: Message = ()


class ProbingMachine(Machine):
    """The reference machine, which records the demands that fail while a plan is tried, with the values that `seat`
    sees."""

    def __init__(self, decision: Decision, seat: int) -> None:
        super().__init__(decision.game.program)
        self.decision, self.seat = decision, seat
        self.failed: list[UnmetDemand] = []
        self.known: set[tuple[str, int]] = set()  # the demands that have failed, by text and instruction
        self.running: tuple[Any, list[Any]] | None = None  # the sentence that is carried out, with its names
        self.told = False  # whether the demand that fails next has been recorded
        handler = self.ex[ir.Require]

        def require(m: Run, s: ir.Require, t: list[Any]) -> int:
            if not m.value(s.guard.test, t):
                self.note(s.guard, t)
            return handler(m, s, t)

        self.ex[ir.Require] = require
        for node in (ir.Pay, ir.Transfer, ir.MoveThing):
            self.ex[node] = self.noting(self.ex[node])

    def noting(self, handler: Callable[..., int]) -> Callable[..., int]:
        """The handler of a sentence that may fail, which notes the sentence for `demand`."""

        def act(m: Run, s: Any, t: list[Any]) -> int:
            outer, self.running = self.running, (s, t)
            try:
                return handler(m, s, t)
            finally:
                self.running = outer

        return act

    def scope(self, t: list[Any]) -> ReadingScope:
        return ReadingScope(self.decision, self.seat, self.words[:], dict(enumerate(t)))

    def note(self, guard: ir.Guard, t: list[Any]) -> None:
        """Record a demand that is not met; of several failures of one at the same place the first."""
        text, at, game = guard.reason or guard.text, self.words[hdr.PC], self.decision.game
        if (text, at) in self.known:
            return
        self.known.add((text, at))
        temps = dict(enumerate(t))
        seen = tuple(
            (name, game.names.text(self.value(e, t), type_))
            for name, e, type_ in guard.parts
            if not hidden_from(game, self.words, e, temps, self.seat)
        )
        words = joined(in_words(self.scope(t), guard.test))
        self.failed.append(UnmetDemand(text, guard.cites, at, guard, seen, words))

    def list_options(self) -> list[RawOption]:
        """The options of a question. If it has none, the conditions on a whole answer become unmet demands, or the dead
        end itself does."""
        found = super().list_options()
        site = self.program.sites[self.words[hdr.SITE] - 1]
        if found or site.decline or site.if_any:
            return found
        self.told = True
        at = self.words[hdr.PC]
        for guard in site.such_that:
            text = guard.reason or guard.text
            self.failed.append(UnmetDemand(text, guard.cites or site.cites, at, guard))
        if not site.such_that:
            text = f"a dead end: `{site.address}` must be answered, but there is nothing to choose"
            words = message("why_dead_end", question=TextLabel((f"{site.address}.ask", site.address)))
            self.failed.append(UnmetDemand(text, site.cites, at, words=words))
        return found

    def demand(self, text: str, span: Span = NOWHERE, cites: Sequence[str] = (), ends: bool = False) -> Exception:
        told, self.told = self.told, False
        if not told and not text.startswith("required: "):
            words = sentence_words(self.scope(self.running[1]), self.running[0]) if self.running is not None else ()
            self.failed.append(UnmetDemand(text, tuple(cites), self.words[hdr.PC], words=words))
        return super().demand(text, span, cites, ends)


def sentence_words(scope: ReadingScope, s: ir.Stmt) -> Message:
    """The amount that a payment or a move lacks, in words; empty where it cannot be said."""
    program = scope.decision.game.program
    try:
        match s:
            case ir.Pay(purse=purse, args=args, amount=amount, gain=False):
                name = f"{WORTH}{program.purses[purse].name})"
                worth = next((n for n, f in enumerate(program.functions) if f.name == name), -1)
                return joined(unfold(scope, ir.Compare(">=", ir.CallFn(worth, args), amount))) if worth >= 0 else ()
            case ir.Transfer(source=ir.Pool(kind="count", address=address, symbol=symbol), amount=amount) if address:
                there = ir.Cell(address, INT, symbol)
                if is_visible(scope, there) and evaluate(scope, there) < evaluate(scope, amount):
                    return joined(unfold(scope, ir.Compare(">=", there, amount)))
    except RulesetError:
        pass
    return ()


def failed_demands(
    decision: Decision, words: Words, start: Callable[[ProbingMachine], int], limit: int = 3
) -> list[UnmetDemand]:
    """The demands that prevent the completion of what `start` begins; empty if it can be completed. `start` takes the
    machine and gives the first instruction; the seat that is asked is the reader."""
    machine = ProbingMachine(decision, decision.seat)
    machine.words = words[:]
    try:
        if plan.trial(machine, lambda: start(machine)):
            return []
    except TriesUsedUp:
        return [UnmetDemand(f"not decided within {decision.game.program.limits.tries} tries", (), 0)]
    except RulesetError as error:
        return [UnmetDemand(error.message, error.cites, 0)]
    distinct: dict[str, UnmetDemand] = {}
    for demand in sorted(machine.failed, key=lambda d: -d.at):
        distinct.setdefault(demand.text, demand)
    return list(distinct.values())[:limit]
