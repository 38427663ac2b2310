"""Tables of a report: on a terminal, or as Markdown in a page."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from tools.base.stats import median


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of texts. `heads`: the first column names what a row is about."""

    title: str
    heads: list[str]
    rows: list[list[str]]

    def without_empty_columns(self) -> TextTable:
        """Only the columns with a figure."""
        kept = [at for at in range(len(self.heads)) if not at or any(row[at] != "-" for row in self.rows)]
        return TextTable(self.title, [self.heads[at] for at in kept], [[row[at] for at in kept] for row in self.rows])


def print_tables(tables: Sequence[TextTable]) -> None:
    from tools.base.console import stdout

    console = stdout()
    for table in tables:
        if not table.rows or len(table.heads) == 1:
            continue
        console.print(table.title)
        console.print_rows(table.heads, table.rows, numbers=1)
        console.print()


def with_tables(page: str, tables: Sequence[TextTable]) -> tuple[str, list[str]]:
    """A page of Markdown in which these tables stand instead of those with the same titles; also the titles that it
    does not have."""
    missing = []
    for table in tables:
        old = re.compile(rf"^{re.escape(f'**{table.title}**')}\n\n(?:\|.*\n)*", re.M)
        if old.search(page) is None:
            missing.append(table.title)
        page = old.sub(lambda _: as_markdown(table) + "\n", page)  # noqa: B023
    return page, missing


def as_markdown(table: TextTable) -> str:
    marks = ["---", *("---:" for _ in table.heads[1:])]
    rows = [[f"`{row[0]}`", *row[1:]] for row in table.rows]
    lines = ["| " + " | ".join(row) + " |" for row in ([table.heads[0] or "Ruleset", *table.heads[1:]], marks, *rows)]
    return "\n".join([f"**{table.title}**", "", *lines])


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


def format_median(values: Sequence[float]) -> str:
    return format_number(median(values)) if values else "-"


def format_range(values: Sequence[float]) -> str:
    """The median with the least and the greatest."""
    if len(values) == 1:
        return f"{values[0]:.2f}"
    digits = 1 if values and median(values) >= 10 else 2
    return f"{median(values):,.{digits}f} ({min(values):,.{digits}f}..{max(values):,.{digits}f})" if values else "-"
