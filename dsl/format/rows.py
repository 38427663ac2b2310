"""The rows of a text: the tokens of one physical line, with its citations and its comment.

Takes the logical lines that the parser has read; gives the physical rows in which a person wrote them. Where a row ends
is the person's choice and does not change; `dsl.format.rules` lays it out.
"""

from __future__ import annotations

import re
from dataclasses import field

from dsl.base.record import dataclass
from dsl.syntax.indentation import takes_block
from dsl.syntax.lexer import CITE, CLOSING, INDENT, OPENING, Line, Token

_GAP = re.compile(rf"(?P<newline>\n)|(?P<comment>#[^\n]*)|(?P<cite>{CITE.pattern})|[^\n#\[]+")


@dataclass(slots=True)
class PrintedRow:
    """A line as it is printed. A `level` is four columns; a row without tokens is a comment on a line of its own."""

    level: int
    tokens: list[Token] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    comment: str = ""
    blank: bool = False  # an empty line precedes it
    before: Token | None = None  # the token before its first one in the same logical line


def rows_of(text: str, lines: list[Line]) -> list[PrintedRow]:
    """All rows in order; comments get the level of the rows around them."""
    reader = _RowReader(text)
    at = 1 if text.startswith("\ufeff") else 0
    for line in lines:
        depth = 0
        for number, token in enumerate(line.tokens):
            reader.gap(at, token.start)
            closes = token.value in CLOSING
            inner = depth - closes
            reader.token(token, line.level + (1 + inner if number else 0), number == 0)
            depth += (token.value in OPENING) - closes
            at = token.end
        reader.deepest[len(reader.rows) - 1] = line.level + takes_block(line)
    reader.gap(at, len(text))
    return reader.finish()


class _RowReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.rows: list[PrintedRow] = []
        self.last: PrintedRow | None = None  # the last row with tokens
        self.previous: Token | None = None
        self.early: list[str] = []  # citations before the first token
        self.deepest: dict[int, int] = {}  # the deepest level that the next line may have, by the number of a row
        self.newlines = 1  # since the last token, comment or citation; a file begins on a new line
        self.columns: dict[int, int] = {}  # of comments on lines of their own, by the number of their row

    def gap(self, start: int, end: int) -> None:
        """Read what is between two tokens: line ends, comments, citations."""
        at = start
        while at < end and (found := _GAP.match(self.text, at, end)):
            at = found.end()
            match found.lastgroup:
                case "newline":
                    self.newlines += 1
                case "comment":
                    self._comment(found.group().rstrip(), found.start())
                case "cite":
                    cites = [cite.strip() for cite in found.group()[1:-1].split(",")]
                    (self.last.cites if self.last else self.early).extend(cites)
                    self.newlines = max(0, self.newlines - 1)  # a line of citations joins the one before

    def _comment(self, words: str, at: int) -> None:
        begin = self.text.rfind("\n", 0, at) + 1
        if self.newlines == 0 and self.rows and self.rows[-1] is self.last and not self.last.comment:
            self.last.comment = words
            return
        self.columns[len(self.rows)] = len(self.text[begin:at].expandtabs(INDENT))
        self._add(PrintedRow(0, comment=words))

    def token(self, token: Token, level: int, head: bool) -> None:
        if head or self.newlines:
            self.last = PrintedRow(level, cites=self.early, before=None if head else self.previous)
            self.early = []
            self._add(self.last)
            self.last.blank = self.last.blank and head
        assert self.last is not None
        self.last.tokens.append(token)
        self.previous = token
        self.newlines = 0

    def _add(self, row: PrintedRow) -> None:
        row.blank = self.newlines > 1 and bool(self.rows)
        self.newlines = 0
        self.rows.append(row)

    def finish(self) -> list[PrintedRow]:
        """Set the levels of comments by their columns, between the level before and the level after."""
        next_level = 0
        levels = []
        for row in reversed(self.rows):
            next_level = row.level if row.tokens else next_level
            levels.append(next_level)
        deepest = 0  # level that a comment after the row may have
        for number, (row, after) in enumerate(zip(self.rows, reversed(levels), strict=True)):
            if row.tokens:
                deepest = self.deepest.get(number, deepest)
                continue
            low, high = sorted((deepest, after))
            row.level = max(low, min(high, (self.columns[number] + INDENT // 2) // INDENT))
        for before, row in zip(self.rows, self.rows[1:], strict=False):
            row.blank = row.blank and row.level <= before.level
        return self.rows
