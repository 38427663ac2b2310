"""The map as SVG: places with their forms, colours, patterns and lines."""

from __future__ import annotations

from dataclasses import replace

from tools.picture.model.data import CHIP, Chart, Part, Parts, Picture, Place
from tools.picture.render.elements import Html, joined, tag
from tools.picture.render.flow import LEADING, Block, Ink, fitted, shifted
from tools.picture.render.measure import cut
from tools.picture.render.shapes import (
    BASELINE,
    box_at,
    grouped,
    hex_points,
    letters_on,
    number,
    outline,
    polygon,
    text_at,
)
from tools.picture.render.style import BOX, INK, LINE, ink_on, pattern_id

LETTERS = 14.0  # the largest on a map
HEX_ROOM, PADDING = 0.74, 6.0  # of the width of a hex, a line; between the edge of others and their words
BAND = 5.0  # the height of the coloured edge of a tab
SIGN_LETTERS = 0.84  # of a token that fills its place, the part that its letters are fitted to
EDGE = "1.2"


def draw_chart(picture: Picture, chart: Chart) -> Block:
    """The map from its upper left corner: first all shapes, then what is written, so that no shape covers words."""
    shapes = [shape(place) for place in chart.places]
    written = [
        grouped(told(picture, place), contents(picture, place), id=f"place-{place.id}", data_thing=place.thing)
        for place in chart.places
    ]
    labels = [text_at(x, y - 3, text, 12, "soft", bold=True) for x, y, text in chart.labels]
    return Block(chart.width, chart.height, joined([*shapes, *labels, *written]))


def told(picture: Picture, place: Place) -> tuple[str, ...]:
    thing = picture.things[place.thing]
    return (thing.name, *place.about)


def shape(place: Place) -> Html:
    """The outline of a place, its colour and the pattern on it."""
    if place.form == "none" or place.form == "circle" and is_sign(place):
        return Html()
    empty = not place.shown
    looks = {"class_": "box line" if not place.colour else "edge", "stroke": LINE, "stroke_width": EDGE}
    looks["fill"] = place.colour or BOX
    if place.form == "tab":
        return tab(place, looks)
    if place.colour:
        looks["stroke"] = INK
    if empty:
        looks |= {"fill": "none", "class_": "line", "stroke_dasharray": "3 3"}
    drawn = [bare(place, looks)]
    if place.colour and place.pattern not in ("", "plain"):
        drawn.append(bare(place, {"fill": f"url(#{pattern_id(place.pattern, place.colour)})"}))
    return joined(drawn)


def bare(place: Place, looks: dict[str, str]) -> Html:
    x, y, width, height = place.x, place.y, place.width, place.height
    match place.form:
        case "hex":
            return polygon(hex_points(x, y, width, height), **looks)
        case "circle":
            return tag("circle", cx=number(x), cy=number(y), r=number(width / 2), **looks)
        case "card":
            return box_at(x - width / 2 + 1, y - height / 2, width - 2, height, 4, **looks)
    return box_at(x - width / 2, y - height / 2, width, height, 3, **looks)


def tab(place: Place, looks: dict[str, str]) -> Html:
    """A box with room between it and its neighbours, and its colour along the upper edge."""
    x, y = place.x - place.width / 2 + 1.5, place.y - place.height / 2 + 1.5
    box = box_at(x, y, place.width - 3, place.height - 3, 3, **looks | {"fill": BOX, "class_": "box line"})
    if not place.colour:
        return box
    band = [box_at(x, y, place.width - 3, BAND, 2, fill=place.colour)]
    if place.pattern not in ("", "plain"):
        band.append(box_at(x, y, place.width - 3, BAND, 2, fill=f"url(#{pattern_id(place.pattern, place.colour)})"))
    return joined([box, *band])


def is_sign(place: Place) -> bool:
    """Whether nothing but one token is at a place, which is then drawn as large as the place."""
    return len(place.lines) == 1 and len(place.lines[0]) == 1 and place.lines[0][0].form == CHIP


def contents(picture: Picture, place: Place) -> Html:
    """What is written on a place, in the middle of it; on a tab from the left."""
    if place.form == "circle":
        return sign(picture, place)
    lines = place.lines
    room = place.width * HEX_ROOM if place.form == "hex" else place.width - 2 * PADDING + 2
    top = place.y - place.height / 2 + (BAND + 1 if place.form == "tab" and place.colour else 0)
    height = place.y + place.height / 2 - top
    if place.form == "hex":
        height *= 0.82
        top = place.y - height / 2
    if len(lines) == 1 and len(lines[0]) == 1 and lines[0][0].form == CHIP and place.form == "box":
        return large_sign(picture, lines[0][0], place)
    size = min(LETTERS, height / max(len(lines), 1) / LEADING) if lines else LETTERS
    filled = place.colour if place.form not in ("tab", "none") and place.shown else ""
    ink = Ink(size, ink_on(filled) if filled else "", filled)
    blocks = [fitted(picture, line, room, replace(ink, bold=place.form == "tab" and at == 0))
              for at, line in enumerate(lines)]  # fmt: skip
    y = top if place.form == "tab" else place.y - sum(block.height for block in blocks) / 2
    drawn = []
    for block in blocks:
        left = place.x - place.width / 2 + PADDING if place.form == "tab" else place.x - block.width / 2
        drawn.append(shifted(block.html, left, y))
        y += block.height
    return joined([touched(place), *drawn])


def touched(place: Place) -> Html:
    """A shape that cannot be seen but can be pointed at."""
    return bare(place, {"fill": "#000000", "fill_opacity": "0", "pointer_events": "all"})


def sign(picture: Picture, place: Place) -> Html:
    """A token as large as its place, or a small text on an empty one."""
    parts: Parts = place.lines[0] if place.lines else ()
    if is_sign(place):
        return large_sign(picture, parts[0], place)
    if place.width < LETTERS:
        return touched(place)
    text = "".join(part.text for part in parts)
    size = min(11.0, place.width * 0.36)
    shown = text_at(place.x, place.y + size * BASELINE, cut(text, place.width - 2, size), size, "soft", anchor="middle")
    return joined([touched(place), shown])


def large_sign(picture: Picture, part: Part, place: Place) -> Html:
    thing = picture.things[part.thing]
    size = min(place.width, place.height) * (1 if place.form == "circle" else 0.7)
    looks = {"fill": thing.colour or BOX, "class_": "edge" if thing.colour else "box edge", "stroke": INK,
             "stroke_width": EDGE}  # fmt: skip
    shown = replace(thing, icon=thing.icon or "disc")
    drawn = outline(shown.icon, place.x, place.y, size, size, looks)
    return joined([touched(place), drawn, letters_on(shown, place.x, place.y, size * SIGN_LETTERS)])
