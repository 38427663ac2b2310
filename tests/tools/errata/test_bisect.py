"""`errata bisect`: since which errata a ruling comes out as it does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tools.conftest import lay_out
from tools.cli import run

RULES = """\
kind Thing from "data/things.yaml"
    const price: 0..9
value cost(t: Thing): int = t.price
value dear(t: Thing): bool = cost(t) > 3
phase game
    choose number n in 0..1 by p1
position start
    seats: 2
ruling PR_1 "bread costs two"
    given start
    expect
        cost(bread): 2
ruling PR_2 "bread is not dear"
    given start
    expect
        dear(bread): false
ruling PR_3 "salt costs five"
    given start
    expect
        cost(salt): 5
"""


def errata(name: str, day: str, address: str, text: str, on: str = "prices", printing: str = "") -> str:
    clause = f' printing "{printing}"' if printing else ""
    head = f'errata {name} on {on} because "council" dated "{day}"{clause}\n'
    return f"{head}    replace {address}\n        {text}\n"


COST = "value cost(t: Thing): int = "
FILES = {
    "rulesets/prices/ruleset.yaml": "id: prices\nversion: 1\ntitle: {en: Prices}\nseats: 2\nload: [game.rules]\n",
    "rulesets/prices/data/things.yaml": "Thing:\n  bread: {price: 2}\n  salt: {price: 5}\n",
    "rulesets/prices/game.rules": RULES,
    "rulesets/prices/variants/cheap.variant": "variant cheap on prices\n    alter dear from 3 to 0\n",
}
PLACE = "cards/prices/errata/"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(FILES, tmp_path, monkeypatch)
    (tmp_path / PLACE).mkdir(parents=True)
    return tmp_path


def add(home: Path, *texts: str) -> None:
    for text in texts:
        (home / PLACE / f"{text.split()[1]}.errata").write_text(text, encoding="utf-8")


def bisected(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert run(["errata", "bisect", *words]) == 0
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_one_change_is_found_with_its_errata(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(
        home,
        errata("dearer", "2001-02-03", "cost", COST + "t.price + 1"),
        errata("hardly", "2000-01-01", "dear", "value dear(t: Thing): bool = cost(t) > 4"),
    )
    assert bisected(capsys, "prices", "PR_1", "PR_3") == [
        'PR_1 "bread costs two"',
        "without errata pass",
        "2000-01-01 hardly pass",
        "* 2001-02-03 dearer FAIL cost(bread): 2: expected 2, seen 3",
        "it comes out like this since 2001-02-03, by dearer",
        "",
        'PR_3 "salt costs five"',
        "without errata pass",
        "2000-01-01 hardly pass",
        "* 2001-02-03 dearer FAIL cost(salt): 5: expected 5, seen 6",
        "it comes out like this since 2001-02-03, by dearer",
    ]
    assert (
        bisected(capsys, "prices@2001-01-01", "PR_1")[-1]
        == "it comes out like this without errata, and no errata changes that"
    )


def test_what_changes_several_times_is_told_as_such(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(
        home,
        errata("dearer", "2001-01-01", "cost", COST + "t.price + 1"),
        errata("cheaper", "2002-01-01", "cost", COST + "t.price", on="dearer"),
        errata("dearest", "2003-01-01", "cost", COST + "t.price + 2", on="cheaper"),
        errata("beyond", "2004-01-01", "cost", COST + "t.price + 3", on="dearest"),
    )
    assert bisected(capsys, "prices", "PR_1")[1:] == [
        "without errata pass",
        "* 2001-01-01 dearer FAIL cost(bread): 2: expected 2, seen 3",
        "* 2002-01-01 cheaper pass",
        "* 2003-01-01 dearest FAIL cost(bread): 2: expected 2, seen 4",
        "* 2004-01-01 beyond FAIL cost(bread): 2: expected 2, seen 5",
        "it comes out like this since 2004-01-01, by beyond",
        "it changed 4 times:",
        "2001-01-01: pass -> FAIL (dearer)",
        "2002-01-01: FAIL -> pass (cheaper)",
        "2003-01-01: pass -> FAIL (dearest)",
        "2004-01-01: FAIL -> FAIL in another way (beyond)",
    ]


def test_errata_of_one_day_are_told_apart(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    day = "2001-01-01"
    add(
        home,
        errata("dearer", day, "cost", COST + "t.price + 1"),
        errata("strict", day, "dear", "value dear(t: Thing): bool = cost(t) > 4"),
    )
    assert bisected(capsys, "prices", "PR_1")[-1] == f"it comes out like this since {day}, by dearer"
    add(home, errata("strict", day, "dear", "value dear(t: Thing): bool = cost(t) > 2"))
    assert (
        bisected(capsys, "prices", "PR_2")[-1]
        == f"it comes out like this since {day}, by dearer and strict, only together"
    )
    add(
        home,
        errata("dearer", day, "cost", COST + "t.price + 3"),
        errata("strict", day, "dear", "value dear(t: Thing): bool = cost(t) > 1"),
    )
    assert (
        bisected(capsys, "prices", "PR_2")[-1]
        == f"it comes out like this since {day}, by dearer and strict, each by itself"
    )
    both = "".join((home / PLACE / f"{name}.errata").read_text(encoding="utf-8") for name in ("dearer", "strict"))
    (home / PLACE / "strict.errata").unlink()
    (home / PLACE / "dearer.errata").write_text(both, encoding="utf-8")
    assert bisected(capsys, "prices", "PR_2")[-1] == f"it comes out like this since {day}, by one of dearer, strict"


def test_errata_without_a_day_come_first(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(home, errata("early", "", "cost", COST + "t.price + 1").replace(' dated ""', ""))
    assert bisected(capsys, "prices", "PR_1")[1:] == [
        "without errata pass",
        "* without a day early FAIL cost(bread): 2: expected 2, seen 3",
        "it comes out like this since the errata without a day, by early",
    ]


def test_variants_printings_and_rulings_that_are_not_there(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(
        home,
        errata("dearer", "2001-01-01", "cost", COST + "t.price + 1", printing="first"),
        errata("dearest", "2002-01-01", "cost", COST + "t.price + 2", printing="second"),
    )
    assert bisected(capsys, "prices+cheap@/first", "PR_2")[1:] == [
        "without errata FAIL dear(bread): false: expected false, seen true",
        "2001-01-01 dearer FAIL dear(bread): false: expected false, seen true",
        "it comes out like this without errata, and no errata changes that",
    ]
    folder = home / PLACE / "ruled"
    (folder / "rulings").mkdir(parents=True)
    (folder / "ruled.errata").write_text(errata("ruled", "2003-01-01", "dear", "value dear(t: Thing): bool = false"))
    ruling = 'ruling PR_4 "salt is not dear"\n    given start\n    expect\n        dear(salt): false\n'
    (folder / "rulings" / "ruled.ruling").write_text(ruling)
    assert (
        bisected(capsys, "prices@2009-01-01/first", "PR_4")[-1] == "it comes out like this since 2003-01-01, by ruled"
    )


def test_rules_with_errors_are_a_stage_too(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(home, errata("dearer", "2001-01-01", "cost", COST + "t.prize"))
    found = bisected(capsys, "prices", "PR_1")
    assert found[1] == "without errata pass" and found[2].startswith(
        "* 2001-01-01 dearer errors in it the rules have errors: RW"
    )
    assert found[3] == "it comes out like this since 2001-01-01, by dearer"


def test_as_data(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(home, errata("dearer", "2001-01-01", "cost", COST + "t.price + 1"))
    assert run(["errata", "bisect", "prices", "PR_1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["stages"] == [{"day": "", "errata": []}, {"day": "2001-01-01", "errata": ["dearer"]}]
    (found,) = data["rulings"]
    assert [verdict["outcome"] for verdict in found["verdicts"]] == ["pass", "FAIL"]
    assert [(turn["day"], turn["by"]) for turn in found["turns"]] == [("2001-01-01", ["dearer"])]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["prices", "PR_9"], "there is no ruling 'PR_9' in prices: did you mean 'PR_"),
        (["prices", "PR_1", "nothing"], "there is no ruling 'nothing' in prices: choose from PR_1, PR_2, PR_3."),
        (["prices@2000-01-01", "PR_1"], "prices has no errata up to 2000-01-01."),
        (["prices"], "missing argument 'RULING...'"),
    ],
)
def test_mistakes(home: Path, capsys: pytest.CaptureFixture[str], words: list[str], expected: str) -> None:
    add(home, errata("dearer", "2001-01-01", "cost", COST + "t.price + 1"))
    assert run(["errata", "bisect", *words]) == 2
    assert expected in capsys.readouterr().err


def test_rules_that_never_check_are_shown(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(home, errata("dearer", "2001-01-01", "cost", COST + "t.price + 1"))
    rules = home / "rulesets/prices/game.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("n in 0..1", "n in 0..many"), encoding="utf-8")
    assert run(["errata", "bisect", "prices", "PR_1"]) == 1
    assert "unknown name `many`" in capsys.readouterr().err
