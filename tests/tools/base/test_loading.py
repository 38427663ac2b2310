"""Naming rules with their overlays: `orchard+long_winter@2020-05-01/first`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import interpreter as rw
from dsl.driver.reference import NoSuchRules, RulesetReference, overlaid, parse_reference, shipped_overlays
from interpreter.records.save import sealed
from tests.tools.conftest import lay_out
from tools.cli import run

FILES = {
    "rulesets/small/ruleset.yaml": "id: small\nversion: 1\ntitle: {en: Small}\nseats: 2\nload: [small.rules]\n",
    "rulesets/small/small.rules": """\
field trail: 0..999
procedure mark(n: 0..9)
    set trail to trail * 10 + n
phase game
    step one: do mark(1)
    step two: do mark(2)
    choose n in 0..3 by p1
    do mark(n)
""",
    "rulesets/small/variants/twice/twice.variant": "variant twice on small\n    replace game.two\n        do mark(5)\n",
    "rulesets/small/variants/notes.txt": "not an overlay",
    "cards/small/errata/first.errata": 'errata first on small because "b" dated "2020-05-01"\n    drop game.one\n',
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(FILES, tmp_path, monkeypatch)
    return tmp_path


def find(name: str) -> Path:
    return Path("rulesets") / name


def test_a_name_says_what_is_laid_over_a_ruleset(home: Path) -> None:
    variant, errata = Path("rulesets/small/variants/twice"), Path("cards/small/errata/first.errata")
    assert shipped_overlays(find("small")) == {"twice": variant, "first": errata}
    assert parse_reference("small", find) == RulesetReference(find("small"))
    assert parse_reference("small+twice+first", find) == RulesetReference(find("small"), (variant, errata))
    assert parse_reference("small@2020-01-01", find) == RulesetReference(find("small"), as_of="2020-01-01")
    assert parse_reference("small@/second", find) == RulesetReference(find("small"), printing="second")
    named = parse_reference("small+twice@2020-01-01/second", find)
    assert named == RulesetReference(find("small"), (variant,), "2020-01-01", "second") and not named.plain
    assert named.label == "small+twice@2020-01-01/second"


def test_what_an_overlay_is_on_comes_along(home: Path) -> None:
    base, deep = Path("rulesets/small/variants/twice"), Path("rulesets/small/variants/deep.variant")
    deep.write_text("variant deep on twice, small\n    replace game.two\n        do mark(7)\n")
    assert parse_reference("small+deep", find).overlays == (base, deep)
    assert parse_reference("small+deep+twice", find).overlays == (deep, base)
    assert overlaid(find("small"), deep).label == "small+twice+deep"
    assert rw.load("small+deep").program.digest == rw.load("small+twice+deep").program.digest
    deep.write_text("variant deep on deep\n    drop game.two\n")
    assert parse_reference("small+deep", find).overlays == (deep,)


def test_an_overlay_may_be_a_path_with_any_sign_in_it(home: Path) -> None:
    odd = home / "a@b"
    odd.mkdir()
    assert parse_reference(f"small+{home / 'cards/small/errata/first.errata'}", find).label == "small+first"
    assert parse_reference(str(odd), find) == RulesetReference(find(str(odd)))


def test_names_that_lead_nowhere(home: Path) -> None:
    with pytest.raises(NoSuchRules) as missing:
        parse_reference("small+twise", find)
    assert missing.value.known == ["twice", "first"]
    with pytest.raises(ValueError):
        parse_reference("small@spring", find)


def first_play(game: rw.Game) -> int:
    state = game.new()
    return int(rw.view(state, 1)["state"]["trail"])


def test_the_library_takes_the_same_names(home: Path) -> None:
    trails = {name: first_play(rw.load(name)) for name in ("small", "small+twice", "small+first", "small@2021-01-01")}
    assert trails == {"small": 12, "small+twice": 15, "small+first": 2, "small@2021-01-01": 2}
    assert rw.load("small", overlays=["twice"]).program.named == "small+twice"


def test_commands_and_messages(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "small+twice@2021-01-01"]) == 0
    assert "small+twice@2021-01-01: no problems" in capsys.readouterr().out
    assert run(["check", "small+twise"]) == 2
    assert "no overlay of small 'twise': did you mean 'twice'?" in capsys.readouterr().err
    assert run(["check", "small@spring"]) == 2
    assert "a date is expected" in capsys.readouterr().err


def test_a_save_knows_its_rules(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = rw.load("small+twice@2021-01-01")
    state = game.new()
    data = rw.save(state)
    assert data["rules"] == "small+twice@2021-01-01" and data["ruleset"] == "small"
    file = home / "saved.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    assert run(["replay", str(file), "--verify"]) == 0
    data["rules"] = "small"  # as if it had been played by the plain rules
    file.write_text(json.dumps(sealed(data)), encoding="utf-8")
    assert "same state" in capsys.readouterr().out
    assert run(["replay", str(file), "--verify"]) == 0
    told = capsys.readouterr()
    assert "another text of small" in told.err and "same state" not in told.out


def test_a_save_goes_on_under_the_rules_it_was_saved_under(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(home / "kept"))
    file = home / "saved.json"
    file.write_text(json.dumps(rw.save(rw.load("small").new())), encoding="utf-8")
    rules = home / "rulesets" / "small" / "small.rules"
    rules.write_text(rules.read_text(encoding="utf-8").replace("do mark(2)", "do mark(3)"), encoding="utf-8")
    before = file.read_bytes()
    assert run(["play", "--load", str(file)]) == 2
    told = capsys.readouterr().err
    assert "changed since: rulesets/small/small.rules" in told and "--as-saved" in told and "--again" in told
    assert run(["play", "--load", str(file), "--as-saved"]) == 0
    assert run(["play", "--load", str(file), "--again"]) == 0
    for kept in (home / "kept").iterdir():
        kept.unlink()
    capsys.readouterr()
    assert run(["play", "--load", str(file)]) == 2 and "--as-saved" not in capsys.readouterr().err
    assert run(["play", "--load", str(file), "--as-saved"]) == 2 and "no longer kept here" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_a_save_of_another_overlay_says_which(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = home / "saved.json"
    file.write_text(json.dumps(rw.save(rw.load("small+twice").new())), encoding="utf-8")
    assert run(["play", "small", "--load", str(file)]) == 2
    assert "small+twice then, small now" in capsys.readouterr().err
