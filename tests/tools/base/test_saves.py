"""Saves on the command line: read as carefully as by the API, and never a way to open other files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.records.save import sealed
from tests.tools.base.test_loading import FILES
from tests.tools.conftest import lay_out
from tools.base import saves
from tools.cli import run

Capture = pytest.CaptureFixture[str]
COMMANDS: list[Callable[[str], list[str]]] = [
    lambda file: ["play", "--load", file],
    lambda file: ["replay", file],
    lambda file: ["replay", file, "--verify"],
    lambda file: ["trace", file],
    lambda file: ["explain", file, "x"],
    lambda file: ["errata", "diff", "small", "twice", "--recorded", file],
]
EACH = pytest.mark.parametrize("command", COMMANDS, ids=lambda c: " ".join(c("FILE")))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(FILES, tmp_path / "mine", monkeypatch)
    return tmp_path / "mine"


def good(name: str = "small") -> dict[str, Any]:
    state = rw.load(name).new()
    rw.apply(state, rw.legal(state)[0])
    return rw.save(state)


def refused(arguments: list[str], capsys: Capture) -> str:
    """What is told, in one sentence, with the code for a mistake of the user."""
    assert run(arguments) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ") and told.count("\n") == 1 and "internal error" not in told
    return told


@EACH
@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"ruleset": "small", "seed": ' + "9" * 10_000 + "}",
        "\ud800".encode("utf-8", "surrogatepass"),
        "{",
    ],
    ids=["nested", "digits", "bytes", "cut"],
)
def test_what_is_no_json_is_told(
    home: Path, command: Callable[[str], list[str]], text: str | bytes, capsys: Capture
) -> None:
    file = home / "game.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert "is not a saved game" in refused(command(str(file)), capsys)


@EACH
@pytest.mark.parametrize("key", ["log", "seats", "options", "script", "chance", "words", "seal", "failure", "rules"])
@pytest.mark.parametrize("value", [None, 3, "x", [[]], {"x": []}])
def test_fields_of_a_wrong_type_are_told(
    home: Path, command: Callable[[str], list[str]], key: str, value: Any, capsys: Capture
) -> None:
    """With a seal that fits, and for a game that failed before its first question without a log."""
    whole = good()
    for data in (whole, {k: whole[k] for k in ("ruleset", "rules", "digest", "seats", "seed", "options")}):
        data = sealed({**data, key: value}) if key != "seal" else {**data, key: value}
        file = home / "game.json"
        file.write_text(json.dumps(data))
        assert run(command(str(file))) in (0, 1, 2)
        assert "internal error" not in capsys.readouterr().err


def test_a_file_without_an_end_is_not_read_to_its_end(
    home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saves, "MOST_BYTES", 1000)
    assert "larger than" in refused(["replay", "/dev/zero"], capsys)


# ---------------------------------------------------------------- no other files


def lure(home: Path) -> None:
    """What a save must not reach: a pipe that nobody writes to, a text, and a ruleset, all beside the home."""
    os.mkfifo(home.parent / "pipe.variant")
    (home.parent / "notes.variant").write_text("secret\n")
    lay_out_elsewhere(home.parent / "theirs")


def lay_out_elsewhere(home: Path) -> None:
    for name, text in FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)


@EACH
@pytest.mark.parametrize(
    "rules",
    [
        "small+/dev/zero", "small+../pipe.variant", "small+../notes.variant", "../theirs/rulesets/small", "./small",
        "~/small", "small+twice+../notes.variant", "small+rulesets/small/variants/twice", "theirs",
        "small@2021-01-01/../x", "small+", "small@yesterday", "", "small\n", "small+twice/..", "small\x00",
    ],
)  # fmt: skip
def test_a_save_names_rules_and_no_files(
    home: Path, command: Callable[[str], list[str]], rules: str, capsys: Capture
) -> None:
    if "errata" in command("x"):
        return  # there the rules are named on the command line
    lure(home)
    (home / "theirs").symlink_to(home.parent / "theirs" / "rulesets" / "small")
    file = home / "game.json"
    file.write_text(json.dumps(sealed({**good(), "rules": rules})))
    told = refused(command(str(file)), capsys)
    assert "secret" not in told and "game.json" in told


def test_a_path_in_a_save_is_refused_with_the_way_out(home: Path, capsys: Capture) -> None:
    file = home / "game.json"
    file.write_text(json.dumps(sealed({**good(), "rules": "small+/dev/zero"})))
    told = refused(["replay", str(file)], capsys)
    assert "a save opens no other files" in told and "rulewright play RULES --load FILE" in told


def test_a_ruleset_from_elsewhere_is_named_on_the_command_line(home: Path, capsys: Capture) -> None:
    lay_out_elsewhere(home.parent / "theirs")
    (home / "rulesets" / "small").rename(home / "rulesets" / "other")
    path = str(home.parent / "theirs" / "rulesets" / "small")
    file = home / "game.json"
    file.write_text(json.dumps(good(path)))
    assert "give the path of its folder: rulewright play PATH --load FILE" in refused(
        ["play", "--load", str(file)], capsys
    )
    assert run(["play", path, "--load", str(file), "--human", "0"]) == 0


def test_an_overlay_from_elsewhere_is_named_on_the_command_line(home: Path, capsys: Capture) -> None:
    overlay = home.parent / "mine.variant"
    overlay.write_text("variant mine on small\n    replace game.two\n        do mark(7)\n")
    file = home / "game.json"
    data = good(f"small+{overlay}")
    assert data["rules"] == "small+mine"
    file.write_text(json.dumps(data))
    assert "give its path: rulewright play RULESET+PATH --load FILE" in refused(["play", "--load", str(file)], capsys)
    assert run(["play", f"small+{overlay}", "--load", str(file), "--human", "0"]) == 0


@pytest.mark.parametrize("name", ["/dev/zero", "../pipe.variant"])
def test_an_overlay_is_a_regular_file_or_a_folder(home: Path, name: str, capsys: Capture) -> None:
    lure(home)
    assert "there is no overlay of small" in refused(["check", f"small+{name}"], capsys)
    with pytest.raises(LookupError):
        rw.load("small", overlays=[name])
    with pytest.raises(OSError, match="not a regular file"):
        from dsl.driver.load import compile_ruleset

        compile_ruleset(home / "rulesets" / "small", [Path(name)])


def test_a_pipe_or_link_among_the_variants_of_a_ruleset_is_none(home: Path, capsys: Capture) -> None:
    variants = home / "rulesets" / "small" / "variants"
    os.mkfifo(variants / "pipe.variant")
    (variants / "link.variant").symlink_to("/dev/zero")
    assert "did you mean" not in refused(["check", "small+pipe"], capsys)
    refused(["check", "small+link"], capsys)
    assert run(["check", "small+twice"]) == 0
