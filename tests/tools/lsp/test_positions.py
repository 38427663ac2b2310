"""Positions of the protocol in each encoding that it knows, and the texts of a ruleset with open files."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.base.span import Source
from tests.spiel.extras import require

require("pygls", "lsp")

from lsprotocol import types as lsp  # noqa: E402

from tools.lsp.positions import Positions  # noqa: E402
from tools.lsp.projects import Project, project_of  # noqa: E402

TEXT = "one\n魚🐟 two\n"
TWO = TEXT.index("two")


@pytest.mark.parametrize("encoding, column", [("utf-16", 4), ("utf-32", 3), ("utf-8", 8)])
def test_columns_are_units_of_the_encoding(encoding: str, column: int) -> None:
    positions, source = Positions(encoding), Source("a.rules", TEXT)
    assert positions.position(source, TWO) == lsp.Position(1, column)
    assert positions.offset(source, lsp.Position(1, column)) == TWO


@pytest.mark.parametrize("line, column, offset", [(0, 99, 3), (1, 99, TWO + 3), (2, 0, len(TEXT)), (9, 0, len(TEXT))])
def test_what_lies_beyond_is_the_end(line: int, column: int, offset: int) -> None:
    assert Positions().offset(Source("a.rules", TEXT), lsp.Position(line, column)) == offset


def test_a_column_within_a_sign_is_behind_it() -> None:
    assert Positions().offset(Source("a.rules", TEXT), lsp.Position(1, 2)) == TEXT.index("🐟") + 1


@pytest.mark.parametrize(
    "file, path, overlay",
    [
        ("rulesets/dominant_species/actions/adaptation.rules", "rulesets/dominant_species", None),
        ("rulesets/dominant_species/locale/ja.yaml", "rulesets/dominant_species", None),
        ("cards/love_letter/characters.cards", "rulesets/love_letter", None),
        ("rulesets/hex/variants/board_13/x.variant", "rulesets/hex", "rulesets/hex/variants/board_13"),
        ("rulesets/hex/variants/small.variant", "rulesets/hex", "rulesets/hex/variants/small.variant"),
        (
            "cards/dominant_species/errata/fertile_printed/rulings/a.ruling",
            "rulesets/dominant_species",
            "cards/dominant_species/errata/fertile_printed",
        ),
    ],
)
def test_a_file_belongs_to_the_ruleset_of_its_folder(file: str, path: str, overlay: str | None) -> None:
    here = Path.cwd()
    assert project_of(here / file) == Project(here / path, here / overlay if overlay else None)


@pytest.mark.parametrize("file", ["rulesets/suites.yaml", "README.md", "tests/a.rules", "cards/nowhere/a.cards"])
def test_other_files_belong_to_none(file: str) -> None:
    assert project_of(Path.cwd() / file) is None


def test_an_open_file_counts_before_the_one_on_disk() -> None:
    path = Path.cwd() / "rulesets" / "nim"
    file = next(path.glob("*.rules"))
    texts, _ = Project(path).read({file: "value open: int = 1\n"})
    assert texts.all()[f"rulesets/nim/{file.name}"].text == "value open: int = 1\n"
