"""A mistake in the arguments gets one sentence and code 2, an internal fault code 3; there is never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.core.errors import RulesetError
from tools import cli
from tools.base.errors import UserError, parse_whole_number, unknown_message


def failing(home: Path, capsys: pytest.CaptureFixture[str], *words: str, code: int = 2) -> str:
    """The message of a command that is refused."""
    assert cli.run(list(words)) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    return captured.err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["chek"], "did you mean 'check'"),
        (["simulate"], "missing argument 'RULESET'"),
        (["simulate", "x", "--games", "many"], "'--games': a whole number is expected"),
        (["play", "x", "--gamse", "1"], "no such option: --gamse"),
        (["replay", "a", "b"], "unexpected extra argument"),
        (["check", "x", "--format", "xml"], "--format is text or json, not 'xml'"),
        (["play", "x", "--bot", "clever"], "bot 'clever': choose from club, expert, greedy, novice, random, search."),
        (["play", "x"], "no rulesets were found"),
        (["check", "/nowhere/at/all"], "is not a ruleset folder"),
        (["replay", "nope.json"], "there is no file 'nope.json'"),
        (["trace", "."], "is a folder"),
        (["explain", "nope.json", "x"], "there is no file 'nope.json'"),
        (["play", "--load", "nope.json"], "there is no file 'nope.json'"),
        (["play", "--load", "nope.json", "--seats", "3"], "--load brings its own seats"),
    ],
)
def test_mistakes_are_one_sentence_with_code_2(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], expected: str
) -> None:
    monkeypatch.setattr("tools.base.home.homes", lambda: iter(()))
    assert expected.casefold() in failing(home, capsys, *words).casefold()


@pytest.mark.parametrize("text", ["", "x", "[]", "{}", '{"ruleset": 3}', "\udcff"])
def test_files_that_are_no_saves(home: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    file = home / "broken.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "is not a saved game" in failing(home, capsys, "replay", str(file))


def test_a_save_of_a_game_that_is_not_here(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = home / "other.json"
    file.write_text('{"ruleset": "elsewhere"}', encoding="utf-8")
    assert "set RULEWRIGHT_HOME" in failing(home, capsys, "replay", str(file))


def test_an_internal_fault_is_named_as_such(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("tools.commands.coverage.selected_rulesets", broken)
    message = failing(home, capsys, "coverage", "x", code=3)
    assert "internal error (ZeroDivisionError at test_cli.py" in message
    assert "please report it" in message


def test_a_fault_of_the_rules_is_none_of_the_program(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RulesetError("too much", place="game.rules:3:1")

    monkeypatch.setattr("tools.commands.coverage.selected_rulesets", broken)
    message = failing(home, capsys, "coverage", "x", code=1)
    assert "error: a fault of the rules: game.rules:3:1: too much" in message and "internal" not in message


def test_ctrl_c_is_no_traceback(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tools.commands.coverage.selected_rulesets", stopped)
    assert cli.run(["coverage", "x"]) == 130
    assert capsys.readouterr().err == "\nstopped.\n"


def test_a_number_that_can_be_only_one_is_named() -> None:
    with pytest.raises(UserError, match=r"--seats should be 2, but 5 was given\."):
        parse_whole_number("5", "--seats", 2, 2)


def test_what_is_unknown_somewhere_is_said_with_the_place() -> None:
    assert (
        unknown_message("card", "gurad", ["guard"], "a_game")
        == "there is no card 'gurad' in a_game: did you mean 'guard'?"
    )


def test_a_group_of_commands_alone_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["errata"]) == 0
    out, err = capsys.readouterr()
    assert "  diff " in out and "  accept " in out
    assert err == ""


def test_a_game_may_stand_where_the_word_study_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["lab"]) == 0
    assert "  study  " in capsys.readouterr().out
    for words in (["lab", "study", "nowhere"], ["lab", "nowhere"], ["lab", "--seats", "2", "nowhere"]):
        assert cli.run(words) == 2
        assert "there is no ruleset 'nowhere'" in capsys.readouterr().err
    assert cli.run(["lab", "--sets", "2"]) == 2
    assert "no such option: --sets" in capsys.readouterr().err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([]) == 0
    out = capsys.readouterr().out
    for command in ("check", "play", "simulate", "replay", "trace", "explain", "rulings", "coverage", "bench"):
        assert f"  {command} " in out
