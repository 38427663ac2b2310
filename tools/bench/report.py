"""The figures of a bench: medians with spread, ratios round by round, one table a question, or as JSON.

Takes the measurements (`BenchRecord`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.base.stats import median
from tools.bench.cells import Measurement
from tools.bench.given_up import GivenUp
from tools.bench.peers import BY_HAND, OPEN_SPIEL
from tools.bench.players import (
    ADAPTER,
    BULK,
    DRIVER,
    PETTINGZOO,
    PRINTED,
    REFERENCE,
    SESSION,
    SIMULATE,
    VECTOR,
)
from tools.bench.tables import TextTable, format_median, format_range, format_spread, round_significant

LABELS = {
    DRIVER: "driver", SESSION: "session", PRINTED: "printed", REFERENCE: "reference", ADAPTER: "OpenSpiel adapter",
    PETTINGZOO: "PettingZoo", VECTOR: "vector", BULK: "bulk", SIMULATE: "simulate", BY_HAND: "by hand",
    OPEN_SPIEL: "OpenSpiel",
}  # fmt: skip
ANSWERING = {BULK, SIMULATE, BY_HAND}  # they count what is answered without a choice


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A table of a report: the rates of some players, and ratios of two."""

    title: str
    shown: tuple[str, ...]
    ratios: tuple[tuple[str, str], ...]


QUESTIONS = (
    TableQuestion(
        "How fast is a game driven? Decisions per second",
        (DRIVER, SESSION, REFERENCE),
        ((DRIVER, SESSION), (DRIVER, REFERENCE), (SESSION, REFERENCE), (DRIVER, BY_HAND), (DRIVER, OPEN_SPIEL)),
    ),
    TableQuestion(
        "Bots and learners: decisions per second",
        (ADAPTER, PETTINGZOO, VECTOR, OPEN_SPIEL),
        ((ADAPTER, OPEN_SPIEL), (VECTOR, OPEN_SPIEL), (VECTOR, PETTINGZOO)),
    ),
    TableQuestion(
        "Bulk play: decisions per second, forced ones included",
        (BULK, SIMULATE, BY_HAND),
        ((BULK, BY_HAND), (BULK, OPEN_SPIEL), (BULK, DRIVER), (SIMULATE, BULK)),
    ),
    TableQuestion(
        "Without wasmtime: decisions per second",
        (PRINTED, REFERENCE),
        ((PRINTED, REFERENCE), (PRINTED, DRIVER)),
    ),
)
COSTS = {  # key -> name, unit
    "load_cold": ("load cold", "s"),
    "first_cold": ("first decision, cold", "s"),
    "native_cold": ("then reference for", "s"),
    "driver_cold": ("driver, cold", "s"),
    "load_cached": ("load cached", "s"),
    "first_cached": ("first decision, cached", "s"),
    "driver_cached": ("driver, cached", "s"),
    "check_cold": ("check", "s"),
    "memory": ("memory", "MB"),
    "copy": ("copy", "us"),
}


@dataclass(slots=True)
class BenchRecord:
    """The measurements of one ruleset; each list has one value for each round."""

    ruleset: str
    seats: int
    words: int
    cells: dict[str, list[Measurement]] = field(default_factory=dict)
    costs: dict[str, list[float]] = field(default_factory=dict)
    given_up: dict[str, GivenUp] = field(default_factory=dict)

    def playouts(self, key: str) -> list[float]:
        """Games per second; none where games were cut short."""
        cells = self.cells.get(key, ())
        return [] if any(cell.cut for cell in cells) else [cell.games_per_second for cell in cells]

    def decisions(self, key: str) -> list[float]:
        return [cell.decisions_per_second for cell in self.cells.get(key, ())]

    def length(self, key: str) -> float:
        """Decisions of a mean game."""
        cells = self.cells[key]
        return sum(cell.decisions for cell in cells) / sum(cell.games for cell in cells)

    def ratios(self, one: str, other: str) -> list[float]:
        """Speed of one player divided by that of another, by round: by decisions where both count the same ones, else
        by games, and then there are none where games were cut short."""
        same = (one in ANSWERING) == (other in ANSWERING) and not {one, other} & {BY_HAND, OPEN_SPIEL}
        rates = self.decisions if same else self.playouts
        return [a / b for a, b in zip(rates(one), rates(other), strict=False)]

    def to_json(self) -> dict[str, Any]:
        keys = [key for key in LABELS if self.cells.get(key)]
        ratios = {f"{one}/{other}": self.ratios(one, other) for one, other in pairs()}
        return {
            "seats": self.seats,
            "words": self.words,
            "playouts": {key: figure(rates, "per second") for key in keys if (rates := self.playouts(key))},
            "decisions": {key: figure(self.decisions(key), "per second") for key in keys},
            "length": {key: round(self.length(key), 3) for key in keys},
            "ratios": {name: figure(values, "") for name, values in ratios.items() if values},
            "costs": {key: figure(values, COSTS[key][1]) for key in COSTS if (values := self.costs.get(key))},
            "given_up": {key: found._asdict() for key, found in self.given_up.items()},
        }


def pairs() -> list[tuple[str, str]]:
    """The pairs of figures whose ratios are reported."""
    return [pair for question in QUESTIONS for pair in question.ratios]


def figure(values: Sequence[float], unit: str) -> dict[str, Any]:
    shown = {"median": median(values), "min": min(values), "max": max(values)}
    return {
        "unit": unit,
        **{key: round_significant(value) for key, value in shown.items()},
        "runs": [round_significant(value) for value in values],
    }


def tables(records: Sequence[BenchRecord]) -> list[TextTable]:
    """All tables of a report, those without figures left out."""
    played = [record for record in records if record.cells]
    found = [question_table(question, played) for question in QUESTIONS]
    found = [table for table in found if any(cell != "-" for row in table.rows for cell in row[1:])]
    keys = [key for key in LABELS if any(record.cells.get(key) for record in played)]
    lengths = [[r.ruleset, *(format_length(r, key) for key in keys)] for r in played]
    found.append(TextTable("Decisions of a mean game", ["", *(LABELS[key] for key in keys)], lengths))
    measured = [key for key in COSTS if any(record.costs.get(key) for record in records)]
    costs = [[r.ruleset, *(format_median(r.costs.get(key, ())) for key in measured)] for r in records if r.costs]
    heads = ["", *(", ".join(COSTS[key]) for key in measured)]
    found.append(TextTable("How long until it is fast, memory, copy of a state", heads, costs))
    counted = [key for key in LABELS if any(key in record.given_up for record in records)]
    given_up = [[r.ruleset, *(format_given_up(r.given_up.get(key)) for key in counted)] for r in records if r.given_up]
    found.append(TextTable("Decisions given up by native code", ["", *(LABELS[key] for key in counted)], given_up))
    return [table.without_empty_columns() for table in found if table.rows]


def question_table(question: TableQuestion, records: Sequence[BenchRecord]) -> TextTable:
    heads = ["", *(LABELS[key] for key in question.shown)]
    heads += [f"{LABELS[one]} / {LABELS[other]}" for one, other in question.ratios]
    rows = [
        [
            record.ruleset,
            *(format_spread(record.decisions(key)) for key in question.shown),
            *(format_range(record.ratios(*pair)) for pair in question.ratios),
        ]
        for record in records
    ]
    return TextTable(question.title, heads, rows)


def format_length(record: BenchRecord, key: str) -> str:
    return f"{record.length(key):,.1f}" if record.cells.get(key) else "-"


def format_given_up(found: GivenUp | None) -> str:
    return f"{found.given_up:,} of {found.decisions:,}" if found is not None else "-"
