"""A person at the terminal who wants to pay in another way than the usual one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.concepts.play import game
from tests.concepts.test_purses import WISH
from tests.tools.test_session import Typist, answers
from tools.session import Session


def sit(lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", Typist(lines))
    session = Session(game(WISH, seats=(2, 2)).new(), frozenset({1}), "en", "random")
    assert session.run() == 0
    return session


def test_pay_takes_an_option_and_asks_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = sit(["pay", "pay 4", "2"], tmp_path, monkeypatch)
    out = capsys.readouterr().out
    assert answers(session) == ["buy 4", "ones 2 stars 1"]
    assert "pay for which option?" in out and "2 ones, 1 stars" in out


def test_the_words_of_an_answer_may_say_how_to_pay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = sit(["buy 4 paying ones 3", "buy 4 paying ones 4"], tmp_path, monkeypatch)
    assert answers(session) == ["buy 4", "ones 4"]
    assert "`ones 3` is no way to pay at buy.money" in capsys.readouterr().out


def test_otherwise_the_usual_way_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers(sit(["buy 4"], tmp_path, monkeypatch)) == ["buy 4"]
