"""From the parser's reductions to blocks: lines that stand below each other become one tuple.

One function a production of the grammar; each takes the text that is being built and the list of its parts (tokens and
nodes) and gives a file's lines, or what stands behind the head of a line. `else` is joined to its `if` here, and
citations are hung on lines.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from dsl.base.span import Span
from dsl.syntax.build_expressions import Build, Parts
from dsl.syntax.lexer import Token
from dsl.syntax.nodes import Answer, If, Line

BRANCHES = 50  # `else if` after one `if`


class Tail(NamedTuple):
    """What stands behind the head of a line: its block, where that ends (-1: there is none), shape, beginning."""

    block: tuple[Line, ...]
    end: int
    shape: str = ""
    at: int = -1


class Else(NamedTuple):
    """An `else` line until it is joined to its `if`."""

    word: Token
    then: tuple[Line, ...]
    end: int


NO_BLOCK = Tail((), -1)


def file_empty(build: Build, s: Parts) -> tuple[Line, ...]:
    return ()


def file(build: Build, s: Parts) -> tuple[Line, ...]:
    lines = with_branches(build, s[0])
    build.form.top_level(lines)
    return lines


def no_block(build: Build, s: Parts) -> Tail:
    return NO_BLOCK


def block(build: Build, s: Parts) -> Tail:
    lines = s[2]
    return Tail(with_branches(build, lines), last_end(lines), "block", s[1].start)


def inline(build: Build, s: Parts) -> Tail:
    line = s[1]
    if isinstance(line, If | Else):
        word = line.word if isinstance(line, Else) else line
        build.form.report(
            "RW0121",
            build.span(word, word) if isinstance(line, Else) else line.test.span,
            "an `if` stands on a line of its own, not behind a `:`",
            "put it below, indented by four more spaces",
        )
        block = line.then if isinstance(line, Else) else (line,)
        return Tail(block, last_end([line]), "inline", s[0].start)
    return Tail(() if line is None else (line,), last_end([line]), "inline", s[0].start)


def last_end(lines: Parts) -> int:
    """Where the last line that could be read ends; -1 without one."""
    for line in reversed(lines):
        if line is not None:
            return line.end if isinstance(line, Else) else line.span.end
    return -1


def with_branches(build: Build, lines: Parts) -> tuple[Line, ...]:
    """Joins `else` lines to their `if`, hangs citations on the lines, leaves out the broken ones."""
    done: list[Line] = []
    broken = False  # a broken line may have been the `if`
    branches = 0
    for line in lines:
        branches = branches + 1 if isinstance(line, Else) else 0
        if line is None:
            broken = True
        elif isinstance(line, Else):
            if branches > BRANCHES:
                build.form.report(
                    "RW0130",
                    build.span(line.word, line.word),
                    f"more than {BRANCHES} branches in one `if`",
                    "a table or a procedure says it shorter",
                )
                broken = True
            elif done and isinstance(done[-1], If) and not broken and (joined := with_else(build, done[-1], line)):
                done[-1] = joined
            elif not broken:
                build.form.report(
                    "RW0117",
                    build.span(line.word, line.word),
                    f"`{line.word.value}` stands without an `if` before it",
                    "`else` belongs right below the block of its `if`, indented like it",
                )
        else:
            done.append(cited(build, line))
            broken = False
    return tuple(done)


def cited(build: Build, line: Line) -> Line:
    cites = build.cites.get(line.span.start)
    return replace(line, cites=cites) if cites and not isinstance(line, Answer) else line


def with_else(build: Build, first: If, other: Else) -> If | None:
    """`first` with `other` as its last branch; None if it has an `else` already."""
    span = Span(build.shown, first.span.start, max(other.end, other.word.end))
    if first.orelse:
        inner = first.orelse[0]
        if len(first.orelse) > 1 or not isinstance(inner, If) or inner.span.start not in build.form.chained:
            return None
        joined = with_else(build, inner, other)
        return replace(first, orelse=(joined,), span=span) if joined else None
    then = other.then
    cites = build.cites.get(other.word.start)
    if cites and then and not isinstance(then[0], Answer) and not then[0].cites:
        then = (replace(then[0], cites=cites), *then[1:])
    return replace(first, orelse=then, span=span)
