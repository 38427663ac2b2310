"""From text to syntax tree: layout first, then each piece of a file through the one grammar.

Takes a path (as shown to people) and a text, gives a tree and all diagnostics of form. A piece that does not parse
loses its failing line and is parsed again, so an error never leaves its declaration. It opens no rules file and looks
up no name.
"""

from __future__ import annotations

import bisect
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from dsl.base.span import Span
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.syntax.build_expressions import Build
from dsl.syntax.callbacks import CALLBACKS
from dsl.syntax.errors import explain, nothing
from dsl.syntax.grammar import Tables, load
from dsl.syntax.indentation import levels, pieces
from dsl.syntax.lalr import Refused, Table, Walk
from dsl.syntax.lexer import Line, Reader, Token
from dsl.syntax.nodes import Expr, File
from dsl.syntax.nodes import Line as TreeLine
from dsl.syntax.vocabulary import STARTS, TABLE

KEPT = 400  # texts that are remembered, where that is wanted
TRIES = 10  # failing lines of one piece that are cut out before its other errors are withheld

_one = threading.RLock()  # a walk adds to the table what it has found
_prepared: Table | None = None
_known: Callable[[str, str], tuple[File, tuple[Diagnostic, ...]]] | None = None  # `_fresh` with a memory, if wanted


def _made() -> Tables:
    from dsl.syntax.grammar.generate import make  # Lark is slow to load and to build

    return make()


def _parser() -> Table:
    """The grammar with the callbacks of its rules, loaded when it is first needed."""
    global _prepared
    if _prepared is None:
        _prepared = Table(load(_made), CALLBACKS)
    return _prepared


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
        if after is None or after.type != "LPAR" or at + 3 >= len(tokens):
            return False
        return tokens[at + 2].value[:1].isalpha() and tokens[at + 3].value in ("in", "in live")
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


def _feed(lines: list[Line], start: str, build: Build) -> Any:
    walk = Walk(_parser(), start, build)
    feed = walk.feed
    level = lines[0].level if lines else 0
    number = at = 0  # of the line that is being fed
    try:
        for number, line in enumerate(lines):  # noqa: B007
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
                        accepts = walk.accepts()
                        token.type = "NAME" if " " not in token.value else token.words[0]
                        for terminal in token.words:
                            if terminal in accepts and _allowed(terminal, tokens, at):
                                token.type = terminal
                                break
                    feed(token)
                at = len(tokens)
            if start == "file":
                feed(Token("NEWLINE", "", line.end, line.end))
        end = lines[-1].end if lines else 0
        base = lines[0].level if lines else 0
        while level > base:
            feed(Token("DEDENT", "", end, end))
            level -= 1
        return walk.finish()
    except Refused as refused:
        raise Failed(number, at, refused.expected) from None


def remember() -> None:
    """From now on a text that was read before is not read again: for who compiles a ruleset with many small changes."""
    global _known
    _known = _known or lru_cache(KEPT)(_fresh)


def _fresh(path: str, text: str) -> tuple[File, tuple[Diagnostic, ...]]:
    tree, found, _ = parse_lines(path, text)
    return tree, tuple(found)


def parse_file(path: str, text: str) -> tuple[File, list[Diagnostic]]:
    """The tree of a file and all that is wrong with its form; the tree lacks the lines that could not be read."""
    tree, found = (_known or _fresh)(path, text)
    return tree, list(found)


def parse_lines(path: str, text: str) -> tuple[File, list[Diagnostic], list[Line]]:
    """The same, with the logical lines that the tree was made of: their tokens know what they were taken for."""
    reader = Reader(path, text)
    reader.read()
    levels(reader.lines, reader.report)
    found = list(reader.found)
    lines: list[TreeLine] = []
    unknown: set[str] = set()
    for piece in pieces(reader.lines):
        with _one:
            tree, errors, names = _piece(path, piece)
        lines += tree
        found += errors
        unknown |= names
    found.sort(key=lambda d: (d.span.start, d.code))
    file = File(path, tuple(lines), tuple(sorted(unknown)), span=Span(path, 0, len(text)))
    return file, found, reader.lines


