"""A home with one small ruleset, and the hand-made program of the interpreter's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import Game
from tests.interpreter.programs import fair
from tools import cli


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


def lay_out(files: dict[str, str], home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home folder with these files, which is the current one."""
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_HOME", str(home))
    monkeypatch.chdir(home)


def run(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    """What a command prints, which must end with this code."""
    assert cli.run(list(words)) == code, capsys.readouterr().err
    return capsys.readouterr().out


def rewrite(file: Path, old: str, new: str) -> None:
    """Change a file, in which `old` must stand."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


MANIFEST = """\
id: last_apple
version: 1
title: {en: "The last apple", ja: "最後のりんご"}
seats: 2..4
load: [game.rules]
result: {score: score}
evaluate: score
presets:
  small: {short: true}
"""
CLAUSES = """\
LA-1: {title: "A turn takes one to three apples", source: "page 1"}
LA-2: {title: "Whoever takes the last apple wins", source: "page 1"}
LA-3: {title: "The loser eats the basket", source: "page 2", prose: "nothing of it is in the game"}
"""
RULES = """\
option short: bool = false
enum Cause: picked

piece apple each 21 from tree

zone tree: apple

kind Seat
    zone basket: apple
    field last: bool

phase game
    repeat while tree > 0 and not (short and tree < 12)
        for every p in seats while tree > 0: do turn(p)

phase turn(p: Seat)                                                                                 [LA-1]
    choose number n in 1..min(3, tree) by p
    move n apple from tree to p.basket as picked
    for every q in seats: set q.last to q is p

value score(p: Seat): int = 1 if p.last else 0                                                      [LA-2]
"""
RULINGS = """\
position three_left "three apples left"
    seats: 2
    tree: 3, others gone

ruling LA_001 "the last apple wins"                                                                 [LA-2]
    given three_left
    when
        do turn(p1)
        p1 chooses 3
    expect
        tree: 0
        score(p1): 1
        score(p2): 0
"""


@pytest.fixture
def apples(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A whole game in text; the cache of compiled rulesets lies in the home."""
    folder = home / "rulesets" / "last_apple"
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(home / "cache"))
    monkeypatch.setattr("tools.base.home.homes", lambda: iter([home]))
    (folder / "rulings").mkdir(parents=True)
    files = {"ruleset.yaml": MANIFEST, "clauses.yaml": CLAUSES, "game.rules": RULES, "rulings/apples.ruling": RULINGS}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
