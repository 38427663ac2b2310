"""Conversions between offsets in a text, in code points, and positions of the protocol: line and units of an encoding.

Units are of UTF-16 unless client and server agreed otherwise: a character beyond U+FFFF is two of them.
"""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp

from dsl.base.span import Source, Span

UNITS: dict[str, Callable[[str], int]] = {
    "utf-16": lambda character: 2 if ord(character) > 0xFFFF else 1,
    "utf-32": lambda character: 1,
    "utf-8": lambda character: len(character.encode("utf-8", "surrogatepass")),
}


class Positions:
    """Conversions in one encoding."""

    def __init__(self, encoding: str = "utf-16") -> None:
        self.units = UNITS[encoding]

    def position(self, source: Source, offset: int) -> lsp.Position:
        line, column = source.place(min(max(offset, 0), len(source.text)))
        before = source.text[max(offset, 0) - column + 1 : max(offset, 0)]
        if before.isascii():
            return lsp.Position(line - 1, column - 1)
        return lsp.Position(line - 1, sum(map(self.units, before)))

    def range(self, source: Source, start: int, end: int) -> lsp.Range:
        return lsp.Range(self.position(source, start), self.position(source, end))

    def of(self, source: Source, span: Span) -> lsp.Range:
        """The range of a span."""
        return self.range(source, span.start, span.end)

    def offset(self, source: Source, position: lsp.Position) -> int:
        """The offset of a position; for one beyond the end of a line or text, that end."""
        text = source.line(position.line + 1)
        lines = source.text.split("\n", position.line)
        if len(lines) <= position.line:
            return len(source.text)
        start = sum(len(line) + 1 for line in lines[: position.line])
        left = position.character
        for column, character in enumerate(text):
            if left <= 0:
                return start + column
            left -= self.units(character)
        return start + len(text)
