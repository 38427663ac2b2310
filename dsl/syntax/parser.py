"""From text to syntax tree: layout first, then each declaration of a file through the one grammar.

Takes a path (as shown to people) and a text, gives a tree and all diagnostics of form. A declaration that does not
parse is parsed again without the failing line, so an error never affects other declarations. No file is opened and no
name is looked up.
"""

from __future__ import annotations

import bisect
import threading
from collections.abc import Callable
from dataclasses import field
from functools import lru_cache
from typing import Any

from dsl.base.record import dataclass
from dsl.base.span import Span
from dsl.base.spelling import nearest
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.syntax.build_expressions import Build
from dsl.syntax.callbacks import CALLBACKS
from dsl.syntax.errors import explain, missing_expression
from dsl.syntax.grammar import ParserTables, load
from dsl.syntax.indentation import MEMBERS, set_levels, split_pieces
from dsl.syntax.lalr import ParserRun, ParseTable, UnexpectedToken
from dsl.syntax.lexer import Lexer, Line, Token
from dsl.syntax.nodes import Expr, File
from dsl.syntax.nodes import Line as TreeLine
from dsl.syntax.vocabulary import STARTS, TABLE, TOP_LEVEL

CACHED_TEXTS = 400  # the number of texts that `cache_parsed_texts` keeps
PATCHES = ("replace", "insert before", "insert after", "drop", "alter")  # they name what others declare
LISTING = ("enum", "ranked enum", "option")  # words with names behind the colon of their line
# what a word may be that stands between two operands, or behind one
JOINING = frozenset(
    {"AND", "OR", "NOT", "COMPARE", "IN", "INLIVE", "IF", "ELSE", "TIMES", "SAYS", "FOR", "BY", "WITH", "WITHIN"}
)
MAX_TRIES = 10  # failing lines that are cut out of one declaration before its other errors are withheld

_lock = threading.RLock()  # parsing adds runs of unit rules to the table
_table: ParseTable | None = None
_cached_parse: Callable[[str, str], tuple[File, tuple[Diagnostic, ...]]] | None = None  # set by `cache_parsed_texts`


def _make_tables() -> ParserTables:
    from dsl.syntax.grammar.generate import make  # Lark is slow to load and to build

    return make()


def _parse_table() -> ParseTable:
    """The tables of the grammar with the callbacks of its rules, loaded on first use."""
    global _table
    if _table is None:
        _table = ParseTable(load(_make_tables), CALLBACKS)
    return _table


def _allowed(terminal: str, tokens: list[Token], at: int) -> bool:
    """True if what follows the word at `at` leaves it this terminal."""
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
    if terminal == "EMPTY":
        return after is not None and begins_operand(after, tokens[at].end)
    return True


def begins_operand(after: Token, end: int) -> bool:
    """True if a token behind `no` or `some`, which ends at `end`, begins what it tests: no word that joins operands."""
    if after.type == "LPAR":
        return after.start > end
    if after.type == "NAME":
        return after.words is None or JOINING.isdisjoint(after.words)
    return after.type in ("LBRACE", "NUM")


class ParseFailure(Exception):
    """The grammar refuses a token: `line` is the index of its line, `at` its index there (after the last token: the
    line ends too early)."""

    def __init__(self, line: int, at: int, accepts: set[str]) -> None:
        super().__init__()
        self.line, self.at, self.accepts = line, at, accepts


def _feed(lines: list[Line], start: str, build: Build) -> Any:
    walk = ParserRun(_parse_table(), start, build)
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
    except UnexpectedToken as refused:
        raise ParseFailure(number, at, refused.expected) from None


def cache_parsed_texts() -> None:
    """From now on reuse the trees of texts that were parsed before, for tools that compile a ruleset many times."""
    global _cached_parse
    _cached_parse = _cached_parse or lru_cache(CACHED_TEXTS)(_parse_uncached)


def _parse_uncached(path: str, text: str) -> tuple[File, tuple[Diagnostic, ...]]:
    tree, found, _ = parse_lines(path, text)
    return tree, tuple(found)


def parse_file(path: str, text: str) -> tuple[File, list[Diagnostic]]:
    """The tree of a file and the diagnostics of its form; the tree lacks the lines that could not be read."""
    tree, found = (_cached_parse or _parse_uncached)(path, text)
    return tree, list(found)


def parse_lines(path: str, text: str) -> tuple[File, list[Diagnostic], list[Line]]:
    """The same as `parse_file`, with the logical lines of the text: their tokens have the terminals they were parsed
    as."""
    reader = Lexer(path, text)
    reader.read()
    set_levels(reader.lines, reader.report)
    found = list(reader.found)
    lines: list[TreeLine] = []
    unread = Unread()
    for piece in split_pieces(reader.lines):
        with _lock:
            tree, errors = _parse_piece(path, piece, unread)
        lines += tree
        found += errors
    found.sort(key=lambda d: (d.span.start, d.code))
    names, declared = tuple(sorted(unread.names)), tuple(sorted(unread.declared))
    file = File(path, tuple(lines), names, declared, span=Span(path, 0, len(text)))
    return file, found, reader.lines


