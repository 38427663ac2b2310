"""The map of a show-program: layers of things in one plane, as a terminal writes them and as pictures draw them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from dsl.base.record import dataclass
from dsl.shows.spec import ShowSpec

POINTS = ("point", "circle", "none")  # shapes that a terminal writes without an edge
USUAL_SIZE = (4, 4)  # of a shape, in units


@dataclass(frozen=True, slots=True)
class LayerLook:
    """The look of a layer of the map. `size` None: the usual one; `blank`: what stands where nothing is shown, None
    where such a place is not drawn."""

    shape: str = "point"
    size: tuple[int, int] | None = None
    shift: tuple[int, int] = (0, 0)
    ground: str = ""
    colour: ShowSpec | None = None
    blank: str | None = None
    lines: tuple[tuple[ShowSpec, ...], ...] = ()
    skip: bool = False

    @property
    def outline(self) -> str:
        """Its shape in a terminal, which has no circles and writes what has no edge like a point."""
        return "point" if self.shape in POINTS else self.shape

    @property
    def is_point(self) -> bool:
        return self.shape in POINTS

    @property
    def extent(self) -> tuple[int, int]:
        return self.size or USUAL_SIZE


@dataclass(frozen=True, slots=True)
class MapLayer:
    """The things of one kind on a map. They are at `places` by their ids, at the `coordinates` that two fields give, on
    the cells that `on` gives, or, of a lattice, where they are; `written` in a terminal, `drawn` in a picture."""

    kind: str
    written: LayerLook
    drawn: LayerLook
    places: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    coordinates: tuple[ShowSpec, ...] = ()
    on: ShowSpec | None = None
    show_if: ShowSpec | None = None
    regions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShownMap:
    """The map as the file says it. `scale`: columns and rows of a unit in a terminal, which gets no narrower than
    `narrowest` columns (0: as a terminal needs); `unit`: width and height of one in a picture, if the file says so;
    `image`: the drawing below."""

    scale: tuple[int, int] = (4, 1)
    unit: tuple[int, int] | None = None
    image: str = ""
    ground: str = ""
    narrowest: int = 0
    layers: tuple[MapLayer, ...] = ()
