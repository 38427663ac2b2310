"""What `pip install` brings is whole: a wheel built from this checkout checks, plays and begins games in an empty
folder.

The environment is fresh but for the libraries, which it borrows from the one that runs the tests, so that nothing is
loaded from a network.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
Command = Callable[..., str]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(ROOT))
    subprocess.run([*PIP, *build], check=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Command:
    """Runs `rulewright` of a fresh environment in an empty folder, and gives what it printed."""
    top = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(top / "venv")], check=True)
    subprocess.run([*PIP, "--python", str(top / "venv"), "install", "--no-deps", "--no-index", str(wheel)], check=True)
    (packages,) = (top / "venv").glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    empty = top / "empty"
    empty.mkdir()
    kept = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [str(top / "venv" / "bin" / "rulewright"), *words],
            cwd=empty,
            env={**kept, "HOME": str(top), "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def test_the_wheel_has_the_games_and_nothing_of_the_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    games = {name.split("/")[2] for name in names if name.startswith("rulewright/rulesets/") and name.count("/") > 2}
    assert games == {folder.name for folder in (ROOT / "rulesets").iterdir() if (folder / "ruleset.yaml").is_file()}
    assert "rulewright/cards/dominant_species/dominance.cards" in names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"dsl", "interpreter", "tools", "rulewright"}
    assert not [name for name in names if name.endswith((".ambr", ".pyc"))]


def test_it_says_its_version(installed: Command, wheel: Path) -> None:
    assert installed("--version") == f"rulewright {wheel.name.split('-')[1]}\n"


def test_a_game_that_came_with_it_is_checked_and_played(installed: Command) -> None:
    assert installed("check", "dominant_species") == "dominant_species: no problems\n"
    assert "Winner: " in installed("play", "dominant_species", "--seed", "7")
    assert "Biodiversity" in installed("card", "dominant_species", "biodiversity")


def test_a_ruleset_of_ones_own_begins_in_the_current_folder(installed: Command) -> None:
    installed("new", "ruleset", "mine")
    assert installed("check", "mine") == "mine: no problems\n"
    assert "== Final scores ==" in installed("play", "mine")


def test_a_game_that_came_with_it_is_changed_as_a_copy(installed: Command) -> None:
    refused = installed("new", "ruling", "milder", "--on", "tic_tac_toe", code=2)
    assert "take a copy first, with 'rulewright new copy tic_tac_toe'" in refused
    assert "rulesets/tic_tac_toe" in installed("new", "copy", "tic_tac_toe")
    installed("new", "errata", "milder", "--on", "tic_tac_toe")
    assert installed("check", "tic_tac_toe+milder") == "tic_tac_toe+milder: no problems\n"
    assert "already exists: nothing was written" in installed("new", "copy", "tic_tac_toe", code=2)


def test_a_game_that_came_with_it_is_changed_from_the_current_folder(installed: Command) -> None:
    assert "sharper.errata" in installed("new", "errata", "sharper", "--on", "nim")
    assert installed("check", "nim+sharper.errata") == "nim+sharper: no problems\n"


def test_it_serves_an_editor(installed: Command) -> None:
    pytest.importorskip("pygls")
    assert installed("lsp") == ""
