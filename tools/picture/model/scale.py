"""The scale of a map, that is, the size of its unit in a picture: what the file says, else from the shapes that are
drawn.

Cells of a terminal are twice as high as wide; a picture has no such cells. Hexes are made regular, boards of single
signs get square cells, and shapes with words keep the room that they have in a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tools.shows.places import SIZE, is_point, shape_of

CELL = (9.0, 20.0)  # of a terminal, in units of a picture
HEX_UNIT = 32.0  # a quarter of the width of a hex
POINTED = 72.0  # the width of a hex with a pointed top
SQUARE = 44.0  # the side of a cell of a board of signs
FLAT = 0.866  # the height of a regular hex with a flat top, by its width


def unit_of(hints: dict[str, Any], places: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Width and height of a unit. `places`: of all things, in units."""
    if unit := hints.get("unit"):
        return float(unit[0]), float(unit[1])
    layers = hints.get("layers") or []
    if any(shape_of(layer) == "hex" for layer in layers):
        return HEX_UNIT, HEX_UNIT * FLAT
    pointed = [one for one in (layer.get("picture") or {} for layer in layers) if one.get("shape") == "pointed"]
    if pointed and not is_board_of_signs(layers):
        width, height = (float(n) for n in pointed[0].get("size") or SIZE)
        return POINTED / width, POINTED / FLAT / height
    if is_board_of_signs(layers):
        across, down, shifted = pitches(list(places))
        return SQUARE / across, SQUARE * (FLAT if shifted else 1) / down
    columns, rows = hints.get("scale") or (4, 1)
    return columns * CELL[0], rows * CELL[1]


def is_board_of_signs(layers: Sequence[dict[str, Any]]) -> bool:
    """Whether nothing but single signs stands on the map: points with glyphs, without words."""
    shows = [part for layer in layers for line in layer.get("lines") or [] for part in line]
    forms = [part.get("as") if isinstance(part, dict) else None for part in shows]
    return all(map(is_point, layers)) and "glyph" in forms and not any(form not in (None, "glyph") for form in forms)


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
