"""`info`: what a ruleset is, and what stands in for printed things, under overlays as well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.conftest import lay_out
from tools.cli import run

FILES = {
    "rulesets/meadow/ruleset.yaml": """\
id: meadow
version: 3
title: {en: The meadow, ja: 牧草地}
seats: 2..3
load: [game.rules]
presets: {tall: {grass: high}}
stand_ins: {herbs: [data/herbs.yaml], storms: storms.cards}
""",
    "rulesets/meadow/game.rules": """\
option grass: low, high = low
enum Sort: bitter, sweet
kind Herb from "data/herbs.yaml"
    const height: 0..9
    const sort: Sort
kind Storm
    const power: 0..9
value tall: set of Herb = set(h in Herb where h.height > 3 and h.sort is sweet)
phase game
    for every p in seats
        choose h in tall by p if any
        choose s in Storm where s.power > (1 if grass is low else 0) by p if any
    stop game
""",
    "rulesets/meadow/data/herbs.yaml": """\
source: {Herb: "height: stand-in"}
Herb:
  mint: {height: 4, sort: sweet, source: rulebook}
  sage: {height: 5, sort: bitter}
  rue: {height: 6, sort: bitter}
  thyme: {height: 1, sort: sweet, source: stand-in}
""",
    "cards/meadow/storms.cards": "card gale: Storm\n    power: 3\n",
    "rulesets/meadow/locale/en.yaml": "stand_in: {herbs: Heights are made up, storms: Storms are made up}\n",
    "rulesets/meadow/locale/ja.yaml": "stand_in: {herbs: 高さは仮のもの, storms: 嵐は仮のもの}\n",
    "rulesets/meadow/variants/some/data/herbs.yaml": "source: garden\nHerb:\n  sage: {height: 7}\n",
    "rulesets/meadow/variants/all/data/herbs.yaml": """\
Herb:
  sage: {height: 7, source: garden}
  rue: {source: garden}
  thyme: {height: 2, source: garden}
""",
    "rulesets/meadow/variants/more/data/herbs.yaml": "source: stand-in\nHerb:\n  dill: {height: 2, sort: sweet}\n",
    "rulesets/meadow/variants/silent/data/herbs.yaml": "Herb:\n  sage: {height: 7}\n",
    "rulesets/meadow/variants/without/without.variant": "variant without on meadow\n    drop Herb.rue\n",
    "rulesets/meadow/variants/calm/ruleset.yaml": "stand_ins: {storms: []}\n",
}  # fmt: skip


@pytest.fixture
def meadow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(FILES, tmp_path, monkeypatch)


def stand_ins(name: str, capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    assert run(["info", name, "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)["stand_ins"]


def test_what_a_ruleset_is(meadow: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["info", "meadow"]) == 0
    assert (
        capsys.readouterr().out
        == """\
The meadow
  meadow, version 3
  seats: 2..3
  languages: en, ja
  options:
    grass: low, high
  presets: tall
  variants: all, calm, more, silent, some, without
  stand-ins: what is not as printed:
    Heights are made up (3 of 4 entries)
      replaced in data/herbs.yaml
    Storms are made up
      replaced in storms.cards
"""
    )


def test_stand_ins_are_told_in_each_language(meadow: None, capsys: pytest.CaptureFixture[str]) -> None:
    told = stand_ins("meadow", capsys, "--lang", "ja")
    assert told["herbs"]["told"] == "高さは仮のもの（4件中3件）" and told["storms"]["told"] == "嵐は仮のもの"


@pytest.mark.parametrize(
    ("overlay", "left"),
    [("some", (2, 4)), ("all", None), ("more", (4, 5)), ("silent", (3, 4)), ("without", (2, 3)), ("calm", (3, 4))],
)
def test_a_data_file_alone_ends_a_stand_in(
    overlay: str, left: tuple[int, int] | None, meadow: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last layer that says where a record is from counts; one that says nothing changes nothing."""
    told = stand_ins(f"meadow+{overlay}", capsys)
    assert (told.get("herbs") and (told["herbs"]["left"], told["herbs"]["records"])) == left
    assert ("storms" in told) == (overlay != "calm")
    assert run(["check", f"meadow+{overlay}"]) == 0 and "RW1116" not in capsys.readouterr().out
