"""The tables of the grammar that stand ready: they belong to its text, and are made anew where they do not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dsl.syntax import grammar, parser
from dsl.syntax.callbacks import CALLBACKS
from dsl.syntax.grammar import load
from dsl.syntax.grammar.generate import make, text_of
from dsl.syntax.parser import parse_file
from tests.dsl.corpus import TEXTS

ROOT = Path(grammar.__file__).parents[2]
NAME = "constructs.rules"


@pytest.fixture(autouse=True)
def fresh_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "_table", None)


def test_the_file_is_what_the_grammar_gives() -> None:
    assert grammar.TABLES_FILE.read_text(encoding="utf-8") == text_of(make()), (
        "run python -m dsl.syntax.grammar.generate"
    )


def test_every_rule_has_its_callback_and_every_callback_its_rule() -> None:
    assert {name for name, _, _ in load(make).rules if name} == set(CALLBACKS)


def test_reading_a_text_loads_no_maker_of_parsers() -> None:
    script = (
        "import sys; from dsl.syntax.parser import parse_file; "
        "parse_file('a', 'enum E: a'); print('lark' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("damage", ["missing", "empty", "truncated", "foreign"])
def test_without_the_file_the_tables_are_made(damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = parse_file(NAME, TEXTS[NAME])
    good = load(make)
    text = grammar.TABLES_FILE.read_text(encoding="utf-8")
    other = tmp_path / "tables.json"
    if damage != "missing":
        other.write_text({"empty": "", "truncated": text[: len(text) // 2], "foreign": "{}"}[damage])
    monkeypatch.setattr(grammar, "TABLES_FILE", other)
    monkeypatch.setattr(parser, "_table", None)
    assert load(make) == good
    assert parse_file(NAME, TEXTS[NAME]) == built


def test_the_tables_of_another_grammar_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = grammar.GRAMMAR.read_text(encoding="utf-8")
    changed = tmp_path / "rules.lark"
    changed.write_text(text.replace("tight: NAME ", "tight: NUM TEXT -> measured\n     | NAME "), encoding="utf-8")
    assert ("measured", "tight", 2) not in load(make).rules
    monkeypatch.setattr(grammar, "GRAMMAR", changed)
    assert ("measured", "tight", 2) in load(make).rules
