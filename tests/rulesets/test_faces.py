"""Bios:Mesofauna with other faces: who has the printed cards replaces records of data and icons, and nothing else."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest

import interpreter as rw
from dsl.diagnostics.diagnostic import Severity
from dsl.driver.load import compile_ruleset
from tests.conformance.tables import ROOT

GAME = "bios_mesofauna"
RECORD = re.compile(r"^  (\w+): (\{.*\})", re.MULTILINE)
ICONS = re.compile(r"^    strip icons: (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def other_faces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ruleset with other organs, orientations, events and terrain: each card, form and biome has those of the
    next; every craton has its three hexes still."""
    home = tmp_path_factory.mktemp("faces")
    for top in ("rulesets", "cards"):
        shutil.copytree(ROOT / top / GAME, home / top / GAME)
    for file in ("mutations", "forms"):
        turn_records(home / "rulesets" / GAME / "data" / f"{file}.yaml", RECORD, 2)
    turn_records(home / "rulesets" / GAME / "data" / "faces.yaml", re.compile(r"terrain: (\{.*?\})"), 1)
    turn_records(home / "cards" / GAME / "events.cards", ICONS, 1)
    return home / "rulesets" / GAME


def turn_records(file: Path, what: re.Pattern[str], group: int) -> None:
    """Give each place the text of the next one."""
    text = file.read_text(encoding="utf-8")
    found = [m[group] for m in what.finditer(text)]
    assert len(set(found)) > 3
    following = iter([*found[1:], found[0]])
    file.write_text(
        what.sub(
            lambda m: m[0][: m.start(group) - m.start()] + next(following) + m[0][m.end(group) - m.start() :], text
        ),
        encoding="utf-8",
    )


def test_other_faces_are_checked_without_a_word(other_faces: Path) -> None:
    program, notes, _ = compile_ruleset(other_faces)
    assert program is not None
    assert [d.message for d in notes if d.severity is not Severity.NOTE] == []
    known = rw.load(ROOT / "rulesets" / GAME).program
    changed = {name for name, (table, _) in program.consts.items() if program.tables[table] != known.tables[table]}
    assert {"Mutation.organs", "Mutation.event", "Form.part", "Form.silhouette", "Biome.terrain"} <= changed


def play(game: rw.Game, seats: int, decisions: int) -> rw.State:
    state, chooser = game.new(seats=seats, seed=1, checked=True), random.Random(1)
    for _ in range(decisions):
        if state.over:
            break
        rw.apply(state, chooser.choice(rw.legal(state)))
    return state


def test_other_faces_are_played(other_faces: Path) -> None:
    state = play(rw.load(other_faces, backend="reference"), 2, 40)
    assert state.decision is not None
    assert any(entry.ids[:1] == ("mutate",) for entry in state.log), "nobody took a card of the display"


@pytest.mark.soak
@pytest.mark.parametrize("seats", [1, 3])
def test_games_with_other_faces_end(other_faces: Path, seats: int) -> None:
    assert play(rw.load(other_faces), seats, 10**6).over
