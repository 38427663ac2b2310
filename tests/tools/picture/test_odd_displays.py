"""Pictures of odd displays: empty, with names that act or are very long, places far away, very many of everything."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from tests.concepts.play import start
from tests.tools.picture.games import CARDS, DISPLAY, FIELDS, LOCALE, RULES, check_inside, picture, size_of
from tools.picture.model.data import Picture, Track
from tools.picture.model.position import picture_of
from tools.picture.render.page import page_of
from tools.picture.sheets.sheet import svg_of

AT = "at: {f1: [0, 0], f2: [3, 2], f3: [0, 4]}"
NAMES = {
    "an element": "<b onload=alert(1)>]]></text><script>x</script>",
    "quotes": "\"' & &amp; \\ `",
    "acting signs": "\x00\x07\x1b[2J\u202e\u2066\ufeff\x85\u2028",
    "half a sign": "\ud800",
    "nothing": "",
    "spaces": " \t ",
    "lines": "\n\n\n",
    "joined signs": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "marks alone": "\u0301" * 500,
    "very long": "x" * 5_000,
    "a placeholder": "{id} {0} {} {title}",
}
ACTING = "\x00\x07\x1b\u202e\u2066\ufeff\x85\u2028\ud800"
EMPTY = ("", "{}\n", "panels: []\n", "map: {}\n", "map: {layers: []}\n", "members: {}\n", "panels: [{id: x}]\n")


def both(found: Picture) -> str:
    """The picture, which is well formed and holds all that is in it, and the page."""
    svg = svg_of(found)
    ElementTree.fromstring(svg)
    check_inside(svg)
    return svg + page_of(found)


@pytest.mark.parametrize("display", EMPTY)
@pytest.mark.parametrize("seat", [None, 2])
def test_a_display_may_be_empty(display: str, seat: int | None) -> None:
    assert "coins" in both(picture(seat, display=display)) or display


@pytest.mark.parametrize("name", NAMES)
def test_names_signs_and_texts_may_be_anything(name: str) -> None:
    quoted = json.dumps(NAMES[name])
    locale = LOCALE.replace("North", quoted).replace("Anna", quoted).replace("Take two coins.", quoted)
    display = DISPLAY.replace("glyph: Me", f"glyph: {quoted}").replace('label: "*"', f"label: {quoted}")
    found = both(picture(locale=locale + f"game.title: {quoted}\n", display=display.replace('"{id}"', quoted)))
    assert "<script>x" not in found and "<b onload" not in found
    assert not {*ACTING} & {*found}
    found.encode("utf-8")


@pytest.mark.parametrize(
    "places", ["{}", "{f1: [0, 0], f2: [0, 0], f3: [0, 0]}", "{f1: [-9999, 9999], f2: [9999, -9999]}"]
)
def test_places_may_be_missing_the_same_or_far_away(places: str) -> None:
    both(picture(display=DISPLAY.replace(AT, f"at: {places}")))


def test_a_marker_that_is_far_beyond_its_track_is_not_waited_for() -> None:
    rules = RULES + "value wealth(p: Seat): int = p.coins * FACTOR\n"
    display = DISPLAY + "  - {id: race, per: Seat, track: [0, 10], at: wealth, only: picture}\n"
    tracks = []
    for factor in (1, 100_000_000):
        found = picture(display=display, rules=rules.replace("FACTOR", str(factor)))
        tracks.append([panel for panel in found.panels if isinstance(panel, Track)])
        both(found)
    assert [len(one) for one in tracks] == [1, 0]


def test_very_many_places_and_cards_are_drawn() -> None:
    fields = "Field: {" + ", ".join(f"f{n}: {{}}" for n in range(1, 801)) + "}\n"
    places = ", ".join(f"f{n}: [{4 * (n % 40)}, {4 * (n // 40)}]" for n in range(1, 801))
    more = "".join(f"  card_{n}: {{price: 3, hue: meadow}}\n" for n in range(400))
    files = {"display.yaml": DISPLAY.replace(AT, f"at: {{{places}}}"), "locale/en.yaml": LOCALE,
             "data/fields.yaml": fields, "data/cards.yaml": CARDS + more}  # fmt: skip
    found = svg_of(picture_of(start(RULES, files), 1, "en"))
    assert FIELDS not in files and found.count("place-0.Field.") >= 800
    assert max(size_of(found)) < 10_000
