"""The shapes of a map, drawn with characters: hexes, boxes, tabs, and what is written inside them.

Takes a `Presenter`, a layer of the map and a thing with its place; writes on the canvas of the drawing. Things that can
be chosen carry a mark, the number of their option.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor

from rich.cells import cell_len
from rich.text import Text

from dsl.base.types import MemberType
from dsl.shows.chart import MapLayer
from dsl.shows.spec import ID, ShowSpec
from tools.drawing.canvas import EMPTY, Box, Canvas, truncate
from tools.drawing.lines import join_nonempty
from tools.shows.parts import CHIP, Part, unmet
from tools.shows.places import place_in_units
from tools.shows.presenter import Presenter
from tools.shows.words import SHORT, show_text

DIM = "dim"
MARK = "reverse"
GLYPHS = {"text": "glyph"}
MANY = "*"  # a mark for which there is no room


@dataclass(frozen=True, slots=True)
class MapDrawing:
    """A map that is being drawn. `scale`: columns and rows of a unit; `marks`: thing -> mark of its option; `widest`:
    the columns of the widest mark at a point; `signs`: the keys of the members whose glyphs are written."""

    presenter: Presenter
    canvas: Canvas
    scale: tuple[float, float]
    marks: Mapping[int, str]
    widest: int = 0
    signs: set[str] = field(default_factory=set)

    @property
    def half_width(self) -> int:
        """Columns from the centre of a hex to its left and right end."""
        return round(2 * self.scale[0])

    @property
    def quarter_width(self) -> int:
        return round(self.scale[0])

    @property
    def half_height(self) -> int:
        """Rows from the centre of a hex to its top."""
        return round(2 * self.scale[1])

    def frame(self, layer: MapLayer) -> Box:
        """The cells of a shape of this layer, seen from its centre. A hex or box has an edge on all sides, which it
        shares with its neighbours; a tab has cells of its own."""
        columns, rows = (n * unit for n, unit in zip(layer.written.extent, self.scale, strict=True))
        if layer.written.outline == "tab":
            left, top = -(round(columns) // 2), -(round(rows) // 2)
            return Box(left, top, left + round(columns) - 1, top + round(rows) - 1)
        across, down = round(columns / 2), round(rows / 2)
        return Box(-across, -down, across, down)

    def position(self, layer: MapLayer, thing: int) -> tuple[int, int] | None:
        """Column and row of a thing, by its id or by two of its number fields."""
        found = place_in_units(self.presenter, layer, thing)
        return None if found is None else self.on_canvas(found)

    def on_canvas(self, at: tuple[float, float]) -> tuple[int, int]:
        """Column and row of a place in units."""
        return round(at[0] * self.scale[0]), round(at[1] * self.scale[1])

    def is_shown(self, layer: MapLayer, thing: int) -> bool:
        return layer.show_if is None or self.presenter.has_content(layer.show_if.of, thing)

    def extent(self, layer: MapLayer, thing: int, x: int, y: int) -> Box:
        """The cells that a thing takes."""
        if layer.written.is_point:
            half = 1 + cell_len(self.marks.get(thing, "")) // 2
            return Box(x - half, y, x + half, y)
        frame = self.frame(layer)
        return Box(x + frame.left, y + frame.top, x + frame.right, y + frame.bottom)

    # ------------------------------------------------------------ outlines

    def draw_outline(self, layer: MapLayer, thing: int, x: int, y: int) -> None:
        shown = self.is_shown(layer, thing)
        coloured = layer.written.colour
        colour = self.presenter.colour_of(coloured.of, thing) if shown and coloured is not None else ""
        if layer.written.shape == "hex":
            self.draw_hex(x, y, colour) if shown else self.draw_hex_corners(x, y)
        elif layer.written.shape == "box" and shown:
            self.draw_box(self.extent(layer, thing, x, y), colour)
        elif layer.written.shape == "tab" and (shown or thing in self.marks):
            self.draw_rule(self.extent(layer, thing, x, y), colour)

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
            left, right = self.sides(row - self.half_height)
            for dx, dy, character in (
                (left, row - self.half_height, "/"),
                (right, row - self.half_height, "\\"),
                (left, self.half_height - row, "\\"),
                (right, self.half_height - row, "/"),
            ):
                self.canvas.put(x + dx, y + dy, character, style)
        for dx, dy in self.corners():
            self.canvas.put(x + dx, y + dy, "+", style)

    def sides(self, row: int) -> tuple[int, int]:
        """The columns of the sides of a hex, `row` lines from its centre; rounded alike, so that neighbours share
        their side."""
        quarter, half = self.quarter_width, self.half_width
        half_row = quarter + (half - quarter) * max(0, self.half_height - abs(row)) / self.half_height
        return floor(0.5 - half_row), floor(0.5 + half_row)

    def draw_box(self, box: Box, style: str) -> None:
        for column in range(box.left + 1, box.right):
            for row in (box.top, box.bottom):
                if self.canvas.cells.get((column, row), EMPTY)[0] != "+":  # the corner of a box above or below
                    self.canvas.put(column, row, "-", style)
        for row in range(box.top + 1, box.bottom):
            self.canvas.put(box.left, row, "|", style)
            self.canvas.put(box.right, row, "|", style)
        for column in (box.left, box.right):
            for row in (box.top, box.bottom):
                self.canvas.put(column, row, "+", style)

    def draw_rule(self, box: Box, style: str) -> None:
        """Draw the line that the first line of a tab stands on; the last column parts it from the next tab."""
        for column in range(box.left, box.right):
            self.canvas.put(column, box.top, "_", style)

    # ------------------------------------------------------------ contents

    def draw_content(self, layer: MapLayer, thing: int, x: int, y: int) -> None:
        """Write the lines of a shape, and its mark: after the first line of a point or of what is not shown, at the
        right end of a tab, on the lower edge of others."""
        shape, frame = layer.written.outline, self.frame(layer)
        mark = self.marks.get(thing)
        if not self.is_shown(layer, thing):
            blank = (layer.written.blank or "").replace("{id}", self.presenter.program.thing_ids[thing])
            self.write_marked(layer, x, y, Text(blank, style=DIM), mark)
            return
        lines = layer.written.lines or (((),) if shape == "point" else ())  # a point has a mark without words too
        if shape == "tab":
            self.write_tab(lines, thing, self.extent(layer, thing, x, y), mark)
            return
        top = y - (len(lines) - 1) // 2
        for row, specs in enumerate(lines, top):
            left, right = self.inside(layer, row - y)
            text = self.fit_line(specs, thing, right - left + 1)
            if shape == "point":
                self.write_marked(layer, x, row, text, mark if row == top else None)
            else:
                self.canvas.centre_between(x + left, x + right, row, text)
        if mark is not None and shape != "point":
            left, right = self.inside(layer, frame.bottom)
            self.canvas.centre_between(x + left, x + right, y + frame.bottom, mark_text(mark, right - left + 1))

    def write_tab(self, lines: Sequence[Sequence[ShowSpec]], thing: int, box: Box, mark: str | None) -> None:
        """The lines of a tab from its left end. The mark stands at the right end of the first line, beside all of it or
        only the first SHOW, or else of the last line."""
        room = box.width - 1
        shown = mark_text(mark, room) if mark is not None else Text("")
        rest = room - cell_len(shown.plain)
        texts = [self.fit_line(specs, thing, room) for specs in lines[: box.height]]
        marked_row = box.top
        if mark is not None and texts:
            whole, first = self.fit_line(lines[0], thing, rest - 1), self.fit_line(lines[0][:1], thing, rest)
            if cell_len(whole.plain) < rest:
                texts[0] = whole
            elif cell_len(first.plain) <= rest:
                texts[0] = first
            elif box.height > 1:
                marked_row = box.bottom
        for row, text in enumerate(texts, box.top):
            written = truncate(text, rest if row == marked_row else room)
            self.canvas.write(box.left, row, written)
            if row == marked_row and mark is not None and cell_len(written.plain) < rest:
                self.canvas.put(box.left + rest - 1, row, " ")
        self.canvas.write(box.left + rest, marked_row, shown)

    def write_marked(self, layer: MapLayer, x: int, y: int, text: Text, mark: str | None) -> None:
        left, right = self.inside(layer, 0)
        room = right - left + 1
        if mark is not None:  # rather the text is cut than the mark
            shown = mark_text(mark, room)
            between = Text(" " if len(text) > 1 else "")
            text = truncate(text, room - cell_len(shown.plain + between.plain)) + between + shown
        self.canvas.centre(x, y, text, room)

    def meet(self, value: int, type_: MemberType, part: Part) -> None:
        if part.form == CHIP:
            self.signs.add(part.thing)

    def fit_line(self, specs: Sequence[ShowSpec], thing: int, room: int) -> Text:
        """The SHOWs of a line. Where they are too long, glyphs stand for words; then spaces are left out; then the
        number one of counts; then the line is cut, which a sign at its end shows."""

        def written(forms: Mapping[str, str]) -> Text:
            shown = (replace(spec, form=forms.get(spec.form, spec.form)) for spec in specs)
            return join_nonempty(
                # the sign of the place itself abbreviates its name, and needs no legend
                [show_text(self.presenter, s, thing, meet=unmet if s.of == ID.of else self.meet) for s in shown]
            )

        def fits(text: Text) -> bool:
            return cell_len(text.plain) <= room

        text = written({})
        if not fits(text):
            text = written(GLYPHS)
        if not fits(text):
            text = Text("").join(text.split(" "))
        return text if fits(text) else Text("").join(written({**GLYPHS, "counts": SHORT}).split(" "))

    def inside(self, layer: MapLayer, row: int) -> tuple[int, int]:
        """The first and last cell between the sides of a shape, `row` lines from its centre, seen from its middle; a
        point has the space to its neighbours. At the height of its corners a hex leaves room for their marks."""
        frame = self.frame(layer)
        if layer.written.outline == "tab":
            return frame.left, frame.right - 1
        if layer.written.outline != "hex":
            return frame.left + 1, frame.right - 1
        left, right = self.sides(row)
        corners = self.widest if row == 0 else 0
        return left + 1 + max(corners - 1, 0) // 2, right - 1 - corners // 2


def mark_text(mark: str, room: int) -> Text:
    return Text(mark if cell_len(mark) <= room else MANY, style=MARK)
