"""A comparison of two checkouts: each side is a process of its own, and what it plays is what the bench plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from tools import cli
from tools.base.errors import UserError
from tools.bench import against
from tools.bench.against import COMPARED, HERE, Side
from tools.bench.cells import Measurement
from tools.bench.players import BULK, DRIVER, SESSION, VECTOR, WAYS


def test_a_side_plays_the_games_of_the_bench() -> None:
    side = Side(HERE, "nim", 2)
    try:
        cells = [side.play(way, 1e-9, 5) for way in (DRIVER, SESSION, BULK)]
    finally:
        side.end()
    driven, session, bulk = cells
    assert driven is not None and session is not None and bulk is not None
    player = WAYS[DRIVER](load("nim"), 2)
    assert player is not None
    player.begin(5)
    decisions = player.play(1).decisions
    assert (driven.games, driven.decisions) == (session.games, session.decisions) == (1, decisions)
    assert 4 <= bulk.decisions <= 16 and driven.seconds > 0


def test_a_side_without_a_ruleset_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    side = Side(HERE, "no_such_ruleset", 0)
    with pytest.raises(UserError, match="did not play driver"):
        side.play(DRIVER, 0.001, 1)
    side.end()
    assert "no_such_ruleset" in capfd.readouterr().err


class Told:
    """A side whose cells are laid down: twice as fast in the folder of this checkout, and without drivers elsewhere."""

    def __init__(self, folder: Path, ruleset: str, seats: int) -> None:
        self.here, self.asked = folder == HERE, list[str]()

    def play(self, way: str, seconds: float, seed: int) -> Measurement | None:
        if way == VECTOR or (way == DRIVER and not self.here):
            return None
        return Measurement(1, 100 * seed, 0.5 if self.here else 1.0)

    def end(self) -> None:
        pass


def test_ratios_are_taken_in_each_round(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "interpreter").mkdir()
    (tmp_path / "interpreter" / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(against, "Side", Told)
    words = ["bench", "nim", "--against", str(tmp_path), "--rounds", "2"]
    assert cli.run([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["rulesets"]["nim"]
    assert [*found] == [way for way in COMPARED if way != VECTOR]
    assert (found[DRIVER]["than"], found[BULK]["than"]) == (SESSION, BULK)
    assert all(one["ratio"]["runs"] == [2.0, 2.0] for one in found.values())
    assert found[BULK]["here"]["runs"] == [200.0, 400.0]
    assert cli.run(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:4] == ["driver", "/", "session", "session"] and lines[2].split()[:2] == ["nim", "2.00"]


def test_a_folder_that_is_no_checkout_is_said(tmp_path: Path, capsys: Any) -> None:
    assert cli.run(["bench", "nim", "--against", str(tmp_path)]) == 2
    assert "should be a checkout of this repository" in capsys.readouterr().err
