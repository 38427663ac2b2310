"""A picture as SVG and as a page: well formed, the same each time, safe with any text, and readable."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from tests.tools.picture.games import LOCALE, SVG, check_inside, picture, texts
from tools.picture.model.data import Picture
from tools.picture.render.measure import cut, text_width, words, wrap
from tools.picture.render.page import page_of
from tools.picture.render.style import DARK, LIGHT, ink_on, pattern_id
from tools.picture.sheets.sheet import svg_of

HOSTILE_LOCALE = LOCALE.replace("North", '"<script>alert(1)</script>&\\"\'\\u202e\\e]]>"').replace(
    "Take two coins.", "'<img src=x onerror=alert(1)>'"
)


def test_it_says_what_is_there() -> None:
    written = texts(svg_of(picture()))
    for text in ("Stores", "Anna", "coins", "7", "North", "meadow", "as Anna sees it"):
        assert text in " ".join(written), text


def test_it_has_a_title_and_a_description_for_those_who_do_not_see_it() -> None:
    root = ElementTree.fromstring(svg_of(picture()))
    assert root.get("role") == "img" and root.get("aria-labelledby") == "title desc"
    for name in ("title", "desc"):
        assert [one.get("id") for one in root.findall(f"{SVG}{name}")] == [name]
    described = root.findtext(f"{SVG}desc") or ""
    assert "as Anna sees it" in described and "Map" in described and "Stores" in described


def test_places_and_panels_have_ids_that_stay() -> None:
    ids = re.findall(r' id="([^"]*)"', svg_of(picture()))
    assert {"place-0.Field.f1", "panel-stores", "panel-reader.hand", "map", "legend"} <= {*ids}
    assert len(ids) == len({*ids})


def test_the_same_position_gives_the_same_bytes_and_rounded_numbers() -> None:
    first = svg_of(picture())
    assert first == svg_of(picture())
    assert not re.search(r'="-?[0-9]+\.[0-9]{2,}"', first.replace('opacity="0.22"', "").replace('"0.35"', ""))


@pytest.mark.parametrize("write", [svg_of, page_of])
def test_a_text_of_a_ruleset_is_never_an_element(write: Callable[[Picture], str]) -> None:
    found = write(picture(locale=HOSTILE_LOCALE))
    assert "<script" not in found and "<img" not in found and "\x1b" not in found and "\u202e" not in found
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in found.replace("&quot;", '"')
    if write is svg_of:
        ElementTree.fromstring(found)


def test_it_needs_nothing_from_elsewhere() -> None:
    for text in (svg_of(picture()), page_of(picture())):
        assert not re.findall(r"(?:href|src)=|url\((?!#)|@import|<script", text)


def test_it_is_for_light_and_dark() -> None:
    assert "prefers-color-scheme: dark" in svg_of(picture()) and "var(--ink)" in svg_of(picture())


def test_nothing_lies_outside_of_the_picture() -> None:
    svg = svg_of(picture())
    check_inside(svg)


def test_ink_can_be_read_on_any_colour() -> None:
    assert (ink_on("#ffffff"), ink_on("#000000"), ink_on("#f0e442"), ink_on("#2f6fae")) == (DARK, LIGHT, DARK, LIGHT)
    assert pattern_id("dots", "#000000") == "dots-light"


class Reader(HTMLParser):
    """The elements that a page opens and closes, and the tables in it by their heads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.heads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "th":
            self.heads.append(data)


def test_a_page_has_tables_with_heads_and_one_heading_for_each_part() -> None:
    page = page_of(picture())
    found = Reader(page)
    assert not found.open and "coins" in found.heads
    assert re.findall(r"<h2[^>]*>([^<]*)</h2>", page)[:3] == ["Map", "Your cards", "Stores"]
    assert page.startswith("<!doctype html>") and '<html lang="en">' in page


def test_words_are_broken_at_spaces_and_wide_letters_anywhere_but_before_a_mark() -> None:
    assert list(words("two coins")) == [("two", True), ("coins", True)]
    assert list(words("果物、だ")) == [("果", True), ("物、", False), ("だ", False)]
    assert wrap("one two three", text_width("one two", 10) + 1, 10) == ["one two", "three"]
    assert wrap("a b c d e f", text_width("a b", 10) + 1, 10, most=2)[-1].endswith("…")
    assert cut("a long name", text_width("a long", 10), 10) in ("a lon…", "a lo…")
    assert cut("short", 100, 10) == "short"
    assert text_width("果物", 10) > text_width("ab", 10)


@pytest.mark.parametrize("write", [svg_of, page_of])
def test_each_place_card_and_thing_says_what_it_is(write: Callable[[Picture], str]) -> None:
    found = picture()
    named = re.findall(r'data-thing="([^"]*)"', write(found))
    own = next(iter(found.faces))
    assert {"Field.f1", "Field.f3", "Ground.meadow", "Seat.p2", "Card.apple", own} <= {*named}
    assert {*named} <= {*found.things}
