"""Drawings of a ruleset: icons and the image of a map, written anew from data."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from dsl.base.span import Source
from dsl.files.drawings import read_drawing
from interpreter import State
from tests.concepts.play import start
from tests.tools.picture.games import CARDS, DISPLAY, FIELDS, LOCALE, RULES, SVG, texts
from tools.picture.model.position import picture_of
from tools.picture.render.page import page_of
from tools.picture.sheets.sheet import svg_of

SUN = """\
<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://inkscape.org" viewBox="0 0 24 24" width="24" id="sun">
  <title>A sun</title>
  <i:view zoom="2"><path d="M9 9"/></i:view>
  <g stroke="currentColor" stroke-width="2" fill="none" transform="rotate(45 12 12)">
    <circle id="disc" cx="12" cy="12" r="6"/>
    <path d="M12 1v4M12 19v4"/>
  </g>
  <rect x="11" y="11" width="2" height="2" fill="#ff0000" i:label="middle"/>
</svg>
"""
GLYPHS = DISPLAY.replace("{of: ground, as: text}", "{of: ground, as: glyph}")


def state(display: str, rules: str = RULES, **pictures: str) -> State:
    files = {"display.yaml": display, "locale/en.yaml": LOCALE, "data/fields.yaml": FIELDS, "data/cards.yaml": CARDS}
    return start(rules, files | {f"pictures/{name}.svg": text for name, text in pictures.items()})


def test_a_drawing_is_four_elements_and_their_looks() -> None:
    drawing, found = read_drawing(Source("pictures/sun.svg", SUN))
    assert found == [] and drawing is not None
    assert drawing["box"] == [0, 0, 24, 24]
    group, rect = drawing["shapes"]
    assert group["is"] == "g" and group["transform"] == "rotate(45 12 12)"
    assert group["shapes"] == [
        {"is": "circle", "cx": "12", "cy": "12", "r": "6"},
        {"is": "path", "d": "M12 1v4M12 19v4"},
    ]
    assert rect == {"is": "rect", "x": "11", "y": "11", "width": "2", "height": "2", "fill": "#ff0000"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<svg viewBox='0 0 9 9'><script/></svg>", "no `<script>`"),
        ("<svg viewBox='0 0 9 9'><g><image href='http://x/y.png'/></g></svg>", "no `<image>`"),
        ("<svg viewBox='0 0 9 9'><use href='#a'/></svg>", "no `<use>`"),
        ("<svg viewBox='0 0 9 9'><foreignObject/></svg>", "no `<foreignObject>`"),
        ("<svg viewBox='0 0 9 9'><path d='M0 0' onclick='x()'/></svg>", "no `onclick`"),
        ("<svg viewBox='0 0 9 9'><path d='M0 0' style='fill: url(x)'/></svg>", "no `style`"),
        ("<svg viewBox='0 0 9 9'><path d='M0 0' fill='url(#a)'/></svg>", "`url(#a)` is no `fill`"),
        ("<svg viewBox='0 0 9 9'><circle r='3px'/></svg>", "`3px` is no `r`"),
        ("<svg viewBox='0 0 0 9'></svg>", "how large it is"),
        ("<svg></svg>", "how large it is"),
        ("<html></html>", "begins with `<html>`"),
        ("<svg viewBox='0 0 9 9'><g></svg>", "cannot be read as XML"),
        ("", "cannot be read as XML"),
        ("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg viewBox='0 0 9 9'>&a;</svg>", "type of document"),
        (f"<svg viewBox='0 0 9 9'>{' ' * 60_000}</svg>", "more than 60,000 characters"),
        (f"<svg viewBox='0 0 9 9'>{'<g>' * 8000}{'</g>' * 8000}</svg>", "more than 40 elements lie inside each other"),
    ],
)
def test_anything_else_is_refused(text: str, reason: str) -> None:
    drawing, (found,) = read_drawing(Source("pictures/a.svg", text))
    assert drawing is None
    assert found.code == "RW0361" and reason in found.message


def test_an_icon_is_drawn_on_its_token_in_place_of_letters() -> None:
    found = picture_of(state(GLYPHS.replace("glyph: Me,", "glyph: Me, icon: pictures/sun.svg,"), sun=SUN), 1, "en")
    assert [*found.drawings] == ["pictures/sun.svg"]
    svg = svg_of(found)
    assert "Me" not in texts(svg) and "Ma" in texts(svg)
    room = next(node for node in ElementTree.fromstring(svg).iter(f"{SVG}svg") if node.get("x"))
    assert room.get("viewBox") == "0 0 24 24" and room.find(f".//{SVG}circle") is not None
    assert "currentColor" not in ElementTree.tostring(room).decode()  # the ink that is read on the colour
    assert 'viewBox="0 0 24 24"' in page_of(found)
    assert "sun" not in re.sub(r"pictures/sun\.svg", "", svg)  # no id, no title of the file


def test_only_drawings_that_are_shown_are_in_the_model() -> None:
    display = GLYPHS[: GLYPHS.index("panels:")].replace("glyph: Ma,", "glyph: Ma, icon: pictures/sun.svg,")
    assert [*picture_of(state(display, sun=SUN), None, "en").drawings] == ["pictures/sun.svg"]
    dry = RULES.replace("set f2.ground to marsh", "set f2.ground to meadow")
    assert [*picture_of(state(display, dry, sun=SUN), None, "en").drawings] == []


def test_an_image_lies_below_all_places_of_the_map() -> None:
    found = picture_of(state(DISPLAY.replace("  scale: [4, 1]", "  image: pictures/sun.svg"), sun=SUN), 1, "en")
    assert found.chart is not None and found.chart.image == "pictures/sun.svg"
    svg = svg_of(found)
    room = next(node for node in ElementTree.fromstring(svg).iter(f"{SVG}svg") if node.get("preserveAspectRatio"))
    assert float(room.get("width") or 0) == found.chart.width - 16
    assert svg.index('preserveAspectRatio="none"') < svg.index("<polygon")
    assert "stroke-dasharray" not in svg  # an empty place is seen on the image


def test_words_on_an_image_have_one_ink_in_light_and_dark() -> None:
    display = DISPLAY.replace("  scale: [4, 1]", "  image: pictures/sun.svg").replace("shape: hex", "shape: point")
    display = display.replace("colour: ground", "picture: {colour: none}")
    svg = svg_of(picture_of(state(display, sun=SUN), 1, "en"))
    inside = svg[svg.index('id="map"') : svg.index('id="panel-')]
    assert re.findall(r"<text[^>]*>", inside) and not re.findall(r'<text[^>]*class="(?:ink|soft)"', inside)
