"""Places of the things in a layer of the map, in units."""

from __future__ import annotations

from dsl.shows.chart import MapLayer
from tools.shows.content import ShownValue
from tools.shows.presenter import Presenter


def place_in_units(presenter: Presenter, layer: MapLayer, thing: int) -> tuple[float, float] | None:
    """The place that a layer has for a thing: by its id, or by two of its number fields; None: nowhere."""
    if not layer.coordinates:
        return layer.places.get(presenter.program.thing_ids[thing])
    match [presenter.read(one.of, thing) for one in layer.coordinates]:
        case [ShownValue(x), ShownValue(y)] if x is not None and y is not None:
            return x, y
    return None
