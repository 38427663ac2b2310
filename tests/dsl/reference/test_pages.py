"""The pages of the language reference and the tables of the engine say the same."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from dsl.diagnostics.pages import read_pages
from dsl.elaborate.expressions.calls import BUILTINS
from dsl.files.documents import OF_OVERLAYS, OF_THE_BASE
from dsl.program import CEILINGS
from dsl.reference.generate import FOLDER, PARTS, filled
from dsl.reference.words import FACTS
from dsl.syntax.vocabulary import FOLDS, TABLE, Fact

PAGES = sorted(FOLDER.glob("*.md"))
TEXTS = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
SECTION = re.compile(r"^### ([^\n]*)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
MADE_OF_WORDS = re.compile(r"<!-- made: words (.*) -->")
EMPTY = re.compile(r"(<!-- made: .* -->\n).*?(<!-- end -->)", re.DOTALL)


def named(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def sections() -> list[tuple[str, list[str], str]]:
    """Page, words of the head and text of each section that is about words."""
    found = [(page, named(head), text) for page, whole in TEXTS.items() for head, text in SECTION.findall(whole)]
    return [(page, words, text) for page, words, text in found if words]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_is_generated_is_up_to_date(page: Path) -> None:
    """`python -m dsl.reference.generate` writes it."""
    text = TEXTS[page.name]
    assert filled(text) == text
    assert filled(EMPTY.sub(r"\1\2", text)) == text, "what stands between the markers is all written anew"


def test_every_word_has_one_section_and_every_section_has_words() -> None:
    """`set` and `table` are words and folds, so each sort has pages of its own."""
    of_folds = Counter(word for page, words, _ in sections() if page == "expressions.md" for word in words)
    of_lines = Counter(word for page, words, _ in sections() if page != "expressions.md" for word in words)
    assert of_folds == Counter(FOLDS.keys())
    assert of_lines == Counter(TABLE.keys())


def test_a_section_of_words_begins_with_their_table_and_says_what_they_do() -> None:
    for page, words, text in sections():
        if page == "expressions.md":
            continue
        made = MADE_OF_WORDS.findall(text)
        assert made == [", ".join(words)], (page, words)
        assert text.startswith("\n<!-- made: words"), (page, words)
        assert "**Static.**" in text or "**Dynamic.**" in text, (page, words)


def test_each_part_is_used() -> None:
    used = {found for text in TEXTS.values() for found in re.findall(r"<!-- made: (\w+)", text)}
    assert used == PARTS.keys()


def test_the_facts_of_words_are_said() -> None:
    assert FACTS.keys() == {*get_args(Fact)}


def test_each_function_is_said_to_give_something_and_no_other_is() -> None:
    table = TEXTS["expressions.md"].partition("| Function | Gives |")[2]
    said = {name for row in re.findall(r"^\| (.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)\(", row)}
    declared_in_rules = {"K", "v"}  # a cell of a lattice, a value
    assert said - declared_in_rules == BUILTINS.keys() - {"seats from"}  # which is an operator
    assert "`seats from p`" in TEXTS["expressions.md"]


def test_each_key_and_limit_of_the_manifest_is_explained() -> None:
    text = TEXTS["files.md"]
    rows = re.findall(r"^\| (.*?) \|", text.partition("| Key | Is |")[2].partition("\n## ")[0], re.MULTILINE)
    assert {*OF_THE_BASE, *OF_OVERLAYS} <= {name for row in rows for name in named(row)}
    prose = text.partition("## Limits")[2].partition("<!-- end -->")[2]
    assert CEILINGS.keys() <= {*named(prose)}


def test_every_code_that_is_named_exists_and_each_is_on_one_page() -> None:
    codes = read_pages().keys()
    assert {code for text in TEXTS.values() for code in re.findall(r"RW\d{4}", text)} <= codes
    listed = Counter(c for text in TEXTS.values() for c in re.findall(r"^- \[(RW\d{4})\]", text, re.MULTILINE))
    assert listed == Counter(codes)
