"""A whole picture as one SVG: heading, map, panels beside and below it, legend.

Panels stand in the order of the model: beside the map as far as it is high, then in columns below it.
"""

from __future__ import annotations

from tools.html.elements import Content, Html, joined, tag
from tools.picture.model.data import Picture
from tools.picture.render.cards import CARD_WIDTH, card, card_height
from tools.picture.render.chart import draw_chart
from tools.picture.render.flow import DrawnBlock, shifted, stacked
from tools.picture.render.measure import text_width, wrap
from tools.picture.render.panels import legend
from tools.picture.render.shapes import number, text_at
from tools.picture.render.style import INK, PAPER, STYLE, pattern_defs
from tools.picture.sheets.columns import (
    GAP,
    MARGIN,
    NARROWEST,
    PADDING,
    Panels,
    column_beside,
    framed,
    rows_below,
)
from tools.shows.parts import FACE, Part

WIDTH = 1240.0  # of a sheet, unless its map is wider
BESIDE = 570.0  # kept for a column beside a map
NAMESPACE = "http://www.w3.org/2000/svg"


def svg_of(picture: Picture) -> str:
    """The text of an SVG file."""
    width, height, body = sheet(picture)
    return svg_file(picture, description(picture), width, height, body)


def svg_file(picture: Picture, described: str, width: float, height: float, body: Content) -> str:
    """The text of an SVG file with the title and language of this picture, and the style of all."""
    sizes = {"viewBox": f"0 0 {number(width)} {number(height)}", "width": number(width), "height": number(height)}
    told = [tag("title", picture.title, id="title"), tag("desc", described, id="desc")]
    paper = tag("rect", width=number(width), height=number(height), class_="paper", fill=PAPER)
    head = [tag("style", Html(STYLE)), pattern_defs(), paper]
    svg = tag("svg", told, head, body, **sizes, xmlns=NAMESPACE, lang=picture.lang, role="img",
              aria_labelledby="title desc", class_="rw", font_family="sans-serif", fill=INK)  # fmt: skip
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg}\n'


def card_svg(picture: Picture, key: str) -> str:
    """The text of an SVG file with one card, by the key of its thing."""
    part = Part(thing=key, form=FACE)
    width, height = CARD_WIDTH + 2, card_height(picture, part) + 2
    return svg_file(picture, description(picture), width, height, shifted(card(picture, part), 1, 1))


def description(picture: Picture) -> str:
    """The contents of the picture in a few words, for those who do not see it."""
    parts = [picture.reader, " › ".join(picture.headings), picture.asked]
    parts += [picture.chart.title] if picture.chart is not None else []
    return ". ".join(filter(None, [*parts, *(panel.title for panel in picture.panels)])) + "."


def sheet(picture: Picture) -> tuple[float, float, Html]:
    """Width, height and content of the whole picture."""
    chart = draw_chart(picture, picture.chart) if picture.chart is not None else None
    panels = Panels(picture)
    left = stacked([panels.framed(id_, NARROWEST) for id_ in on_side(picture, "left")], GAP)
    map_left = MARGIN + (left.width + GAP if left.height else 0)
    taken = map_left + chart.width if chart else map_left
    width = max(WIDTH, min(taken, WIDTH - BESIDE) + BESIDE, taken + MARGIN) if chart else WIDTH
    head = heading(picture, width)
    placed = [(MARGIN, MARGIN, head)]
    y = MARGIN + head.height
    for id_ in on_side(picture, "top"):
        placed.append((MARGIN, y, panels.framed(id_, width - 2 * MARGIN)))
        y += placed[-1][2].height + GAP
    waiting = [panel.id for panel in picture.panels if panel.side not in ("top", "left")]
    high = max(left.height, chart.height if chart else 0.0)
    placed += [(MARGIN, y, left)] if left.height else []
    if high:
        placed += (
            [(map_left, y, DrawnBlock(chart.width, chart.height, tag("g", chart.html, id=f"{picture.prefix}map")))]
            if chart
            else []
        )
        narrow = [id_ for id_ in waiting if panels.by_id[id_].side != "wide"]
        beside = column_beside(panels, narrow, width - MARGIN - GAP - taken, high)
        placed += [(taken + GAP, y + top, block) for top, block in beside.values()]
        waiting = [id_ for id_ in waiting if id_ not in beside]
        y += max([high, *(top + block.height for top, block in beside.values())]) + GAP
    placed += rows_below(panels, waiting, width - 2 * MARGIN, y)
    used = max(x + block.width for x, _, block in placed)
    bottom = max(top + block.height for _, top, block in placed) + GAP
    if picture.legend or picture.signs:
        whole = max(used - MARGIN, NARROWEST)
        inside = legend(picture, whole - 2 * PADDING)
        placed.append((MARGIN, bottom, framed(picture.legend_title, inside, whole, f"{picture.prefix}legend")))
        used, bottom = max(used, MARGIN + whole), bottom + placed[-1][2].height + GAP
    body = joined([shifted(block.html, x, top) for x, top, block in placed])
    return used + MARGIN, bottom + MARGIN - GAP, body


def on_side(picture: Picture, side: str) -> list[str]:
    return [panel.id for panel in picture.panels if panel.side == side]


def heading(picture: Picture, width: float) -> DrawnBlock:
    """Title and reader, the phases that run, who is asked."""
    drawn = [text_at(0, 18, picture.title, 20, bold=True)]
    drawn.append(text_at(text_width(picture.title, 20, True) + 14, 18, picture.reader, 13, "soft"))
    y = 24.0
    if picture.headings:
        drawn.append(text_at(0, y + 16, " › ".join(picture.headings), 12, "soft"))
        y += 20
    for line in wrap(picture.asked, width - 2 * MARGIN, 14, bold=True):
        drawn.append(text_at(0, y + 17, line, 14, bold=True))
        y += 20
    natural = text_width(picture.title, 20, True) + 14 + text_width(picture.reader, 13)
    return DrawnBlock(natural, y + GAP, joined(drawn))
