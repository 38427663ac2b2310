"""What each earlier spelling becomes: one function for each, which takes the lines of a text and gives edits.

The tokens of the lines have the terminals that they were parsed as, so a word of the language is told from a name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from dsl.syntax.lexer import CLOSING, OPENING, Line, Token
from dsl.syntax.vocabulary import RETIRED

Edit: TypeAlias = tuple[int, int, str]  # beginning and end in the text, and what stands there instead


def extremes(lines: Sequence[Line], own: Collection[str]) -> Iterator[Edit]:
    """`smaller(a, smaller(b, c))` as `min(a, b, c)`, and `larger` as `max`."""
    for line in lines:
        tokens = line.tokens
        inside: set[int] = set()  # the calls that are joined to those around them
        for at, token in enumerate(tokens):
            if token.value not in ("smaller", "larger") or token.value in own or not _is_call(tokens, at):
                continue
            if at not in inside:
                yield token.start, token.end, RETIRED[token.value]
            for first, last in _arguments(tokens, at + 1):
                if tokens[first].value == token.value and _is_call(tokens, first) and _end(tokens, first + 1) == last:
                    inside.add(first)
                    yield tokens[first].start, tokens[first + 1].end, ""
                    yield tokens[last].start, tokens[last].end, ""


def _is_call(tokens: Sequence[Token], at: int) -> bool:
    """Whether the name at `at` is that of a function which is called there."""
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


REWRITERS: tuple[Callable[[Sequence[Line], Collection[str]], Iterator[Edit]], ...] = (extremes,)
