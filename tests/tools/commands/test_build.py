"""`build` as a person runs it: the folder that it writes, what it says, and what it refuses."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from tests.tools.commands.test_commands import Capture, rewrite, run
from tools import cli
from tools.page.folder import SCRIPTS


def packed(folder: Path) -> dict[str, Any]:
    """What the script with the game holds."""
    found = re.search(r"packed: (\{.*\}) \}\);", (folder / "game-data.js").read_text(encoding="utf-8"))
    assert found is not None
    parts: dict[str, str] = json.loads(found[1])
    return {name: text if name == "lang" else zlib.decompress(b64decode(text)) for name, text in parts.items()}


def test_a_folder_with_everything_is_written(apples: Path, capsys: Capture) -> None:
    said = run(capsys, "build", "last_apple", "--target", "web")
    folder = apples.parents[1] / "last_apple-web"
    assert re.fullmatch(r"the page is last_apple-web/index\.html \(\d+ kB\)\n", said)
    assert {path.name for path in folder.iterdir()} == {"index.html", "page.css", "game-data.js", *SCRIPTS}
    game = packed(folder)
    assert game["code"][:4] == b"\0asm" and game["lang"] == "en"
    plan = json.loads(game["plan"])
    assert (plan["id"], plan["seats"], plan["unread"]) == ("last_apple", [2, 4], [])
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "<title>The last apple</title>" in page and all(f'src="{name}"' in page for name in SCRIPTS)


def test_the_folder_and_the_language_can_be_said(apples: Path, capsys: Capture) -> None:
    run(capsys, "build", "last_apple", "--out", "pages/apple", "--lang", "ja")
    game = packed(apples.parents[1] / "pages" / "apple")
    assert game["lang"] == "ja"
    assert json.loads(game["plan"])["texts"]["ja"]["page"]["play"] == "遊ぶ"


def test_what_the_page_gives_up_at_is_said(apples: Path, capsys: Capture) -> None:
    rewrite(apples / "game.rules", "repeat while tree > 0", GAP + "    repeat while tree > 0")
    said = run(capsys, "build", "last_apple")
    assert "note: the page gives up at conditions on whole amounts" in said


GAP = "choose amounts k for q in list(q in Seat) each 0..1 such that total(k) is not 1 by p1\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "wbe"], "there is no target 'wbe': did you mean 'web'?"),
        (["--out", "rulesets/last_apple/game.rules"], "is a file"),
    ],
)
def test_mistakes_are_named(apples: Path, capsys: Capture, words: list[str], message: str) -> None:
    assert cli.run(["build", "last_apple", *words]) == 2
    assert message in capsys.readouterr().err
