"""The structure of a text: its outline, and the blocks that can be folded.

Takes the text of one rules file, with or without errors.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.base.record import dataclass
from dsl.base.span import Source, Span
from dsl.syntax import nodes as sx
from dsl.syntax.parser import parse_file

LISTED = ("const", "field", "zone", "strip", "modify", "grant", "deny")  # parts that are shown below their declaration
WITHOUT_NAME = ("step", "case")


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A declaration, step or case: `sort` is its word; `detail` its title or what it is made for. `span` covers its
    block as well, `name_span` what to select."""

    name: str
    sort: str
    detail: str
    span: Span
    name_span: Span
    parts: tuple[OutlineEntry, ...] = ()


def outline(source: Source) -> list[OutlineEntry]:
    """The declarations of a file with what stands below them, in the order of the text."""
    tree, _ = parse_file(source.file, source.text)
    return list(entries(tree.lines, source))


def entries(lines: tuple[sx.Line, ...], source: Source) -> Iterator[OutlineEntry]:
    for line in lines:
        inner = tuple(entries(block_of(line), source))
        match line:
            case sx.Decl():
                name = line.name or head_of(line, source)
                detail = line.text or ""
                yield OutlineEntry(name, line.word, detail, line.span, line.name_span or line.span, inner)
            case sx.Section() | sx.Case() if line.name is not None:
                word = line.word if isinstance(line, sx.Section) else "case"
                yield OutlineEntry(str(line.name), word, "", line.span, line.span, inner)
            case _:
                yield from inner


def block_of(line: sx.Node) -> tuple[sx.Line, ...]:
    if isinstance(line, sx.If):
        return (*line.then, *line.orelse)
    return tuple(getattr(line, "block", ()))


def head_of(line: sx.Decl, source: Source) -> str:
    """The first line of a declaration without a name, as it is written."""
    return source.text[line.span.start : line.span.end].partition("\n")[0].strip()


def folds(source: Source) -> list[tuple[int, int]]:
    """Line numbers, from 0: each line with deeper ones below it, to the last of these, and each run of comments."""
    rows = source.text.split("\n")
    found: list[tuple[int, int]] = []
    open_: list[tuple[int, int]] = []  # (depth, line) of the lines around
    last = -1  # the last line that is not empty
    comment = -1  # the first line of a run of comments
    for number, row in enumerate((*rows, "end")):
        if not row.strip():
            continue
        depth = len(row) - len(row.lstrip())
        while open_ and open_[-1][0] >= depth:
            _, begun = open_.pop()
            if last > begun:
                found.append((begun, last))
        if not row.lstrip().startswith("#"):
            if comment >= 0 and last > comment:
                found.append((comment, last))
            comment = -1
            open_.append((depth, number))
        elif comment < 0:
            comment = number
        last = number
    return sorted(found)
