"""`play --ruling`: a game from a ruling's position, its save in every command, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import begun_from, save
from tests.tools.commands.test_commands import Capture, run
from tools import cli
from tools.base.loading import load_game

ROOT = Path(__file__).parents[3]


def test_bots_play_a_position_to_its_end(apples: Path, capsys: Capture) -> None:
    out = run(capsys, "play", "last_apple", "--ruling", "LA_001", "--human", "0", "--seed", "3")
    assert "2 seats, seed 3" in out and "p1: " in out and "p2: " not in out and "Final scores" in out


def test_its_save_goes_through_every_command(apples: Path, capsys: Capture) -> None:
    state = begun_from(load_game("last_apple"), "LA_001", 3)
    file = apples.parents[1] / "game.json"
    file.write_text(json.dumps(save(state)), encoding="utf-8")
    assert "Final scores" in run(capsys, "play", "--load", str(file), "--human", "0")
    assert "Final scores" in run(capsys, "play", "--load", str(file), "--human", "0", "--again")
    run(capsys, "replay", str(file))
    run(capsys, "draw", str(file), "--at", "0", "--out", "game.svg")


def test_a_process_of_its_own(apples: Path) -> None:
    command = [sys.executable, "-m", "tools", "play", "tic_tac_toe", "--ruling", "TTT_003", "--seed", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, env=_home(ROOT))
    assert done.returncode == 0 and "Tic-tac-toe: 2 seats, seed 1" in done.stdout, done.stderr
    wrong = subprocess.run(
        [*command[:-4], "--ruling", "two_each"], cwd=ROOT, capture_output=True, text=True, timeout=120, env=_home(ROOT)
    )
    assert wrong.returncode == 1 and "nothing is asked in it" in wrong.stderr


def _home(home: Path) -> dict[str, str]:
    import os

    return {**os.environ, "RULEWRIGHT_HOME": str(home)}


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (["--ruling", "LA_002"], 2, "did you mean 'LA_001'?"),
        (["--ruling", "three_left"], 1, "no game can begin from three_left: nothing is asked in it"),
        (["--ruling", "LA_001", "--seats", "2"], 2, "a ruling says itself how it begins"),
        (["--ruling", "LA_001", "--option", "short=true"], 2, "a ruling says itself how it begins"),
    ],
)
def test_what_is_refused(apples: Path, capsys: Capture, words: list[str], code: int, expected: str) -> None:
    assert cli.run(["play", "last_apple", *words]) == code
    assert expected in capsys.readouterr().err


def test_a_position_that_cannot_be_is_told(apples: Path, capsys: Capture) -> None:
    file = apples / "rulings" / "apples.ruling"
    file.write_text(file.read_text(encoding="utf-8").replace("tree: 3, others gone", "tree: 30"), encoding="utf-8")
    assert cli.run(["play", "last_apple", "--ruling", "LA_001"]) == 1
    assert "no game can begin from LA_001: tree is a supply" in capsys.readouterr().err
