"""Rewriters of earlier spellings: one function for each, which takes the lines of a text and gives edits.

The tokens of the lines have the terminals that they were parsed as, so a word of the language is told from a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dsl.format.edits import Edit, OwnNames
from dsl.format.ladders import cases
from dsl.syntax.lexer import CLOSING, OPENING, Line, Token
from dsl.syntax.vocabulary import RETIRED, RETIRED_VERBS

# the terminals of which the operands of a comparison are made, outside of brackets
OF_OPERANDS = frozenset(
    "NAME NUM TEXT DOT PLUS MINUS TIMES TO LPAR RPAR LSQB RSQB LBRACE RBRACE FOLD POSSIBLE ANY ROUND TYPEOF".split()
)
WIDEST = 100  # columns of a line that is joined from two


def extremes(lines: Sequence[Line], text: str, own: OwnNames) -> Iterator[Edit]:
    """`smaller(a, smaller(b, c))` as `min(a, b, c)`, and `larger` as `max`."""
    for line in lines:
        tokens = line.tokens
        inside: set[int] = set()  # the calls that are joined to those around them
        for at, token in enumerate(tokens):
            if token.value not in ("smaller", "larger") or token.value in own.values or not _is_call(tokens, at):
                continue
            if at not in inside:
                yield token.start, token.end, RETIRED[token.value]
            for first, last in _arguments(tokens, at + 1):
                if tokens[first].value == token.value and _is_call(tokens, first) and _end(tokens, first + 1) == last:
                    inside.add(first)
                    yield tokens[first].start, tokens[first + 1].end, ""
                    yield tokens[last].start, tokens[last].end, ""


def emptiness(lines: Sequence[Line], text: str, own: OwnNames) -> Iterator[Edit]:
    """`S is {}` as `no S`, `S is not {}` as `some S`."""
    for tokens in (line.tokens for line in lines):
        for at, token in enumerate(tokens):
            if token.type != "COMPARE":
                continue
            first, after = _operand(tokens, at - 1, -1), _operand(tokens, at + 1, 1) + 1
            compared = [t.value for t in tokens[at + 1 : after]]
            if compared == ["{", "}"] and token.value in ("is", "is not"):
                yield tokens[first].start, tokens[first].start, "no " if token.value == "is" else "some "
                yield tokens[at - 1].end, tokens[after - 1].end, ""


def _operand(tokens: Sequence[Token], at: int, step: int) -> int:
    """The place of the last token in this direction that belongs to the operand of a comparison."""
    depth, last = 0, at
    opening, closing = (OPENING, CLOSING) if step > 0 else (CLOSING, OPENING)
    while 0 <= at < len(tokens):
        token = tokens[at]
        depth += (token.value in opening) - (token.value in closing)
        if depth < 0 or depth == 0 and token.type not in OF_OPERANDS:
            break
        last, at = at, at + step
    return last


def results(lines: Sequence[Line], text: str, own: OwnNames) -> Iterator[Edit]:
    """`do f(x) giving y` as `let y = do f(x)`."""
    for tokens in (line.tokens for line in lines):
        for at, name in enumerate(tokens):
            if at and name.type == "NAME" and (tokens[at - 1].type, tokens[at - 1].value) == ("CLAUSE", "giving"):
                do = next((token for token in tokens[:at] if token.type == "DO"), None)
                if do is not None:
                    yield do.start, do.start, f"let {name.value} = "
                    yield tokens[at - 2].end, name.end, ""


def leaving(lines: Sequence[Line], text: str, own: OwnNames) -> Iterator[Edit]:
    """`let x = V` and `if x is none: stop F` below it as `let x = V else stop F`, where that fits on a line."""
    for at, line in enumerate(lines[:-1]):
        tokens = line.tokens
        if tokens[0].type != "LET" or any(token.type in ("IF", "ELSE", "DO") for token in tokens):
            continue
        leave, after = _left_where_none(lines, text, at + 1, tokens[1].value)
        if not leave or after and after.tokens[0].type in ("ELSE", "ELSEIF") or "#" in text[line.end : leave[-1].end]:
            continue
        words = f" else {text[leave[0].start : leave[-1].end]}"
        if line.end - text.rfind("\n", 0, line.end) + len(words) <= WIDEST:
            yield line.end, line.end, words
            yield text.rindex("\n", 0, lines[at + 1].start), leave[-1].end, ""


def _left_where_none(lines: Sequence[Line], text: str, at: int, name: str) -> tuple[list[Token], Line | None]:
    """The sentence that leaves the routine where the line is `if NAME is none: ...`, and the line after all of it; no
    tokens where the line is no such thing."""
    line = lines[at]
    values = [token.value for token in line.tokens]
    if values[:4] != ["if", name, "is", "none"] or values[4:5] not in ([], [":"]) or line.level != lines[at - 1].level:
        return [], None
    leave, after = line.tokens[5:], at + 1
    if not leave and after < len(lines) and lines[after].level > line.level:
        leave, after = lines[after].tokens, after + 1
    following = lines[after] if after < len(lines) else None
    if not leave or leave[0].value not in ("stop", "give") or following and following.level > line.level:
        return [], None
    if text[line.tokens[3].end : leave[0].start].strip(" \n:"):  # a citation stands between
        return [], None
    return leave, following


def verbs(lines: Sequence[Line], text: str, own: OwnNames) -> Iterator[Edit]:
    """`resolve c.strip` as `do c.strip`."""
    for token in (token for line in lines for token in line.tokens):
        if token.type == "DO" and token.value in RETIRED_VERBS:
            yield token.start, token.end, RETIRED_VERBS[token.value]


def _is_call(tokens: Sequence[Token], at: int) -> bool:
    """True if the name at `at` is that of a function which is called there."""
    after_dot = at > 0 and tokens[at - 1].type == "DOT"
    return not after_dot and at + 1 < len(tokens) and tokens[at + 1].type == "LPAR"


def _end(tokens: Sequence[Token], at: int) -> int:
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += (tokens[place].value in OPENING) - (tokens[place].value in CLOSING)
        if depth == 0:
            return place
    return len(tokens) - 1


def _arguments(tokens: Sequence[Token], at: int) -> Iterator[tuple[int, int]]:
    """The first and the last place of each argument in the bracket at `at`."""
    first, depth = at + 1, 0
    for place in range(at, _end(tokens, at) + 1):
        depth += (tokens[place].value in OPENING) - (tokens[place].value in CLOSING)
        if place > first and (depth == 0 or depth == 1 and tokens[place].type == "COMMA"):
            yield first, place - 1
            first = place + 1


REWRITERS: tuple[Callable[[Sequence[Line], str, OwnNames], Iterator[Edit]], ...] = (
    extremes,
    emptiness,
    results,
    leaving,
    cases,
    verbs,
)
