"""A track as lines of text: one row of spaces for each lane, with its marker on one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.text import Text

from tools.drawing.lines import DIM
from tools.picture.model.data import Lane, Track
from tools.shows.parts import CHIP
from tools.shows.presenter import Presenter
from tools.shows.words import is_sign, text_of, titled

EMPTY = "·"
BORDER = "|"
MARKER = "reverse"
NAMELESS = "o"  # the marker of a thing without a sign


@dataclass(frozen=True, slots=True)
class TrackRow:
    """The row of one thing. `short`, `marker`: its sign, if it has one; `at`: the space of its marker; `borders`: the
    spaces that begin a new part of the row; `labels`: what is printed on some of the spaces."""

    name: Text
    short: Text
    marker: Text
    at: int
    borders: frozenset[int]
    labels: dict[int, str]


def track_rows(presenter: Presenter, track: Track, width: int) -> list[Text]:
    """The track in the most telling form that this width allows: with labels and names, else without labels, else
    without names as well, else only the number of the space."""
    rows = [row(presenter, lane) for lane in track.lanes]
    bare = [replace(r, labels={}) for r in rows]
    for drawn in (
        draw(rows, track.low, track.high, [r.name for r in rows]),
        draw(bare, track.low, track.high, [r.name for r in rows]),
        draw(bare, track.low, track.high, [r.short for r in rows]),
    ):
        if max(cell_len(line.plain) for line in drawn) <= width:
            return drawn
    return [Text("  ") + r.short + Text(f"  {r.at}") for r in rows]


def row(presenter: Presenter, lane: Lane) -> TrackRow:
    chip = replace(lane.head[0], form=CHIP)
    short = text_of(presenter, (chip,))
    marker = short if is_sign(presenter, chip) else Text(NAMELESS)
    return TrackRow(titled(presenter, lane.head), short, marker, lane.at, frozenset(lane.borders), dict(lane.labels))


def draw(rows: Sequence[TrackRow], low: int, high: int, names: Sequence[Text]) -> list[Text]:
    """The spaces with their numbers above them; a column is as wide as what stands in it."""
    spaces = range(low, high + 1)
    cells = [{n: cell(r, n) for n in spaces} for r in rows]
    widths = {n: max(len(str(n)), *(cell_len(drawn[n].plain) for drawn in cells)) for n in spaces}
    left = max(cell_len(name.plain) for name in names)
    head = Text(" " * (2 + left + 1) + " ".join(str(n).rjust(widths[n]) for n in spaces), style=DIM)
    lines = [head]
    for name, r, drawn in zip(names, rows, cells, strict=True):
        line = Text("  ") + name + Text(" " * (left - cell_len(name.plain)))
        for n in spaces:
            line.append(BORDER if n in r.borders else " ", style=DIM)
            line.append(" " * (widths[n] - cell_len(drawn[n].plain)))
            line.append_text(drawn[n])
        lines.append(line)
    return lines


def cell(r: TrackRow, space: int) -> Text:
    """The text on a space: the marker, before what is printed there."""
    label = Text(r.labels.get(space, ""), style=DIM)
    if space == r.at:
        marker = r.marker.copy()
        marker.stylize(MARKER)
        return marker + label
    return label if label.plain else Text(EMPTY, style=DIM)
