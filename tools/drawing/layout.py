"""The layout of map and panels in a picture: beside each other where there is room, else below.

Takes finished lines; knows nothing about what they show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.text import Text

GAP = 3  # columns between what stands side by side
NARROWEST = 60  # columns of a panel that stands beside another
Panels = Sequence[Sequence[Text]]  # the lines of each panel, its title first


def lines_width(lines: Sequence[Text]) -> int:
    return max((cell_len(line.plain) for line in lines), default=0)


def arrange(chart: Sequence[Text], panels: Panels, width: int) -> list[Text]:
    """The map with panels on its right as long as they fit in width and height, and the rest below it."""
    room = width - lines_width(chart) - GAP
    column: list[Text] = []
    rest: list[Text] = []
    for rows in panels:
        fits = lines_width(rows) <= room and len(column) + len(rows) + 1 <= len(chart)
        add_below(column if fits and chart else rest, rows)
    return stack(beside([chart, column]), rest)


def fit(
    chart: Sequence[Text], panels_at: Callable[[int], Panels], width: int, height: int
) -> tuple[list[Text], list[int]]:
    """The map and as many panels as this many cells hold, and the numbers of the panels left out. `panels_at`: the
    panels, wrapped to a width; they stand beside the map, and below it in as many columns as show most of them."""
    room = width - lines_width(chart) - GAP
    column: list[Text] = []
    waiting = list(range(len(panels_at(width))))
    if chart and room >= NARROWEST:
        narrow = panels_at(room)
        waiting = fill([column], narrow, waiting, len(chart))
    top = beside([chart, column])
    below, left = height - len(top) - (1 if top else 0), waiting
    shown: list[Text] = []
    for number in range(1, max(1, (width + GAP) // (NARROWEST + GAP)) + 1):
        columns: list[list[Text]] = [[] for _ in range(number)]
        missing = fill(columns, panels_at((width - GAP * (number - 1)) // number), waiting, below)
        if not shown or len(missing) < len(left):
            shown, left = beside(columns), missing
    return stack(top, shown), left


def fill(columns: Sequence[list[Text]], panels: Panels, numbers: Sequence[int], height: int) -> list[int]:
    """Add the panels of these numbers, each to the first column that has room for it; the numbers of the others."""
    left = []
    for number in numbers:
        for column in columns:
            if len(column) + len(panels[number]) + (1 if column else 0) <= height:
                add_below(column, panels[number])
                break
        else:
            left.append(number)
    return left


def add_below(lines: list[Text], more: Sequence[Text]) -> None:
    """Add lines after an empty one."""
    if lines and more:
        lines.append(Text(""))
    lines.extend(more)


def stack(first: Sequence[Text], second: Sequence[Text]) -> list[Text]:
    lines = list(first)
    add_below(lines, second)
    return lines


def beside(columns: Sequence[Sequence[Text]]) -> list[Text]:
    """Columns of lines side by side."""
    lines = [line.copy() for line in columns[0]]
    for column in columns[1:]:
        left = lines_width(lines) + GAP
        for number, line in enumerate(column):
            if number == len(lines):
                lines.append(Text(""))
            if line.plain:
                lines[number].append(" " * (left - cell_len(lines[number].plain)))
                lines[number].append_text(line)
    return lines
