"""The errors of a game that is played.

`RulesetError` is a fault of a ruleset that only play could show (a dead end, a number out of its range, an endless
loop); `IllegalAnswer` refuses input and leaves the state as it was. The other classes are signals inside the
machine and never leave it.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.base.span import NOWHERE, Span


class RulesetError(Exception):
    """A fault of a ruleset. `message`: what was read and what was expected; `place`: `file:line:column`; `rules`: the
    routines that were running, the innermost last."""

    def __init__(
        self,
        message: str,
        span: Span = NOWHERE,
        cites: Sequence[str] = (),
        rules: Sequence[str] = (),
        place: str = "",
    ) -> None:
        self.message = message
        self.span = span
        self.cites = tuple(cites)
        self.rules = tuple(rules)
        self.place = place
        super().__init__(message)

    @property
    def where(self) -> str:
        """The place of the fault, without the message, which may say what not everybody may know."""
        rules = f" (in {' > '.join(self.rules)})" if self.rules else ""
        return f"{self.place}{rules}".strip()

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.place else self.message
        if self.cites:
            text += f" [{', '.join(self.cites)}]"
        if self.rules:
            text += f" (in {' > '.join(self.rules)})"
        return text


class IllegalAnswer(Exception):
    """An answer that is not offered: `guard` is the text of the condition that failed, `values` the operands seen."""

    def __init__(
        self,
        message: str,
        guard: str = "",
        values: Sequence[tuple[str, str]] = (),
        cites: Sequence[str] = (),
    ) -> None:
        self.message = message
        self.guard = guard
        self.values = tuple(values)
        self.cites = tuple(cites)
        super().__init__(message)


class DemandFailed(Exception):
    """A demand was not met. In a probe the plan has failed; elsewhere the machine turns it into a RulesetError."""

    def __init__(self, message: str, span: Span = NOWHERE, cites: Sequence[str] = ()) -> None:
        self.message = message
        self.span = span
        self.cites = tuple(cites)
        super().__init__(message)


class PlanSettled(Exception):
    """The end of a probe whose plan has come to its end or to its commit point, so that it can be completed."""


class TriesUsedUp(Exception):
    """The end of a probe that has reached the limit `tries` before its plan was decided."""
