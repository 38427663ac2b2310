"""Changes of overlays as texts: lines without a name, members, records; and overlays beside one another."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw
from dsl.driver.reference import RulesetReference
from dsl.overlay import ErrataChoice
from dsl.overlay.changes import Change, changes_of
from tests.conformance.tables import finish
from tools.cli import run

RULES = """\
enum Mood: calm, wild
kind Tree from "data/trees.yaml"
    const height: 1..9
field tall: 0..99
field mood: Mood
procedure grow()
    set tall to tall + 1
procedure rest()
    set mood to wild
phase game
    set tall to sum(t in Tree: t.height)
    set mood to calm
    do grow()
    do rest()
"""
ONE = """\
variant one on small
    insert after game.grow
        do rest()
    insert after Mood.calm
        enum Mood: grim, gay
    drop Tree.fir
"""
OTHER = """\
variant other on small
    insert after game.grow
        do grow()
    replace game.set[2]
        set mood to wild
    alter Mood.wild from wild to wilder
    alter rest from wild to wilder
    replace game.set[2]
        set mood to wilder
"""
FILES = {
    "ruleset.yaml": "id: small\nversion: 1\ntitle: {en: Small}\nseats: 2\nload: [small.rules]\n",
    "small.rules": RULES,
    "data/trees.yaml": "Tree:\n  oak: {height: 5}\n  fir:\n    height: 1\n",
    "variants/one/one.variant": ONE,
    "variants/other/other.variant": OTHER,
}


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "rulesets" / "small"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("RULEWRIGHT_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return folder


def found(folder: Path, *names: str) -> dict[str, Change]:
    changes = changes_of(folder, [folder / "variants" / name for name in names])
    return {f"{change.by} {change.word} {change.address}": change for change in changes}


def test_lines_members_and_records_are_shown_before_and_after(small: Path) -> None:
    changes = found(small, "one", "other")
    line = changes["one insert after game.grow"]
    assert (line.before, line.after, line.result) == ("do grow()", "do rest()", "do grow()\ndo rest()")
    member = changes["one insert after Mood.calm"]
    assert (member.before, member.result) == ("calm", "calm, grim, gay")
    record = changes["one drop Tree.fir"]
    assert (record.before, record.result) == ("fir:\n  height: 1", "")
    replaced = changes["other replace game.set.2"]
    assert (replaced.before, replaced.result) == ("set mood to wild", "set mood to wilder")
    altered = changes["other alter Mood.wild"]
    assert (altered.before, altered.result) == ("wild", "wilder")
    beside = changes["other insert after game.grow"]  # it does not see what the other one inserts
    assert beside.result == "do grow()\ndo grow()"


def test_accepted_digests_hold_alone_and_together(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["errata", "accept", "small", "one", "other"]) == 0
    assert "8 patches: 8 digests written" in capsys.readouterr().out
    for names in ("one", "other", "one+other", "other+one"):
        assert run(["check", f"small+{names}"]) == 0, capsys.readouterr().out
    data = small / "data" / "trees.yaml"
    data.write_text(data.read_text(encoding="utf-8").replace("height: 1", "height: 2"), encoding="utf-8")
    capsys.readouterr()
    assert run(["check", "small+one"]) == 1
    told = capsys.readouterr().out
    assert "RW1003" in told and "height: 1" in told and "height: 2" in told


SPECIES = Path("rulesets/dominant_species").resolve()
PHASE = """\
variant {0} on dominant_species
    insert after Cause.used
        enum Cause: {0}
    insert after turn.execution
        do {0}_phase()
    phase {0}_phase
        for every a in animals: gain 1 vp by a as {0}
"""


def variant(folder: Path, name: str, more: str = "") -> Path:
    file = folder / f"{name}.variant"
    file.write_text(PHASE.format(name) + more, encoding="utf-8")
    return file


@pytest.mark.parametrize("turned", [False, True])
def test_two_phases_are_put_behind_one_of_a_heavy_game(tmp_path: Path, turned: bool) -> None:
    overlays = [variant(tmp_path, "heating"), variant(tmp_path, "raining", "    drop Space.adaptation_3\n")]
    overlays = overlays[::-1] if turned else overlays
    program, told, _ = RulesetReference(SPECIES, tuple(overlays)).compile()
    assert program is not None, [d.message for d in told if d.severity.value == "error"]
    names = [path.stem for path in overlays]
    assert program.domains["Cause"].ids[-3:] == ("used", *names)
    assert "adaptation_3" not in program.domains["Space"].ids and len(program.domains["Space"].ids) == 40
    # what still names the space is in rulings alone, which are told at their places and left out
    wrong = [d for d in told if d.severity.value == "error"]
    assert wrong and all(d.span.file.endswith(".ruling") and d.labels[0].span.file for d in wrong)
    state = rw.Game(program, "reference").new(seats=2, seed=1, checked=True)
    finish(state, 60, 60)


def test_each_change_is_told_as_the_one_before_has_left_the_place(tmp_path: Path) -> None:
    folder = tmp_path / "rulesets" / "shop"
    (folder / "variants").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text("id: shop\nversion: 1\ntitle: {en: S}\nseats: 2\nload: [shop.rules]\n")
    (folder / "shop.rules").write_text(
        "piece coin\nkind Seat\n    zone purse: coin\nkind Good\n    const price: 0..9\n"
        'card loaf "Loaf": Good\n    price: 2\n    effect: gain 1 coin by you\nphase game\n    do loaf.effect by p1\n'
    )
    blocks = {
        "first": "variant first on shop\n    alter loaf.price from 2 to 3\n"
        "    replace loaf.effect\n        gain 2 coin by you\n",
        "second": "variant second on first\n    alter loaf.price from 3 to 4\n"
        "    replace loaf.effect\n        gain 3 coin by you\n",
        "third": "variant third on second\n    alter loaf.effect from 3 to 4\n"
        "    replace loaf.price\n        price: 5\n",
    }
    for name, text in blocks.items():
        (folder / "variants" / f"{name}.variant").write_text(text)
    found = changes_of(folder, [folder / "variants" / f"{name}.variant" for name in blocks])
    effect = [(c.before, c.result) for c in found if c.address == "loaf.effect"]
    assert effect == [
        ("effect: gain 1 coin by you", "effect\n    gain 2 coin by you"),
        ("effect\n    gain 2 coin by you", "effect\n    gain 3 coin by you"),
        ("effect\n    gain 3 coin by you", "effect\n    gain 4 coin by you"),
    ]
    price = [(c.before, c.result) for c in found if c.address == "loaf.price"]
    assert price == [("price: 2", "price: 3"), ("price: 3", "price: 4"), ("price: 4", "price: 5")]
    with_errata = ErrataChoice("2030-01-01", absent=frozenset({"first", "second"}))
    late = folder / "variants" / "late.errata"
    late.write_text('errata late on second dated "2020-01-01"\n    drop loaf.effect\n')
    assert changes_of(folder, [late], with_errata) == [], "what is on a variant that nobody named is not in force"
