"""Comments that are too long: one of its own is wrapped, one behind a row goes above it.

What is left of a wrapped comment goes on in the comment below, if that goes on with its sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from dsl.format.breaks import WIDTH
from dsl.format.rows import PrintedRow
from dsl.syntax.lexer import CITE, INDENT

SIGN = "# "
_CITED = re.compile(rf" +{CITE.pattern}$")  # at the end of a comment, in the margin of citations
_GOES_ON = re.compile(r"# [a-z(]")


def wrapped(rows: list[PrintedRow], render: Callable[[PrintedRow], str]) -> list[PrintedRow]:
    """The rows with no comment that ends beyond the width, if it has a blank at which it can be wrapped."""
    done: list[PrintedRow] = []
    waiting = [row for given in rows for row in apart(given, render)][::-1]
    while waiting:
        row = waiting.pop()
        end = WIDTH - INDENT * row.level
        words = _CITED.sub("", row.comment)
        at = -1 if row.tokens or len(words) <= end else words.rfind(" ", len(SIGN), end + 1)
        if at < 0 or not row.comment.startswith(SIGN):
            done.append(row)
            continue
        done.append(replace(row, comment=row.comment[:at].rstrip()))
        rest = SIGN + row.comment[at + 1 :]
        below = waiting[-1] if waiting else None
        if (
            below
            and not below.tokens
            and not below.blank
            and below.level == row.level
            and _GOES_ON.match(below.comment)
        ):
            waiting[-1] = replace(below, comment=f"{rest} {below.comment.removeprefix(SIGN)}")
        else:
            waiting.append(PrintedRow(row.level, comment=rest))
    return done


def apart(row: PrintedRow, render: Callable[[PrintedRow], str]) -> list[PrintedRow]:
    """A row, with its comment above it where both together are too long."""
    if not row.tokens or not row.comment or len(render(row).strip("\n")) <= WIDTH:
        return [row]
    return [PrintedRow(row.level, comment=row.comment, blank=row.blank), replace(row, comment="", blank=False)]