def parse_expr(path: str, text: str, offset: int = 0) -> tuple[Expr | None, list[Diagnostic]]:
    """One expression or address on its own; `offset` is where the text stands in its file."""
    tree, found = _alone(path, text, "expression", offset)
    return tree, found


def parse_answers(path: str, text: str) -> tuple[tuple[Expr, ...], list[Diagnostic]]:
    """Answers as people type them, between commas: `kenya, 5 cube, pass`."""
    tree, found = _alone(path, text, "answers", 0)
    return tree or (), found


def _alone(path: str, text: str, start: str, offset: int) -> tuple[Any, list[Diagnostic]]:
    reader = Reader(path, " " * offset + text.replace("\n", " "))
    reader.read()
    lines = reader.lines
    if reader.found:
        return None, reader.found
    if not lines:
        return None, [nothing(path, offset)]
    with _one:
        build = Build(path, {})
        try:
            return _feed(lines, start, build), build.form.found
        except Failed as failed:
            return None, [explain(path, lines[failed.line], failed.at, failed.accepts, sentence=False)]


def _piece(path: str, piece: list[Line]) -> tuple[tuple[TreeLine, ...], list[Diagnostic], set[str]]:
    """The lines of one piece, what is wrong with it, and the names that its unreadable lines would have defined."""
    errors: list[Diagnostic] = []
    names: set[str] = set()
    done = {line.start for line in piece if line.reported}
    mended = bool(done)
    for _ in range(TRIES):
        build = Build(path, {line.start: line.cites for line in piece if line.cites})
        try:
            tree = _feed(piece, "file", build)
        except Failed as failed:
            if not piece[failed.line].reported:
                errors.append(explain(path, piece[failed.line], failed.at, failed.accepts))
            done.add(piece[failed.line].start)
            piece, cut = _without(piece, failed.line)
            names |= _defined(cut)
        else:
            return tree, errors + _first_of_each(build.form.found, piece, done, mended), names
    return (), errors, names | _defined(piece)


def _without(piece: list[Line], number: int) -> tuple[list[Line], list[Line]]:
    """The piece with a line marked as broken and the block under it left out; and what was cut."""
    bad = piece[number]
    after = number + 1
    while after < len(piece) and piece[after].level > bad.level:
        after += 1
    blank = Line(bad.tokens, bad.column, broken=True, level=bad.level)
    return piece[:number] + [blank] + piece[after:], piece[number:after]


def _defined(lines: list[Line]) -> set[str]:
    """Names behind a declaring word, and names bound by `in` or `for`."""
    names: set[str] = set()
    for line in lines:
        tokens = line.tokens
        row = TABLE.get(tokens[0].value)
        declares = row is None or row.kind in ("typed", "decl", "let")
        if declares and len(tokens) > 1 and tokens[0].value[:1].isalpha() and tokens[1].value[:1].isalpha():
            names.add(tokens[1].value)
        for name, after in zip(tokens, tokens[1:], strict=False):
            if after.value in ("in", "for", "in live") and name.value[:1].isalpha():
                names.add(name.value)
    return names


def _first_of_each(found: list[Diagnostic], piece: list[Line], done: set[int], mended: bool) -> list[Diagnostic]:
    """One message a line, and none about those in `done`; `mended`: the layout of some line was wrong."""
    starts = [line.start for line in piece]
    kept = []
    for diagnostic in sorted(found, key=lambda d: d.span.start):
        line = bisect.bisect_right(starts, diagnostic.span.start) - 1
        start = starts[max(line, 0)]
        if diagnostic.code == "RW0117" and mended:
            continue  # its `if` may be the line that stands wrong
        if start not in done:
            done.add(start)
            kept.append(diagnostic)
    return kept
