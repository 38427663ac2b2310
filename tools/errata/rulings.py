"""Rulings with and without overlays: which of them come out otherwise, and which only go another way."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter import Game
from interpreter.records.ruling import RulingResult, run_ruling
from tools.commands.rulings import differing_lines


@dataclass(frozen=True, slots=True)
class RulingChange:
    """`outcome`: an expectation that held fails, or the other way round; else only the way there is another one."""

    name: str
    title: str
    clauses: tuple[str, ...]
    outcome: bool
    place: str
    before: tuple[str, ...]  # expectations that fail, as `winner: expected p1, seen p2`
    after: tuple[str, ...]
    lines: tuple[str, ...]  # of the transcripts that differ, with - and +


def compare_rulings(base: Game, laid: Game) -> tuple[list[RulingChange], int]:
    """(the rulings that differ, the number of those that were compared)."""
    found, compared = [], 0
    for name, ruling in base.program.rulings.items():
        if name not in laid.program.rulings:
            continue
        compared += 1
        a = run_ruling(base, ruling, traced=True)
        b = run_ruling(laid, laid.program.rulings[name], traced=True)
        if a.transcript == b.transcript:
            continue
        file = ruling.span.file or ruling.file
        source = base.program.sources.get(file)
        place = f"{file}:{source.place(ruling.span.start)[0]}" if source else file
        outcome = failed(a) != failed(b)
        lines = tuple(differing_lines(a.transcript, b.transcript))
        found.append(RulingChange(name, a.title, a.cites, outcome, place, failed(a), failed(b), lines))
    return found, compared


def failed(result: RulingResult) -> tuple[str, ...]:
    return tuple(str(failure) for failure in result.failures)
