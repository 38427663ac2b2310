"""The page "putting in what is printed" is followed to the letter, on a copy of the ruleset that it changes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.manual.test_tutorial import FENCE, ROOT, typed

PAGE = ROOT / "docs/manual/printed-things.md"
PATH = re.compile(r"`(rulesets/bios_mesofauna/variants/[^`]+)`")
LAST = "How many creeples"


def test_who_follows_the_page_is_told_of_fewer_stand_ins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("rulesets", "cards"):
        shutil.copytree(ROOT / folder / "bios_mesofauna", tmp_path / folder / "bios_mesofauna")
    monkeypatch.setenv("RULEWRIGHT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    said, answers = "", 0
    for lead, language, body in FENCE.findall(PAGE.read_text(encoding="utf-8")):
        if language == "yaml":
            path = tmp_path / PATH.findall(lead)[-1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + body, encoding="utf-8")
        elif language == "console":
            said = typed(body, tmp_path, capsys, monkeypatch)
        else:
            assert body.rstrip("\n") in said, f"the page promises\n{body}\nand this came out\n{said}"
            answers += 1
    assert answers == 3
    files = [file for file in (tmp_path / "rulesets/bios_mesofauna/variants/printed").rglob("*") if file.is_file()]
    assert len(files) == 1, "a data file and nothing else"
    assert LAST in typed("rulewright info bios_mesofauna", tmp_path, capsys, monkeypatch)
    assert LAST not in typed("rulewright info bios_mesofauna+printed", tmp_path, capsys, monkeypatch)
