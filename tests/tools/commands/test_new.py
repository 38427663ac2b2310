"""`new`: what it writes passes `check`, plays and is formatted as by `fmt`; nothing is overwritten."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from tools import cli
from tools.base.templates import clause_prefix

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def own(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(home / "cache"))
    monkeypatch.setattr("tools.base.home.homes", lambda: iter([home]))
    monkeypatch.setattr("tools.commands.new.homes", lambda: iter([home]))
    return home


def output_of(capsys: Capture, *words: str, code: int = 0) -> str:
    result = cli.run(list(words))
    shown = capsys.readouterr()
    assert result == code, shown.out + shown.err
    return shown.err if code == 2 else shown.out


def test_a_ruleset_checks_plays_and_keeps_its_rulings(own: Path, capsys: Capture) -> None:
    assert "rulewright check night_train" in output_of(capsys, "new", "ruleset", "night_train")
    folder = own / "rulesets" / "night_train"
    assert output_of(capsys, "check", "night_train") == "night_train: no problems\n"
    assert "night_train: 2 passed" in output_of(capsys, "rulings", "night_train")
    assert "3 clauses: 3 in rules" in output_of(capsys, "coverage", "night_train")
    output_of(capsys, "simulate", "night_train", "--games", "3", "--checked", "--jobs", "1")
    assert "  Player 2 takes " in output_of(capsys, "play", "night_train", "--seed", "1")
    assert "6 files: 6 already formatted" in output_of(capsys, "fmt", "--check", str(folder))
    assert (folder / "game.rules").stat().st_mode & 0o400
    assert [p.name for p in folder.parent.iterdir()] == ["night_train"]


@pytest.mark.parametrize("sort", ["variant", "errata"])
def test_an_overlay_checks_clean_and_its_example_holds(sort: str, apples: Path, capsys: Capture) -> None:
    output_of(capsys, "new", sort, "evening", "--on", "last_apple")
    file = {
        "variant": apples / "variants" / "evening" / "evening.variant",
        "errata": apples.parents[1] / "cards" / "last_apple" / "errata" / "evening.errata",
    }[sort]
    text = file.read_text(encoding="utf-8")
    assert "last_apple+evening: no problems" in output_of(capsys, "check", "last_apple+evening")
    output_of(capsys, "fmt", "--check", str(file))
    assert sort == "variant" or f'dated "{datetime.date.today().isoformat()}"' in text
    file.write_text(text.replace("# alter short from false to true", "alter short from false to true"), "utf-8")
    assert "    alter short from false to true\n" in file.read_text(encoding="utf-8")
    assert "last_apple+evening: no problems" in output_of(capsys, "check", "last_apple+evening")


def test_a_ruling_passes_in_the_folder_of_its_ruleset(
    apples: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(apples / "rulings")
    output_of(capsys, "new", "ruling", "late")
    assert "2 passed" in output_of(capsys, "rulings", "last_apple")
    output_of(capsys, "fmt", "--check", str(apples / "rulings" / "late.ruling"))


def test_nothing_is_written_over(own: Path, capsys: Capture) -> None:
    for words in (["ruleset", "a"], ["variant", "v"], ["errata", "e"], ["ruling", "r"]):
        output_of(capsys, "new", *words)
        before = {p: p.read_bytes() for p in own.rglob("*") if p.is_file() and "cache" not in p.parts}
        assert "already" in output_of(capsys, "new", *words, code=2)
        assert before == {p: p.read_bytes() for p in own.rglob("*") if p.is_file() and "cache" not in p.parts}


def test_a_folder_that_can_not_be_made_whole_is_not_there(
    own: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        if path.name == "clauses.yaml":
            raise OSError(28, "No space left on device", str(path))
        path.write_text(text)

    monkeypatch.setattr("tools.commands.new.write_atomic", full)
    assert "No space left" in output_of(capsys, "new", "ruleset", "a", code=2)
    assert list((own / "rulesets").iterdir()) == []


@pytest.mark.parametrize(
    "words, why",
    [
        (["ruleset", "Night Train"], "lower-case letters"),
        (["rulset", "a"], "did you mean 'ruleset'?"),
        (["ruleset", "a", "--on", "b"], "leave --on out"),
        (["variant", "a"], "say with --on which ruleset it is for"),
        (["ruling", "a", "--on", "nobody"], "no rulesets were found"),
    ],
)
def test_what_can_not_be_made_is_said(words: list[str], why: str, own: Path, capsys: Capture) -> None:
    assert why in output_of(capsys, "new", *words, code=2)


def test_letters_of_clauses() -> None:
    assert [clause_prefix(id) for id in ("night_train", "nim", "go", "x", "b2_bomber_3")] == [
        "NT",
        "NIM",
        "GO",
        "XX",
        "BB",
    ]


def test_the_ruleset_is_named_by_an_option(apples: Path, capsys: Capture) -> None:
    told = output_of(capsys, "new", "errata", "last_apple", "evening", code=2)
    assert "'evening' stands behind it" in told and "new errata NAME --on RULESET" in told


@pytest.mark.parametrize("sort", ["variant", "errata"])
def test_an_overlay_of_a_game_that_came_with_the_program_stands_in_the_folder_where_one_is(
    sort: str, apples: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tools.commands.new.INSTALLED", apples.parent)
    monkeypatch.chdir(tmp_path)
    told = output_of(capsys, "new", sort, "evening", "--on", "last_apple")
    assert f"rulewright check last_apple+evening.{sort}" in told and (tmp_path / f"evening.{sort}").is_file()
    assert "no problems" in output_of(capsys, "check", f"last_apple+evening.{sort}")
    assert "take a copy first" in output_of(capsys, "new", "ruling", "evening", "--on", "last_apple", code=2)


def test_a_ruleset_is_made_in_a_home_that_is_still_empty(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_HOME", str(tmp_path))
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    output_of(capsys, "new", "ruleset", "night_train")
    assert output_of(capsys, "check", "night_train") == "night_train: no problems\n"
