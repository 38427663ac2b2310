"""A whole picture as one SVG: heading, map, panels beside and below it, legend.

Panels stand in the order of the model: beside the map as far as it is high, then in columns below it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tools.picture.model.data import Picture
from tools.picture.render.chart import draw_chart
from tools.picture.render.elements import Content, Html, joined, tag
from tools.picture.render.flow import Block, shifted
from tools.picture.render.measure import text_width, wrap
from tools.picture.render.panels import draw_panel, legend
from tools.picture.render.shapes import box_at, number, text_at
from tools.picture.render.style import INK, LINE, PAPER, STYLE, pattern_defs

WIDTH = 1240.0  # of a sheet, unless its map is wider
MARGIN, GAP, PADDING = 16.0, 12.0, 12.0
TITLE = 24.0  # the height of the title of a panel
BESIDE = 380.0  # the least width of a column beside the map
NAMESPACE = "http://www.w3.org/2000/svg"


@dataclass(slots=True)
class Column:
    left: float
    width: float
    bottom: float


def svg_of(picture: Picture) -> str:
    """The text of an SVG file."""
    width, height, body = sheet(picture)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg(picture, width, height, body, whole=True)}\n'


def svg(picture: Picture, width: float, height: float, body: Content, whole: bool, label: str = "") -> Html:
    """An SVG element; a `whole` one has its own style, title and description."""
    sizes = {"viewBox": f"0 0 {number(width)} {number(height)}", "width": number(width), "height": number(height)}
    if not whole:
        return tag("svg", body, **sizes, role="img", aria_label=label, class_="rw")
    told = [tag("title", picture.title, id="title"), tag("desc", description(picture), id="desc")]
    paper = tag("rect", width=number(width), height=number(height), class_="paper", fill=PAPER)
    head = [tag("style", Html(STYLE)), pattern_defs(), paper]
    return tag("svg", told, head, body, **sizes, xmlns=NAMESPACE, lang=picture.lang, role="img",
               aria_labelledby="title desc", class_="rw", font_family="sans-serif", fill=INK)  # fmt: skip


def description(picture: Picture) -> str:
    """What the picture shows, in a few words for those who do not see it."""
    parts = [picture.reader, " › ".join(picture.headings), picture.asked]
    parts += [picture.chart.title] if picture.chart is not None else []
    return ". ".join(filter(None, [*parts, *(panel.title for panel in picture.panels)])) + "."


def sheet(picture: Picture) -> tuple[float, float, Html]:
    """Width, height and content of the whole picture."""
    chart = draw_chart(picture, picture.chart) if picture.chart is not None else None
    width = max(WIDTH, chart.width + 2 * MARGIN) if chart is not None else WIDTH
    drawn = [heading(picture, width)]
    y = MARGIN + drawn[0].height
    body = [shifted(drawn[0].html, MARGIN, MARGIN)]
    waiting = list(picture.panels)
    if chart is not None:
        body.append(tag("g", shifted(chart.html, MARGIN, y), id="map"))
        bottom = y + chart.height + GAP
        left = MARGIN + chart.width + GAP
        if (room := width - MARGIN - left) >= BESIDE:
            top = y
            while waiting and (block := framed_panel(picture, waiting[0].id, room)) is not None:
                if top + block.height > bottom and top > y:
                    break
                body.append(shifted(block.html, left, top))
                top += block.height + GAP
                waiting.pop(0)
            bottom = max(bottom, top)
        y = bottom
    whole, half = width - 2 * MARGIN, (width - 2 * MARGIN - GAP) / 2
    columns = [Column(MARGIN, half, y), Column(MARGIN + half + GAP, half, y)]
    for panel in waiting:
        block = framed_panel(picture, panel.id, half)
        if block.width > half + 1:
            block = framed_panel(picture, panel.id, whole)
            top = max(column.bottom for column in columns)
            body.append(shifted(block.html, MARGIN, top))
            for column in columns:
                column.bottom = top + block.height + GAP
            continue
        column = min(columns, key=lambda c: (c.bottom, c.left))
        body.append(shifted(block.html, column.left, column.bottom))
        column.bottom += block.height + GAP
    y = max(column.bottom for column in columns)
    if picture.legend or picture.signs:
        block = framed(picture.legend_title, legend(picture, whole - 2 * PADDING), whole, "legend")
        body.append(shifted(block.html, MARGIN, y))
        y += block.height + GAP
    return width, y + MARGIN - GAP, joined(body)


def framed_panel(picture: Picture, id_: str, width: float) -> Block:
    """A panel in a frame of this width; wider if it does not get narrower."""
    panel = next(one for one in picture.panels if one.id == id_)
    inside = draw_panel(picture, panel, width - 2 * PADDING)
    return framed(panel.title, inside, width, f"panel-{panel.id}")


def framed(title: str, inside: Block, width: float, id_: str) -> Block:
    width = max(width, inside.width + 2 * PADDING)
    height = TITLE + inside.height + 2 * PADDING
    box = box_at(0, 0, width, height, 8, class_="paper line", fill=PAPER, stroke=LINE)
    head = text_at(PADDING, PADDING + 13, title, 14, bold=True)
    return Block(width, height, tag("g", box, head, shifted(inside.html, PADDING, PADDING + TITLE), id=id_))


def heading(picture: Picture, width: float) -> Block:
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
    return Block(width, y + GAP, joined(drawn))
