"""The terminal game without a terminal: bots play a ruleset to the end, or begin to, with a report in words."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from tests.conformance.tables import ROOT, Table, each_ruleset, each_small_ruleset

LONGEST = 4000  # words of a state: games of more are not told to their ends
WINNER = re.compile(r"^(Winner|Draw): \S.*$")


def command(ruleset: str, *words: str) -> dict[str, Any]:
    """How a game is begun without a terminal."""
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "RULEWRIGHT_HOME", "RULEWRIGHT_DEBUG")}
    return {
        "args": [sys.executable, "-m", "tools.cli", "play", ruleset, *words],
        "cwd": ROOT, "stdin": subprocess.DEVNULL, "text": True, "encoding": "utf-8",
        "env": {**environment, "PYTHONIOENCODING": "utf-8"},
    }  # fmt: skip


def play(ruleset: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(**command(ruleset, *words), capture_output=True, timeout=120)


def output_lines(run: subprocess.CompletedProcess[str]) -> list[str]:
    """The lines of a game that went well."""
    assert run.returncode == 0, run.stderr[-2000:]
    assert "Traceback" not in run.stdout + run.stderr
    lines = [line for line in run.stdout.splitlines() if line.strip()]
    assert len(lines) > 5 and "\x1b" not in run.stdout, "a story without colours for a pipe"
    return lines


def first_lines(ruleset: str, number: int) -> list[str]:
    """The first lines of a game that takes the bots longer than a test may; fewer if it ends before."""
    with subprocess.Popen(**command(ruleset, "--seed", "1"), stdout=PIPE, stderr=subprocess.STDOUT) as game:
        assert game.stdout is not None
        lines = [line.rstrip("\n") for line in islice(game.stdout, number)]
        game.kill()
    return lines


@each_ruleset
def test_bots_play_to_the_end_without_a_terminal(table: Table) -> None:
    if table.large:
        begun = first_lines(name_of(table), 60)
        assert table.game.program.title["en"] in begun[0] and len(begun) == 60
        assert not any("Traceback" in line or line.startswith("error") for line in begun)
    else:
        compare_end(table)


@pytest.mark.soak
@each_ruleset
def test_bots_play_large_games_to_the_end(table: Table) -> None:
    """The largest take the bots longer than a test may."""
    if table.large and table.game.program.state_words < LONGEST:
        compare_end(table)


def name_of(table: Table) -> str:
    return table.folder if table.small else Path(table.folder).name


def compare_end(table: Table) -> None:
    lines = output_lines(play(name_of(table), "--seed", "1"))
    assert table.game.program.title["en"] in lines[0]
    assert WINNER.match(lines[-1]), lines[-1]


@each_small_ruleset
def test_the_same_seed_is_the_same_story(table: Table) -> None:
    first, again = (output_lines(play(table.folder, "--seed", "5", "--bot", "random")) for _ in range(2))
    assert first == again


def test_a_game_is_told_in_japanese() -> None:
    lines = output_lines(play("tests/conformance/rulesets/masks", "--seed", "1", "--lang", "ja"))
    assert any("エイダ" in line for line in lines) and not any("Ada" in line for line in lines)


def test_an_unknown_ruleset_is_one_line() -> None:
    run = play("dominant_specie")
    assert run.returncode != 0 and "dominant_species" in run.stderr
    assert "Traceback" not in run.stderr and len(run.stderr.strip().splitlines()) <= 3
