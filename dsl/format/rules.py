"""Rules in the one layout: indentation, the space between two words, where citations and comments stand.

`format_rules` takes a text and gives it set; line ends and empty lines stay where the person put them. It compares the
tree, the comments and the citations of both and refuses a result that would mean something else.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.diagnostics.diagnostic import Diagnostic
from dsl.format.rows import Row, rows_of
from dsl.syntax.lexer import INDENT, Token
from dsl.syntax.nodes import File
from dsl.syntax.parser import parse_lines

CITES = 100  # where citations begin, in columns from 0
COMMENT = 40  # where a comment behind a line begins
TIGHT_BEFORE = frozenset({"COMMA", "COLON", "DOT", "RPAR", "RSQB", "RBRACE", "LSQB", "TO"})
TIGHT_AFTER = frozenset({"DOT", "LPAR", "LSQB", "LBRACE", "TO"})
CALLED = frozenset({"NAME", "NUM", "TEXT", "RPAR", "RSQB", "RBRACE", "FOLD", "POSSIBLE", "EFFECT"})
VALUES = frozenset({"NAME", "NUM", "TEXT", "RPAR", "RSQB", "RBRACE"})


class Unfaithful(Exception):
    """The set text would not mean the same: a fault of this package, and the text stays as it is."""


def format_rules(path: str, text: str) -> tuple[str | None, list[Diagnostic]]:
    """The text in the one layout; None with the messages when it does not read."""
    text = text.replace("\r\n", "\n")
    tree, found, lines = parse_lines(path, text)
    if found:
        return None, found
    rows = rows_of(text, lines)
    result = "".join(_print(row) for row in rows)
    again, wrong, lines_again = parse_lines(path, result)
    if wrong or _bare(again) != _bare(tree) or _kept(rows_of(result, lines_again)) != _kept(rows):
        raise Unfaithful(path)
    return result, []


def _bare(file: File) -> File:
    return replace(file, path="")


def _kept(rows: list[Row]) -> tuple[list[str], list[str]]:
    """What a reader of the tree does not see: comments, and citations in their order."""
    return [row.comment for row in rows if row.comment], [cite for row in rows for cite in row.cites]


def _print(row: Row) -> str:
    indent = " " * INDENT * row.level
    blank = "\n" if row.blank else ""
    if not row.tokens:
        return f"{blank}{indent}{row.comment}\n"
    line = indent + words(row.tokens, row.before)
    if row.cites:
        line = f"{line:<{CITES - 2}}  [{', '.join(row.cites)}]"
    if row.comment:
        line = f"{line:<{COMMENT - 2}}  {row.comment}"
    return f"{blank}{line}\n"


def words(tokens: list[Token], before: Token | None = None) -> str:
    """The tokens of a row with the spaces between them; `before`: what ends the row above, if they go on from it."""
    parts = [tokens[0].value]
    signed = _is_sign(before, tokens[0])
    row = before is None and [token.type for token in tokens[:2]] == ["NAME", "COLON"]
    for i, (before, token) in enumerate(zip(tokens, tokens[1:], strict=False), 1):
        if not signed and _spaced(before, token):
            parts.append(" ")
        signed = _is_sign(before, token) or row and _is_cell(tokens[i - 2 : i + 3])
        parts.append(token.value)
    return "".join(parts)


def _is_cell(around: list[Token]) -> bool:
    """`, happy -1,`: a member and a number below zero, the minus in the middle."""
    types = [token.type for token in around]
    return types[:4] in (["COLON", "NAME", "MINUS", "NUM"], ["COMMA", "NAME", "MINUS", "NUM"]) and types[4:] in (
        [],
        ["COMMA"],
    )


def _spaced(before: Token, token: Token) -> bool:
    if token.type == "LPAR":
        return before.type not in CALLED and before.type not in TIGHT_AFTER
    return token.type not in TIGHT_BEFORE and before.type not in TIGHT_AFTER


def _is_sign(before: Token | None, token: Token) -> bool:
    """A minus that belongs to the number behind it."""
    return token.type == "MINUS" and (before is None or before.type not in VALUES)
