"""The table of words and the nearest known name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.base.spelling import distance, nearest
from dsl.checks import leaks, lints
from dsl.editing.mentions import CALLED, PAID
from dsl.editing.mentions import PATTERNS as NAMING
from dsl.editing.mentions import ROUTINES as NAMED
from dsl.elaborate.core import suspension
from dsl.elaborate.events import reactions
from dsl.symbols import rule_lines
from dsl.syntax import form, vocabulary
from dsl.syntax.vocabulary import CLASSES, CLAUSES, FOLDS, PHRASES, TABLE, TOP_LEVEL, Fact, having
from tools.lsp import textmate
from tools.site.content import rules


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


LISTS: dict[Fact, tuple[tuple[str, ...], ...]] = {
    "changes": (lints.CHANGES, suspension.CHANGES, ("move", "gain", "lose", "pay", "turn", "set")),
    "public": (leaks.CHANGES,),
    "counts": (form.PIECES,),
    "listened": (rule_lines.VERBS,),
    "accounts": (reactions.ACCOUNTS, PAID),
    "asks": (leaks.ASKS,),
    "names": (CALLED,),
    "routine": (rule_lines.ROUTINES, NAMED),
    "attaches": (rule_lines.RULE_LINES,),
    "patterns": (NAMING, rules.CHANGES),
}


@pytest.mark.parametrize("fact", LISTS)
def test_the_lists_are_the_words_of_one_fact(fact: Fact) -> None:
    for listed in LISTS[fact]:
        assert set(listed) == set(having(fact))


def test_lists_that_stand_in_the_text_of_a_pass() -> None:
    assert {"gain", "lose", "move", "turn"} == {*having("counts")} - {*having("demands")}  # of plans
    assert {"require", "pay"} == {*having("demands")}  # of lints
    assert {*lints.CHANGES, "do", "perform", "shuffle"} == {*having("changes"), *having("alters")}  # of lints
    assert {*rule_lines.RULE_LINES, "change", "default"} == set(textmate.NAMELESS)
