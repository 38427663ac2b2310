"""What holds for the rulings of all rulesets together; each of them is a test of its own, by `tools.pytest_plugin`.

`pytest rulesets cards` runs them; `--snapshot-update` writes the transcripts anew, to be reviewed as a diff.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from dsl.driver.reference import shipped_overlays
from dsl.files.ruleset import shown_name
from interpreter import Game
from interpreter.records.ruling import run_ruling
from tests.conformance.tables import ROOT, folders, load
from tools.base.transcripts import read_transcripts

NAME = re.compile(r"^# name: test_ruling\[(.+)\]$", re.MULTILINE)


def games() -> dict[str, tuple[Game, str]]:
    """Each ruleset, and each with an overlay that brings rulings along: the game, and where its own rulings stand."""
    found = {}
    for path in folders():
        folder = str(path.relative_to(ROOT))
        found[folder] = load(folder), ""
        for name, overlay in shipped_overlays(path).items():
            if any(overlay.rglob("*.ruling")):
                found[f"{folder}+{name}"] = load(f"{folder}+{name}"), shown_name(overlay, path)
    return found


def test_every_ruleset_has_rulings() -> None:
    for name, (game, own) in games().items():
        assert any(ruling.span.file.startswith(own) for ruling in game.program.rulings.values()), name


@pytest.mark.soak
@pytest.mark.parametrize("name", games())
def test_each_ruling_holds_where_native_code_plays(name: str) -> None:
    """The test of each ruling traces the reference; what native code says of it stands in the same transcript."""
    read = cache(read_transcripts)
    game, own = games()[name]
    for ruling in game.program.rulings.values():
        if ruling.span.file.startswith(own):
            result = run_ruling(game, ruling)
            kept = iter(read(path_of(game, ruling.span.file))[ruling.name])
            assert result.passed and all(line in kept for line in result.outline), ruling.name


def test_every_ruling_has_its_transcript_on_file_and_none_is_left_over() -> None:
    wanted = {
        (ROOT / path_of(game, ruling.span.file), name)
        for game, own in games().values()
        for name, ruling in game.program.rulings.items()
        if ruling.span.file.startswith(own)
    }
    places = [ROOT / "rulesets", ROOT / "cards", ROOT / "tests" / "conformance" / "rulesets"]
    files = [file for place in places for file in place.rglob("__snapshots__/*.ambr")]
    found = {(file.parent.parent / file.stem, name) for file in files for name in NAME.findall(file.read_text("utf-8"))}
    assert {(file.parent / file.stem, name) for file, name in wanted} == found


def path_of(game: Game, shown: str) -> Path:
    """A shown name is relative to the home of the ruleset."""
    small = ROOT / "tests" / "conformance" / shown
    return small if small.exists() else ROOT / shown
