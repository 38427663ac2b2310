"""Places at which a row that is too long is broken; `broken` puts line ends there and is called until none is left.

A row is broken where it falls apart most naturally: before the sentence behind a colon, which becomes a block, before
`=`, before a clause, behind a comma, before `else`, `or`, `and`, an operator; outside of brackets rather than inside,
and as late as it fits. Citations stand in a margin of their own and do not count. What has no such place stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.base.record import dataclass
from dsl.format.rows import PrintedRow
from dsl.syntax.lexer import CLOSING, INDENT, OPENING, Line, Token
from dsl.syntax.vocabulary import CONTINUES, STARTS

WIDTH = 120  # columns of a row without its citations
LEAST = 6  # columns that either side of a break has, so that no word is left alone
HEADS = (STARTS | {"IF", "ELSE", "ELSEIF"}) - {"TYPED", "LET", "STRIP"}  # a colon behind them begins a block
CLAUSES = ("CLAUSE", "LISTED", "BY", "FLAG", "WITH", "COST", "WITHIN")
ROWS = ("COLON", "DOT", "LSQB")  # behind a clause word they make a row of it
JOINED = {"ELSE": 4, "OR": 5, "AND": 6, "PLUS": 7, "TIMES": 8}


@dataclass(frozen=True, slots=True)
class BreakPoint:
    """A place between two tokens: the smaller `depth` and `order`, the better. A `block` replaces a colon."""

    depth: int
    order: int
    at: int  # where the second token begins
    end: int  # where the first one ends
    block: bool = False


def broken(text: str, rows: list[PrintedRow], lines: list[Line]) -> str | None:
    """The text with a line end in each row that is too long, or None where none is to be had. `text` is laid out, and
    `rows` and `lines` are what was read of it."""
    ends = {line.start: (line, below) for line, below in zip(lines, [*lines, None][1:], strict=True)}
    parts: list[str] = []
    at, level, may_split = 0, 0, True
    for row in rows:
        if row.before is None and row.tokens:
            line, below = ends[row.tokens[0].start]
            level = line.level
            may_split = row.tokens[-1] is line.tokens[-1] and (below is None or below.level <= level)
        found = best_break(text, row, may_split)
        if found is None:
            continue
        parts += [text[at : found.end]]
        if not found.block:
            parts += ["\n", " " * INDENT * (level + 2)]
            at = found.at
            continue
        last, at = row.tokens[-1].end, text.index("\n", row.tokens[-1].end)
        parts += [
            text[last:at],
            "\n",
            " " * INDENT * (level + 1),
            text[found.at : last],
        ]  # citations stay with the head
    return "".join([*parts, text[at:]]) if parts else None


def best_break(text: str, row: PrintedRow, may_split: bool) -> BreakPoint | None:
    """The place at which a row is broken; None for one that fits or has none. `may_split`: no block is below it."""
    if not row.tokens:
        return None
    begin = text.rfind("\n", 0, row.tokens[0].start) + 1
    if row.tokens[-1].end - begin <= WIDTH:
        return None
    first, last = row.tokens[0].start + LEAST, row.tokens[-1].end - LEAST
    fitting = [b for b in breaks(row, may_split) if first <= b.end <= begin + WIDTH and b.at <= last]
    return min(fitting, key=lambda b: (b.depth, b.order, b.at if b.block else -b.at), default=None)


def breaks(row: PrintedRow, may_split: bool) -> Iterator[BreakPoint]:
    """All places at which a row may be broken."""
    tokens = row.tokens
    depth = 0
    for n, (before, token) in enumerate(zip(tokens, tokens[1:], strict=False), 1):
        depth += (before.value in OPENING) - (before.value in CLOSING)
        inside = depth - (token.value in CLOSING)
        if before.type == "COLON" and not inside and token.type in HEADS | {"LET"}:
            if may_split and row.before is None and tokens[0].type in HEADS:
                yield BreakPoint(0, 0, token.start, before.start, True)
            continue
        if token.value in CONTINUES and (n + 1 == len(tokens) or tokens[n + 1].type in ROWS):
            continue  # alone on a line it would be a row of its own
        order = order_of(tokens[0], before, token, inside)
        if order is not None and inside >= 0:
            yield BreakPoint(inside, order, token.start, before.end)


def order_of(head: Token, before: Token, token: Token, inside: int) -> int | None:
    """The order of a place that makes no block; None where no line may begin, or where it would not read well."""
    if token.type == "EQ":
        return 9 if head.type == "LET" else 1
    if token.type in CLAUSES:
        return 2 if token.value in CONTINUES else None
    if before.type == "COLON":
        return 1 if inside else None
    if before.type == "COMMA":
        return 3
    if token.type in JOINED and (token.value in CONTINUES or token.value in ("else", "+", "*")):
        return JOINED[token.type]
    return None
