"""The map of `display.yaml`: layers of shapes in one plane, and the parts of it that fit on a screen.

Takes a `Presenter` for the position and its reader; returns a `MapPicture`, whose boxes say where something is to be
seen. Things that can be chosen carry a mark, the number of their option.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from dsl.program import Program
from tools.display.canvas import Box, Canvas
from tools.display.shapes import MapDrawing
from tools.display.values import Presenter

MIN_COLUMNS = 2  # columns of a unit, however narrow the terminal


@dataclass(frozen=True, slots=True)
class MapPicture:
    """A map as it is drawn. `whole`: the box of all places; `used`: the box of what is shown or marked; `marked`: the
    things with a mark and their boxes; `around`: columns and rows of half a shape; `signs`: the glyphs written."""

    canvas: Canvas
    whole: Box
    used: Box | None
    marked: tuple[tuple[int, Box], ...]
    around: tuple[int, int]
    signs: frozenset[tuple[str, int]]

    def lines(self, box: Box) -> list[Text]:
        return self.canvas.lines(box)

    @property
    def surroundings(self) -> Box | None:
        """The box of what is marked, with half a shape around it."""
        return union(self.marked_boxes).enlarged(*self.around, self.whole) if self.marked else None

    @property
    def marked_boxes(self) -> list[Box]:
        return [box for _, box in self.marked]

    def marked_in(self, window: Box) -> frozenset[int]:
        """The things with a mark that are seen whole in a box."""
        return frozenset(thing for thing, box in self.marked if window.union(box) == window)

    def windows(self, width: int, height: int) -> list[Box]:
        """Boxes of this size at most that together show everything marked, from the top and then from the left."""
        found = []
        for rows in split(self.marked_boxes, height, vertical=True):
            for cell in split(rows, width, vertical=False):
                box = union(cell)
                spare = (width - box.width) // 2, (height - box.height) // 2
                box = box.enlarged(max(spare[0], 0), max(spare[1], 0), self.whole)
                found.append(Box(box.left, box.top, box.left + width - 1, min(box.bottom, box.top + height - 1)))
        return found

    def columns(self, width: int) -> list[Box]:
        """The whole map, in boxes of this width from the left."""
        w = self.whole
        starts = range(w.left, w.right + 1, width)
        return [Box(left, w.top, min(left + width - 1, w.right), w.bottom) for left in starts]


def union(boxes: Iterable[Box]) -> Box:
    first, *others = boxes
    for box in others:
        first = first.union(box)
    return first


def split(boxes: Iterable[Box], size: int, vertical: bool) -> Iterator[list[Box]]:
    """Boxes that lie within `size` rows or columns of each other, group by group; a larger box is alone."""

    def ends(box: Box) -> tuple[int, int]:
        return (box.top, box.bottom) if vertical else (box.left, box.right)

    group: list[Box] = []
    for box in sorted(boxes, key=ends):
        if group and max(ends(b)[1] for b in [*group, box]) - ends(group[0])[0] >= size:
            yield group
            group = []
        group.append(box)
    if group:
        yield group


def things_on_map(program: Program) -> frozenset[int]:
    """The things that have a place on the map."""
    layers = (program.display.get("map") or {}).get("layers") or []
    domains = [program.domains[layer["kind"]] for layer in layers if layer.get("kind") in program.domains]
    return frozenset(thing for domain in domains for thing in domain.values)


def draw_map(presenter: Presenter, hints: dict[str, Any], marks: Mapping[int, str], width: int) -> MapPicture | None:
    """The map at its own scale, or with fewer columns to a unit until it fits; None if it has no places."""
    for scale in scales(hints):
        picture = draw_at_scale(presenter, hints, marks, scale)
        if picture is None or picture.whole.width <= width:
            break
    return picture


def fit_map(
    presenter: Presenter, hints: dict[str, Any], marks: Mapping[int, str], width: int, height: int
) -> tuple[MapPicture, list[Box]] | None:
    """The map and the boxes of it to be shown one after the other on this many cells: the whole of it, else all that
    is shown, else the surroundings of what is marked, else these in parts. None if there is nothing to be seen, or,
    without marks, if it does not fit."""
    pictures = []
    for scale in scales(hints):
        picture = draw_at_scale(presenter, hints, marks, scale)
        if picture is None or picture.used is None:
            return None
        pictures.append(picture)
        for box in (picture.whole, picture.used):
            if box.fits(width, height):
                return picture, [box]
    for picture in pictures:
        around = picture.surroundings
        if around is not None and around.fits(width, height):
            spare = (width - around.width) // 2, (height - around.height) // 2
            return picture, [around.enlarged(*spare, picture.used or picture.whole)]
    if not pictures[0].marked:
        return None
    found = [(picture, picture.windows(width, height)) for picture in pictures]
    return min(found, key=lambda pair: len(pair[1]))


def scales(hints: dict[str, Any]) -> Iterator[tuple[float, float]]:
    """The scales of a map, from its own down to the narrowest."""
    columns, rows = hints.get("scale") or (4, 1)
    yield columns, rows
    while columns > MIN_COLUMNS:
        columns -= 1
        yield columns, rows


def draw_at_scale(
    presenter: Presenter, hints: dict[str, Any], marks: Mapping[int, str], scale: tuple[float, float]
) -> MapPicture | None:
    drawing = MapDrawing(presenter, Canvas(), scale, marks)
    presenter.signs.clear()
    placed = []
    for layer in hints.get("layers") or []:
        for thing in presenter.things(str(layer.get("kind", ""))):
            if (at := drawing.position(layer.get("at"), thing)) is not None:
                placed.append((layer, thing, *at))
    for item in placed:  # all shapes first: a shape drawn later must not cut the words of its neighbour
        drawing.draw_outline(*item)
    for item in placed:
        drawing.draw_content(*item)
    whole = drawing.canvas.bounds()
    if whole is None:
        return None
    marked = tuple((item[1], drawing.extent(*item)) for item in placed if item[1] in marks)
    seen = [drawing.extent(*item) for item in placed if item[1] in marks or drawing.is_shown(item[0], item[1])]
    used = union(seen) if seen else None
    around = drawing.half_width, drawing.half_height
    return MapPicture(drawing.canvas, whole, used, marked, around, frozenset(presenter.signs))
