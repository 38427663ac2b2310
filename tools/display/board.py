"""The picture of a position in a terminal: the map and panels that `display.yaml` describes, or plain lists without it.

Takes a state and the seat of the reader; returns lines of text, the map on the left, the panels beside and below it.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len
from rich.text import Text

from interpreter import State
from tools.display.map import draw_map
from tools.display.panels import default_panels, panel
from tools.display.typed_answers import fold_case
from tools.display.values import Presenter

GAP = 3  # columns between the map and the panels beside it
QUESTION_LINES = 6  # lines for a question and the lines of the log, above or below a board that does not fit
NO_MARKS: Mapping[int, str] = {}


def board_lines(
    state: State, seat: int | None, lang: str, width: int, marks: Mapping[int, str] = NO_MARKS
) -> list[Text]:
    """Everything that the reader may see, for a terminal of this width; `marks` are shown at things on the map."""
    presenter = Presenter(state, seat, lang)
    display = presenter.program.display
    chart = draw_map(presenter, display["map"], marks, width) if display.get("map") else []
    return arrange_panels(chart, visible_panels(presenter, width), width)


def visible_panels(presenter: Presenter, width: int) -> list[list[Text]]:
    """The panels that have something to show, each under its title."""
    display = presenter.program.display
    found = (
        [panel(presenter, p, width) for p in display.get("panels") or []]
        if display
        else default_panels(presenter, width)
    )
    return [p for p in found if p]


def fitting_board(state: State, seat: int | None, lang: str, width: int, height: int) -> tuple[list[Text], list[str]]:
    """As many of the first panels as fit on a screen of this height, and the titles of the others. A board with a map
    is drawn whole, and so is one that fits."""
    presenter = Presenter(state, seat, lang)
    panels = visible_panels(presenter, width)
    if presenter.program.display.get("map") or sum(len(p) + 1 for p in panels) <= height:
        return board_lines(state, seat, lang, width), []
    shown = used = 0
    while shown < len(panels) and (used <= height / 3 or used + len(panels[shown]) + 1 <= height - QUESTION_LINES):
        used += len(panels[shown]) + 1
        shown += 1
    return arrange_panels([], panels[:shown], width), [p[0].plain for p in panels[shown:]]


def find_panel(state: State, seat: int | None, lang: str, width: int, name: str) -> list[Text]:
    """The lines of the panel with this id, or with a title that begins so; empty if there is none."""
    presenter = Presenter(state, seat, lang)
    for spec in presenter.program.display.get("panels") or []:
        rows = panel(presenter, spec, width)
        if rows and (
            fold_case(str(spec["id"])) == fold_case(name) or fold_case(rows[0].plain).startswith(fold_case(name))
        ):
            return rows
    return []


def arrange_panels(chart: list[Text], panels: list[list[Text]], width: int) -> list[Text]:
    """The map with panels on its right as long as they fit in width and height, and the rest below it."""
    left = max((cell_len(line.plain) for line in chart), default=0)
    room = width - left - GAP
    column: list[Text] = []
    rest: list[Text] = []
    for rows in panels:
        fits = max(cell_len(r.plain) for r in rows) <= room and len(column) + len(rows) + 1 <= len(chart)
        target = column if fits and chart else rest
        if target:
            target.append(Text(""))
        target.extend(rows)
    lines = []
    for number, line in enumerate(chart):
        row = line.copy()
        if number < len(column) and column[number].plain:
            row.append(" " * (left + GAP - cell_len(line.plain)))
            row.append_text(column[number])
        lines.append(row)
    if lines and rest:
        lines.append(Text(""))
    return lines + rest
