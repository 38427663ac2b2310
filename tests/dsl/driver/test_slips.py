"""One-word mistakes in a whole game: nearly all are reported at their line, and none ends in a traceback."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from random import Random

import pytest

from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic, Severity
from dsl.diagnostics.render import render_text
from dsl.driver.pipeline import compile_texts
from dsl.files.ruleset import FileTexts, read_files
from tests.dsl.slips import SORTS, Ruleset, Slip, given, slips, typo

GAME = Path(__file__).parents[3] / "rulesets" / "dominant_species"


@pytest.fixture(scope="module")
def texts() -> FileTexts:
    found, diagnostics = read_files(GAME, [])
    assert not diagnostics
    found.rules = [source for source in found.rules if not source.file.endswith(".ruling")]
    found.locale = {}
    return found


@pytest.fixture(scope="module")
def ruleset(texts: FileTexts) -> Ruleset:
    rules = {source.file: source.text for source in [*texts.rules, *texts.bots]}
    return Ruleset(rules, {source.file: source.text for source in texts.data.values()})


def check(texts: FileTexts, slip: Slip) -> list[Diagnostic]:
    """All diagnostics of the game with the mistake in it."""

    def changed(source: Source) -> Source:
        return Source(source.file, slip.text if source.file == slip.file else source.text)

    wrong = dataclasses.replace(
        texts,
        rules=[changed(source) for source in texts.rules],
        bots=[changed(source) for source in texts.bots],
        data={path: changed(source) for path, source in texts.data.items()},
    )
    found = compile_texts(wrong, GAME.name, "")[1]
    render_text(found, wrong.all())
    return found


def missed(texts: FileTexts, slip: Slip) -> str:
    """Why the slip counts as missed; empty when an error stands at its line and says more than that it is wrong."""
    found = [d for d in check(texts, slip) if d.severity is Severity.ERROR]
    source = Source(slip.file, slip.text)
    there = [d for d in found if d.span.file == slip.file and source.place(d.span.start)[0] == slip.line]
    if any(d.help or len(d.message) > 30 for d in there):
        return ""
    shown = [f"{d.span.file}:{Source('', slip.text).place(d.span.start)[0]} {d.code} {d.message}" for d in found[:3]]
    line = source.line(slip.line).strip()
    return f"{slip.sort}: {slip.before!r} -> {slip.after!r} at {slip.file}:{slip.line} `{line}`: {shown}"


def test_the_game_is_clean_without_them(texts: FileTexts) -> None:
    assert not [d for d in compile_texts(texts, GAME.name, "")[1] if d.severity is Severity.ERROR]


def test_every_sort_of_mistake_is_made(ruleset: Ruleset) -> None:
    made = slips(ruleset, Random(0), 60)
    assert {slip.sort for slip in made} == set(SORTS)
    assert len({(slip.file, slip.line, slip.after) for slip in made}) > 50


def test_twenty_mistakes(texts: FileTexts, ruleset: Ruleset) -> None:
    faults = [fault for slip in slips(ruleset, Random(20), 20) if (fault := missed(texts, slip))]
    assert len(faults) <= 1, "\n".join(faults)


def test_a_misspelt_declaration_is_shown_where_it_stands(texts: FileTexts, ruleset: Ruleset) -> None:
    """The names are given, not used, so that the mistakes are at their uses as much as here."""
    random = Random(5)
    silent = []
    for span in random.sample([s for s in given(ruleset) if s.end - s.start > 3], 10):
        slip = typo(ruleset, span, random)
        if slip is not None:
            source = Source(slip.file, slip.text)
            spans = [span for d in check(texts, slip) for span in (d.span, *(label.span for label in d.labels))]
            lines = {source.place(span.start)[0] for span in spans if span.file == slip.file}
            silent += [] if slip.line in lines else [(slip.file, slip.line, slip.before, slip.after)]
    assert len(silent) <= 1, silent


@pytest.mark.soak
def test_two_hundred_mistakes(texts: FileTexts, ruleset: Ruleset) -> None:
    faults = [fault for slip in slips(ruleset, Random(200), 200) if (fault := missed(texts, slip))]
    assert len(faults) <= 10, "\n".join(faults)
