"""A home with one small ruleset, and the hand-made program of the interpreter's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game
from tests.interpreter.programs import fair


@pytest.fixture
def game() -> Game:
    return Game(fair())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder that is the current one; the rulesets of the repository are not in it."""
    (tmp_path / "rulesets").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULEWRIGHT_HOME", str(tmp_path))
    return tmp_path
