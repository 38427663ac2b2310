"""The page "your first ruleset" is followed to the letter: its files are written, its commands typed, its answers seen.

A fence that comes after `mine/tic_tac_toe/FILE` is a whole file, a `console` fence is typed, and the `text` fence
after it is what must come out. At the end the folder is the ruleset of the repository.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tools.base.loading import load_game
from tools.terminal.session import Session

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/manual/your_first_ruleset.md"
GAME = "mine/tic_tac_toe"
FENCE = re.compile(r"([^\n]*)\n+```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(rf"`{GAME}/([^`]+)`")


@dataclass(frozen=True)
class Fence:
    """What a fence is for: `file` (its path), `console` or `text`, with what stands in it."""

    sort: str
    text: str
    path: str = ""


def fences() -> list[Fence]:
    found = []
    for lead, language, text in FENCE.findall(PAGE.read_text(encoding="utf-8")):
        named = FILE.findall(lead) if lead.endswith(":") or language in ("yaml", "rules") else []
        found.append(Fence("file", text, named[-1]) if named else Fence(language, text))
    return found


def typed(command: str, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """What a command prints in this folder; one that plays with a person is left at its first question."""
    words = shlex.split(command)
    if words[0] == "mkdir":
        (home / words[-1]).mkdir(parents=True)
        return ""
    assert words[0] == "rulewright"
    if "--human" in words:
        seed = int(words[words.index("--seed") + 1])
        monkeypatch.setattr("builtins.input", leave)
        Session(load_game(str(home / words[2])).new(seats=2, seed=seed), frozenset({1}), "en", "random").run()
        return capsys.readouterr().out
    arguments = [word for word in words[1:] if word not in ("<", "</dev/null")]
    environment = os.environ | {"NO_COLOR": "1", "COLUMNS": "120", "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    run = subprocess.run(
        [sys.executable, "-m", "tools", *arguments], cwd=home, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert "Traceback" not in run.stderr, run.stderr
    return run.stdout + run.stderr


def leave(prompt: str) -> str:
    raise EOFError


def test_who_follows_the_page_has_the_ruleset_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said, answers = "", 0
    for fence in fences():
        if fence.sort == "file":
            path = tmp_path / GAME / fence.path
            path.parent.mkdir(exist_ok=True)
            path.write_text(fence.text, encoding="utf-8")
        elif fence.sort == "console":
            said = "\n".join(line.rstrip() for line in typed(fence.text, tmp_path, capsys, monkeypatch).splitlines())
        else:
            assert fence.sort == "text"
            assert fence.text.rstrip("\n") in said, f"the page promises\n{fence.text}\nand this came out\n{said}"
            answers += 1
    assert answers >= 8
    assert contents(tmp_path / GAME) == contents(ROOT / "rulesets/tic_tac_toe")


def contents(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and ".rulewright" not in path.parts)
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in files}
