"""Rulings with and without overlays: which of them have another outcome, and which only another transcript."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.files.phrases import phrase
from interpreter import Game
from interpreter.records.ruling import Failure, RulingResult, run_ruling
from tools.commands.rulings import differing_lines


@dataclass(frozen=True, slots=True)
class RulingChange:
    """`outcome`: an expectation that held fails, or the other way round; else only the transcript differs."""

    name: str
    title: str
    clauses: tuple[str, ...]
    outcome: bool
    place: str
    before: tuple[str, ...]  # expectations that fail
    after: tuple[str, ...]
    lines: tuple[str, ...]  # of the transcripts that differ, with - and +


def compare_rulings(base: Game, overlaid: Game, lang: str) -> tuple[list[RulingChange], int]:
    """Run the rulings that both have: (those that differ, with texts in a language, the number compared)."""
    found, compared = [], 0
    for name, ruling in base.program.rulings.items():
        if name not in overlaid.program.rulings:
            continue
        compared += 1
        a = run_ruling(base, ruling, lang, traced=True)
        b = run_ruling(overlaid, overlaid.program.rulings[name], lang, traced=True)
        if a.transcript == b.transcript:
            continue
        file = ruling.span.file or ruling.file
        source = base.program.sources.get(file)
        place = f"{file}:{source.place(ruling.span.start)[0]}" if source else file
        before, after = (failure_texts(found, lang) for found in (a, b))
        lines = tuple(differing_lines(a.transcript, b.transcript))
        found.append(RulingChange(name, a.title, a.cites, before != after, place, before, after, lines))
    return found, compared


def failure_texts(result: RulingResult, lang: str) -> tuple[str, ...]:
    """The expectations that fail, as `winner: expected p1, seen p2`."""
    return tuple(failure_text(failure, lang) for failure in result.failures)


def failure_text(failure: Failure, lang: str) -> str:
    return phrase(lang, "errata", "failure", text=failure.text, expected=failure.expected, seen=failure.seen)
