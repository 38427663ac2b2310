"""The words on the places of a map: how large they are, where they are broken, what is shortened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tools.picture.model.data import Chart, Picture, Place
from tools.picture.render.flow import LEADING, DrawnBlock, Ink, fitted, flow, items, room_of
from tools.shows.parts import CHIP

LETTERS = 14.0  # the largest on a map
HEX_ROOM, PADDING = 0.74, 6.0  # of the width of a hex, a line; between the edge of others and their words
BAND = 5.0  # the height of the coloured edge of a tab
READABLE = 10.0  # the size of letters on a map below which words are shortened


def layer_of(place: Place) -> str:
    return place.id.partition(".")[0]


def letter_sizes(picture: Picture, chart: Chart) -> dict[str, float]:
    """The size of letters of each layer: the largest at which the words of all its places have room; as large as they
    can be read at least, so that some are shortened."""
    found: dict[str, float] = {}
    for place in chart.places:
        layer = layer_of(place)
        size = found.get(layer, LETTERS)
        if place.form != "circle" and not is_sign(place):
            _, height = room_on(place)
            size = min(size, height / max(len(place.lines), 1) / LEADING)
            while size > READABLE and not all(fitting_lines(picture, place, Ink(size))):
                size -= 1
        found[layer] = size
    return found


def fitting_lines(picture: Picture, place: Place, ink: Ink) -> Iterator[bool]:
    """The truth, for each line of a place, that it has room with its words as they are, broken where the place is
    high."""
    room, height = room_on(place)
    spare = height - len(place.lines) * ink.size * LEADING
    for at, line in enumerate(place.lines):
        wide, high = room_of([*items(picture, line, replace(ink, bold=is_head(place, at)))], room)
        spare -= high - ink.size * LEADING
        yield wide <= room and spare > -1


def lines_on(picture: Picture, place: Place, ink: Ink) -> list[DrawnBlock]:
    """The lines of a place; those without room shortened."""
    room, _ = room_on(place)
    blocks = []
    for at, fits in enumerate(fitting_lines(picture, place, ink)):
        own, line = replace(ink, bold=is_head(place, at)), place.lines[at]
        whole = flow([*items(picture, line, own)], room, centred=place.form != "tab") if fits else None
        blocks.append(whole or fitted(picture, line, room, own))
    return blocks


def is_head(place: Place, line: int) -> bool:
    return place.form == "tab" and line == 0


def room_on(place: Place) -> tuple[float, float]:
    """Width and height for the words on a place."""
    match place.form:
        case "hex":
            return place.width * HEX_ROOM, place.height * 0.82
        case "pointed":
            return place.width * 0.86, place.height * 0.6
        case "circle":
            return place.width * 0.8, place.height * 0.7
        case "tab" if place.colour:
            return place.width - 2 * PADDING + 2, place.height - BAND - 1
    return place.width - 2 * PADDING + 2, place.height


def is_sign(place: Place) -> bool:
    """True if nothing but one token is at a place, which is then drawn as large as the place."""
    return len(place.lines) == 1 and len(place.lines[0]) == 1 and place.lines[0][0].form == CHIP
