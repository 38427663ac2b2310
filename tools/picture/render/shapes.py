"""The elements that pictures are made of: numbers, texts, boxes, outlines, tokens with their letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin

from tools.html.elements import Content, Html, tag
from tools.picture.render.style import FALLBACK

BASELINE = 0.35  # of the size of letters: from the middle of a line down to where they stand


@lru_cache(maxsize=20_000)  # the places of a map are where they are
def number(value: float) -> str:
    """A coordinate, rounded, so that a picture is the same everywhere."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def text_at(
    x: float, y: float, text: str, size: float, class_: str = "ink", bold: bool = False, anchor: str = "",
    fill: str = "", halo: str = "",
) -> Html:  # fmt: skip
    """One line of text with its baseline at `y`. `fill`: a colour instead of that of the class; `halo`: the colour that
    it stands on, drawn around the letters."""
    return tag(
        "text",
        text,
        x=number(x),
        y=number(y),
        font_size=number(size),
        font_weight="600" if bold else None,
        text_anchor=anchor or None,
        class_=None if fill else class_,
        fill=fill or FALLBACK[class_],
        stroke=halo or None,
        stroke_width="3" if halo else None,
        paint_order="stroke" if halo else None,
        stroke_linejoin="round" if halo else None,
    )


def box_at(x: float, y: float, width: float, height: float, radius: float = 4, **looks: str) -> Html:
    sizes = {"x": number(x), "y": number(y), "width": number(width), "height": number(height)}
    return tag("rect", **sizes, rx=number(radius), **looks)


def polygon(points: Sequence[tuple[float, float]], **looks: str) -> Html:
    return tag("polygon", points=" ".join([f"{number(x)},{number(y)}" for x, y in points]), **looks)


def hex_points(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """The corners of a hex with a flat top."""
    a, b, h = width / 2, width / 4, height / 2
    return [(x + a, y), (x + b, y + h), (x - b, y + h), (x - a, y), (x - b, y - h), (x + b, y - h)]


def pointed_points(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """The corners of a hex with a pointed top."""
    a, b, h = width / 2, height / 4, height / 2
    return [(x, y - h), (x + a, y - b), (x + a, y + b), (x, y + h), (x - a, y + b), (x - a, y - b)]


def star_points(x: float, y: float, size: float) -> list[tuple[float, float]]:
    turns = ((n * pi / 5 - pi / 2, size / 2 if n % 2 == 0 else size / 3.4) for n in range(10))
    return [(x + r * cos(a), y + r * sin(a)) for a, r in turns]


def grouped(about: Sequence[str], inside: Content, **attributes: str | None) -> Html:
    """Elements with what is told to whoever points at them."""
    told = "\n".join(line for line in about if line)
    return tag("g", *([tag("title", told)] if told else []), inside, **attributes)


def outline(icon: str, x: float, y: float, width: float, size: float, looks: dict[str, str]) -> Html:
    """The outline of a token: a square with round corners unless it says otherwise."""
    h = size / 2
    match icon:
        case "disc":
            return tag("circle", cx=number(x), cy=number(y), r=number(h), **looks)
        case "diamond":
            return polygon([(x, y - h * 1.1), (x + h * 1.1, y), (x, y + h * 1.1), (x - h * 1.1, y)], **looks)
        case "triangle":
            return polygon([(x, y - h), (x + h * 1.1, y + h * 0.9), (x - h * 1.1, y + h * 0.9)], **looks)
        case "hexagon":
            return polygon(hex_points(x, y, size * 1.1, size), **looks)
        case "star":
            return polygon(star_points(x, y, size * 1.15), **looks)
        case "pawn":
            head = tag("circle", cx=number(x), cy=number(y - h * 0.6), r=number(h * 0.4), **looks)
            body = [
                (x - h * 0.3, y - h * 0.35),
                (x + h * 0.3, y - h * 0.35),
                (x + h * 0.9, y + h),
                (x - h * 0.9, y + h),
            ]
            return tag("g", polygon(body, **looks), head)
        case "cube":
            left, top, right, bottom, d = x - h, y - h * 0.6, x + h * 0.6, y + h, h * 0.4
            lid = [(left, top), (left + d, top - d), (right + d, top - d), (right, top)]
            side = [(right, top), (right + d, top - d), (right + d, bottom - d), (right, bottom)]
            front = box_at(left, top, right - left, bottom - top, 0, **looks)
            return tag("g", polygon(lid, **looks), polygon(side, **looks), front)
    return box_at(x - width / 2, y - h, width, size, size * 0.22, **looks)
