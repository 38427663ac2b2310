"""From the parser's reductions to blocks: the lines of one block become one tuple.

One function for each production of the grammar; it takes the state of the build and the list of its parts (tokens and
nodes) and gives a file's lines, or what follows the head of a line. `else` is joined to its `if` here, and citations
are attached to lines.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from dsl.base.span import Span
from dsl.syntax.build_expressions import Build, Parts
from dsl.syntax.lexer import Token
from dsl.syntax.nodes import Answer, Compare, If, Let, Line, Name, Sentence

MAX_BRANCHES = 50  # `else if` after one `if`


class Tail(NamedTuple):
    """The rest of a line behind its head: its block, the end of the block (-1: no block), its shape and beginning;
    `whole`: all its lines could be read."""

    block: tuple[Line, ...]
    end: int
    shape: str = ""
    at: int = -1
    whole: bool = True


class Else(NamedTuple):
    """An `else` line until it is joined to its `if`."""

    word: Token
    then: tuple[Line, ...]
    end: int


class LetOrLeave(NamedTuple):
    """A `let ... else ...`, which is two lines: the `let`, and what leaves where it is none."""

    let: Let
    leave: If

    @property
    def span(self) -> Span:
        return self.let.span


def or_leave(build: Build, line: Let, name: Token, leave: tuple[Token, Sentence]) -> LetOrLeave:
    """`let x = V else stop F`: the line `let x = V`, and `if x is none: stop F`, which stands for the rest."""
    word, sentence = leave
    here = build.span(name, name)  # of the whole test: it is written nowhere
    test = Compare("is", Name(name.value, span=here), Name("none", span=here), span=here)
    span = build.span(word, sentence)
    return LetOrLeave(replace(line, span=line.span.to(span)), If(test, (sentence,), span=span))


NO_BLOCK = Tail((), -1)


def file_empty(build: Build, s: Parts) -> tuple[Line, ...]:
    return ()


def file(build: Build, s: Parts) -> tuple[Line, ...]:
    lines = join_branches(build, s[0])
    build.form.top_level(lines)
    return lines


def no_block(build: Build, s: Parts) -> Tail:
    return NO_BLOCK


def block(build: Build, s: Parts) -> Tail:
    lines = s[2]
    return Tail(join_branches(build, lines), end_of_last(lines), "block", s[1].start, None not in lines)


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
        return Tail(block, end_of_last([line]), "inline", s[0].start)
    if isinstance(line, LetOrLeave):
        return Tail(tuple(line), end_of_last([line]), "inline", s[0].start)
    return Tail(() if line is None else (line,), end_of_last([line]), "inline", s[0].start)


def end_of_last(lines: Parts) -> int:
    """The end of the last line that could be read; -1 without one."""
    for line in reversed(lines):
        if line is not None:
            return line.end if isinstance(line, Else) else line.span.end
    return -1


def join_branches(build: Build, lines: Parts) -> tuple[Line, ...]:
    """Join `else` lines to their `if`, attach citations to the lines, and leave out the broken ones."""
    done: list[Line] = []
    broken = False  # a broken line may have been the `if`
    branches = 0
    whole: Line | None = None  # an `if` that takes no `else`
    for line in lines:
        branches = branches + 1 if isinstance(line, Else) else 0
        last = done[-1] if done else None
        if line is None:
            broken = True
        elif isinstance(line, Else):
            if branches > MAX_BRANCHES:
                build.form.report(
                    "RW0130",
                    build.span(line.word, line.word),
                    f"more than {MAX_BRANCHES} branches in one `if`",
                    "a table or a procedure says it shorter",
                )
                broken = True
            elif isinstance(last, If) and not (broken or last is whole) and (joined := attach_else(build, last, line)):
                done[-1] = joined
            elif not broken:
                build.form.report(
                    "RW0117",
                    build.span(line.word, line.word),
                    f"`{line.word.value}` stands without an `if` before it",
                    "`else` belongs right below the block of its `if`, indented like it",
                )
        elif isinstance(line, LetOrLeave):
            cites = build.cites.get(line.let.span.start, ())
            whole = replace(line.leave, cites=cites)
            done += [with_citations(build, line.let), whole]
            broken = False
        else:
            done.append(with_citations(build, line))
            broken = False
    return tuple(done)


def with_citations(build: Build, line: Line) -> Line:
    cites = build.cites.get(line.span.start)
    return replace(line, cites=cites + line.cites) if cites and not isinstance(line, Answer) else line


def attach_else(build: Build, first: If, other: Else) -> If | None:
    """`first` with `other` as its last branch; None if it has an `else` already."""
    span = Span(build.file, first.span.start, max(other.end, other.word.end))
    if first.orelse:
        inner = first.orelse[0]
        if len(first.orelse) > 1 or not isinstance(inner, If) or inner.span.start not in build.form.chained:
            return None
        joined = attach_else(build, inner, other)
        return replace(first, orelse=(joined,), span=span) if joined else None
    then = other.then
    cites = build.cites.get(other.word.start)
    if cites and then and not isinstance(then[0], Answer) and not then[0].cites:
        then = (replace(then[0], cites=cites), *then[1:])
    return replace(first, orelse=then, span=span)
