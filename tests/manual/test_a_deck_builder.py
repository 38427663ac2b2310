"""The page "a-deck-builder" shows the game that is shipped: each block of rules stands in the file that is named last
before it, and what a command prints is what the page promises."""

from __future__ import annotations

import re

import pytest

from tests.manual.test_tutorial import ROOT, typed

PAGE = ROOT / "docs/manual/a-deck-builder.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`((?:rulesets|cards)/[\w/.]+)`")
FILES = 5  # that are shown


def test_what_is_shown_is_what_is_shipped() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = set()
    for fence in FENCE.finditer(text):
        if fence[1] == "rules":
            path = FILE.findall(text, 0, fence.start())[-1]
            assert fence[2] in (ROOT / path).read_text(encoding="utf-8"), f"{path} has other lines than\n{fence[2]}"
            shown.add(path)
    assert len(shown) == FILES


def test_what_is_promised_comes_out(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    command, asked = "", 0
    for sort, text in FENCE.findall(PAGE.read_text(encoding="utf-8")):
        if sort == "console":
            command = text
        elif sort == "text":
            assert text in typed(command, ROOT, capsys, monkeypatch)
            asked += 1
    assert asked
