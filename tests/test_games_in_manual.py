"""What the manual says of the games: rules that it quotes are in them, and words of one game alone have a reason."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from dsl.syntax.parser import parse_file
from dsl.syntax.walk import walk
from tests.test_docs import ROOT, concept_pages

SECTION = re.compile(r"^## In the games\n\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
QUOTE = re.compile(r"^- (\w+), \[`([\w/.]+)`\]\(([\w/.]+)\): `(.+)`$")
ALONE = re.compile(r"\bOnly `(\w+)` says ((?:`[^`]+`(?:, | and )?)+): ")
WITHOUT = re.compile(r"\bNone of the games says `([^`]+)`: ")
CODE = re.compile(r"^```.*?^```$|`[^`]+`", re.MULTILINE | re.DOTALL)
TEXTS = ("rules", "variant", "errata", "cards")
WRITTEN = {"with by": "with v by n"}  # as authors and the manual write it, where the tree has another name


def section(page: Path) -> str:
    """What a page says of the games, or nothing."""
    found = SECTION.search(page.read_text(encoding="utf-8"))
    return found[1] if found else ""


def explained(page: Path) -> str:
    """The code of a page, in its examples and its lines, without what it says of the games."""
    return squeezed("\n".join(CODE.findall(SECTION.sub("", page.read_text(encoding="utf-8")))))


def texts_of(game: str) -> Iterator[Path]:
    for folder in (ROOT / "rulesets" / game, ROOT / "cards" / game):
        for ending in TEXTS:
            yield from folder.rglob(f"*.{ending}")


@pytest.mark.parametrize("page", concept_pages(), ids=lambda p: p.stem)
def test_the_rules_that_a_page_quotes_are_in_the_games(page: Path) -> None:
    lines = [line for line in section(page).splitlines() if line.startswith("- ")]
    without = WITHOUT.findall(section(page))
    assert lines or without, "no rule of a game"
    assert not {*without} & games_by_word().keys()
    for line in lines:
        quote = QUOTE.match(line)
        assert quote, line
        game, name, link, rule = quote.groups()
        path = (page.parent / link).resolve()
        assert path.name == name and path in {p.resolve() for p in texts_of(game)}, line
        assert squeezed(rule) in squeezed(path.read_text(encoding="utf-8")), line


def squeezed(text: str) -> str:
    return " ".join(re.sub(r"\s*\[[A-Z][\w, .-]*\]$|#.*$", "", text, flags=re.MULTILINE).split())


@cache
def games_by_word() -> dict[str, set[str]]:
    """Which rulesets use each word that begins a sentence or a clause, or stands between two parts."""
    found = defaultdict(set)
    for folder in sorted((ROOT / "rulesets").iterdir()):
        for path in texts_of(folder.name):
            tree, _ = parse_file(path.name, path.read_text(encoding="utf-8"))
            for node in walk(tree):
                for attribute in ("word", "op"):
                    if isinstance(word := getattr(node, attribute, None), str) and word:
                        found[WRITTEN.get(word, word)].add(folder.name)
    return found


def is_in(word: str, code: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", code) is not None


def test_every_word_of_the_games_is_on_a_page() -> None:
    pages = [explained(page) for page in concept_pages()]
    assert not [word for word in games_by_word() if not any(is_in(word, code) for code in pages)]


def test_a_word_of_one_game_alone_has_its_reason_where_it_is_explained() -> None:
    alone = {word: next(iter(games)) for word, games in games_by_word().items() if len(games) == 1}
    said = {}
    for page in concept_pages():
        for game, words in ALONE.findall(section(page)):
            for word in re.findall(r"`([^`]+)`", words):
                assert is_in(word, explained(page)), (page.stem, word)
                said[word] = game
    assert said == alone