def parse_expr(path: str, text: str, offset: int = 0) -> tuple[Expr | None, list[Diagnostic]]:
    """One expression or address on its own; `offset` is the place of the text in its file."""
    tree, found, _ = _parse_single(path, text, "expression", offset)
    return tree, found


def parse_expr_line(path: str, text: str) -> tuple[Expr | None, list[Diagnostic], list[Line]]:
    """The same as `parse_expr`, with the line of tokens, which have the terminals they were parsed as."""
    return _parse_single(path, text, "expression", 0)


def parse_answers(path: str, text: str) -> tuple[tuple[Expr, ...], list[Diagnostic]]:
    """Answers as people type them, separated by commas: `kenya, 5 cube, pass`."""
    tree, found, _ = _parse_single(path, text, "answers", 0)
    return tree or (), found


def _parse_single(path: str, text: str, start: str, offset: int) -> tuple[Any, list[Diagnostic], list[Line]]:
    reader = Lexer(path, " " * offset + text.replace("\n", " "))
    reader.read()
    lines = reader.lines
    if reader.found:
        return None, reader.found, lines
    if not lines:
        return None, [missing_expression(path, offset)], lines
    with _lock:
        build = Build(path, {})
        try:
            return _feed(lines, start, build), build.form.found, lines
        except ParseFailure as failed:
            return None, [explain(path, lines[failed.line], failed.at, failed.accepts, sentence=False)], lines


@dataclass(slots=True)
class Unread:
    """The names that unreadable lines would have given: all of them, and those that a declaration gives."""

    names: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)


def _parse_piece(path: str, piece: list[Line], unread: Unread) -> tuple[tuple[TreeLine, ...], list[Diagnostic]]:
    """The lines of one declaration and its diagnostics; what its unreadable lines would have given goes to `unread`."""
    errors: list[Diagnostic] = []
    done = {line.start for line in piece if line.reported}
    mended = bool(done)
    for _ in range(MAX_TRIES):
        build = Build(path, {line.start: line.cites for line in piece if line.cites})
        try:
            tree = _feed(piece, "file", build)
        except ParseFailure as failed:
            if not piece[failed.line].reported:
                errors.append(explain(path, piece[failed.line], failed.at, failed.accepts))
            done.add(piece[failed.line].start)
            piece, cut = _without_line(piece, failed.line)
            _note_names(cut, unread)
        else:
            unread.names |= build.unknown
            unread.declared |= build.unknown
            return tree, errors + _one_per_line(build.form.found, piece, done, mended)
    _note_names(piece, unread)
    return (), errors


def _without_line(piece: list[Line], number: int) -> tuple[list[Line], list[Line]]:
    """The lines with one marked as broken and the block under it left out; and the lines that were cut."""
    bad = piece[number]
    after = number + 1
    while after < len(piece) and piece[after].level > bad.level:
        after += 1
    blank = Line(bad.tokens, bad.column, broken=True, level=bad.level)
    return piece[:number] + [blank] + piece[after:], piece[number:after]


def _note_names(lines: list[Line], unread: Unread) -> None:
    """Note the names after a declaring word, perhaps a misspelt one, the members of an enum, and names bound by `in` or
    `for`."""
    for line in lines:
        tokens = line.tokens
        row = TABLE.get(tokens[0].value)
        declares = row is None or row.kind in ("typed", "decl", "let")
        if declares and len(tokens) > 1 and tokens[0].value[:1].isalpha() and tokens[1].value[:1].isalpha():
            unread.names.add(tokens[1].value)
            adds = row is not None and ("attaches" in row.facts or row.word in PATCHES)
            if not adds and (line.level == 0 or line.level == 1 and (row is None or row.word in MEMBERS)):
                unread.declared.add(tokens[1].value)
            word = row.word if row else nearest(tokens[0].value, TOP_LEVEL)
            if line.level == 0 and word in LISTING:
                members = {token.value for token in tokens[1:] if token.value[:1].isalpha()}
                unread.names |= members
                unread.declared |= members
        if row is not None and row.kind == "case" and len(tokens) > 1:
            unread.names.add(tokens[1].value)
            unread.declared.add(tokens[1].value)
        for name, after in zip(tokens, tokens[1:], strict=False):
            if after.value in ("in", "for", "in live") and name.value[:1].isalpha():
                unread.names.add(name.value)


def _one_per_line(found: list[Diagnostic], piece: list[Line], done: set[int], mended: bool) -> list[Diagnostic]:
    """The first diagnostic of each line, and none for lines in `done`; `mended`: the layout of some line was wrong."""
    starts = [line.start for line in piece]
    kept: list[Diagnostic] = []
    for diagnostic in sorted(found, key=lambda d: d.span.start):
        line = bisect.bisect_right(starts, diagnostic.span.start) - 1
        start = starts[max(line, 0)]
        if diagnostic.code == "RW0117" and (mended or any(d.code == "RW0121" for d in kept)):
            continue  # its `if` may be on the line with the wrong layout, or is refused
        if start not in done:
            done.add(start)
            kept.append(diagnostic)
    return kept
