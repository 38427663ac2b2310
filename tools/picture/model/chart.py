"""The map of `display.yaml` as data: places with their forms, colours and contents.

Takes a `Reader`; gives a `Chart`, or None where there is no map or nothing on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl.base.types import MemberType
from dsl.shows.chart import LayerLook, MapLayer
from dsl.shows.spec import ShowSpec
from tools.picture.model.about import lines_about
from tools.picture.model.data import Chart, Place, Thing
from tools.picture.model.reader import Reader
from tools.picture.model.scale import FLAT, is_board_of_signs, least_gap, unit_of
from tools.shows.content import ShownValue
from tools.shows.labels import MAP, part_title
from tools.shows.lattice import GAP, chart_of
from tools.shows.parts import CHIP, Part, Parts
from tools.shows.places import place_in_units
from tools.shows.presenter import Presenter

ROOM = 40.0  # units of sheets of a lattice beside each other
MARGIN = 8.0
SIGN = 0.86  # of the room of a sign, its diameter
LARGEST_SIGN, SMALL_SIGN = 40.0, 25.0  # on a board of signs, and beside larger shapes
DOT = 7.0  # the diameter of an empty point
SHORT_MARK = 3  # letters that a round token has room for
POINT_HEIGHT = 20.0  # of a line of words at a point


def chart(reader: Reader) -> Chart | None:
    """The map as it is."""
    presenter = reader.presenter
    shown = presenter.shows.map
    if shown is None:
        return None
    layers = shown.layers
    placed = [(number, thing, at) for number, layer in enumerate(layers) for thing, at in own_places(reader, layer)]
    left = max((x + layers[n].written.extent[0] / 2 for n, _, (x, _) in placed), default=0.0)
    lattices = chart_of(presenter, layers, {}, ROOM, left + GAP if placed else 0)
    placed += [(one.layer, one.thing, one.at) for one in lattices.placed]
    unit = unit_of(shown, [at for _, _, at in placed])
    placed = [(n, thing, moved_to(layers[n].drawn, at, unit)) for n, thing, at in placed if not layers[n].drawn.skip]
    if not placed:
        return None
    board = is_board_of_signs(shown)
    most = (LARGEST_SIGN if board else SMALL_SIGN) / SIGN
    room = min(point_room([at for n, _, at in placed if layers[n].drawn.is_point]), most)
    places = [place(reader, layers[n], n, thing, at, unit, room, board) for n, thing, at in placed]
    labels = [(x * unit[0], y * unit[1], str(number)) for (x, y), number in lattices.labels]
    seen = [one for one in places if one.form != "none" or one.lines]
    reader.images[shown.image] = None
    found = framed(part_title(presenter, MAP), seen, labels, shown.image, places) if seen else None
    return found and replace(found, ground=shown.ground)


def moved_to(look: LayerLook, at: tuple[float, float], unit: tuple[float, float]) -> tuple[float, float]:
    """A place in units as one of the picture, moved as its layer says."""
    right, down = look.shift
    return (at[0] + right) * unit[0], (at[1] + down) * unit[1]


def own_places(reader: Reader, layer: MapLayer) -> Iterator[tuple[int, tuple[float, float]]]:
    """The things of a layer that says itself where they are."""
    for thing in reader.presenter.things(layer.kind):
        if (at := place_in_units(reader.presenter, layer, thing)) is not None:
            yield thing, at


def point_room(points: list[tuple[float, float]]) -> float:
    """The distance of the nearest points in a row or column: the room that each has."""
    rows: dict[float, list[float]] = {}
    columns: dict[float, list[float]] = {}
    for x, y in points:
        rows.setdefault(y, []).append(x)
        columns.setdefault(x, []).append(y)
    gaps = [least_gap(xs) for xs in rows.values()] + [least_gap(ys) for ys in columns.values()]
    return min((gap for gap in gaps if gap), default=LARGEST_SIGN)


def place(
    reader: Reader,
    layer: MapLayer,
    number: int,
    thing: int,
    at: tuple[float, float],
    unit: tuple[float, float],
    room: float,
    board: bool,
) -> Place:
    presenter, look = reader.presenter, layer.drawn
    kind, id_ = presenter.program.thing_kinds[thing], presenter.program.thing_ids[thing]
    shown = layer.show_if is None or presenter.has_content(layer.show_if.of, thing)
    lines = tuple(line_parts(reader, line, thing) for line in look.lines) if shown else ()
    lines = tuple(line for line in lines if line)
    if not shown and (blank := (look.blank or "").replace("{id}", id_)):
        lines = ((Part(blank, dim=True),),)
    colour = coloured_by(reader, look.colour, thing) if shown and look.colour is not None else None
    form, width, height = form_of(reader, look, lines, shown, unit, room, board)
    owner = reader.thing_by_number(thing)
    return Place(
        id=f"{number}.{owner.key}",
        thing=owner.key,
        form=form,
        x=at[0],
        y=at[1],
        width=width,
        height=height,
        shown=shown,
        colour=colour.colour if colour is not None else look.ground,
        pattern=colour.pattern if colour is not None else "plain" if look.ground else "",
        lines=lines,
        about=about(presenter, kind, id_, colour, owner) if reader.notes else (),
    )


def about(presenter: Presenter, kind: str, id_: str, colour: Thing | None, owner: Thing) -> tuple[str, ...]:
    """The lines that are told of a place: what its colour says, and what is printed about it."""
    coloured = (colour.name,) if colour is not None and colour.name != owner.name else ()
    return (*coloured, *lines_about(presenter, kind, id_))


def line_parts(reader: Reader, specs: Sequence[ShowSpec], thing: int) -> Parts:
    return tuple(part for spec in specs for part in reader.show(spec, thing))


def coloured_by(reader: Reader, spec: ShowSpec, thing: int) -> Thing | None:
    """The member whose colour a place has."""
    match reader.presenter.read(spec.of, thing):
        case ShownValue(int() as value, MemberType() as type_) if value:
            return reader.thing(value, type_)
    return None


def form_of(
    reader: Reader,
    look: LayerLook,
    lines: tuple[Parts, ...],
    shown: bool,
    unit: tuple[float, float],
    room: float,
    board: bool,
) -> tuple[str, float, float]:
    """The form of a place, its width and height: a point with a single sign is a circle, one with words has no edge."""
    shape = look.shape
    across, down = look.extent
    if shape == "circle":
        size = min(across * unit[0], down * unit[1]) * SIGN
        return shape, size, size
    if shape == "pointed":
        return shape, across * unit[0], across * unit[0] / FLAT
    if shape == "none":
        return shape, across * unit[0], down * unit[1]
    if shape != "point":
        is_drawn = shown or shape == "hex" or look.ground
        return shape if is_drawn else "none", across * unit[0], down * unit[1]
    if lines_are_one_sign(reader, lines):
        size = DOT if not shown and is_dot(lines) and not board else room * SIGN
        return "circle", size, size
    width = across * unit[0] if look.size else room
    return ("card" if look.colour is not None and shown else "none"), width, POINT_HEIGHT


def lines_are_one_sign(reader: Reader, lines: tuple[Parts, ...]) -> bool:
    """True if nothing but one token, or one or two letters, stands there."""
    if len(lines) != 1 or len(lines[0]) != 1:
        return False
    part = lines[0][0]
    if part.thing:
        return part.form == CHIP and len(reader.things[part.thing].mark) <= SHORT_MARK
    return 0 < len(part.text) <= 2


def is_dot(lines: tuple[Parts, ...]) -> bool:
    """True if an empty place has a sign without a letter."""
    return not any(letter.isalnum() for part in lines[0] if not part.thing for letter in part.text)


def framed(
    title: str, places: list[Place], labels: list[tuple[float, float, str]], image: str, everywhere: list[Place]
) -> Chart:
    """The places moved into a frame that holds them all, with a margin; `everywhere`: also those that are not seen,
    which an image lies below."""
    around = everywhere if image else places
    left = min(one.x - one.width / 2 for one in around) - MARGIN
    top = min([one.y - one.height / 2 for one in around] + [y - 14 for _, y, _ in labels]) - MARGIN
    right = max(one.x + one.width / 2 for one in around) + MARGIN
    bottom = max(one.y + one.height / 2 for one in around) + MARGIN
    moved = tuple(moved_by(one, -left, -top) for one in places)
    shifted = tuple((round(x - left, 1), round(y - top, 1), text) for x, y, text in labels)
    return Chart(title, round(right - left, 1), round(bottom - top, 1), moved, shifted, image)


def moved_by(one: Place, x: float, y: float) -> Place:
    return replace(one, x=round(one.x + x, 1), y=round(one.y + y, 1), width=round(one.width, 1),
                   height=round(one.height, 1))  # fmt: skip
