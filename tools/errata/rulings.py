"""Rulings with and without overlays: which of them have another outcome, and which only another transcript."""

from __future__ import annotations

from collections.abc import Iterator
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


def common_rulings(base: Game, overlaid: Game) -> list[str]:
    return [name for name in base.program.rulings if name in overlaid.program.rulings]


def compare_rulings(base: Game, overlaid: Game, lang: str) -> Iterator[RulingChange | None]:
    """Run the rulings that both have: for each what differs, with texts in a language, or None."""
    for name in common_rulings(base, overlaid):
        ruling = base.program.rulings[name]
        a = run_ruling(base, ruling, lang, traced=True)
        b = run_ruling(overlaid, overlaid.program.rulings[name], lang, traced=True)
        if a.transcript == b.transcript:
            yield None
            continue
        file = ruling.span.file or ruling.file
        source = base.program.sources.get(file)
        place = f"{file}:{source.place(ruling.span.start)[0]}" if source else file
        before, after = (failure_texts(result, lang) for result in (a, b))
        lines = tuple(differing_lines(a.transcript, b.transcript))
        yield RulingChange(name, a.title, a.cites, before != after, place, before, after, lines)


def failure_texts(result: RulingResult, lang: str) -> tuple[str, ...]:
    """The expectations that fail, as `winner: expected p1, seen p2`."""
    return tuple(failure_text(failure, lang) for failure in result.failures)


def failure_text(failure: Failure, lang: str) -> str:
    return phrase(lang, "errata", "failure", text=failure.text, expected=failure.expected, seen=failure.seen)
