"""Marks on the text of rules: which stretch is a word of the language, a name or a comment, and what it links to.

Takes a text; gives marks in its order, without overlaps. Names link to the declarations that the passes found; text
that was not compiled has marks without links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dsl.syntax.lexer import CITE, Lexer, Token
from dsl.syntax.parser import parse_lines
from dsl.syntax.vocabulary import TABLE

BETWEEN = re.compile(rf"#[^\n]*|{CITE.pattern}")
CLAUSE = re.compile(r"[A-Z]{2,}-\d[\w.]*")
DECLARES = frozenset(row.word for row in TABLE.values() if row.kind in ("typed", "decl"))
FIXED = frozenset(("true", "false", "none", "this", "you", "all", "int", "bool"))


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a text that is shown in its own way. `kind`: declares, word, fixed, name, number, text, comment,
    clause. `target` is a key of the site's URLs."""

    start: int
    end: int
    kind: str
    target: str = ""


def highlight(file: str, text: str, link_targets: Mapping[int, str]) -> tuple[Mark, ...]:
    """All marks of a file. `link_targets`: the end of a name -> the key that it links to."""
    _, _, lines = parse_lines(file, text)
    tokens = (token for line in lines for token in line.tokens)
    return tuple(marks_of(text, tokens, link_targets))


def highlight_snippet(text: str) -> tuple[Mark, ...]:
    """Marks of a piece of rules without its file, by its words alone."""
    reader = Lexer("", text)
    reader.read()
    return tuple(marks_of(text, (token for line in reader.lines for token in line.tokens), {}, loose=True))


def marks_of(
    text: str, tokens: Iterable[Token], link_targets: Mapping[int, str], loose: bool = False
) -> Iterator[Mark]:
    """The marks of `tokens` and of the comments between them; text of lines that could not be parsed has no marks."""
    at = 0
    for token in tokens:
        if token.start < at:
            continue
        yield from marks_between(text, at, token.start)
        at = token.end
        kind = mark_kind(token, loose)
        if kind:
            yield Mark(token.start, token.end, kind, link_targets.get(token.end, "") if kind == "name" else "")
    yield from marks_between(text, at, len(text))


def marks_between(text: str, start: int, end: int) -> Iterator[Mark]:
    """The comments and citations between two tokens."""
    for found in BETWEEN.finditer(text, start, end):
        if found.group().startswith("#"):
            yield Mark(found.start(), found.end(), "comment")
            continue
        for clause in CLAUSE.finditer(text, found.start(), found.end()):
            yield Mark(clause.start(), clause.end(), "clause", f"clause {clause.group()}")


def mark_kind(token: Token, loose: bool) -> str:
    """The kind of mark of a token, empty for none. `loose`: nothing was parsed, so any word of the language counts."""
    if token.type == "TEXT":
        return "text"
    if token.type == "NUM":
        return "number"
    if token.words is not None and (loose or token.type != "NAME"):
        return "declares" if token.value in DECLARES else "word"
    if token.value in FIXED:
        return "fixed"
    return "name" if token.type == "NAME" else "word" if token.value[:1].isalpha() else ""
