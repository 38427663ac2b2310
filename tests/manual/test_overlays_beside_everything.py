"""Overlays count whatever else a ruleset holds: with every construct of the manual beside them, two that meet are
reported, and one alone is in force."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic
from dsl.driver.load import compile_ruleset
from dsl.driver.pipeline import compile_texts
from dsl.files.ruleset import FileTexts, read_files
from dsl.program import Program
from tests.manual import orchard
from tests.test_docs import concept_pages, fences

CONFORMANCE = sorted((Path(__file__).parents[1] / "conformance" / "rulesets").iterdir())
ROOT = Path(__file__).parents[2]
QUARREL = "option quarrel: calm, wild, loud = calm\n"


def with_quarrel(folder: Path, overlays: list[Path], *moods: str) -> tuple[Program | None, list[Diagnostic]]:
    """The ruleset with an option more, and for each mood a variant that makes it the default."""
    texts, unreadable = read_files(folder, overlays)
    assert not unreadable
    texts.add("quarrel.rules", Source("quarrel.rules", QUARREL))
    for mood in moods:
        layer = FileTexts(mood)
        patch = f"variant {mood}_default on {folder.name}\n    alter quarrel from calm to {mood}\n"
        layer.add(f"{mood}.variant", Source(f"{mood}.variant", patch))
        texts.overlays.append(layer)
    given = list(texts.overlays)
    program, found = compile_texts(texts, folder.name, "")
    assert texts.overlays == given, "the texts that are handed in stay as they are"
    return program, found


def check_quarrels(folder: Path, overlays: list[Path]) -> None:
    program, found = with_quarrel(folder, overlays, "wild", "loud")
    meeting = [d for d in found if d.code == "RW1005"]
    assert program is None and len(meeting) == 1 and "quarrel" in meeting[0].message, found
    program, found = with_quarrel(folder, overlays, "wild")
    assert program is not None, found
    (option,) = (o for o in program.options if o.name == "quarrel")
    domain = program.domains["quarrel"]
    assert domain.ids[domain.values.index(option.default)] == "wild"


@pytest.mark.parametrize("page", concept_pages(), ids=lambda path: path.stem)
def test_overlays_count_beside_the_constructs_of_a_page(page: Path, tmp_path: Path) -> None:
    name = str(page.relative_to(ROOT))
    examples = {f.line: f.text for f in fences("rules") if f.page == name}
    check_quarrels(*orchard.write(tmp_path, page.stem, examples))


@pytest.mark.parametrize("folder", CONFORMANCE, ids=lambda path: path.name)
def test_overlays_count_beside_the_rules_of_a_small_game(folder: Path) -> None:
    check_quarrels(folder, [])


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("wild.varint", "variant wild on kettle\n", "holds no file of an overlay"),
        ("wild.variant", "# later\n", "holds no `errata` or `variant` block"),
        ("wild.errata", "", "holds no `errata` or `variant` block"),
    ],
)
def test_a_folder_without_an_overlay_is_not_left_out_in_silence(
    tmp_path: Path, file: str, text: str, told: str
) -> None:
    kettle = next(folder for folder in CONFORMANCE if folder.name == "kettle")
    overlay = tmp_path / "wild"
    overlay.mkdir()
    (overlay / file).write_text(text)
    program, found, _ = compile_ruleset(kettle, [overlay], cached=False)
    assert program is None and [d.code for d in found] == ["RW1001"] and told in found[0].message
