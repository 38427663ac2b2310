"""The grammar of the extension on every rules file of the repository: words are coloured as words, names are not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl.editing.mentions import mentions
from dsl.files.ruleset import RULES
from dsl.syntax.vocabulary import CLASSES, RETIRED_VERBS
from tools.lsp.textmate import CONSTANTS, TYPES, grammar

ROOT = Path(__file__).resolve().parents[3]
FILES = [f for top in ("rulesets", "cards") for f in sorted((ROOT / top).rglob("*")) if f.suffix in RULES]
PATTERNS = [(re.compile(pattern["match"]), pattern) for pattern in grammar()["patterns"]]
WORDS = {part for word in CLASSES.keys() - RETIRED_VERBS.keys() for part in word.split()}
OF_WORDS = ("keyword", "storage", "support", "constant.language")
OF_THE_LANGUAGE = {
    *CONSTANTS,
    *TYPES,
    "seats from",
    "distance",
    "max",
    "min",
}  # names that the language declares itself
LIKE_A_CLAUSE = {"cost"}  # a local name in the middle of a line; only its sentence tells that it is no clause


def scopes(line: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and scope of each coloured part of a line, as an editor finds them."""
    at = 0
    hits = {number: test.search(line) for number, (test, _) in enumerate(PATTERNS)}
    while True:
        for number, hit in hits.items():
            if hit is not None and hit.start() < at:
                hits[number] = PATTERNS[number][0].search(line, at)
        found = [(m.start(), number, m) for number, m in hits.items() if m is not None and m.end() > m.start()]
        if not found:
            return
        _, number, match = min(found, key=lambda one: one[:2])
        pattern = PATTERNS[number][1]
        if "name" in pattern:
            yield match.start(), match.end(), pattern["name"]
        for group, scope in pattern.get("captures", {}).items():
            yield match.start(int(group)), match.end(int(group)), scope["name"]
        at = match.end()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_words_are_coloured_as_words_and_names_are_not(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    names = {m.span.start: m.span.end for m in mentions(path.name, text, frozenset()).mentions}
    inside = {at for start, end in names.items() for at in range(start, end)}
    wrong, offset = [], 0
    for line in text.split("\n"):
        found = list(scopes(line))
        coloured = {at for start, end, _ in found for at in range(start, end)}
        for start, end, scope in found:
            word = line[start:end].strip()
            if offset + start in names and scope.startswith(OF_WORDS) and word not in OF_THE_LANGUAGE | LIKE_A_CLAUSE:
                wrong.append(f"{word} is a name: {line.strip()}")
        for m in re.finditer(r"\b[a-z]+\b", line):
            if m.group() in WORDS and m.start() not in coloured and offset + m.start() not in inside:
                wrong.append(f"{m.group()} is a word: {line.strip()}")
        offset += len(line) + 1
    assert wrong == []
