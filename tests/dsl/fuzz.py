"""Random damage to rules: words lost, doubled, exchanged, taken from elsewhere; lines lost, moved, indented otherwise.

`damages` takes the texts of a ruleset and a seed and gives damaged copies of it, one after the other. What comes out is
seldom good rules and often close to them. It is not a test itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random

TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[<>]=|\.\.|->|[^\sA-Za-z0-9_]')


def damages(rules: Mapping[str, str], seed: int, number: int, most: int = 2) -> Iterator[dict[str, str]]:
    """`number` copies of the rules, each with one to `most` damages in one file."""
    chooser = Random(seed)
    words = [word for text in rules.values() for word in TOKEN.findall(text)]
    for _ in range(number):
        file = chooser.choice(sorted(rules))
        text = rules[file]
        for _ in range(chooser.randint(1, most)):
            text = chooser.choice(WAYS)(text, words, chooser)
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


WAYS = (
    lose_word, double_word, other_word, other_word, other_word, more_word, swap_words, lose_line, move_line,
    double_line, indent_line,
)  # fmt: skip
