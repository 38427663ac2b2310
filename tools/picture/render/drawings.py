"""Drawings of a ruleset as SVG: four elements, written anew from plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tools.html.elements import Html, tag
from tools.picture.render.shapes import number

DRAWN = ("path", "circle", "rect", "g")
INK_OF_PLACE = "currentColor"


def drawing(
    data: Mapping[str, Any], left: float, top: float, width: float, height: float, ink: str, stretched: bool = False
) -> Html:
    """A drawing within this room, which it does not leave; `ink`: the colour of what says none of its own."""
    box = " ".join(f"{float(n):g}" for n in data["box"])
    sizes = {"x": number(left), "y": number(top), "width": number(width), "height": number(height)}
    shape = tag("g", elements(data["shapes"], ink), fill=ink)
    return tag("svg", shape, viewBox=box, preserveAspectRatio="none" if stretched else None, **sizes)


def elements(shapes: Sequence[Mapping[str, Any]], ink: str) -> list[Html]:
    """Shapes and groups of shapes; what is none of the four elements is left out."""
    found = []
    for shape in shapes:
        if shape["is"] in DRAWN:
            looks = {k: ink if v == INK_OF_PLACE else str(v) for k, v in shape.items() if k not in ("is", "shapes")}
            found.append(tag(shape["is"], elements(shape.get("shapes", ()), ink), **looks))
    return found
