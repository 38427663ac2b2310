"""Rules in the canonical layout: indentation, the space between two words, the columns of citations and comments.

`format_rules` takes a text and gives it laid out; line ends and empty lines stay where the person put them, and what is
too long gets more. It compares the tree, the comments and the citations of both texts and refuses a result with another
meaning.
"""

from __future__ import annotations

from dataclasses import replace

from dsl.diagnostics.diagnostic import Diagnostic
from dsl.format.breaks import broken
from dsl.format.comments import SIGN, wrapped
from dsl.format.rows import PrintedRow, rows_of
from dsl.syntax.lexer import INDENT, Token
from dsl.syntax.nodes import File
from dsl.syntax.parser import parse_lines

CITES = 100  # the column at which citations begin, from 0
COMMENT = 40  # the column at which a comment after a line begins
TIGHT_BEFORE = frozenset({"COMMA", "COLON", "DOT", "RPAR", "RSQB", "RBRACE", "LSQB", "TO"})
TIGHT_AFTER = frozenset({"DOT", "LPAR", "LSQB", "LBRACE", "TO"})
CALLED = frozenset({"NAME", "NUM", "TEXT", "RPAR", "RSQB", "RBRACE", "FOLD", "POSSIBLE", "EFFECT"})
VALUES = frozenset({"NAME", "NUM", "TEXT", "RPAR", "RSQB", "RBRACE"})


class Unfaithful(Exception):
    """The result would not mean the same: a fault of this package; the text is to be left as it is."""


def format_rules(path: str, text: str) -> tuple[str | None, list[Diagnostic]]:
    """The text in the canonical layout, or None with the messages for a text with errors; raises `Unfaithful`."""
    text = text.replace("\r\n", "\n")
    tree, found, lines = parse_lines(path, text)
    if found:
        return None, found
    rows = rows_of(text, lines)
    result = _laid_out(rows)
    again, wrong, lines_again = parse_lines(path, result)
    while not wrong and (narrower := broken(result, rows_of(result, lines_again), lines_again)) is not None:
        _, wrong, lines_again = parse_lines(path, narrower)
        result = _laid_out(rows_of(narrower, lines_again))
        again, wrong, lines_again = parse_lines(path, result)
    if (
        wrong
        or _without_path(again) != _without_path(tree)
        or _comments_and_cites(rows_of(result, lines_again)) != _comments_and_cites(rows)
    ):
        raise Unfaithful(path)
    return result, []


def _laid_out(rows: list[PrintedRow]) -> str:
    return "".join(_render(row) for row in wrapped(rows, _render))


def _without_path(file: File) -> File:
    return replace(file, path="")


def _comments_and_cites(rows: list[PrintedRow]) -> tuple[list[str], list[str]]:
    """The parts of a text that the tree does not hold: the words of all comments, and the citations, in their order."""
    words = [word for row in rows for word in row.comment.removeprefix(SIGN).split()]
    return words, [cite for row in rows for cite in row.cites]


def _render(row: PrintedRow) -> str:
    indent = " " * INDENT * row.level
    blank = "\n" if row.blank else ""
    if not row.tokens:
        return f"{blank}{indent}{row.comment}\n"
    line = indent + join_tokens(row.tokens, row.before)
    if row.cites:
        line = f"{line:<{CITES - 2}}  [{', '.join(row.cites)}]"
    if row.comment:
        line = f"{line:<{COMMENT - 2}}  {row.comment}"
    return f"{blank}{line}\n"


def join_tokens(tokens: list[Token], before: Token | None = None) -> str:
    """The tokens of a row with the spaces between them; `before`: the last token of the row above, if they continue
    it."""
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
    """True if the middle token is the minus of a cell such as `, happy -1,`: a member and a negative number."""
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
    """True for a minus that belongs to the number after it; `before` is None at the beginning of a line."""
    return token.type == "MINUS" and (before is None or before.type not in VALUES)
