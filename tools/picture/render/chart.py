"""The map as SVG: places with their forms, colours, patterns and lines."""

from __future__ import annotations

from dataclasses import replace

from tools.html.elements import Html, joined, tag
from tools.picture.model.data import Chart, Picture, Place
from tools.picture.render.drawings import drawing
from tools.picture.render.flow import LEADING, DrawnBlock, Ink, shifted
from tools.picture.render.lettering import BAND, LETTERS, PADDING, is_sign, layer_of, letter_sizes, lines_on, room_on
from tools.picture.render.measure import cut
from tools.picture.render.shapes import (
    BASELINE,
    box_at,
    grouped,
    hex_points,
    number,
    outline,
    pointed_points,
    polygon,
    text_at,
)
from tools.picture.render.style import BOX, INK, LINE, MARKED, SOFT, ink_on, pattern_id
from tools.picture.render.tokens import written_on
from tools.shows.parts import Part, Parts

SIGN_LETTERS = 0.84  # of a token that fills its place, the part that its letters are fitted to
FILLED = {"circle": 1.0, "pointed": 0.78}  # of the size of a place, that of the token on it
MARGIN = 8.0  # around the places, where no image lies
EDGE = "1.2"


Written = dict[str, tuple[object, Html]]  # by the id of a place, what is written on it, with what that depends on


def draw_chart(picture: Picture, chart: Chart, before: Written | None = None) -> DrawnBlock:
    """The map from its upper left corner: its ground and its image, then all shapes, then what is written, so that no
    shape covers words. `before`: what was written on the places of the last map of the same game in the same language;
    it is brought up to date."""
    before = {} if before is None else before
    below = [drawing(picture.drawings[chart.image], MARGIN, MARGIN, chart.width - 2 * MARGIN, chart.height - 2 * MARGIN,
                     INK, stretched=True)] if chart.image in picture.drawings else []  # fmt: skip
    has_image = bool(below)
    if chart.ground:  # on the paper, light or dark
        below.insert(0, box_at(0, 0, chart.width, chart.height, 10, fill=chart.ground, fill_opacity="0.3"))
    sizes = letter_sizes(picture, chart)
    shapes = [shape(place) for place in chart.places if place.shown or not has_image]
    bare_ink = SOFT if has_image else ""
    written = [on_place(picture, place, sizes[layer_of(place)], bare_ink, before) for place in chart.places]
    marks = [mark(place) for place in chart.places if place.changed]
    labels = [text_at(x, y - 3, text, 12, "soft", bold=True) for x, y, text in chart.labels]
    return DrawnBlock(chart.width, chart.height, joined([*below, *shapes, *marks, *labels, *written]))


def on_place(picture: Picture, place: Place, size: float, bare_ink: str, before: Written) -> Html:
    """The writing on a place, with its names; as it was before, if it looks the same."""
    looks, id_ = (place, size, bare_ink), f"{picture.prefix}place-{place.id}"
    if id_ not in before or before[id_][0] != looks:
        inside = contents(picture, place, size, bare_ink)
        before[id_] = looks, grouped(told(picture, place), inside, id=id_, data_thing=place.thing)
    return before[id_][1]


def mark(place: Place) -> Html:
    """A thick line around a place that has changed."""
    return bare(place, {"fill": "none", "class_": "mark", "stroke": MARKED, "stroke_width": "3.5",
                        "stroke_dasharray": "7 3", "pointer_events": "none"})  # fmt: skip


def told(picture: Picture, place: Place) -> tuple[str, ...]:
    thing = picture.things[place.thing]
    return (thing.name, *place.about)


def shape(place: Place) -> Html:
    """The outline of a place, its colour and the pattern on it."""
    if place.form == "none" or place.form == "circle" and is_sign(place) and not place.colour:
        return Html()
    empty = not place.shown and not place.colour
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
        case "pointed":
            return polygon(pointed_points(x, y, width, height), **looks)
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


def contents(picture: Picture, place: Place, size: float, bare_ink: str) -> Html:
    """The writing on a place, in the middle of it; on a tab from the left. `bare_ink`: of words on an image, which is
    the same in light and dark."""
    lines = place.lines
    if place.form == "circle" and (is_sign(place) or not place.shown or not lines):
        return sign(picture, place, bare_ink)
    if is_sign(place) and place.form in ("box", "pointed", "hex"):
        return large_sign(picture, lines[0][0], place)
    _, height = room_on(place)
    size = min(size, height / max(len(lines), 1) / LEADING) if lines else size
    filled = place.colour if place.form not in ("tab", "none") else ""
    own = bare_ink if place.form == "none" else ""
    ink = Ink(size, ink_on(filled) if filled else own, filled)
    blocks = lines_on(picture, place, ink)
    top = place.y - place.height / 2 + (BAND + 1 if place.colour else 0)
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


def sign(picture: Picture, place: Place, bare_ink: str) -> Html:
    """A token as large as its place, or a small text on an empty one."""
    parts: Parts = place.lines[0] if place.lines else ()
    if is_sign(place):
        return large_sign(picture, parts[0], place)
    if place.width < LETTERS:
        return touched(place)
    text = "".join(part.text for part in parts)
    size = min(11.0, place.width * 0.36)
    fill = ink_on(place.colour) if place.colour else bare_ink
    words = cut(text, place.width - 2, size)
    shown = text_at(place.x, place.y + size * BASELINE, words, size, "soft", anchor="middle", fill=fill)
    return joined([touched(place), shown])


def large_sign(picture: Picture, part: Part, place: Place) -> Html:
    thing = picture.things[part.thing]
    size = min(place.width, place.height) * FILLED.get(place.form, 0.8)
    looks = {"fill": thing.colour or BOX, "class_": "edge" if thing.colour else "box edge", "stroke": INK,
             "stroke_width": EDGE}  # fmt: skip
    if thing.colour == place.colour:  # the place is the token
        return joined([touched(place), written_on(picture, replace(thing, icon="disc"), place.x, place.y, size)])
    shown = replace(thing, icon=thing.icon or "disc")
    drawn = outline("disc" if shown.icon in picture.drawings else shown.icon, place.x, place.y, size, size, looks)
    return joined([touched(place), drawn, written_on(picture, shown, place.x, place.y, size * SIGN_LETTERS)])
