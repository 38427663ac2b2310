"""Texts of rulesets, saves and file names never act on the terminal, whichever command shows them."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.records.save import sealed
from tests.tools.conftest import lay_out
from tools.base.console import CommandConsole
from tools.cli import run
from tools.html.elements import tag
from tools.shows.messages import message

Capture = pytest.CaptureFixture[str]
EVIL = r"T\e]0;PWNED\a\e[2J\e[31mRED\u202eevil\r\e]52;c;cHduZWQ=\a \u009b2J"
FILES = {
    "rulesets/evil/ruleset.yaml": f"""\
id: evil
version: 1
title: {{en: "{EVIL}", ja: "日本 👨‍👩‍👧"}}
seats: 2..3
load: [evil.rules]
result: {{score: outcome}}
""",
    "rulesets/evil/evil.rules": """\
field n: 0..9
value outcome(p: Seat): int = n
phase game
    round robin p in seats while n < 9: do turn(p)
phase turn(p: Seat)
    choose k in 1..2 by p
    if n < 9: set n to min(n + k, 9)
""",
    "rulesets/evil/clauses.yaml": f'EV-1: {{title: "{EVIL}", source: "{EVIL}"}}\n',
    "rulesets/evil/locale/en.yaml": f"""\
Seat: {{p1: "A{EVIL}", p2: "{EVIL}"}}
turn:
  k: {{ask: "{EVIL}", pick: "{EVIL} {{k}}", done: "{EVIL}"}}
n: "{EVIL}"
""",
}
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
OWN = re.compile(r"\x1b\[[0-9;]*m")  # colours, on a terminal


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(FILES, tmp_path, monkeypatch)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path


def shown(capsys: Capture) -> str:
    told = capsys.readouterr()
    text = told.out + told.err
    assert not ACTING.search(text), ACTING.search(text)
    return text


@pytest.mark.parametrize(
    "command",
    [
        "check evil", "play evil --seed 1", "simulate evil --games 2 --jobs 1", "coverage evil", "rulings evil",
        "simulate evil --games 2 --jobs 1 --json", "mutate evil --sample 1 --jobs 1",
    ],
)  # fmt: skip
def test_no_command_lets_a_text_act(home: Path, command: str, capsys: Capture) -> None:
    run(command.split())
    text = shown(capsys)
    assert text
    if command.startswith("play"):
        assert r"\u001b]0;PWNED" in text and r"\u202eevil" in text


def test_texts_in_other_scripts_are_shown_as_they_are(home: Path, capsys: Capture) -> None:
    run(["play", "evil", "--seed", "1", "--lang", "ja"])
    assert "日本 👨‍👩‍👧" in shown(capsys)


def test_json_is_the_same_data(home: Path, capsys: Capture) -> None:
    run(["check", "evil", "--format", "json"])
    assert json.loads(shown(capsys))["ruleset"] == "evil"


@pytest.mark.parametrize("key", ["ruleset", "rules", "digest", "format_version"])
def test_fields_of_saves_do_not_act(home: Path, key: str, capsys: Capture) -> None:
    data = rw.save(rw.load("evil").new())
    (home / "game.json").write_text(json.dumps(sealed({**data, key: "\x1b[2J\u202e\x07"})))
    assert run(["play", "--load", "game.json", "--human", "0"]) == 2
    assert "error: " in shown(capsys)


def test_ids_of_a_log_do_not_act(home: Path, capsys: Capture) -> None:
    state = rw.load("evil").new()
    rw.apply(state, rw.legal(state)[0])
    data = rw.save(state)
    data["log"] = [{**data["log"][0], "ids": ["\x1b[2J"]}]
    (home / "game.json").write_text(json.dumps(sealed(data)))
    assert run(["replay", "game.json"]) == 1
    assert r"\u001b[2J" in shown(capsys)


@pytest.mark.skipif(os.name != "posix", reason="such names do not exist there")
@pytest.mark.parametrize("name", [b"a\nb\x1b[31m.rules", b"x\xff.rules", "\u202e.rules".encode()])
def test_names_of_files_do_not_act(home: Path, name: bytes, capsys: Capture) -> None:
    Path(os.fsdecode(os.fsencode(home) + b"/rulesets/evil/" + name)).write_text("value x: int = 1\n")
    Path(os.fsdecode(os.fsencode(home) + b"/" + name)).write_text("value x: int = ]\n")
    assert run(["check", "evil"]) == 1
    assert "RW0132" in shown(capsys)
    run(["fmt", os.fsdecode(name)])
    shown(capsys)
    run(["replay", os.fsdecode(name)])
    shown(capsys)


def test_a_website_holds_no_control_characters() -> None:
    assert ACTING.search(tag("p", "a\x1b[2J\u202e", title="\x1b")) is None


def test_an_editor_is_shown_no_control_characters() -> None:
    from dsl.base.span import Source, Span
    from dsl.diagnostics.diagnostic import Diagnostic, Severity
    from tools.lsp.positions import Positions
    from tools.lsp.protocol import diagnostic

    found = Diagnostic("RW0102", Severity.ERROR, Span("x", 0, 1), "read \x1b[2J", "write \u202e")
    assert diagnostic(found, {"x": Source("x", "ab")}, Positions(), {"x": "file:///x"}).message == (
        "read \\u001b[2J\nwrite \\u202e"
    )


# ---------------------------------------------------------------- colours of our own


def test_a_console_colours_what_it_has_made_visible() -> None:
    file = io.StringIO()
    console = CommandConsole(file=file, force_terminal=True, color_system="standard", width=80, highlight=False)
    console.print("a\x1b[31mb\u202e", style="bold")
    console.print_rows(("head\x1b[2J", "number"), [("x\x9b", "1")], numbers=1)
    text = file.getvalue()
    assert OWN.search(text) and not ACTING.search(OWN.sub("", text))
    assert r"a\u001b[31mb\u202e" in text


def test_a_prompt_is_made_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.base.terminal import ask

    asked: list[Any] = []
    monkeypatch.setattr("builtins.input", lambda prompt: (asked.append(prompt), "yes")[1])
    assert ask("sure\x1b[2J? ") == "yes" and asked == ["sure\\u001b[2J? "]


def test_every_question_to_a_person_is_asked_through_the_gate() -> None:
    root = Path(__file__).parents[2] / "tools"
    found = [path for path in root.rglob("*.py") if re.search(r"\binput\(", path.read_text(encoding="utf-8"))]
    assert [path.name for path in found] == ["terminal.py"]
    assert message("en", "choice")


def test_formatted_text_is_data_and_left_as_it_is(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    text = "value x: int = 1  # \u202e and \x7f\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert run(["fmt", "-"]) == 0
    assert "\u202e and \x7f" in capsys.readouterr().out
