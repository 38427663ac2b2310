"""Marks on the text of rules: which stretch is a word of the language, a name, a comment, and where it leads.

Takes a text; gives marks in its order, without overlaps. Names lead where the passes say that they are declared; what
was not compiled has marks without links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dsl.syntax.lexer import CITE, Reader, Token
from dsl.syntax.parser import parse_lines
from dsl.syntax.vocabulary import TABLE

BETWEEN = re.compile(rf"#[^\n]*|{CITE.pattern}")
CLAUSE = re.compile(r"[A-Z]{2,}-\d[\w.]*")
DECLARES = frozenset(row.word for row in TABLE.values() if row.kind in ("typed", "decl"))
FIXED = frozenset(("true", "false", "none", "this", "you", "all", "int", "bool"))


@dataclass(frozen=True, slots=True)
class Mark:
    """`kind`: declares, word, fixed, name, number, text, comment, clause. `target` is a key of the site's places."""

    start: int
    end: int
    kind: str
    target: str = ""


def marks(file: str, text: str, leads: Mapping[int, str]) -> tuple[Mark, ...]:
    """All marks of a file. `leads`: the end of a name -> what it leads to."""
    _, _, lines = parse_lines(file, text)
    tokens = (token for line in lines for token in line.tokens)
    return tuple(marked(text, tokens, leads))


def loose_marks(text: str) -> tuple[Mark, ...]:
    """Marks of a piece of rules out of its place, by its words alone."""
    reader = Reader("", text)
    reader.read()
    return tuple(marked(text, (token for line in reader.lines for token in line.tokens), {}, loose=True))


def marked(text: str, tokens: Iterable[Token], leads: Mapping[int, str], loose: bool = False) -> Iterator[Mark]:
    """`tokens` of lines that could not be parsed may be wanting; what lies between is left as it is."""
    at = 0
    for token in tokens:
        if token.start < at:
            continue
        yield from notes(text, at, token.start)
        at = token.end
        kind = kind_of(token, loose)
        if kind:
            yield Mark(token.start, token.end, kind, leads.get(token.end, "") if kind == "name" else "")
    yield from notes(text, at, len(text))


def notes(text: str, start: int, end: int) -> Iterator[Mark]:
    """Comments and citations: all that stands between tokens."""
    for found in BETWEEN.finditer(text, start, end):
        if found.group().startswith("#"):
            yield Mark(found.start(), found.end(), "comment")
            continue
        for clause in CLAUSE.finditer(text, found.start(), found.end()):
            yield Mark(clause.start(), clause.end(), "clause", f"clause {clause.group()}")


def kind_of(token: Token, loose: bool) -> str:
    """`loose`: nothing was parsed, so that any word of the language counts as one."""
    if token.type == "TEXT":
        return "text"
    if token.type == "NUM":
        return "number"
    if token.words is not None and (loose or token.type != "NAME"):
        return "declares" if token.value in DECLARES else "word"
    if token.value in FIXED:
        return "fixed"
    return "name" if token.type == "NAME" else "word" if token.value[:1].isalpha() else ""
