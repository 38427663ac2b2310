"""From the parser's reductions to blocks: the lines of one block become one tuple.

One function for each production of the grammar; it takes the state of the build and the list of its parts (tokens and
nodes) and gives a file's lines, or what follows the head of a line. `else` is joined to its `if` here, and citations
are attached to lines.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, TypeGuard

from dsl.base.span import Span
from dsl.syntax.build_expressions import Build, Parts
from dsl.syntax.lexer import Token
from dsl.syntax.nodes import Answer, Bool, Case, Compare, Expr, If, Let, Line, Name, Row, Sentence
from dsl.syntax.walk import is_match

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


def match(build: Build, head: Expr, block: tuple[Line, ...], span: Span) -> If:
    """`depending on X` with `case` lines: the branches for which they stand."""
    branches: tuple[If, ...] = ()
    cases = [line for line in block if isinstance(line, Case)]
    for stray in (line for line in block if not isinstance(line, Case | Row)):
        help = "write `case MEMBER: ...`; an `else` stands below, indented like `depending on`"
        build.form.report("RW0123", stray.span, "under `depending on` stand `case` lines", help)
    if len(cases) > MAX_BRANCHES:
        report_many_branches(build, cases[MAX_BRANCHES].span, "depending on")
        cases = cases[:MAX_BRANCHES]
    for case in reversed(cases):
        operands, no_names = build.cases[case.span.start]
        build.form.found = [d for d in build.form.found if d not in no_names]
        if case.clauses:
            message = f"a `case` of `depending on` takes no clause; I read `{case.clauses[0].word}`"
            build.form.report("RW0119", case.clauses[0].span, message, "it names members; an `if` may stand under it")
        tests = [Compare("is", head, member, span=member.span) for member in operands]
        test = tests[0] if len(tests) == 1 else Bool("or", tuple(tests), span=build.span(operands[0], operands[-1]))
        then, cites = (case.block, case.cites) if case is cases[0] else cited(case.block, case.cites)
        build.form.chained.add(case.span.start)
        branches = (If(test, then, branches, cites, span=replace(case.span, end=span.end)),)
    if not branches:
        return If(Compare("is", head, head, span=head.span), (), span=span)
    return replace(branches[0], span=span)


def cited(block: tuple[Line, ...], cites: tuple[str, ...]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The block of a further branch with the citations of its head, which its first line takes where it has none; and
    the citations that are left for the branch."""
    if cites and block and not isinstance(block[0], Answer) and not block[0].cites:
        return (replace(block[0], cites=cites), *block[1:]), ()
    return block, () if block else cites


def report_many_branches(build: Build, span: Span, word: str) -> None:
    message = f"more than {MAX_BRANCHES} branches in one `{word}`"
    build.form.report("RW0130", span, message, "a table or a procedure says it shorter")


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
                report_many_branches(build, build.span(line.word, line.word), "if")
                broken = True
            elif (
                takes_else(last, line) and not (broken or last is whole) and (joined := attach_else(build, last, line))
            ):
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


def takes_else(last: Line | None, line: Else) -> TypeGuard[If]:
    """True for an `if`, and for `depending on` where the line is no `else if`."""
    return isinstance(last, If) and (line.word.value == "else" or not is_match(last))


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
    then, _ = cited(other.then, build.cites.get(other.word.start, ()))
    return replace(first, orelse=then, span=span)
