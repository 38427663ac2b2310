"""Rulings with and without overlays: which of them have another outcome, and which only another transcript."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import Game
from interpreter.records.ruling import RulingResult, run_ruling
from tools.commands.rulings import differing_lines


@dataclass(frozen=True, slots=True)
class RulingChange:
    """`outcome`: an expectation that held fails, or the other way round; else only the transcript differs."""

    name: str
    title: str
    clauses: tuple[str, ...]
    outcome: bool
    place: str
    before: tuple[str, ...]  # expectations that fail, as `winner: expected p1, seen p2`
    after: tuple[str, ...]
    lines: tuple[str, ...]  # of the transcripts that differ, with - and +


def compare_rulings(base: Game, overlaid: Game) -> tuple[list[RulingChange], int]:
    """Run the rulings that both have: (those that differ, the number compared)."""
    found, compared = [], 0
    for name, ruling in base.program.rulings.items():
        if name not in overlaid.program.rulings:
            continue
        compared += 1
        a = run_ruling(base, ruling, traced=True)
        b = run_ruling(overlaid, overlaid.program.rulings[name], traced=True)
        if a.transcript == b.transcript:
            continue
        file = ruling.span.file or ruling.file
        source = base.program.sources.get(file)
        place = f"{file}:{source.place(ruling.span.start)[0]}" if source else file
        outcome = failure_texts(a) != failure_texts(b)
        lines = tuple(differing_lines(a.transcript, b.transcript))
        found.append(RulingChange(name, a.title, a.cites, outcome, place, failure_texts(a), failure_texts(b), lines))
    return found, compared


def failure_texts(result: RulingResult) -> tuple[str, ...]:
    """The expectations that fail, as `winner: expected p1, seen p2`."""
    return tuple(str(failure) for failure in result.failures)
