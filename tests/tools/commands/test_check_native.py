"""`check --native` names what native code leaves to the reference."""

from __future__ import annotations

import json

import pytest

from interpreter.backends.native import cache
from tools.commands.check import check_command


def test_a_ruleset_that_is_native_as_a_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_command("nim", "text", False, native=True) == 0
    assert "native code plays all of it\n" in capsys.readouterr().out
    assert check_command("nim", "json", False, native=True) == 0
    assert json.loads(capsys.readouterr().out)["native"] == {"left_to_reference": []}


def test_gaps_are_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "gaps_of", lambda program: ("a set of 900 words in `turn.action`",))
    assert check_command("nim", "text", False, native=True) == 0
    assert "note: native code leaves a set of 900 words in `turn.action` to the reference" in capsys.readouterr().out


def test_nothing_is_said_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_command("nim", "text", False) == 0
    assert "native" not in capsys.readouterr().out
