"""The pictures of the manual are those that the commands on its page draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.cli import run

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docs/manual/pictures"
CARDS, RULINGS = ROOT / "cards/dominant_species", ROOT / "rulesets/dominant_species/rulings"
COMMANDS = {
    "othello": ["othello", "--after", "20", "--seat", "1"],
    "dominant_species": ["dominant_species", "--seats", "3", "--after", "80", "--seat", "1"],
    "fertile_printed": [str(CARDS / "errata/fertile_printed"), "--ruling", "DS_R080a"],
    "mass_exodus": [str(RULINGS / "cards_i_to_s.ruling"), "--ruling", "DS_R086a"],
}


SLOW = "fertile_printed"  # plays hundreds of rulings twice
NAMES = [pytest.param(name, marks=pytest.mark.soak) if name == SLOW else name for name in COMMANDS]


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_of_the_manual_is_as_it_would_be_drawn_now(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If not: `rulewright draw` with these words and `--out docs/manual/pictures/NAME.svg`, and look at it."""
    monkeypatch.chdir(ROOT)
    out = tmp_path / "now.svg"
    assert run(["draw", *COMMANDS[name], "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8") == (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


def test_every_picture_is_drawn_by_a_command_and_shown() -> None:
    page = (ROOT / "docs/manual/pictures.md").read_text(encoding="utf-8")
    assert {file.stem for file in FOLDER.glob("*.svg")} == {*COMMANDS}
    assert all(f"(pictures/{name}.svg)" in page for name in COMMANDS)
