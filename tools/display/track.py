"""A panel that shows a track: one row of spaces for each thing, with its marker on one of them.

Takes a `Presenter` and the description of a panel; returns its lines without the title. The spaces are the numbers that
the field of the marker can hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from dsl.base.types import MapType, MemberType, bounds
from tools.display.content import Value
from tools.display.values import Presenter, subject
from tools.drawing.lines import DIM

EMPTY = "·"
BORDER = "|"
MARKER = "reverse"
NAMELESS = "o"  # the marker of a thing without a glyph


@dataclass(frozen=True, slots=True)
class Row:
    """The row of one thing. `short`, `marker`: its glyph, if it has one; `at`: the space of its marker; `borders`: the
    spaces that begin a new part of the row; `labels`: what is printed on some of the spaces."""

    name: Text
    short: Text
    marker: Text
    at: int
    borders: frozenset[int]
    labels: dict[int, str]


def track_rows(presenter: Presenter, spec: dict[str, Any], width: int) -> list[Text]:
    """The track in the most telling form that this width allows: with labels and names, else without labels, else
    without names as well, else only the number of the space."""
    things = [
        t for t in presenter.things(str(spec["per"])) if "where" not in spec or presenter.has_content(spec["where"], t)
    ]
    rows = [made for t in things if (made := row(presenter, spec, t)) is not None]
    marked = next((presenter.read(subject(spec["track"]), t) for t in things), None)
    if not rows or not isinstance(marked, Value):
        return []
    low, high = bounds(marked.type)
    bare = [replace(r, labels={}) for r in rows]
    for drawn in (
        draw(rows, low, high, [r.name for r in rows]),
        draw(bare, low, high, [r.name for r in rows]),
        draw(bare, low, high, [r.short for r in rows]),
    ):
        if max(cell_len(line.plain) for line in drawn) <= width:
            return drawn
    return [Text("  ") + r.short + Text(f"  {r.at}") for r in rows]


def row(presenter: Presenter, spec: dict[str, Any], thing: int) -> Row | None:
    """The row of a thing; None where its marker is nowhere, or not to be seen."""
    marker = presenter.read(subject(spec["track"]), thing)
    if not isinstance(marker, Value) or not isinstance(marker.value, int):
        return None
    kind = presenter.program.thing_kinds[thing]
    type_ = MemberType(kind, thing, thing)
    name, glyph = presenter.name_of(thing), presenter.format_member(thing, type_, "glyph")
    has_glyph = bool(presenter.glyph(thing, type_))
    whole, sign = (glyph + Text(" ") + name, glyph) if has_glyph else (name, Text(NAMELESS))
    borders = frozenset(n for part in spec.get("borders") or [] for _, n in numbers(presenter, part, thing) if n)
    labels = {at: str(n) for at, n in numbers(presenter, spec.get("labels"), thing) if n}
    return Row(whole, glyph, sign, marker.value, borders, labels)


def numbers(presenter: Presenter, spec: Any, thing: int) -> Iterator[tuple[int, int]]:
    """The numbers that a SHOW stands for, each with its index: those of a map, or a single one."""
    found = presenter.read(subject(spec), thing) if spec is not None else None
    if not isinstance(found, Value):
        return
    if isinstance(found.type, MapType):
        first = bounds(found.type.keys[0])[0]
        yield from ((first + n, v) for n, v in enumerate(found.value) if isinstance(v, int))
    elif isinstance(found.value, int):
        yield found.value, found.value


def draw(rows: Sequence[Row], low: int, high: int, names: Sequence[Text]) -> list[Text]:
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


def cell(r: Row, space: int) -> Text:
    """What stands on a space: the marker, before what is printed there."""
    label = Text(r.labels.get(space, ""), style=DIM)
    if space == r.at:
        marker = r.marker.copy()
        marker.stylize(MARKER)
        return marker + label
    return label if label.plain else Text(EMPTY, style=DIM)
