"""Lattices in the plane of a map: cells in their rows, sheets side by side, and what
lies across the seam of a lattice that goes round in one piece.

Takes a `Presenter` and the layers of a map; gives places in units. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dsl.base.types import MemberType, SetType
from dsl.ir import Lattice
from dsl.ir.lattices import HEX
from dsl.shows.chart import MapLayer
from interpreter.core.words import members
from tools.shows.content import ShownValue
from tools.shows.presenter import Presenter

GAP = 2  # units between two sheets
Place = tuple[float, float]


@dataclass(slots=True)
class Sheet:
    """The cells of one sheet on which something is drawn: for each the layers, by number, and the things."""

    lattice: Lattice
    size: tuple[float, float]  # of a cell, in units
    slanted: bool  # whether hexes stand on an edge, so that what lies in the east is drawn to the lower right
    number: int
    things: dict[tuple[int, int], list[tuple[int, int]]] = field(default_factory=dict)

    def places(self) -> dict[tuple[int, int], Place]:
        """The centre of each cell, seen from one of them."""
        columns = unrolled([column for column, _ in self.things], self.lattice.columns, self.lattice.wraps)
        rows = unrolled([row for _, row in self.things], self.lattice.rows, self.lattice.wraps)
        return {at: self.place(columns[at[0]], rows[at[1]]) for at in self.things}

    def place(self, column: int, row: int) -> Place:
        width, height = self.size
        if self.slanted:
            return 3 * column, 2 * column + 4 * row
        return column * width + (row * width / 2 if self.lattice.shape == HEX else 0), row * height


@dataclass(frozen=True, slots=True)
class PlacedThing:
    """A thing of a layer at a place, in units."""

    layer: int
    thing: int
    at: Place


@dataclass(frozen=True, slots=True)
class LatticeChart:
    """All that lies on lattices, and the upper left corners of the sheets with their numbers, if there are several."""

    placed: tuple[PlacedThing, ...]
    labels: tuple[tuple[Place, int], ...]


def unrolled(used: Iterable[int], bounds: tuple[int, int], wraps: bool) -> dict[int, int]:
    """Coordinates in one row: where they go round, the longest gap between those that are used is the end."""
    known = sorted(set(used))
    size = bounds[1] - bounds[0] + 1
    if not wraps or not known:
        return {n: n for n in known}
    gaps = [(after - n, n) for n, after in zip(known, [*known[1:], known[0] + size], strict=True)]
    longest = max(gap for gap, _ in gaps)
    end = known[-1] if gaps[-1][0] == longest else next(n for gap, n in gaps if gap == longest)
    return {n: n if n <= end else n - size for n in known}


def chart_of(
    presenter: Presenter, layers: Sequence[MapLayer], marks: Mapping[int, str], room: float, left: float
) -> LatticeChart:
    """The drawing of the layers on lattices, no wider than `room` units where that can be, from `left` on."""
    sheets: dict[tuple[str, int], Sheet] = {}
    for number, layer in enumerate(layers):
        for thing, lattice, cell in cells_of(presenter, layer, marks):
            domain = presenter.program.domains[lattice]
            assert domain.lattice is not None
            column, row, *rest = domain.lattice.coordinates(cell - domain.values[0])
            key = lattice, rest[0] if rest else 0
            if key not in sheets:
                sheets[key] = Sheet(domain.lattice, *size_of(presenter, layers, lattice, domain.lattice), key[1])
            sheets[key].things.setdefault((column, row), []).append((number, thing))
    placed: list[PlacedThing] = []
    labels: list[tuple[Place, int]] = []
    x, y, bottom = left, 0.0, 0.0
    for _, sheet in sorted(sheets.items(), key=lambda item: (item[0][1], item[0][0])):
        places = sheet.places()
        width, height = sheet.size
        start = min(a for a, _ in places.values()), min(b for _, b in places.values())
        wide = max(a for a, _ in places.values()) - start[0] + width
        if x > left and x + wide > left + room:
            x, y = left, bottom + GAP
        labels.append(((x - width / 2, y - height / 2), sheet.number))
        for at, (a, b) in places.items():
            placed += [PlacedThing(n, thing, (x + a - start[0], y + b - start[1])) for n, thing in sheet.things[at]]
        bottom = max(bottom, y + max(b for _, b in places.values()) - start[1] + height)
        x += wide + GAP
    placed.sort(key=lambda one: one.layer)
    return LatticeChart(tuple(placed), tuple(labels) if len(sheets) > 1 else ())


def size_of(
    presenter: Presenter, layers: Sequence[MapLayer], name: str, lattice: Lattice
) -> tuple[tuple[float, float], bool]:
    """The size of a cell: that of the largest shape that is drawn on the lattice; and whether it is slanted."""
    looks = [layer.written for layer in layers if lattice_of(presenter, layer) == name]
    slanted = lattice.shape == HEX and any(look.outline == "hex" for look in looks)
    sizes = [look.extent for look in looks]
    return (max(w for w, _ in sizes), max(h for _, h in sizes)), slanted


def lattice_of(presenter: Presenter, layer: MapLayer) -> str:
    """The lattice that a layer is drawn on; empty for one with places of its own."""
    domain = presenter.program.domains.get(layer.kind)
    if domain is not None and domain.lattice is not None:
        return layer.kind
    things = presenter.things(layer.kind)
    found = presenter.read(layer.on.of, things[0]) if layer.on is not None and things else None
    type_ = found.type if isinstance(found, ShownValue) else None
    type_ = type_.elem if isinstance(type_, SetType) else type_
    return type_.domain if isinstance(type_, MemberType) else ""


def cells_of(presenter: Presenter, layer: MapLayer, marks: Mapping[int, str]) -> Iterator[tuple[int, str, int]]:
    """Thing, lattice and cell of what a layer draws on a lattice. Of the cells themselves those with a mark, those that
    have something to show, and all where there is something for the others too."""
    domain = presenter.program.domains.get(layer.kind)
    if domain is not None and domain.lattice is not None:
        for cell in domain.values:
            if (
                cell in marks
                or layer.written.blank is not None
                or layer.show_if is not None
                and presenter.has_content(layer.show_if.of, cell)
            ):
                yield cell, layer.kind, cell
    elif layer.on is not None:
        for thing in presenter.things(layer.kind):
            match presenter.read(layer.on.of, thing):
                case ShownValue(int() as cell, MemberType(lattice)) if cell:
                    yield thing, lattice, cell
                case ShownValue(int() as mask, SetType(MemberType(lattice))):
                    yield from ((thing, lattice, cell) for cell in members(mask))
