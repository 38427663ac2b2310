"""The map of `display.yaml`: layers of shapes in one plane, and the parts of it that fit on a screen.

Takes a `Presenter` for the position and its reader; returns a `MapPicture`, whose boxes say where something is to be
seen. Things that can be chosen carry a mark, the number of their option.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from dsl.program import Program
from dsl.shows.chart import MapLayer, ShownMap
from tools.display.shapes import DIM, MapDrawing
from tools.drawing.canvas import Box, Canvas
from tools.shows.lattice import GAP, chart_of
from tools.shows.presenter import Presenter

MIN_COLUMNS = 2  # columns of a unit, however narrow the terminal


@dataclass(frozen=True, slots=True)
class Window:
    """A box of a map that is shown, and the things with a mark in it."""

    box: Box
    things: frozenset[int]


@dataclass(frozen=True, slots=True)
class MapPicture:
    """A map as it is drawn. `whole`: the box of all places; `used`: the box of what is shown or marked; `marked`: the
    things with a mark and their boxes; `seen`: those that are shown or marked; `around`: columns and rows of half a
    shape; `signs`: the keys of the members whose glyphs are written."""

    canvas: Canvas
    whole: Box
    used: Box
    marked: tuple[tuple[int, Box], ...]
    seen: tuple[tuple[int, Box], ...]
    around: tuple[int, int]
    signs: frozenset[str]

    def lines(self, box: Box) -> list[Text]:
        return self.canvas.lines(box)

    @property
    def surroundings(self) -> Box | None:
        """The box of what is marked, with half a shape around it."""
        return union(self.marked_boxes).enlarged(*self.around, self.whole) if self.marked else None

    @property
    def marked_boxes(self) -> list[Box]:
        return [box for _, box in self.marked]

    def window(self, box: Box, shown: Iterable[Box] = ()) -> Window:
        """A box with the things with a mark that are seen whole in it, and those of the boxes `shown`."""
        boxes = set(shown)
        return Window(box, frozenset(t for t, b in self.marked if b in boxes or box.union(b) == box))

    def windows(self, width: int, height: int) -> list[Window]:
        """Boxes of this size at most that together show everything marked, from the top and then from the left."""
        found = []
        for rows in split(self.marked_boxes, height, vertical=True):
            for cell in split(rows, width, vertical=False):
                box = union(cell)
                spare = (width - box.width) // 2, (height - box.height) // 2
                box = box.enlarged(max(spare[0], 0), max(spare[1], 0), self.whole)
                box = Box(box.left, box.top, box.left + width - 1, min(box.bottom, box.top + height - 1))
                found.append(self.window(box, cell))
        return found

    def region(self, things: Set[int]) -> Box | None:
        """The box of those of these things that are to be seen; None if none are."""
        boxes = [box for thing, box in self.seen if thing in things]
        return union(boxes) if boxes else None


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
    kinds = [layer.kind for layer in layers_of(program)]
    domains = [program.domains[kind] for kind in kinds if kind in program.domains]
    return frozenset(thing for domain in domains for thing in domain.values)


def regions(program: Program) -> dict[str, frozenset[int]]:
    """The regions of the map, each with the things of all layers that lie in it, in the order of the file."""
    found: dict[str, set[int]] = {}
    for layer in layers_of(program):
        domain = program.domains.get(layer.kind)
        ids = {**domain.aliases, **dict(zip(domain.ids, domain.values, strict=True))} if domain is not None else {}
        for name, listed in layer.regions.items():
            found.setdefault(name, set()).update(ids[id_] for id_ in listed if id_ in ids)
    return {name: frozenset(things) for name, things in found.items()}


def layers_of(program: Program) -> tuple[MapLayer, ...]:
    return program.display.map.layers if program.display.map is not None else ()


def draw_map(presenter: Presenter, shown: ShownMap, marks: Mapping[int, str], width: int) -> list[MapPicture]:
    """The map at its own scale, and with fewer columns to a unit until it fits this width; none if it is empty."""
    pictures = []
    for scale in scales(shown):
        picture = draw_at_scale(presenter, shown, marks, scale, width)
        if picture is None:
            break
        pictures.append(picture)
        if picture.whole.width <= width:
            break
    return pictures


def fit_map(
    pictures: Sequence[MapPicture], width: int, height: int, narrow: bool = False
) -> tuple[MapPicture, list[Window]] | None:
    """One of these pictures and the windows of it to be shown one after the other on this many cells: the whole of it,
    else all that is shown, else the surroundings of what is marked, the wider picture first unless `narrow`, else these
    in parts. None if there is nothing to be seen, or, without marks, if it does not fit."""
    for picture in pictures:
        for box in (picture.whole, picture.used):
            if box.fits(width, height):
                return picture, [picture.window(box)]
    for picture in reversed(pictures) if narrow else pictures:
        around = picture.surroundings
        if around is not None and around.fits(width, height):
            spare = (width - around.width) // 2, (height - around.height) // 2
            box = around.grown(width, height, picture.used) if narrow else around.enlarged(*spare, picture.used)
            return picture, [picture.window(box)]
    found = [(picture, picture.windows(width, height)) for picture in pictures if picture.marked and height > 0]
    return min(found, key=lambda pair: len(pair[1]), default=None)


def scales(shown: ShownMap) -> Iterator[tuple[float, float]]:
    """The scales of a map, from its own down to the narrowest."""
    columns, rows = shown.scale
    yield columns, rows
    while columns > max(MIN_COLUMNS, shown.narrowest):
        columns -= 1
        yield columns, rows


def draw_at_scale(
    presenter: Presenter, shown: ShownMap, marks: Mapping[int, str], scale: tuple[float, float], width: int
) -> MapPicture | None:
    """The map at this scale; None if nothing is shown on it or marked. Sheets of a lattice stand beside each other as
    far as this width goes."""
    layers = shown.layers
    on_points = [t for one in layers if one.written.is_point for t in presenter.things(one.kind) if t in marks]
    drawing = MapDrawing(presenter, Canvas(), scale, marks, max((cell_len(marks[t]) for t in on_points), default=0))
    placed = []
    for layer in layers:
        for thing in presenter.things(layer.kind):
            if (at := drawing.position(layer, thing)) is not None:
                placed.append((layer, thing, *at))
    left = max((drawing.extent(*item).right + 1 for item in placed), default=0) / scale[0]
    chart = chart_of(presenter, layers, marks, width / scale[0], left + GAP if placed else 0)
    placed += [(layers[one.layer], one.thing, *drawing.on_canvas(one.at)) for one in chart.placed]
    for corner, number in chart.labels:
        column, row = drawing.on_canvas(corner)
        drawing.canvas.write(column, row - 1, Text(str(number), style=DIM))
    for item in placed:  # all shapes first: a shape drawn later must not cut the words of its neighbour
        drawing.draw_outline(*item)
    for item in placed:
        drawing.draw_content(*item)
    whole = drawing.canvas.bounds()
    visible = [item for item in placed if item[1] in marks or drawing.is_shown(item[0], item[1])]
    seen = tuple((item[1], drawing.extent(*item)) for item in visible)
    if whole is None or not seen:
        return None
    marked = tuple((item[1], drawing.extent(*item)) for item in placed if item[1] in marks)
    around = drawing.half_width, drawing.half_height
    used = union(box for _, box in seen)
    for item in placed:
        if item[1] in marks and item[0].written.is_point:
            whole = whole.union(drawing.extent(*item))  # a point takes room in which nothing is written
    return MapPicture(drawing.canvas, whole, used, marked, seen, around, frozenset(drawing.signs))
