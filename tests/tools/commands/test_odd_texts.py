"""A game whose title, names and texts hold anything: each command that writes them does its work, and nothing comes out
that acts on a terminal or is half a character."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.commands.test_commands import Capture, rewrite, saved
from tools import cli

ODD = "\ud800</title><script>\u202e\x1b[2J\x07\u2028{0}{id}%s\\\udfff"
COMMANDS = (
    "check last_apple", "check last_apple --format json", "play last_apple --seed 4", "simulate last_apple --games 3",
    "simulate last_apple --games 3 --json", "rulings last_apple", "rulings last_apple --json", "coverage last_apple",
    "draw last_apple --out a.svg", "draw last_apple --seat 1 --out a.html", "site last_apple --out site",
    "build last_apple --out page", "explain last_apple", "replay game.json", "trace game.json",
    "fmt last_apple", "card last_apple p1",
)  # fmt: skip


@pytest.fixture
def odd(apples: Path, capsys: Capture) -> Path:
    saved(apples, capsys, 3)
    for old, new in (("The last apple", ODD), ("最後のりんご", ODD)):
        rewrite(apples / "ruleset.yaml", f'"{old}"', json.dumps(new))
    (apples / "locale").mkdir()
    texts = json.dumps(ODD)
    keys = ("Seat: {p1: %s, p2: %s}", "tree: %s", "turn.n.ask: %s", "turn.n.done: %s", "game.title: %s", "apple: %s")
    lines = "\n".join(key.replace("%s", texts) for key in keys)
    (apples / "locale" / "en.yaml").write_text(lines + "\n", encoding="utf-8")
    return apples


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_does_its_work(command: str, odd: Path, capsys: Capture) -> None:
    code = cli.run(command.split())
    said = capsys.readouterr()
    assert code in (0, 1, 2) and "internal error" not in said.err, said.err
    for text in (said.out, said.err):
        assert not {*"\ud800\udfff\u202e\x1b\x07"} & {*text}
        text.encode("utf-8")
    for folder in ("site", "page"):
        for file in (odd.parents[1] / folder).rglob("*.html"):
            found = file.read_text(encoding="utf-8")
            assert "</title><script>" not in found and not {*"\u202e\x1b\x07"} & {*found}
