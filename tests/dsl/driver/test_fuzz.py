"""Damaged rules never make the checker itself fail: they are reported, or they are still rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics.diagnostic import Severity
from dsl.diagnostics.render import render_text
from dsl.driver.load import compile_sources
from tests.dsl.corpus import TEXTS
from tests.dsl.fuzz import damages

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
