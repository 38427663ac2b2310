"""The map of `display.yaml`: layers of shapes in one plane, drawn with characters.

Takes a `Presenter` for the position and its reader; returns lines. Things that can be chosen carry a mark, the
number of their option.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from tools.display.canvas import Canvas
from tools.display.values import Presenter, Value, join_nonempty

DIM = "dim"
MARK = "reverse"
MIN_COLUMNS = 2  # columns of a unit, however narrow the terminal


@dataclass(frozen=True, slots=True)
class MapDrawing:
    """A map that is being drawn; `scale`: columns and rows of a unit, `marks`: thing -> mark of its option."""

    presenter: Presenter
    canvas: Canvas
    scale: tuple[float, float]
    marks: Mapping[int, str]

    @property
    def half_width(self) -> int:
        """Columns from the centre of a shape to its left and right end."""
        return round(2 * self.scale[0])

    @property
    def quarter_width(self) -> int:
        return round(self.scale[0])

    @property
    def half_height(self) -> int:
        """Rows from the centre of a shape to its top."""
        return round(2 * self.scale[1])

    def position(self, at: Any, thing: int) -> tuple[int, int] | None:
        """Column and row of a thing, by its id or by two of its number fields."""
        x: Any = None
        if isinstance(at, dict):
            x, y = at.get(self.presenter.program.thing_ids[thing]) or (None, None)
        elif isinstance(at, list) and len(at) == 2:
            found = [self.presenter.read(str(name), thing) for name in at]
            x, y = (v.value if isinstance(v, Value) else None for v in found)
        return None if x is None or y is None else (round(x * self.scale[0]), round(y * self.scale[1]))

    def is_shown(self, layer: dict[str, Any], thing: int) -> bool:
        return "show_if" not in layer or self.presenter.has_content(layer["show_if"], thing)

    def draw_outline(self, layer: dict[str, Any], thing: int, x: int, y: int) -> None:
        shown = self.is_shown(layer, thing)
        colour = self.presenter.colour_of(layer["colour"], thing) if shown and "colour" in layer else ""
        if layer.get("shape") == "hex":
            self.draw_hex(x, y, colour) if shown else self.draw_hex_corners(x, y)
        elif layer.get("shape") == "box" and shown:
            self.draw_box(x, y, colour)

    def draw_content(self, layer: dict[str, Any], thing: int, x: int, y: int) -> None:
        """Write the lines of a shape, and its mark: after the first line of a point, at the bottom of others."""
        shape = str(layer.get("shape", "point"))
        mark = self.marks.get(thing)
        if not self.is_shown(layer, thing):
            blank = str(layer.get("blank") or "").replace("{id}", self.presenter.program.thing_ids[thing])
            self.canvas.centre(x, y, with_mark(Text(blank, style=DIM), mark), self.inner_width(shape, 0))
            return
        lines = layer.get("lines") or []
        top = y - (len(lines) - 1) // 2
        for row, specs in enumerate(lines, top):
            text = join_nonempty([self.presenter.show(s, thing) for s in specs])
            if row == top and shape == "point":
                text = with_mark(text, mark)
            self.canvas.centre(x, row, text, self.inner_width(shape, row - y))
        if mark is not None and shape != "point":
            self.canvas.centre(x, y + self.half_height, Text(mark, style=MARK), self.inner_width(shape, 0))

    def inner_width(self, shape: str, row: int) -> int:
        """Cells between the sides of a shape, `row` lines from its centre; a point has the space to its neighbours."""
        half_row = self.half_width
        if shape == "hex":
            half_row = int(
                self.quarter_width
                + (self.half_width - self.quarter_width) * max(0, self.half_height - abs(row)) / self.half_height
            )
        return 2 * half_row - 1

    def corners(self) -> list[tuple[int, int]]:
        half, quarter, height = self.half_width, self.quarter_width, self.half_height
        return [(half, 0), (-half, 0), (quarter, height), (-quarter, height), (quarter, -height), (-quarter, -height)]

    def draw_hex_corners(self, x: int, y: int) -> None:
        """Draw only the corners of an empty place, where no shape has drawn yet."""
        for dx, dy in self.corners():
            if (x + dx, y + dy) not in self.canvas.cells:
                self.canvas.put(x + dx, y + dy, "·", DIM)

    def draw_hex(self, x: int, y: int, style: str) -> None:
        """Draw a flat-top hex, four units wide and high."""
        for column in range(-self.quarter_width + 1, self.quarter_width):
            self.canvas.put(x + column, y - self.half_height, "-", style)
            self.canvas.put(x + column, y + self.half_height, "-", style)
        for row in range(1, self.half_height):
            half_row = self.quarter_width + (self.half_width - self.quarter_width) * row / self.half_height
            # rounded alike, so that neighbours share their side
            left, right = floor(0.5 - half_row), floor(0.5 + half_row)
            for dx, dy, character in (
                (left, row - self.half_height, "/"),
                (right, row - self.half_height, "\\"),
                (left, self.half_height - row, "\\"),
                (right, self.half_height - row, "/"),
            ):
                self.canvas.put(x + dx, y + dy, character, style)
        for dx, dy in self.corners():
            self.canvas.put(x + dx, y + dy, "+", style)

    def draw_box(self, x: int, y: int, style: str) -> None:
        for column in range(-self.half_width + 1, self.half_width):
            self.canvas.put(x + column, y - self.half_height, "-", style)
            self.canvas.put(x + column, y + self.half_height, "-", style)
        for row in range(-self.half_height + 1, self.half_height):
            self.canvas.put(x - self.half_width, y + row, "|", style)
            self.canvas.put(x + self.half_width, y + row, "|", style)
        for dx in (-self.half_width, self.half_width):
            for dy in (-self.half_height, self.half_height):
                self.canvas.put(x + dx, y + dy, "+", style)


def draw_map(presenter: Presenter, hints: dict[str, Any], marks: Mapping[int, str], width: int) -> list[Text]:
    """The map at its own scale, or with fewer columns to a unit until it fits."""
    columns, rows = hints.get("scale") or (4, 1)
    while True:
        lines = draw_at_scale(presenter, hints, marks, (columns, rows))
        if columns <= MIN_COLUMNS or all(cell_len(line.plain) <= width for line in lines):
            return lines
        columns -= 1


def draw_at_scale(
    presenter: Presenter, hints: dict[str, Any], marks: Mapping[int, str], scale: tuple[float, float]
) -> list[Text]:
    drawing = MapDrawing(presenter, Canvas(), scale, marks)
    placed = []
    for layer in hints.get("layers") or []:
        for thing in presenter.things(str(layer.get("kind", ""))):
            if (at := drawing.position(layer.get("at"), thing)) is not None:
                placed.append((layer, thing, *at))
    for item in placed:  # all shapes first: a shape drawn later must not cut the words of its neighbour
        drawing.draw_outline(*item)
    for item in placed:
        drawing.draw_content(*item)
    return drawing.canvas.lines()


def with_mark(text: Text, mark: str | None) -> Text:
    if mark is None:
        return text
    return text + Text(mark, style=MARK) if len(text) <= 1 else text + Text(" ") + Text(mark, style=MARK)
