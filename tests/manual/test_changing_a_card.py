"""The page "changing a card" is followed to the letter, on a copy of the ruleset that it changes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.manual.test_tutorial import FENCE, ROOT, typed

PAGE = ROOT / "docs/manual/changing-a-card.md"
PATH = re.compile(r"`(cards/[^`]+)`")
MENDED = re.compile(r"in `(cards/[^`]+)`, `([^`]+)` becomes `([^`]+)`")


def test_who_follows_the_page_sees_what_it_promises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("rulesets", "cards"):
        shutil.copytree(ROOT / folder / "dominant_species", tmp_path / folder / "dominant_species")
    monkeypatch.setenv("RULEWRIGHT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    said, answers, done = "", 0, 0
    for found in FENCE.finditer(text):
        lead, language, body = found.groups()
        for file, old, new in MENDED.findall(text[done : found.start(2)]):
            written = (tmp_path / file).read_text(encoding="utf-8")
            assert written.count(old) == 1
            (tmp_path / file).write_text(written.replace(old, new), encoding="utf-8")
        done = found.end()
        if language == "rules":
            path = tmp_path / PATH.findall(lead)[-1]
            before = path.read_text(encoding="utf-8") + "\n" if path.exists() else ""
            path.write_text(before + body, encoding="utf-8")
        elif language == "console":
            said = "\n".join(line.rstrip() for line in typed(body, tmp_path, capsys, monkeypatch).splitlines())
        else:
            assert body.rstrip("\n") in said, f"the page promises\n{body}\nand this came out\n{said}"
            answers += 1
    assert answers == 6
