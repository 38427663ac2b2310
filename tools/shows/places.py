"""Places of the things in a layer of the map, in units, and the shape that it draws them with."""

from __future__ import annotations

from typing import Any

from tools.shows.content import ShownValue
from tools.shows.presenter import Presenter

SIZE = (4, 4)  # of a shape, in units


def place_in_units(presenter: Presenter, at: Any, thing: int) -> tuple[float, float] | None:
    """Where a layer with these places has a thing: by its id, or by two of its number fields; None: nowhere."""
    x: Any = None
    if isinstance(at, dict):
        x, y = at.get(presenter.program.thing_ids[thing]) or (None, None)
    elif isinstance(at, list) and len(at) == 2:
        found = [presenter.read(str(name), thing) for name in at]
        x, y = (v.value if isinstance(v, ShownValue) else None for v in found)
    return None if x is None or y is None else (x, y)


def shape_of(layer: dict[str, Any]) -> str:
    """The shape of a layer; a terminal has no circles, and writes what has no edge like a point."""
    shape = str(layer.get("shape", "point"))
    return "point" if shape in ("circle", "none") else shape


def is_point(layer: dict[str, Any]) -> bool:
    return shape_of(layer) == "point"
