"""`build` as a person runs it: the folder that it writes, what it says, and what it refuses."""

from __future__ import annotations

import json
import os
import re
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from tests.tools.commands.test_commands import Capture, rewrite, run
from tools import cli
from tools.base.errors import UserError, write_named
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


# ---------------------------------------------------------------- odd texts, odd folders


def odd_game(apples: Path, title: str, name: str) -> None:
    """The game with another title, and another name of a seat."""
    rewrite(apples / "ruleset.yaml", '"The last apple"', json.dumps(title))
    (apples / "locale").mkdir()
    (apples / "locale" / "en.yaml").write_text(f"Seat: {{p1: {json.dumps(name)}}}\n", encoding="utf-8")


@pytest.mark.parametrize("title", [
    "</title></script><script>alert(1)</script>", "{policy} {scripts} {lang} {title}",
    "\"'><img src=x onerror=alert(1)>",
    "\u202egnp.exe \u2066\x07\x1b[2J\ufeff", "]]> --> /* */ ${x} \\", "\ud800", " " * 5 + "x" * 100_000, "\u2028\u2029",
])  # fmt: skip
def test_texts_are_never_more_than_texts(apples: Path, capsys: Capture, title: str) -> None:
    odd_game(apples, title, title)
    run(capsys, "check", "last_apple")
    said = run(capsys, "build", "last_apple")
    folder = apples.parents[1] / "last_apple-web"
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert (page.count("<script"), page.count("</script>"), page.count("<title>")) == ((len(SCRIPTS) + 1,) * 2 + (1,))
    assert "<img" not in page and page.count("default-src") == 1
    script = (folder / "game-data.js").read_text(encoding="utf-8")
    assert script.isascii() and script.count("\n") == 1 and "<" not in script
    shown = json.loads(packed(folder)["plan"])["texts"]["en"]["title"]
    assert shown == title or not title.isprintable()
    for text in (said, page):
        assert not {*"\u202e\u2066\x07\x1b\ufeff\ud800\u2028\u2029"} & {*text}


def test_a_folder_with_files_of_others_is_left_alone(apples: Path, capsys: Capture) -> None:
    home = apples.parents[1]
    (home / "site").mkdir()
    (home / "site" / "index.html").write_text("my own page")
    assert cli.run(["build", "last_apple", "--out", "site"]) == 2
    assert "'site' holds 'index.html', which `build` did not write" in capsys.readouterr().err
    assert [path.name for path in (home / "site").iterdir()] == ["index.html"]
    (home / "pages").mkdir()
    (home / "pages" / "notes.txt").write_text("mine")
    for _ in range(2):  # beside other files, and over the page of before
        run(capsys, "build", "last_apple", "--out", "pages")
    assert (home / "pages" / "notes.txt").read_text() == "mine"


@pytest.mark.skipif(os.name != "posix", reason="links")
def test_a_link_that_leads_nowhere_is_not_written_through(apples: Path, capsys: Capture) -> None:
    home = apples.parents[1]
    (home / "pages").mkdir()
    (home / "pages" / "index.html").symlink_to(home / "elsewhere.html")
    assert cli.run(["build", "last_apple", "--out", "pages"]) == 2
    assert not (home / "elsewhere.html").exists()
    (home / "loop").symlink_to(home / "loop")
    assert cli.run(["build", "last_apple", "--out", "loop/pages"]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("out", ["file/pages", "x" * 300])
def test_a_folder_that_cannot_be_made_is_named(apples: Path, capsys: Capture, out: str) -> None:
    (apples.parents[1] / "file").write_text("")
    assert cli.run(["build", "last_apple", "--out", out]) == 2
    err = capsys.readouterr().err
    assert "cannot be " in err and "Traceback" not in err and "\x00" not in err


@pytest.mark.parametrize("stops_at", ["game-data.js", "model.js", "page.css", "index.html"])
def test_a_page_that_was_not_finished_is_written_again(
    apples: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, stops_at: str
) -> None:
    """The page itself comes last, so that nobody opens half of it."""

    def full(file: Path, text: str) -> None:
        if file.name == stops_at:
            raise UserError(f"'{file}' cannot be written: No space left on device.")
        write_named(file, text)

    with monkeypatch.context() as patched:
        patched.setattr("tools.page.folder.write_named", full)
        assert cli.run(["build", "last_apple"]) == 2
    assert f"{stops_at}' cannot be written: No space left" in capsys.readouterr().err
    assert not (apples.parents[1] / "last_apple-web" / "index.html").exists()
    run(capsys, "build", "last_apple")
    assert (apples.parents[1] / "last_apple-web" / "index.html").exists()
