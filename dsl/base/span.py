"""Places in source text.

A `Span` is a half-open range of code points in one file; line and column are worked out on demand (1-based, columns in
code points). `Source` keeps the text of a file and answers those questions.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import field

from dsl.base.record import dataclass, flattened


@flattened
@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text. `file` is the path shown to people (relative to the ruleset's root); `start` and `end` are
    offsets."""

    file: str
    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The smallest span that covers both."""
        return Span(self.file, min(self.start, other.start), max(self.end, other.end))


NOWHERE = Span("", 0, 0)


@dataclass(slots=True)
class Source:
    """A file's text with its line starts."""

    file: str
    text: str
    _starts: list[int] = field(default_factory=list)

    def _lines(self) -> list[int]:
        if not self._starts:
            self._starts = [0] + [i + 1 for i, c in enumerate(self.text) if c == "\n"]
        return self._starts

    def place(self, offset: int) -> tuple[int, int]:
        """(line, column) of an offset, both 1-based."""
        starts = self._lines()
        line = bisect.bisect_right(starts, offset) - 1
        return line + 1, offset - starts[line] + 1

    def line(self, number: int) -> str:
        """The text of a line (1-based) without its newline; empty beyond the end."""
        starts = self._lines()
        if not 1 <= number <= len(starts):
            return ""
        end = self.text.find("\n", starts[number - 1])
        return self.text[starts[number - 1] : end if end >= 0 else len(self.text)].rstrip("\r")

    def with_values(self, span: Span, values: Sequence[tuple[Span, str]]) -> str:
        """The text of a span with other text at some places inside of it, which stand in their order."""
        text = self.text[span.start : span.end]
        for at, value in reversed(values):
            if span.file == at.file and span.start <= at.start and at.end <= span.end:
                text = text[: at.start - span.start] + value + text[at.end - span.start :]
        return text

    def narrowed(self, span: Span, word: str) -> Span:
        """The place of a word inside a wider span; the whole span where the word does not stand there by itself."""
        if span.end - span.start <= len(word):
            return span
        found = re.compile(rf"(?<![\w.]){re.escape(word)}(?!\w)").search(self.text, span.start, span.end)
        return Span(span.file, found.start(), found.end()) if found else span
