"""Tokens: an outline in a colour, with letters or a drawing on it."""

from __future__ import annotations

from tools.html.elements import Html, tag
from tools.picture.model.data import Picture, Thing
from tools.picture.render.drawings import INK_OF_PLACE, drawing
from tools.picture.render.measure import text_width
from tools.picture.render.shapes import BASELINE, outline, text_at
from tools.picture.render.style import BOX, INK, ink_on

WIDE_ICONS = ("", "square")  # tokens that are as wide as their letters
ROOM_ON = {  # icon -> room for letters, and how far they stand below and right of the middle, in parts of its size
    "cube": (0.72, 0.1, -0.1),
    "pawn": (0.5, 0.25, 0.0),
    "triangle": (0.5, 0.18, 0.0),
    "star": (0.55, 0.04, 0.0),
    "diamond": (0.62, 0.0, 0.0),
}
LETTERS = 0.72  # of the height of a token, its letters
DRAWN = 0.74  # of the height of a token, a drawing on it


def token_width(thing: Thing, size: float) -> float:
    """The width of a token of this height: wide enough for its letters, unless it has an outline of its own."""
    if thing.icon not in WIDE_ICONS:  # or a drawing
        return size
    return max(size, text_width(thing.mark, size * LETTERS, bold=True) + size * 0.4)


def token(picture: Picture, thing: Thing, left: float, middle: float, size: float) -> Html:
    """A token with its letters in its colour; without a colour, in that of a box."""
    width = token_width(thing, size)
    looks = {"fill": thing.colour, "class_": "edge", "stroke": INK, "stroke_width": "1"}
    if not thing.colour:
        looks |= {"fill": BOX, "class_": "box edge"}
    x = left + width / 2
    form = "disc" if thing.icon in picture.drawings else thing.icon
    return tag("g", outline(form, x, middle, width, size, looks), written_on(picture, thing, x, middle, size))


def written_on(picture: Picture, thing: Thing, x: float, y: float, size: float) -> Html:
    """The drawing of a token around its middle, else its letters."""
    data = picture.drawings.get(thing.icon)
    if data is None:
        return letters_on(thing, x, y, size)
    room = size * DRAWN
    return drawing(data, x - room / 2, y - room / 2, room, room, ink_on(thing.colour) if thing.colour else INK_OF_PLACE)


def letters_on(thing: Thing, x: float, y: float, size: float) -> Html:
    """The letters of a token around its middle, in a size at which they fit its outline."""
    if not thing.mark:
        return Html()
    letters = size * LETTERS
    if thing.icon not in WIDE_ICONS:
        room, down, right = ROOM_ON.get(thing.icon, (0.86, 0.0, 0.0))
        letters = min(letters, letters * size * room / max(text_width(thing.mark, letters, True), 1), size * room)
        x, y = x + right * size, y + down * size
    ink = ink_on(thing.colour) if thing.colour else ""
    return text_at(x, y + letters * BASELINE, thing.mark, letters, bold=True, anchor="middle", fill=ink)
