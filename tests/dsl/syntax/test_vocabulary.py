"""The table of words and the nearest known name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from dsl.base.spelling import distance, nearest
from dsl.syntax import vocabulary
from dsl.syntax.vocabulary import CLASSES, CLAUSES, FOLDS, PHRASES, TABLE, TOP_LEVEL, Fact, words_with


def test_every_clause_of_the_table_is_a_clause() -> None:
    for row in TABLE.values():
        for clause in row.clauses:
            assert clause in CLAUSES or clause == "with by", row
        assert all(need in row.clauses for group in row.needs for need in group)
    taken = {clause for row in TABLE.values() for clause in row.clauses}
    taken |= {clause for clauses in FOLDS.values() for clause in clauses}
    assert set(CLAUSES) - taken == {"within"}, "a clause that no word takes; `within` is part of `cost`"


def test_terminals_of_words_are_those_of_the_grammar() -> None:
    grammar = (Path(vocabulary.__file__).parent / "grammar" / "rules.lark").read_text(encoding="utf-8")
    declared = set(re.findall(r"[A-Z]{2,}", " ".join(re.findall(r"%declare (.*)", grammar))))
    assert {terminal for terminals in CLASSES.values() for terminal in terminals} <= declared


def test_the_grammar_fits_on_two_screens() -> None:
    grammar = (Path(vocabulary.__file__).parent / "grammar" / "rules.lark").read_text(encoding="utf-8")
    assert len(grammar.splitlines()) <= 150


def test_longer_phrases_are_tried_first() -> None:
    assert PHRASES.index("always for every") < PHRASES.index("for every")
    assert "card" in TOP_LEVEL and "step" not in TOP_LEVEL and "drop" not in TOP_LEVEL


@pytest.mark.parametrize(
    ("read", "known", "meant"),
    [
        ("mvoe", ["move", "more", "gain"], "move"),
        ("form", ["from", "to"], "from"),
        ("wher", ["where", "when"], "where"),
        ("xyz", ["move"], None),
        ("Move", ["lose", "move"], "move"),
        ("move", ["move"], None),
        ("as", ["at", "is"], "at"),
        ("", ["a"], None),
        ("a", ["as"], None),
        ("calandra", ["calendar"], "calendar"),
        ("kalndar", ["lantern"], None),
    ],
)
def test_nearest(read: str, known: list[str], meant: str | None) -> None:
    assert nearest(read, known) == meant


def test_distance_counts_swaps_once() -> None:
    assert distance("form", "from", 3) == 1
    assert distance("abcd", "badc", 3) == 2
    assert distance("kitten", "sitting", 3) == 3
    assert distance("kitten", "sitting", 2) == 3


# ---------------------------------------------------------------- facts


def test_words_of_each_fact() -> None:
    """The facts are few and hang together: these are all words of each, with what makes it another list."""
    amounts = ("move", "gain", "lose", "pay", "turn")
    expected: dict[Fact, tuple[str, ...]] = {
        "changes": (*amounts, "set"),
        "alters": ("shuffle", "record", "do", "perform"),
        "public": (*amounts, "shuffle", "record", "stop"),
        "counts": amounts,
        "listened": amounts,
        "accounts": ("gain", "lose", "pay"),
        "demands": ("pay", "require"),
        "asks": ("perform", "offer"),
        "names": ("do", "perform", "offer", "stop"),
        "routine": ("phase", "action", "procedure", "icon"),
        "plans": ("action", "icon"),
        "attaches": ("modify", "grant", "deny", "hands on", "before", "after", "instead of", "source"),
        "patterns": ("modify", "grant", "deny", "hands on", "before", "after", "instead of"),
    }
    assert set(expected) == set(get_args(Fact))
    for fact, words in expected.items():
        assert words_with(fact) == words, fact


def test_only_sentences_and_declarations_have_facts() -> None:
    of_declarations = {"routine", "plans", "attaches", "patterns"}
    for row in TABLE.values():
        assert row.kind in ("verb", "decl") or not row.facts, row
        assert {*row.facts} <= of_declarations if row.kind == "decl" else not of_declarations & {*row.facts}, row
