"""The map of `display.yaml`: layers of shapes in one plane, drawn with the signs of a terminal.

Takes a `Shower` for the position and its reader; gives lines. Things that can be chosen carry a mark, the number of
their option.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from tools.display.canvas import Canvas
from tools.display.values import Shower, Value, spaced

DIM = "dim"
MARK = "reverse"
LEAST = 2  # columns of a unit, however narrow the terminal


@dataclass(frozen=True, slots=True)
class Chart:
    """A map that is being drawn: `scale` are columns and rows of a unit, `marks` things that can be chosen."""

    shower: Shower
    canvas: Canvas
    scale: tuple[float, float]
    marks: Mapping[int, str]

    @property
    def half(self) -> int:
        """Columns from the middle of a shape to its left and right end."""
        return round(2 * self.scale[0])

    @property
    def quarter(self) -> int:
        return round(self.scale[0])

    @property
    def height(self) -> int:
        """Rows from the middle of a shape to its top."""
        return round(2 * self.scale[1])

    def position(self, at: Any, thing: int) -> tuple[int, int] | None:
        """Column and row of a thing, by its id or by two of its number fields."""
        x: Any = None
        if isinstance(at, dict):
            x, y = at.get(self.shower.program.thing_ids[thing]) or (None, None)
        elif isinstance(at, list) and len(at) == 2:
            found = [self.shower.read(str(name), thing) for name in at]
            x, y = (v.value if isinstance(v, Value) else None for v in found)
        return None if x is None or y is None else (round(x * self.scale[0]), round(y * self.scale[1]))

    def there(self, layer: dict[str, Any], thing: int) -> bool:
        return "show_if" not in layer or self.shower.holds(layer["show_if"], thing)

    def outline(self, layer: dict[str, Any], thing: int, x: int, y: int) -> None:
        there = self.there(layer, thing)
        colour = self.shower.colour_of(layer["colour"], thing) if there and "colour" in layer else ""
        if layer.get("shape") == "hex":
            self.hex(x, y, colour) if there else self.hex_corners(x, y)
        elif layer.get("shape") == "box" and there:
            self.box(x, y, colour)

    def inside(self, layer: dict[str, Any], thing: int, x: int, y: int) -> None:
        """What is written in a shape; the mark stands behind its first line."""
        shape = str(layer.get("shape", "point"))
        mark = self.marks.get(thing)
        if not self.there(layer, thing):
            blank = str(layer.get("blank") or "").replace("{id}", self.shower.program.thing_ids[thing])
            self.canvas.centre(x, y, marked(Text(blank, style=DIM), mark), self.room(shape, 0))
            return
        lines = layer.get("lines") or []
        top = y - (len(lines) - 1) // 2
        for row, specs in enumerate(lines, top):
            text = spaced([self.shower.show(s, thing) for s in specs])
            if row == top and shape == "point":
                text = marked(text, mark)
            self.canvas.centre(x, row, text, self.room(shape, row - y))
        if mark is not None and shape != "point":
            self.canvas.centre(x, y + self.height, Text(mark, style=MARK), self.room(shape, 0))

    def room(self, shape: str, row: int) -> int:
        """Cells between the sides of a shape, `row` lines from its middle; a point has what its neighbours leave."""
        wide = self.half
        if shape == "hex":
            wide = int(self.quarter + (self.half - self.quarter) * max(0, self.height - abs(row)) / self.height)
        return 2 * wide - 1

    def corners(self) -> list[tuple[int, int]]:
        half, quarter, height = self.half, self.quarter, self.height
        return [(half, 0), (-half, 0), (quarter, height), (-quarter, height), (quarter, -height), (-quarter, -height)]

    def hex_corners(self, x: int, y: int) -> None:
        """A place where nothing lies: only its corners, where no shape has drawn them."""
        for dx, dy in self.corners():
            if (x + dx, y + dy) not in self.canvas.cells:
                self.canvas.put(x + dx, y + dy, "·", DIM)

    def hex(self, x: int, y: int, style: str) -> None:
        """A flat-top hex, four units wide and high."""
        for column in range(-self.quarter + 1, self.quarter):
            self.canvas.put(x + column, y - self.height, "-", style)
            self.canvas.put(x + column, y + self.height, "-", style)
        for row in range(1, self.height):
            wide = self.quarter + (self.half - self.quarter) * row / self.height
            left, right = floor(0.5 - wide), floor(0.5 + wide)  # rounded alike, so that neighbours share their side
            for dx, dy, sign in (
                (left, row - self.height, "/"),
                (right, row - self.height, "\\"),
                (left, self.height - row, "\\"),
                (right, self.height - row, "/"),
            ):
                self.canvas.put(x + dx, y + dy, sign, style)
        for dx, dy in self.corners():
            self.canvas.put(x + dx, y + dy, "+", style)

    def box(self, x: int, y: int, style: str) -> None:
        for column in range(-self.half + 1, self.half):
            self.canvas.put(x + column, y - self.height, "-", style)
            self.canvas.put(x + column, y + self.height, "-", style)
        for row in range(-self.height + 1, self.height):
            self.canvas.put(x - self.half, y + row, "|", style)
            self.canvas.put(x + self.half, y + row, "|", style)
        for dx in (-self.half, self.half):
            for dy in (-self.height, self.height):
                self.canvas.put(x + dx, y + dy, "+", style)


def draw_map(shower: Shower, hints: dict[str, Any], marks: Mapping[int, str], width: int) -> list[Text]:
    """The map as large as its scale says, or as many columns a unit smaller as it takes to fit."""
    columns, rows = hints.get("scale") or (4, 1)
    while True:
        lines = draw_at(shower, hints, marks, (columns, rows))
        if columns <= LEAST or all(cell_len(line.plain) <= width for line in lines):
            return lines
        columns -= 1


def draw_at(shower: Shower, hints: dict[str, Any], marks: Mapping[int, str], scale: tuple[float, float]) -> list[Text]:
    chart = Chart(shower, Canvas(), scale, marks)
    placed = []
    for layer in hints.get("layers") or []:
        for thing in shower.things(str(layer.get("kind", ""))):
            if (at := chart.position(layer.get("at"), thing)) is not None:
                placed.append((layer, thing, *at))
    for item in placed:  # all shapes first: a shape drawn later must not cut the words of its neighbour
        chart.outline(*item)
    for item in placed:
        chart.inside(*item)
    return chart.canvas.lines()


def marked(text: Text, mark: str | None) -> Text:
    if mark is None:
        return text
    return text + Text(mark, style=MARK) if len(text) <= 1 else text + Text(" ") + Text(mark, style=MARK)
