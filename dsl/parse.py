"""From text to syntax tree: layout first, then each piece of a file through the one grammar.

Takes a path (as shown to people) and a text, gives a tree and all diagnostics of form. A piece that does not parse loses its
failing line and is parsed again, so an error never leaves its declaration. It opens no rules file and looks up no name.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedToken

from dsl.blocks import Layout, Line, Token
from dsl.build import Builder
from dsl.diagnostics import Diagnostic
from dsl.mistakes import explain, nothing
from dsl.span import Span
from dsl.syntax import Expr, File
from dsl.syntax import Line as TreeLine
from dsl.words import STARTS

GRAMMAR = Path(__file__).parent / "grammar" / "rules.lark"


@lru_cache(maxsize=1)
def _parser() -> tuple[Lark, Builder]:
    builder = Builder()
    lark = Lark(
        GRAMMAR.read_text(encoding="utf-8"), parser="lalr", lexer="basic", start=["file", "answers", "expression"],
        keep_all_tokens=True, maybe_placeholders=False, transformer=builder,
    )  # fmt: skip
    return lark, builder


def _allowed(terminal: str, tokens: list[Token], at: int) -> bool:
    """Whether the word at `at` may be this terminal, by what follows it."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if terminal in STARTS:
        if after is None:
            return terminal in ("BARE", "GIVE", "EFFECT", "ONE")
        if terminal == "EFFECT":
            return after.type in ("COLON", "LPAR")
        if after.type == "COLON":
            return terminal in ("BARE", "ONE")
        if after.type == "LPAR" and after.start == tokens[at].end:
            return False
        return after.type not in ("DOT", "LSQB", "COMMA", "EQ") and after.value not in ("chooses", "gives")
    if terminal == "FOLD":
        return (
            at + 3 < len(tokens) and after is not None and after.type == "LPAR"
            and tokens[at + 2].words is not None or tokens[at + 2].type == "NAME"
        ) and tokens[at + 3].value in ("in", "in live")  # fmt: skip
    if terminal == "POSSIBLE":
        return after is not None and after.type == "LPAR"
    if terminal == "ANY":
        return after is not None and after.type == "NAME"
    return True


class Failed(Exception):
    """The grammar refuses a token; `line` is where it stands, `at` its number there (after the last: the line ends)."""

    def __init__(self, line: int, at: int, accepts: set[str]) -> None:
        super().__init__()
        self.line, self.at, self.accepts = line, at, accepts


def _feed(lines: list[Line], start: str, lark: Lark) -> Any:
    state = lark.parse_interactive(start=start).parser_state
    feed, stack, states = state.feed_token, state.state_stack, state.parse_conf.states
    level = lines[0].level if lines else 0
    number = at = 0
    try:
        for number, line in enumerate(lines):
            here = line.start
            while level < line.level:
                feed(Token("INDENT", "", here, here))
                level += 1
            while level > line.level:
                feed(Token("DEDENT", "", here, here))
                level -= 1
            if line.broken:
                feed(Token("BROKEN", "", here, line.end))
            else:
                tokens = line.tokens
                for at, token in enumerate(tokens):
                    if token.words is not None:
                        accepts = states[stack[-1]]
                        token.type = "NAME"
                        for terminal in token.words:
                            if terminal in accepts and _allowed(terminal, tokens, at):
                                token.type = terminal
                                break
                    feed(token)
                at = len(tokens)
            if start == "file":
                feed(Token("NEWLINE", "", line.end, line.end))
            at = 0
        end = lines[-1].end if lines else 0
        base = lines[0].level if lines else 0
        while level > base:
            feed(Token("DEDENT", "", end, end))
            level -= 1
        return state.feed_token(Token("$END", "", end, end), True)
    except UnexpectedToken as error:
        raise Failed(number, at, set(error.expected)) from None


TRIES = 10  # failing lines of one piece that are cut out before its other errors are withheld


def parse_file(path: str, text: str) -> tuple[File, list[Diagnostic]]:
    """The tree of a file and everything that is wrong with its form; the tree lacks the lines that could not be read."""
    layout = _read(path, text)
    found = list(layout.found)
    lines: list[TreeLine] = []
    for piece in layout.pieces:
        tree, errors = _piece(path, piece)
        lines += tree
        found += errors
    found.sort(key=lambda d: (d.span.start, d.code))
    return File(path, tuple(lines), span=Span(path, 0, len(text))), found


def parse_expr(path: str, text: str, offset: int = 0) -> tuple[Expr | None, list[Diagnostic]]:
    """One expression or address on its own; `offset` is where the text stands in its file."""
    tree, found = _alone(path, text, "expression", offset)
    return tree, found


def parse_answers(path: str, text: str) -> tuple[tuple[Expr, ...], list[Diagnostic]]:
    """Answers as people type them, between commas: `kenya, 5 cube, pass`."""
    tree, found = _alone(path, text, "answers", 0)
    return tree or (), found


def _read(path: str, text: str, offset: int = 0) -> Layout:
    layout = Layout(path, text, offset)
    layout.read()
    return layout


def _alone(path: str, text: str, start: str, offset: int) -> tuple[Any, list[Diagnostic]]:
    layout = _read(path, text.replace("\n", " "), offset)
    lark, builder = _parser()
    builder.begin(path, {})
    lines = [line for piece in layout.pieces for line in piece]
    if layout.found:
        return None, layout.found
    if not lines:
        return None, [nothing(path, offset)]
    try:
        return _feed(lines, start, lark), builder.form.found
    except Failed as failed:
        return None, [explain(path, lines, failed.line, failed.at, failed.accepts)]


def _piece(path: str, piece: list[Line]) -> tuple[tuple[TreeLine, ...], list[Diagnostic]]:
    lark, builder = _parser()
    errors: list[Diagnostic] = []
    for _ in range(TRIES):
        builder.begin(path, {line.start: line.cites for line in piece if line.cites})
        try:
            tree = _feed(piece, "file", lark)
        except Failed as failed:
            line = piece[failed.line]
            if not line.reported:
                errors.append(explain(path, piece, failed.line, failed.at, failed.accepts))
            piece = _without(piece, failed.line)
        else:
            return tree, errors + builder.form.found
    return (), errors


def _without(piece: list[Line], number: int) -> list[Line]:
    """The piece with a line marked as broken and the block under it left out."""
    bad = piece[number]
    after = number + 1
    while after < len(piece) and piece[after].level > bad.level:
        after += 1
    return piece[:number] + [Line(bad.tokens, bad.level, reported=True, broken=True)] + piece[after:]
