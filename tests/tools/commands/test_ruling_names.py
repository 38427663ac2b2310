"""`rulings --names`: what it lists can be written where it says, and nothing that can be named is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.conformance.tables import Table, each_ruleset
from tests.tools.conftest import RULES
from tools.cli import run
from tools.commands.ruling_names import GROUPS, names_for_rulings

MORE = """
enum Mood: glad, sad
kind Tool
card ladder "Ladder": Tool
    effect: set mood to glad
field mood: Mood
field marks: count by Mood
phase pause(p: Seat)
    offer breaks by p
action rest(p: Seat, n: 1..2) of breaks: set mood to sad
"""
SAMPLE = {"Seat": "p1", "Mood": "glad", "1..2": "2", "apple": "1", "bool": "true", "int": "0", "0..21": "0"}


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, dict[str, str]]:
    assert run(["rulings", "last_apple", "--names", "--json", *words]) == 0
    (groups,) = json.loads(capsys.readouterr().out).values()
    return {group: {named["name"]: named["detail"] for named in found} for group, found in groups.items()}


def called(name: str) -> str:
    """A call with an argument of each type."""
    return re.sub(r"\w+: ([\w.]+)", lambda found: SAMPLE[found[1]], name)


@pytest.fixture
def orchard(apples: Path) -> Path:
    (apples / "game.rules").write_text(RULES + MORE, encoding="utf-8")
    return apples


def test_what_is_listed_can_be_written(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = listed(capsys)
    assert list(names) == list(GROUPS) and names["given"] == {"three_left": "three apples left"}
    assert names["do"] == {
        "game": "phase",
        "turn(p: Seat)": "phase",
        "pause(p: Seat)": "phase",
        "rest(p: Seat, n: 1..2)": "action",
    }
    assert names["options"] == {"seats": "2..4", "short": "true, false"}
    assert set(names["rows"]) == {"tree", "p1.basket", "p1.last", "mood", "marks"}
    assert names["answers"] == {"rest(p: Seat, n: 1..2)": "pause.breaks"} and "score(p: Seat)" in names["values"]
    assert names["members"]["Mood"] == "glad, sad" and names["members"]["Tool"] == "ladder"
    steps = [f"        do {called(name)}" for name in names["do"]] + ["        do ladder.effect by p1"]
    rows = [f"        {name}: {SAMPLE.get(detail, 'glad 1')}" for name, detail in names["rows"].items()]
    values = [f"        {called(name)}: {SAMPLE[detail]}" for name, detail in names["values"].items()]
    tried = ['ruling TRY "all of it"', "    given three_left", "        short: false", *rows[1:], "    when", *steps]
    tried += ["    expect", *rows, *values, "        illegal rest(2)"]
    (orchard / "rulings" / "try.ruling").write_text("\n".join(tried) + "\n", encoding="utf-8")
    run(["rulings", "last_apple", "--json"])
    (found,) = json.loads(capsys.readouterr().out).values()
    assert found["broken"] == [] and [row["name"] for row in found["results"]] == ["LA_001", "TRY"]


def test_names_are_looked_for(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = listed(capsys, "--only", "MOOD")
    assert {group: list(names) for group, names in found.items() if names} == {
        "rows": ["mood", "marks"],
        "members": ["Mood"],
    }
    assert run(["rulings", "last_apple", "--names", "--only", "pear"]) == 2
    assert "nothing that a ruling of last_apple may name has 'pear' in it" in capsys.readouterr().err


def test_the_list_has_headings_in_the_language(orchard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulings", "last_apple", "--names", "--lang", "fr"]) == 0
    shown = capsys.readouterr().out
    assert "positions, après `given` et `from`\n  three_left  three apples left\n" in shown
    assert "passed" not in shown and "réussie" not in shown, "no ruling is run"


@each_ruleset
def test_every_position_and_routine_of_a_ruling_is_listed(table: Table) -> None:
    program = table.game.program
    names = names_for_rulings(program)
    first = {group: {named.name.partition("(")[0] for named in found} for group, found in names.items()}
    assert set(program.positions) <= first["given"]
    done = {
        program.procs[step.proc].name
        for ruling in program.rulings.values()
        for stage in ruling.stages
        for step in stage.steps
        if step.op == "do"
    }
    assert done <= first["do"] | first["effect"]
