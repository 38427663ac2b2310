"""Random damage to rules: words lost, doubled, exchanged, taken from elsewhere; lines lost, moved, indented otherwise.

`damages` takes the texts of a ruleset and a seed and gives damaged copies of it, one after the other. What comes out is
seldom good rules and often close to them. `holes` leaves the form whole and takes away what the rest rests on: kinds
that do not exist or have no members, declarations that are gone or stand twice. It is not a test itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

Way: TypeAlias = Callable[[str, list[str], Random], str]

TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[<>]=|\.\.|->|[^\sA-Za-z0-9_]')


DECLARATION = re.compile(r"^\S.*\n(?:[ \t]+.*\n|[ \t]*\n(?=[ \t]))*", re.MULTILINE)
KIND = re.compile(r"^(kind|enum|ranked enum|piece|lattice) (\w+)(.*)$", re.MULTILINE)
CAPITAL = re.compile(r"\b[A-Z]\w*\b")
NAME = re.compile(r"\b[a-z_]\w*\b")


def damages(rules: Mapping[str, str], seed: int, number: int, most: int = 2) -> Iterator[dict[str, str]]:
    """`number` copies of the rules, each with one to `most` damages in one file."""
    return changed(rules, WAYS, seed, number, most)


def holes(rules: Mapping[str, str], seed: int, number: int, most: int = 3) -> Iterator[dict[str, str]]:
    """`number` copies of the rules, each with one to `most` holes in one file."""
    return changed(rules, HOLES, seed, number, most)


def changed(
    rules: Mapping[str, str], ways: Sequence[Way], seed: int, number: int, most: int
) -> Iterator[dict[str, str]]:
    chooser = Random(seed)
    words = [word for text in rules.values() for word in TOKEN.findall(text)]
    for _ in range(number):
        file = chooser.choice(sorted(rules))
        text = rules[file]
        for _ in range(chooser.randint(1, most)):
            text = chooser.choice(ways)(text, words, chooser)
        yield {**rules, file: text}


def token(text: str, chooser: Random) -> tuple[int, int]:
    """The place of a random word; nothing of a text without any."""
    places = [found.span() for found in TOKEN.finditer(text)]
    return chooser.choice(places) if places else (0, 0)


def lose_word(text: str, words: list[str], chooser: Random) -> str:
    start, end = token(text, chooser)
    return text[:start] + text[end:]


def double_word(text: str, words: list[str], chooser: Random) -> str:
    start, end = token(text, chooser)
    return text[:end] + " " + text[start:end] + text[end:]


def other_word(text: str, words: list[str], chooser: Random) -> str:
    start, end = token(text, chooser)
    return text[:start] + chooser.choice(words) + text[end:]


def more_word(text: str, words: list[str], chooser: Random) -> str:
    start, _ = token(text, chooser)
    return text[:start] + chooser.choice(words) + " " + text[start:]


def swap_words(text: str, words: list[str], chooser: Random) -> str:
    (a, b), (c, d) = sorted((token(text, chooser), token(text, chooser)))
    return text if c < b else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def lose_line(text: str, words: list[str], chooser: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        del lines[chooser.randrange(len(lines))]
    return "".join(lines)


def move_line(text: str, words: list[str], chooser: Random) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    line = lines.pop(chooser.randrange(len(lines)))
    lines.insert(chooser.randint(0, len(lines)), line)
    return "".join(lines)


def double_line(text: str, words: list[str], chooser: Random) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    lines.insert(chooser.randint(0, len(lines)), chooser.choice(lines))
    return "".join(lines)


def indent_line(text: str, words: list[str], chooser: Random) -> str:
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    at = chooser.randrange(len(lines))
    lines[at] = "    " + lines[at] if chooser.random() < 0.5 else lines[at].removeprefix("    ")
    return "".join(lines)


WAYS: tuple[Way, ...] = (
    lose_word, double_word, other_word, other_word, other_word, more_word, swap_words, lose_line, move_line,
    double_line, indent_line,
)  # fmt: skip


# ---------------------------------------------------------------- holes


def span_of(pattern: re.Pattern[str], text: str, chooser: Random) -> tuple[int, int]:
    """The place of a random match; nothing of a text without any."""
    places = [found.span() for found in pattern.finditer(text)]
    return chooser.choice(places) if places else (0, 0)


def no_such_kind(text: str, words: list[str], chooser: Random) -> str:
    start, end = span_of(CAPITAL, text, chooser)
    return text[:start] + "Nowhere" + text[end:] if end else text


def no_such_name(text: str, words: list[str], chooser: Random) -> str:
    start, end = span_of(NAME, text, chooser)
    return text[:start] + "nowhere" + text[end:] if end else text


def another_kind(text: str, words: list[str], chooser: Random) -> str:
    start, end = span_of(CAPITAL, text, chooser)
    names = sorted({word for word in words if CAPITAL.fullmatch(word)})
    return text[:start] + chooser.choice(names) + text[end:] if end and names else text


def no_members(text: str, words: list[str], chooser: Random) -> str:
    """A kind or an enum without what says which members it has."""
    found = list(KIND.finditer(text))
    if not found:
        return text
    head = chooser.choice(found)
    rest = chooser.choice(("", ": 0", ": Nowhere", ": 2 per Nowhere", ' from "data/nowhere.yaml"', ": 1 per Seat"))
    return text[: head.start(3)] + rest + text[head.end(3) :]


def lose_declaration(text: str, words: list[str], chooser: Random) -> str:
    start, end = span_of(DECLARATION, text, chooser)
    return text[:start] + text[end:]


def lose_lines_below(text: str, words: list[str], chooser: Random) -> str:
    start, end = span_of(DECLARATION, text, chooser)
    return text[: text.find("\n", start) + 1] + text[end:] if end else text


def declare_twice(text: str, words: list[str], chooser: Random) -> str:
    start, end = span_of(DECLARATION, text, chooser)
    return text[:end] + text[start:end] + text[end:]


def exchange_words_of_declarations(text: str, words: list[str], chooser: Random) -> str:
    """A declaration that begins with the word of another."""
    start, _ = span_of(DECLARATION, text, chooser)
    other, _ = span_of(DECLARATION, text, chooser)
    mine, others = (re.match(r"\w*", text[at:]) for at in (start, other))
    assert mine is not None and others is not None
    return text[:start] + others[0] + text[start + mine.end() :]


HOLES: tuple[Way, ...] = (
    no_such_kind, no_such_kind, no_such_name, another_kind, no_members, no_members, lose_declaration, lose_lines_below,
    declare_twice, exchange_words_of_declarations,
)  # fmt: skip
