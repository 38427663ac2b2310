"""Two pictures beside each other, before and after something: as SVG and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tools.html.elements import Content, Html, joined, tag
from tools.picture.model.data import Picture
from tools.picture.render.flow import shifted
from tools.picture.render.page import heading, parts_of_page, printed_page
from tools.picture.render.shapes import number, text_at
from tools.picture.render.style import LINE
from tools.picture.sheets.sheet import sheet, svg_file

PREFIXES = ("before-", "after-")
HEAD, BETWEEN = 34.0, 24.0


def pair_svg(pictures: Sequence[Picture], titles: Sequence[str]) -> str:
    """The text of an SVG file with pictures side by side, each below its title."""
    drawn, left, height = [], 0.0, 0.0
    for prefix, picture, title in zip(PREFIXES, pictures, titles, strict=True):
        width, high, body = sheet(replace(picture, prefix=prefix))
        drawn.append(text_at(left + 16, 24, title, 18, bold=True))
        drawn.append(shifted(body, left, HEAD))
        left += width + BETWEEN
        height = max(height, HEAD + high)
        if prefix == PREFIXES[0]:
            x = number(left - BETWEEN / 2)
            rule = tag("line", x1=x, x2=x, y1="8", y2="100%", class_="line", stroke=LINE, stroke_width="1")
            drawn.append(rule)
    return svg_file(pictures[-1], " / ".join(titles), left, height, drawn)


def pair_page(pictures: Sequence[Picture], titles: Sequence[str]) -> str:
    """The text of an HTML file with both, beside each other where the window is wide enough."""
    head = tag("header", heading(replace(pictures[-1], asked="", headings=())))
    return printed_page(pictures[-1], [head, pair_html(pictures, titles)])


def pair_html(pictures: Sequence[Picture], titles: Sequence[str], prefix: str = "") -> Html:
    """Both pictures as elements of a page; `prefix`: of their ids, where there are more on it."""
    columns: list[Content] = []
    for own, picture, title in zip(PREFIXES, pictures, titles, strict=True):
        parts = parts_of_page(replace(picture, prefix=prefix + own))
        columns.append(tag("div", tag("h2", title), tag("main", parts)))
    return tag("div", joined(columns), class_="pair")
