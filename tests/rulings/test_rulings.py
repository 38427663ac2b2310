"""What holds for the rulings of all rulesets together; each of them is a test of its own, by `tools.pytest_plugin`.

`pytest rulesets cards` runs them; `--snapshot-update` writes the transcripts anew, to be reviewed as a diff.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dsl.driver.reference import shipped_overlays
from dsl.files.ruleset import shown_name
from interpreter import Game
from interpreter.records.ruling import run_ruling
from tests.conformance.tables import ROOT, folders, load

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


def check_traces(step: int) -> None:
    """What a ruling does is the same in the machine that plays and in the one that traces; each `step`-th of a game."""
    for game, own in games().values():
        rulings = [ruling for ruling in game.program.rulings.values() if ruling.span.file.startswith(own)]
        for ruling in rulings[::step]:
            plain, traced = (run_ruling(game, ruling, traced=t) for t in (False, True))
            assert plain.passed and traced.passed, ruling.name
            kept = iter(traced.transcript)
            assert all(line in kept for line in plain.transcript), ruling.name


def test_a_transcript_does_not_depend_on_being_traced() -> None:
    check_traces(120)


@pytest.mark.soak
def test_no_transcript_depends_on_being_traced() -> None:
    check_traces(1)


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
