"""A whole picture as one SVG: heading, map, panels beside and below it, legend.

Panels stand in the order of the model: beside the map as far as it is high, then in columns below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.picture.model.data import FACE, Groups, Panel, Picture
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
BESIDE = 570.0  # kept for a column beside a map
NARROWEST = 300.0  # of a panel
MANY_CARDS = 6
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
    width = max(WIDTH, min(chart.width, WIDTH - BESIDE) + BESIDE, chart.width + 2 * MARGIN) if chart else WIDTH
    head = heading(picture, width)
    placed = [(MARGIN, MARGIN, head)]
    y = MARGIN + head.height
    waiting = [panel.id for panel in picture.panels]
    if chart is not None:
        placed.append((MARGIN, y, Block(chart.width, chart.height, tag("g", chart.html, id="map"))))
        beside = column_beside(picture, waiting, width - 2 * MARGIN - GAP - chart.width, chart.height)
        placed += [(MARGIN + chart.width + GAP, y + top, block) for top, block in beside.values()]
        waiting = [id_ for id_ in waiting if id_ not in beside]
        y += max([chart.height, *(top + block.height for top, block in beside.values())]) + GAP
    placed += columns_below(picture, waiting, width - 2 * MARGIN, y)
    used = max(left + block.width for left, _, block in placed)
    bottom = max(top + block.height for _, top, block in placed) + GAP
    if picture.legend or picture.signs:
        whole = max(used - MARGIN, NARROWEST)
        inside = legend(picture, whole - 2 * PADDING)
        placed.append((MARGIN, bottom, framed(picture.legend_title, inside, whole, "legend")))
        used, bottom = max(used, MARGIN + whole), bottom + placed[-1][2].height + GAP
    body = joined([shifted(block.html, left, top) for left, top, block in placed])
    return used + MARGIN, bottom + MARGIN - GAP, body


def column_beside(picture: Picture, ids: Sequence[str], room: float, height: float) -> dict[str, tuple[float, Block]]:
    """The panels that fit beside a map of this height, by id, each with its top."""
    found: list[tuple[float, Block]] = []
    inside = {id_: draw_panel(picture, panel_of(picture, id_), room - 2 * PADDING) for id_ in ids} if room > 200 else {}
    top = 0.0
    fitting = []
    for id_, block in inside.items():
        own = block.height + TITLE + 2 * PADDING
        if block.width > room - 2 * PADDING or top + own > height and found:
            continue
        fitting.append(id_)
        found.append((top, block))
        top += own + GAP
    width = min(max([NARROWEST, *(block.width + 2 * PADDING for _, block in found)]), room)
    return {
        id_: (y, framed(panel_of(picture, id_).title, block, width, f"panel-{id_}"))
        for id_, (y, block) in zip(fitting, found, strict=True)
    }


def columns_below(picture: Picture, ids: Sequence[str], width: float, y: float) -> list[tuple[float, float, Block]]:
    """Panels in two columns; one that is too wide for them across both."""
    half = (width - GAP) / 2
    columns = [Column(MARGIN, half, y), Column(MARGIN + half + GAP, half, y)]
    placed = []
    for id_ in ids:
        block = framed_panel(picture, id_, half)
        if block.width > half + 1 or len(ids) == 1 or has_many_cards(panel_of(picture, id_)):
            block = framed_panel(picture, id_, width)
            top = max(column.bottom for column in columns)
            placed.append((MARGIN, top, block))
            for column in columns:
                column.bottom = top + block.height + GAP
            continue
        column = min(columns, key=lambda c: (c.bottom, c.left))
        placed.append((column.left, column.bottom, block))
        column.bottom += block.height + GAP
    return placed


def has_many_cards(panel: Panel) -> bool:
    """Whether a panel is better shown across the whole picture, since it has a row of cards."""
    cells = [cell for row in panel.rows for cell in row.cells] if isinstance(panel, Groups) else []
    return sum(part.form == FACE for cell in cells for part in cell) >= MANY_CARDS


def panel_of(picture: Picture, id_: str) -> Panel:
    return next(one for one in picture.panels if one.id == id_)


def framed_panel(picture: Picture, id_: str, width: float) -> Block:
    """A panel in a frame of this width; wider if it does not get narrower."""
    panel = panel_of(picture, id_)
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
    natural = text_width(picture.title, 20, True) + 14 + text_width(picture.reader, 13)
    return Block(natural, y + GAP, joined(drawn))
