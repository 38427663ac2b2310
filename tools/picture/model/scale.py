"""The scale of a map, that is, the size of its unit in a picture: what the file says, else from the shapes that are
drawn.

Cells of a terminal are twice as high as wide; a picture has no such cells. Hexes are made regular, boards of single
signs get square cells, and shapes with words keep the room that they have in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dsl.shows.chart import ShownMap

CELL = (9.0, 20.0)  # of a terminal, in units of a picture
HEX_UNIT = 32.0  # a quarter of the width of a hex
POINTED = 72.0  # the width of a hex with a pointed top
SQUARE = 44.0  # the side of a cell of a board of signs
FLAT = 0.866  # the height of a regular hex with a flat top, by its width


def unit_of(shown: ShownMap, places: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Width and height of a unit. `places`: of all things, in units."""
    if shown.unit is not None:
        return float(shown.unit[0]), float(shown.unit[1])
    layers = [layer for layer in shown.layers if not layer.drawn.skip]
    if any(layer.written.outline == "hex" for layer in layers):
        return HEX_UNIT, HEX_UNIT * FLAT
    pointed = [layer.drawn.extent for layer in layers if layer.drawn.shape == "pointed"]
    if pointed and not is_board_of_signs(shown):
        width, height = pointed[0]
        return POINTED / width, POINTED / FLAT / height
    if is_board_of_signs(shown):
        across, down, shifted = pitches(list(places))
        return SQUARE / across, SQUARE * (FLAT if shifted else 1) / down
    columns, rows = shown.scale
    return columns * CELL[0], rows * CELL[1]


def is_board_of_signs(shown: ShownMap) -> bool:
    """True if nothing but single signs stands on the map: points with glyphs, without words."""
    layers = [layer for layer in shown.layers if not layer.drawn.skip]
    forms = {spec.form for layer in layers for line in layer.drawn.lines for spec in line}
    return all(layer.written.is_point for layer in layers) and "glyph" in forms <= {"", "glyph"}


def pitches(places: Sequence[tuple[float, float]]) -> tuple[float, float, bool]:
    """The least distance of places in a row, that of rows, and whether rows are shifted against each other."""
    rows: dict[float, list[float]] = {}
    for x, y in places:
        rows.setdefault(y, []).append(x)
    across = least_gap(x for xs in rows.values() for x in xs) if len(rows) == 1 else 0.0
    gaps = [least_gap(xs) for xs in rows.values()]
    across = across or min((gap for gap in gaps if gap), default=1.0)
    down = least_gap(rows) or 1.0
    first = {min(xs) % across for xs in rows.values()}
    return across, down, len(first) > 1


def least_gap(numbers: Iterable[float]) -> float:
    """The least difference of numbers that differ; 0 where none do."""
    ordered = sorted(set(numbers))
    return min((after - before for before, after in zip(ordered, ordered[1:], strict=False)), default=0.0)
