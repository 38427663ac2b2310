"""Texts that nobody writes by accident, beside the damages of `tests.dsl.fuzz`: words and characters that readers have
fallen over, put anywhere, and parts of files of one sort in files of another.

`attacks` takes the texts of a ruleset and of its overlays and a seed. It is not a test itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from tests.dsl.fuzz import WAYS, token

# each of these has made a reader, a pass or a printer fail, or might have
WORDS = (
    "9" * 4301, "0" * 5000, "-2", "-2147483648", "2147483648", "1..5", "5..1", "zz..3", "0..2147483647", "{-2, 3}",
    "{}", "{{}}", "set of int", "set of (-3..3)", "list of set of Seat", "none", "all", "this", "you", "owner", "0 per",
    "p1", "seats", "highest p1", "with highest {}", "tiers(x in seats with highest 1)", "table(x in {{}}: 1)",
    "first(x in seats with highest {x})", "reach(x in seats, y in {x} cost 1 within 1)", "amount", "strip top",
    "not " * 120, "(" * 200, "-" * 200, "[X-1]", '"', '"\\', "#", ":", "->", "..", "@", 'was "abcdef"', "&a", "*a",
    'dated "2020-13-99"', "!!python/object:x", "? ", "- ", "{a: {a: {a: ", "<<: *a", "~", "null", "1e999", "0x10",
    ".inf", "2020-01-01", "%TAG", "---", "...", "|", ">",
)  # fmt: skip
CHARACTERS = "\x00\x07\x1b\x7f\x85\u00a0\u0301\u200d\u202e\u2028\ufeff\ufffd\U0001f600\t\r\n \\'\"`{}[]()<>:,.-+*/=#@&"


def attacks(texts: Mapping[str, str], seed: int, number: int) -> Iterator[dict[str, str]]:
    """`number` copies of the texts, each with one to four attacks in one file."""
    chooser = Random(seed)
    words = [*WORDS, *(text[slice(*token(text, chooser))] for text in texts.values() for _ in range(40))]
    for _ in range(number):
        file = chooser.choice(sorted(texts))
        text = texts[file]
        for _ in range(chooser.choice((1, 1, 2, 4))):
            way = chooser.choice((odd_word, odd_word, odd_word, odd_character, part_of_another, cut, *WAYS[:4]))
            if way is part_of_another:
                text = part_of_another(text, list(texts.values()), chooser)
            else:
                text = way(text, words, chooser)
        yield {**texts, file: text}


def odd_word(text: str, words: list[str], chooser: Random) -> str:
    start, end = token(text, chooser)
    return text[:start] + chooser.choice(WORDS) + (" " if chooser.random() < 0.3 else "") + text[end:]


def odd_character(text: str, words: list[str], chooser: Random) -> str:
    at = chooser.randint(0, len(text))
    return text[:at] + chooser.choice(CHARACTERS) * chooser.choice((1, 1, 1, 300)) + text[at:]


def part_of_another(text: str, others: list[str], chooser: Random) -> str:
    lines, found = text.splitlines(keepends=True), chooser.choice(others).splitlines(keepends=True)
    start = chooser.randrange(len(found)) if found else 0
    lines[(at := chooser.randint(0, len(lines))) : at] = found[start : start + chooser.randint(1, 6)]
    return "".join(lines)


def cut(text: str, words: list[str], chooser: Random) -> str:
    start, end = sorted((chooser.randint(0, len(text)), chooser.randint(0, len(text))))
    return text[:start] if chooser.random() < 0.3 else text[:start] + text[min(end, start + 200) :]
