"""Cards: a band with the name and what stands in the corner, a few facts, the printed text as far as there is room."""

from __future__ import annotations

from tools.html.elements import Html
from tools.picture.model.data import Face, Picture, PrintedFact
from tools.picture.render.measure import text_width, wrap
from tools.picture.render.shapes import box_at, grouped, text_at
from tools.picture.render.style import BOX, LINE, MARKED, ink_on
from tools.shows.parts import Part, Parts

CARD_WIDTH = 140.0
NAME, SMALL = 12.0, 11.0
LINE_HEIGHT, PADDING = 15.0, 6.0
MOST_NAME, MOST_LABEL, MOST_VALUE, MOST_TEXT = 2, 2, 3, 9  # lines
BAND = "#8a8578"  # of a card without a colour


def name_lines(picture: Picture, part: Part, face: Face) -> list[str]:
    corner = text_width(face.corner, NAME, True) + 4 if face.corner else 0
    number = f" ×{part.count}" if part.count is not None else ""
    return wrap(picture.things[part.thing].name + number, CARD_WIDTH - 2 * PADDING - corner, NAME, MOST_NAME, True)


def text_lines(face: Face) -> list[str]:
    return wrap(face.text, CARD_WIDTH - 2 * PADDING, SMALL, MOST_TEXT)


def fact_lines(picture: Picture, fact: PrintedFact) -> list[tuple[str, str]]:
    """A label and what stands at the right of it: on one line, or, if that is too long, on lines below it."""
    room, value = CARD_WIDTH - 2 * PADDING, plain(fact.parts)
    if text_width(fact.label, SMALL) + text_width(value, SMALL) + 6 <= room:
        return [(fact.label, value)]
    *above, last = wrap(fact.label, room, SMALL, MOST_LABEL) or [""]
    if text_width(last, SMALL) + text_width(value, SMALL) + 6 <= room:
        return [*((line, "") for line in above), (last, value)]
    below = wrap(value, room - 2 * PADDING, SMALL, MOST_VALUE)
    return [*((line, "") for line in (*above, last)), *(("", line) for line in below)]


def card_height(picture: Picture, part: Part) -> float:
    """The height of a card with all its lines."""
    face = picture.faces[part.thing]
    facts = sum(len(fact_lines(picture, fact)) for fact in face.facts)
    lines = len(name_lines(picture, part, face)) + facts + len(text_lines(face))
    return lines * LINE_HEIGHT + 2 * PADDING + 4


def card(picture: Picture, part: Part) -> Html:
    """A card from its upper left corner at 0, 0."""
    face, thing = picture.faces[part.thing], picture.things[part.thing]
    height, names = card_height(picture, part), name_lines(picture, part, face)
    band = face.band or BAND
    ink, band_height = ink_on(band), len(names) * LINE_HEIGHT + PADDING
    inside = [
        box_at(0, 0, CARD_WIDTH, height, 6, class_="box", fill=BOX, stroke=LINE),
        box_at(0, 0, CARD_WIDTH, band_height, 6, fill=band),
        box_at(0, band_height - 6, CARD_WIDTH, 6, 0, fill=band),
    ]
    for number, line in enumerate(names):
        inside.append(text_at(PADDING, 3 + LINE_HEIGHT * (number + 0.75), line, NAME, bold=True, fill=ink))
    if face.corner:
        right = CARD_WIDTH - PADDING
        inside.append(text_at(right, 3 + LINE_HEIGHT * 0.75, face.corner, NAME, bold=True, anchor="end", fill=ink))
    y = band_height + PADDING + 9
    for fact in face.facts:
        for label, value in fact_lines(picture, fact):
            inside.append(text_at(PADDING, y, label, SMALL, "soft"))
            inside.append(text_at(CARD_WIDTH - PADDING, y, value, SMALL, anchor="end"))
            y += LINE_HEIGHT
    for line in text_lines(face):
        inside.append(text_at(PADDING, y, line, SMALL))
        y += LINE_HEIGHT
    if face.changed:
        inside.append(box_at(0, 0, CARD_WIDTH, height, 6, class_="mark none", fill="none", stroke=MARKED,
                             stroke_width="3", stroke_dasharray="7 3"))  # fmt: skip
    facts = [f"{fact.label}: {plain(fact.parts)}" for fact in face.facts]
    return grouped((thing.name, *facts, *thing.about), inside, data_thing=thing.key,
                   data_below=" ".join(part.below) or None)  # fmt: skip


def plain(parts: Parts) -> str:
    """Parts as a text."""
    return " ".join(part.counted + ("," if part.more else "") for part in parts)
