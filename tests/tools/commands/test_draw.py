"""`draw` as a person runs it: what is written where, of which position, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.tools.commands.test_commands import Capture, rewrite, run, saved
from tests.tools.conftest import RULINGS
from tools import cli


def written(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def drawn(capsys: Capture, apples: Path, *words: str) -> str:
    """The text of the picture that a command writes, which is one line of XML and the element."""
    file = apples / "out.svg"
    assert run(capsys, "draw", *words, "--out", str(file)) == f"the picture is in {file}\n"
    ElementTree.fromstring(written(file))
    return written(file)


def test_a_picture_is_written_here_by_the_name_of_the_game(apples: Path, capsys: Capture) -> None:
    assert run(capsys, "draw", "last_apple") == "the picture is in last_apple.svg\n"
    text = written(apples.parents[1] / "last_apple.svg")
    assert "The last apple" in text and "as an onlooker sees it" in text


def test_a_page_in_japanese_for_a_seat(apples: Path, capsys: Capture) -> None:
    run(capsys, "draw", "last_apple", "--seat", "2", "--lang", "ja", "--out", "last.html")
    text = written(apples.parents[1] / "last.html")
    assert text.startswith("<!doctype html>") and "最後のりんご" in text and "p2から見た局面" in text


def test_after_some_decisions_by_a_seed(apples: Path, capsys: Capture) -> None:
    start = drawn(capsys, apples, "last_apple", "--seats", "3")
    first = drawn(capsys, apples, "last_apple", "--seats", "3", "--after", "2", "--seed", "4")
    assert start != first == drawn(capsys, apples, "last_apple", "--seats", "3", "--after", "2", "--seed", "4")
    assert "The game is over" in drawn(capsys, apples, "last_apple", "--after", "99")
    assert "The game is over" not in first


def test_a_saved_game_and_any_place_of_its_log(apples: Path, capsys: Capture) -> None:
    file = str(saved(apples, capsys, 3))
    whole, begun = drawn(capsys, apples, file), drawn(capsys, apples, file, "--at", "0")
    assert whole != begun == drawn(capsys, apples, "last_apple", "--seed", "5")
    assert drawn(capsys, apples, file, "--at", "3") == whole


def test_what_a_ruling_begins_from(apples: Path, capsys: Capture) -> None:
    text = drawn(capsys, apples, "last_apple", "--ruling", "LA_001")
    assert "LA_001: the last apple wins" in text
    assert "three_left: three apples left" in drawn(capsys, apples, "last_apple", "--ruling", "three_left")


def test_a_ruling_whose_position_cannot_be_built(apples: Path, capsys: Capture) -> None:
    rewrite(apples / "rulings" / "apples.ruling", "tree: 3, others gone", "tree: 30")
    assert RULINGS
    assert cli.run(["draw", "last_apple", "--ruling", "LA_001"]) == 1
    assert "the position of LA_001 cannot be built" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["last_aple"], "did you mean 'last_apple'?"),
        (["last_apple", "--seat", "3"], "--seat should be a number from 1 to 2, but 3 was given."),
        (["last_apple", "--seats", "9"], "--seats should be a number from 2 to 4, but 9 was given."),
        (["last_apple", "--after", "-1"], "--after should be a number from 0 to 50000, but -1 was given."),
        (["last_apple", "--out", "a.png"], "--out should end in .svg or .html, but 'a.png' was given."),
        (["last_apple", "--out", "no/folder/a.svg"], "'no/folder/a.svg' cannot be written: No such file or directory."),
        (["last_apple", "--lang", "jp"], "there is no language 'jp' in last_apple: did you mean 'ja'?"),
        (["last_apple", "--ruling", "LA_01"], "there is no ruling or position 'LA_01' in last_apple: did you mean"),
        (["last_apple", "--ruling", "LA_001", "--after", "2"], "a ruling says itself how it begins"),
        (["last_apple", "--at", "2"], "--at and --rules are for a saved game, but there is no file 'last_apple'."),
        (["last_apple", "--option", "shrot=true"], "did you mean 'short'?"),
        (["rulesets/last_apple/game.rules"], "'rulesets/last_apple/game.rules' is not a saved game: it is not JSON."),
    ],
)
def test_what_draw_refuses(apples: Path, capsys: Capture, words: list[str], expected: str) -> None:
    assert cli.run(["draw", *words]) == 2
    assert expected in capsys.readouterr().err


def test_what_draw_refuses_of_a_saved_game(apples: Path, capsys: Capture) -> None:
    file = str(saved(apples, capsys))
    assert cli.run(["draw", file, "--after", "3"]) == 2
    assert "a saved game brings its own seats, options and decisions" in capsys.readouterr().err
    assert cli.run(["draw", file, "--at", "99"]) == 2
    assert "--at should be a number from 0 to 3, but 99 was given." in capsys.readouterr().err


def test_a_file_of_rulings_is_drawn_before_and_after(apples: Path, capsys: Capture) -> None:
    file = apples / "rulings" / "apples.ruling"
    assert run(capsys, "draw", str(file)) == "the picture is in LA_001.svg\n"
    text = written(apples.parents[1] / "LA_001.svg")
    assert "Begins from" in text and "Ends in" in text and "LA_001: the last apple wins" in text
    assert text.count("◆") >= 2  # what was taken, in both pictures
    page = apples / "out.html"
    run(capsys, "draw", str(file), "--ruling", "LA_001", "--seat", "1", "--lang", "ja", "--out", str(page))
    assert "始まりの局面" in written(page) and "p1から見た局面" in written(page)


def test_of_several_rulings_in_a_file_one_is_named(apples: Path, capsys: Capture) -> None:
    file = apples / "rulings" / "apples.ruling"
    file.write_text(RULINGS + RULINGS[RULINGS.index("ruling") :].replace("LA_001", "LA_002"), encoding="utf-8")
    assert cli.run(["draw", str(file)]) == 2
    assert "has 2 rulings: say which with --ruling, as in '--ruling LA_001'" in capsys.readouterr().err
    assert cli.run(["draw", str(file), "--ruling", "LA_02"]) == 2
    assert "did you mean 'LA_002'?" in capsys.readouterr().err
    assert run(capsys, "draw", str(file), "--ruling", "LA_002") == "the picture is in LA_002.svg\n"


@pytest.mark.parametrize(
    ("before", "after", "words", "code", "expected"),
    [
        ("tree: 3, others gone", "tree: 30", [], 1, "the position of LA_001 cannot be built"),
        ("ruling LA_001", "position LA_001", [], 2, "there is no ruling in"),
        ("seats: 2", "seats: 2", ["--seat", "3"], 2, "--seat should be a number from 1 to 2, but 3 was given."),
        ("seats: 2", "seats: 2", ["--out", "a.png"], 2, "--out should end in .svg or .html"),
    ],
)
def test_what_draw_refuses_of_a_ruling(
    apples: Path, capsys: Capture, before: str, after: str, words: list[str], code: int, expected: str
) -> None:
    file = apples / "rulings" / "apples.ruling"
    text = RULINGS.replace(before, after)
    if after.startswith("position"):
        text = text[: text.index("    given")] + "    seats: 2\n    tree: 2, others gone\n"
    file.write_text(text, encoding="utf-8")
    assert cli.run(["draw", str(file), *words]) == code
    assert expected in capsys.readouterr().err


def test_a_ruling_outside_of_a_ruleset(apples: Path, capsys: Capture) -> None:
    file = apples.parents[1] / "alone.ruling"
    file.write_text(RULINGS, encoding="utf-8")
    assert cli.run(["draw", str(file)]) == 2
    assert "lies in no ruleset" in capsys.readouterr().err
