"""A person at the terminal who wants to pay in another way than the usual one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.concepts.play import game
from tests.concepts.test_gaining import SHOP
from tests.concepts.test_purses import WISH
from tests.tools.terminal.test_session import Typist, answers
from tools.terminal.session import Session


def play_session(
    lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str = WISH, lang: str = "en"
) -> Session:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", Typist(lines))
    session = Session(game(rules, seats=(2, 2)).new(), frozenset({1}), lang, "random")
    assert session.run() == 0
    return session


def test_pay_takes_an_option_and_asks_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = play_session(["pay", "pay 4", "2"], tmp_path, monkeypatch)
    out = capsys.readouterr().out
    assert answers(session) == ["buy 4", "ones 2 stars 1"]
    assert "pay for which option?" in out and "2 ones, 1 stars" in out


def test_the_words_of_an_answer_may_say_how_to_pay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = play_session(["buy 4 paying ones 3", "buy 4 paying ones 4"], tmp_path, monkeypatch)
    assert answers(session) == ["buy 4", "ones 4"]
    assert "`ones 3` is not a way to pay at buy.money" in capsys.readouterr().out


def test_otherwise_the_usual_way_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers(play_session(["buy 4"], tmp_path, monkeypatch)) == ["buy 4"]


STALL = SHOP.format(before="gain 1 money by p1\n    move 1 star from sky to p1.stars")  # swap: 2 paid, 3 and 2 gained


def test_pay_asks_for_all_that_is_paid_and_gained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = play_session(["pay swap", "2", "1"], tmp_path, monkeypatch, STALL)
    out = capsys.readouterr().out
    assert answers(session) == ["swap", "stars 1 ones 1", "ones 2"]  # there is one way only to pay
    assert "How do you gain it?" in out and "1 stars, 1 ones" in out and "How do you pay?" not in out


def test_a_gain_is_asked_for_in_japanese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = play_session(["pay sell 3", "1"], tmp_path, monkeypatch, STALL, "ja")
    assert answers(session) == ["sell 3", "ones 3"]
    assert "どう受け取りますか" in capsys.readouterr().out


def test_the_words_of_an_answer_may_say_how_to_gain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["why sell 3 gaining ones 2", "sell 3 gaining ones 2", "sell 3, gaining stars 1 ones 1", "sell 3"]
    session = play_session(lines, tmp_path, monkeypatch, STALL)
    assert answers(session) == ["sell 3", "stars 1 ones 1", "sell 3"]
    assert capsys.readouterr().out.count("`ones 2` is not a way to gain at sell.gain_money") == 2
