"""Damaged and hostile texts never make the checker itself fail: they are reported, or they are still rules."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dsl.diagnostics.diagnostic import Severity
from dsl.diagnostics.render import render_json, render_text
from dsl.driver.load import compile_sources
from tests.dsl.corpus import TEXTS
from tests.dsl.fuzz import damages, holes
from tests.dsl.hostile import attacks
from tests.manual import orchard
from tests.test_docs import concept_pages, fences

FOLDERS = sorted((Path(__file__).parents[2] / "conformance" / "rulesets").iterdir())
ENDINGS = (".rules", ".cards", ".ruling", ".yaml")
EACH = 12


def texts(folder: Path) -> dict[str, str]:
    paths = sorted(p for p in folder.rglob("*") if p.suffix in ENDINGS)
    return {p.relative_to(folder).as_posix(): p.read_text(encoding="utf-8") for p in paths}


def errors(files: dict[str, str]) -> int:
    """How many errors are found; a fault of the checker comes through."""
    rules = {name: text for name, text in files.items() if not name.endswith(".yaml")}
    data = {name: text for name, text in files.items() if name.endswith(".yaml")}
    program, found, sources = compile_sources(rules, data, seats=(2, 4))
    render_text(found, sources, False)
    wrong = sum(d.severity is Severity.ERROR for d in found)
    assert (program is None or bool(program.broken)) == (wrong > 0)
    return wrong


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_damaged_rulesets_are_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    whole = texts(folder)
    assert errors(whole) == 0
    rules = {name: text for name, text in whole.items() if not name.endswith(".yaml")}
    data = {name: text for name, text in whole.items() if name.endswith(".yaml")}
    wrong = [errors({**whole, **damaged}) for damaged in damages(rules, 20, EACH)]
    wrong += [errors({**whole, **damaged}) for damaged in damages(data, 21, EACH // 3)]
    assert sum(n > 0 for n in wrong) > len(wrong) / 2, "most damages are mistakes"


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_damaged_fragments_are_reported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fragments name much that is not declared, so later passes meet holes everywhere."""
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    for damaged in damages({name: TEXTS[name]}, 22, 4, most=4):
        compile_sources(damaged)


# ---------------------------------------------------------------- kinds that do not exist, declarations that are gone


def books() -> dict[str, dict[str, str]]:
    """The texts of the small games, and of every page of the manual with what it takes for granted."""
    found = {folder.name: texts(folder) for folder in FOLDERS}
    for page in concept_pages():
        name = str(page.relative_to(page.parents[2]))
        examples = {fence.line: fence.text for fence in fences("rules") if fence.page == name}
        with TemporaryDirectory() as root:
            found[page.stem] = texts(orchard.write(Path(root), page.stem, examples)[0])
    return found


def with_holes(whole: dict[str, str], seed: int, number: int) -> None:
    """Rules with holes are compiled and reported; a fault of the checker comes through."""
    rules = {name: text for name, text in whole.items() if not name.endswith(".yaml")}
    data = {name: text for name, text in whole.items() if name.endswith(".yaml")}
    for mutant in holes(rules, seed, number):
        _, found, sources = compile_sources(mutant, data)
        render_text(found, sources, False)


BOOKS = books()


@pytest.mark.parametrize("name", BOOKS)
def test_no_hole_ends_the_check_early(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    with_holes(BOOKS[name], 30, 3)


@pytest.mark.soak
@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("seed", range(31, 41))
def test_no_hole_of_thousands_ends_the_check_early(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With those of hostile texts 20,000 in all."""
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    with_holes(BOOKS[name], seed, 70)


@pytest.mark.parametrize("parts", ["Tool, Tale", "Tool", "Deck, Deck", "Card"])
def test_a_union_of_kinds_that_are_not_there_is_reported(parts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    rules = f"""\
kind Deck: Nowhere
kind Card: {parts}
kind Card faces front, back
kind Card
    const price: 0..9
zone hand: Card seen by nobody
kind Seat
    zone cards: Card seen by owner
card a "A": Card
    price: 3
value best(p: Seat): Card or none = only(c in p.cards where c.price > 2)
phase game
    choose c in p1.cards by p1
    turn a to back
    move a to p1.cards
"""
    assert "RW0210" in {d.code for d in compile_sources({"x.rules": rules})[1]}


# ---------------------------------------------------------------- hostile texts, overlays among them


OVERLAYS = {
    "odd.variant": """\
variant odd on kettle because "it is odd"
    replace steam
        value steam(): int = 1 + sum(p in seats: p.points)
    insert after stroke.fan
        case whistle
            gain 2 steam_point by p as rung
    alter pepper.strength from 3 to 2
    field wind: 0..9
""",
    "late.errata": """\
errata late on kettle because "a sheet" dated "2020-05-01"
    drop salt.reward
    replace sage.effect
        effect: gain 3 steam_point by you
""",
}


def attacked(folder: Path, seed: int, number: int) -> int:
    """How many hostile copies of a ruleset, some under hostile overlays, are reported; none ends in an exception, even
    behind errors, and no message holds a character that acts on a terminal."""
    whole = {**texts(folder), **OVERLAYS}
    wrong = 0
    for turn, mutant in enumerate(attacks(whole, seed, number)):
        overlays = {name: mutant.pop(name) for name in OVERLAYS}
        rules = {name: text for name, text in mutant.items() if not name.endswith(".yaml")}
        data = {name: text for name, text in mutant.items() if name.endswith(".yaml")}
        program, found, sources = compile_sources(rules, data, overlays=overlays if turn % 2 else None)
        shown = render_text(found, sources, False)
        assert "\x1b" not in shown and "\u202e" not in shown and render_json(found, sources) is not None
        wrongs = [d for d in found if d.severity is Severity.ERROR]
        in_rules = [d for d in wrongs if not d.span.file.endswith(".ruling")]  # a broken ruling is only left out
        assert wrongs if program is None else not in_rules
        wrong += bool(wrongs)
    return wrong


def test_the_overlays_are_good_as_they_are() -> None:
    whole = texts(next(folder for folder in FOLDERS if folder.name == "kettle"))
    rules = {name: text for name, text in whole.items() if not name.endswith(".yaml")}
    data = {name: text for name, text in whole.items() if name.endswith(".yaml")}
    program, found, sources = compile_sources(rules, data, overlays=OVERLAYS)
    assert program is not None, render_text(found, sources, False)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_hostile_texts_are_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    assert attacked(folder, 1, 12) > 3


@pytest.mark.soak
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("seed", range(2, 6))
def test_hundreds_of_hostile_texts_are_reported(folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    assert attacked(folder, seed, 180) > 60
