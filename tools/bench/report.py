"""The figures of a bench: medians with spread, ratios round by round, as tables or as JSON.

Takes the measurements (`Record`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.base.stats import median
from tools.bench.players import (
    BY_HAND,
    DRIVEN,
    ENGINE,
    NATIVE,
    NATIVE_SIMULATE,
    OPEN_SPIEL,
    REFERENCE,
    SIMULATE,
    Cell,
)

LABELS = {
    ENGINE: "engine", DRIVEN: "driven", SIMULATE: "simulate", REFERENCE: "reference", NATIVE: "wasm",
    NATIVE_SIMULATE: "simulate wasm", BY_HAND: "by hand", OPEN_SPIEL: "OpenSpiel",
}  # fmt: skip
RATIOS = (  # which player is compared with which: back ends and ways to play by decisions, peers by playouts
    (ENGINE, REFERENCE), (ENGINE, DRIVEN), (SIMULATE, DRIVEN), (NATIVE, ENGINE), (NATIVE_SIMULATE, NATIVE),
    (NATIVE_SIMULATE, SIMULATE), (ENGINE, BY_HAND), (ENGINE, OPEN_SPIEL),
)  # fmt: skip
COSTS = {  # key -> name, unit
    "copy": ("copy", "us"),
    "load_cold": ("cold", "s"),
    "load_cached": ("cached", "s"),
    "first_decision": ("first", "s"),
    "check_cold": ("check", "s"),
    "memory": ("memory", "MB"),
}


@dataclass(slots=True)
class Record:
    """The measurements of one ruleset; each list has one value for each round."""

    ruleset: str
    seats: int
    words: int
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    costs: dict[str, list[float]] = field(default_factory=dict)

    def playouts(self, key: str) -> list[float]:
        return [cell.games_per_second for cell in self.cells.get(key, ())]

    def decisions(self, key: str) -> list[float]:
        return [cell.decisions_per_second for cell in self.cells.get(key, ())]

    def length(self, key: str) -> float:
        """Decisions of a mean game."""
        cells = self.cells[key]
        return sum(cell.decisions for cell in cells) / sum(cell.games for cell in cells)

    def ratios(self, one: str, other: str) -> list[float]:
        """Speed of one player divided by that of another, by round. Back ends and ways to play are compared by
        decisions, since a slow one plays few games; peers by playouts."""
        rates = self.playouts if other in (BY_HAND, OPEN_SPIEL) else self.decisions
        return [a / b for a, b in zip(rates(one), rates(other), strict=False)]

    def to_json(self) -> dict[str, Any]:
        keys = [key for key in LABELS if self.cells.get(key)]
        ratios = {f"{one}/{other}": self.ratios(one, other) for one, other in RATIOS}
        return {
            "seats": self.seats,
            "words": self.words,
            "playouts": {key: figure(self.playouts(key), "per second") for key in keys},
            "decisions": {key: figure(self.decisions(key), "per second") for key in keys},
            "length": {key: round(self.length(key), 3) for key in keys},
            "ratios": {name: figure(values, "") for name, values in ratios.items() if values},
            "costs": {key: figure(values, COSTS[key][1]) for key, values in self.costs.items() if values},
        }


def figure(values: Sequence[float], unit: str) -> dict[str, Any]:
    shown = {"median": median(values), "min": min(values), "max": max(values)}
    return {
        "unit": unit,
        **{key: round_significant(value) for key, value in shown.items()},
        "runs": [round_significant(value) for value in values],
    }


def round_significant(value: float, digits: int = 5) -> float:
    """Round to so many significant digits."""
    return round(value, digits - 1 - math.floor(math.log10(abs(value)))) if value else 0.0


def format_number(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.4f}"


def format_spread(values: Sequence[float]) -> str:
    """The median, with half the range as a percentage of it; a single value without spread."""
    if not values:
        return "-"
    if len(values) == 1:
        return format_number(values[0])
    middle = median(values)
    return f"{format_number(middle)} ±{(max(values) - min(values)) / 2 / middle:.0%}"


def format_length(record: Record, key: str) -> str:
    return f"{record.length(key):,.1f}" if record.cells.get(key) else "-"


def format_range(values: Sequence[float]) -> str:
    if len(values) == 1:
        return f"{values[0]:.2f}"
    return f"{median(values):.2f} ({min(values):.2f}..{max(values):.2f})" if values else "-"


def render(records: Sequence[Record], notes: Sequence[str]) -> None:
    """Print the tables, then the notes."""
    keys = [key for key in LABELS if any(record.cells.get(key) for record in records)]
    compared = [pair for pair in RATIOS if set(pair) <= {*keys}]
    for title, rate in (("Random playouts per second", Record.playouts), ("Decisions per second", Record.decisions)):
        print_table(
            title,
            ["", *(LABELS[key] for key in keys)],
            [
                [record.ruleset, *(format_spread(rate(record, key)) for key in keys)]
                for record in records
                if record.cells
            ],
        )
    print_table(
        "Decisions of a mean game",
        ["", *(LABELS[key] for key in keys)],
        [[record.ruleset, *(format_length(record, key) for key in keys)] for record in records if record.cells],
    )
    print_table(
        "Ratios",
        ["", *(f"{LABELS[one]} / {LABELS[other]}" for one, other in compared)],
        [
            [record.ruleset, *(format_range(record.ratios(*pair)) for pair in compared)]
            for record in records
            if record.cells
        ],
    )
    measured = [key for key in COSTS if any(record.costs.get(key) for record in records)]
    print_table(
        "Copy of a state; load cold, load cached, process start to first decision; peak memory",
        ["", *(" ".join(COSTS[key]) for key in measured)],
        [
            [record.ruleset, *(format_spread(record.costs.get(key, ())) for key in measured)]
            for record in records
            if record.costs
        ],
    )
    for note in notes:
        print(note)


def print_table(title: str, heads: list[str], rows: list[list[str]]) -> None:
    """Print a table with this title, or a list if the terminal is too narrow for it."""
    if not rows:
        return
    from tools.base.console import stdout

    console = stdout()
    console.print(title)
    console.print_rows(heads, rows, numbers=1)
    console.print()
