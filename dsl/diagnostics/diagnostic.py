"""Diagnostics as values: made by any pass, sorted by place and rendered at the end.

`Diagnostic` carries a stable code (`RW0203`), a severity, a primary span, labelled secondary spans, the message (what
was read, what was expected), a help line (how to mend it) and perhaps a fix. Every code has its page in
`docs/diagnostics`.
"""

from __future__ import annotations

from enum import Enum

from dsl.base.record import dataclass
from dsl.base.span import Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Fix:
    """Replace the text of `span` by `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """A secondary place with a short note about it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    code: str
    severity: Severity
    span: Span
    message: str
    help: str | None = None
    labels: tuple[Label, ...] = ()
    fix: Fix | None = None
