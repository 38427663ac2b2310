"""The panels of a position as lines of text: lists, tables, groups, tracks, in the columns of a terminal.

Takes a `Reader` for letters and the panels of the model (`tools.picture.model.panels`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from dsl.shows.panels import ShowPanel
from tools.display.track import track_rows
from tools.drawing.lines import DIM, fit_table, pad, wrap_items
from tools.picture.model.data import FactBlock, FactTable, Groups, Panel, PrintedFacts, Track
from tools.picture.model.panels import panel, panels_of
from tools.picture.model.reader import Reader
from tools.shows.presenter import Presenter
from tools.shows.words import text_of, titled


def panel_lines(presenter: Presenter, spec: ShowPanel, width: int) -> list[Text]:
    """One panel of `display.yaml` under its title; nothing if it has nothing to show."""
    found = panel(Reader(presenter, notes=False, letters=True), spec) if spec.only != "picture" else None
    return lines_of(presenter, found, width) if found is not None else []


def all_panels(presenter: Presenter, width: int) -> list[list[Text]]:
    """The panels that have something to show, each under its title."""
    return [lines_of(presenter, one, width) for one in panels_of(Reader(presenter, notes=False, letters=True))]


def lines_of(presenter: Presenter, found: Panel, width: int) -> list[Text]:
    return [Text(found.title, style="bold"), *rows_of(presenter, found, width)]


def rows_of(presenter: Presenter, found: Panel, width: int) -> list[Text]:
    match found:
        case PrintedFacts(blocks=[FactBlock((), rows)]) if all(len(row) == 1 for row in rows):
            heads = [Text(fact.label, style=DIM) for (fact,) in rows]
            return headed_rows(heads, [[text_of(presenter, fact.parts)] for (fact,) in rows], width)
        case PrintedFacts():
            return [row for block in found.blocks for row in block_rows(presenter, block, width)]
        case FactTable():
            return table_rows(presenter, found, width)
        case Groups():
            heads = [Text(text_of(presenter, row.head).plain, style=DIM) for row in found.rows]
            return headed_rows(heads, [[text_of(presenter, cell) for cell in row.cells] for row in found.rows], width)
        case Track():
            return track_rows(presenter, found, width)


def headed_rows(heads: Sequence[Text], rows: Sequence[Sequence[Text]], width: int) -> list[Text]:
    """Rows of items, each behind its head, which all have a column of the same width."""
    left = max((cell_len(head.plain) for head in heads), default=0)
    lines: list[Text] = []
    for head, items in zip(heads, rows, strict=True):
        first = Text("  ") + head + Text(pad("", left - cell_len(head.plain)) + "  ")
        lines += wrap_items(first, items, width, left + 4)
    return lines


def block_rows(presenter: Presenter, block: FactBlock, width: int) -> Iterator[Text]:
    """Rows of facts with their labels, below the thing that they are about if there is one."""
    indent = 2
    if block.title:
        yield Text("  ") + text_of(presenter, block.title)
        indent = 4
    for row in block.rows:
        items = [Text(spaced(fact.label), style=DIM) + text_of(presenter, fact.parts) for fact in row]
        yield from wrap_items(Text(" " * indent), items, width, indent + 2)


def spaced(label: str) -> str:
    """A label with a space behind it, but for a sign."""
    return f"{label} " if label and (label[-1].isalnum() or label[-1] in ".:)") else label


def table_rows(presenter: Presenter, found: FactTable, width: int) -> list[Text]:
    heads = [Text(""), *(Text(head, style=DIM) for head in found.heads)]
    rows = [[titled(presenter, row.head), *(text_of(presenter, cell) for cell in row.cells)] for row in found.rows]
    return fit_table([heads, *rows], width)
