"""What to say about a line that the grammar refuses.

Takes the lines of a piece and the token at which reading stopped; gives one diagnostic that says what was read, what was
expected, the nearest word and the way out. It never speaks of tokens or productions.
"""

from __future__ import annotations

from dsl.blocks import Line
from dsl.diagnostics import Diagnostic, Severity
from dsl.span import Span


def nothing(path: str, at: int) -> Diagnostic:
    return Diagnostic("RW0122", Severity.ERROR, Span(path, at, at), "nothing stands here", "write an expression")


def explain(path: str, lines: list[Line], number: int, at: int, accepts: set[str]) -> Diagnostic:
    line = lines[number]
    if at >= len(line.tokens):
        return Diagnostic("RW0124", Severity.ERROR, Span(path, line.end, line.end), "this line ends too early")
    token = line.tokens[at]
    span = Span(path, token.start, token.end)
    return Diagnostic("RW0123", Severity.ERROR, span, f"`{token.value}` does not fit here")
