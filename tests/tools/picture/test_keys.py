"""What `display.yaml` may say for pictures alone, and what the terminal makes of it."""

from __future__ import annotations

import pytest

from tests.tools.picture.games import DISPLAY, hand, picture, state, texts
from tools.display.board import find_part
from tools.picture.model.data import Groups, PrintedFact, PrintedFacts
from tools.picture.sheets.sheet import svg_of
from tools.shows.parts import CHIP, FACE, Part

FACES = (
    DISPLAY.replace("{of: market, as: row}", "{of: market, as: face}")
    + """
faces:
  Card: {band: hue, corner: price, facts: [{of: hue, label: ground}]}
"""
)


def test_things_are_shown_as_cards_with_head_corner_and_facts() -> None:
    found = picture(display=FACES)
    market = next(one for one in found.panels if one.id == "market")
    assert isinstance(market, PrintedFacts)
    assert market.blocks[0].rows[0] == (PrintedFact("market", (Part("Apple", "Card.apple", FACE),)),)
    face = found.faces["Card.apple"]
    assert (face.band, face.corner, face.text) == ("#5fb04f", "3", "Take two coins.")
    assert face.facts == (PrintedFact("ground", (Part("meadow", "Ground.meadow", CHIP),)),)
    assert {"Apple", "3", "ground", "meadow"} <= {*texts(svg_of(found))}


def test_a_card_without_facts_has_its_name_and_its_text() -> None:
    face = picture(display=FACES.replace("facts: [{of: hue, label: ground}]", "facts: []")).faces["Card.apple"]
    assert face.facts == () and face.text


def test_the_colour_of_a_kind_is_that_of_its_cards() -> None:
    display = FACES.replace("band: hue", 'colour: "#112233"')
    assert picture(display=display).faces["Card.apple"].band == "#112233"


def test_what_stands_in_the_corner_of_a_card_does_not_stand_beside_it() -> None:
    display = FACES.replace("cells: [{of: id, as: text}, price]", "cells: [{of: id, as: face}, price, hue]")
    groups = next(one for one in picture(display=display).panels if one.id == "by_ground")
    assert isinstance(groups, Groups)
    assert [part.thing for part in groups.rows[0].cells[0]] == ["Card.apple", "Ground.meadow"]


def test_the_terminal_reads_a_face_as_a_row() -> None:
    rows = [[line.plain for line in find_part(state(display), 1, "en", 80, "market")] for display in (DISPLAY, FACES)]
    assert rows[0] == rows[1] != []


def test_a_table_may_be_shown_as_cards_with_its_columns_on_them() -> None:
    display = FACES.replace(
        "group: Card, by: hue, cells: [{of: id, as: text}, price]", "per: Card, as: face, columns: [hue, price]"
    )
    display = display.replace("facts: [{of: hue, label: ground}]", "facts: []").replace("corner: price", "corner: id")
    found = picture(display=display)
    cards = next(one for one in found.panels if one.id == "by_ground")
    assert isinstance(cards, PrintedFacts)
    assert [part.form for part in cards.blocks[0].rows[0][0].parts] == [FACE] * 4
    assert found.faces["Card.plum"].facts == (PrintedFact("price", (Part("5"),)),)  # the hue is the colour of its head
    table = [line.plain for line in find_part(state(display), 1, "en", 80, "by_ground")]
    assert table[1].split() == ["hue", "price"]


def test_own_cards_in_a_panel_are_not_laid_out_once_more() -> None:
    display = DISPLAY.replace("{of: hand, as: row}", "{of: hand, as: face}")
    assert "reader.hand" not in [one.id for one in picture(display=display).panels]
    assert f"Card.{hand(state(), 1)}" in picture(display=display).faces


@pytest.mark.parametrize("icon", ["disc", "diamond", "triangle", "hexagon", "star", "pawn", "cube", "square"])
def test_a_token_has_its_outline_and_its_letters(icon: str) -> None:
    glyphs = DISPLAY.replace("{of: ground, as: text}", "{of: ground, as: glyph}")
    plain = svg_of(picture(display=glyphs))
    drawn = svg_of(picture(display=glyphs.replace("glyph: Me,", f"glyph: Me, icon: {icon},")))
    assert "Me" in texts(drawn)
    assert (drawn == plain) == (icon == "square")


def test_a_pattern_is_that_of_the_file() -> None:
    chart = picture(display=DISPLAY.replace("glyph: Me,", "glyph: Me, pattern: grid,")).chart
    assert chart is not None and chart.places[0].pattern == "grid"
    assert "url(#grid-dark)" in svg_of(picture(display=DISPLAY.replace("glyph: Me,", "glyph: Me, pattern: grid,")))


def test_a_unit_of_the_map_is_as_large_as_the_file_says() -> None:
    chart = picture(display=DISPLAY.replace("scale: [4, 1]", "unit: [50, 10]")).chart
    assert chart is not None
    north, south, _ = chart.places
    assert (south.x - north.x, south.y - north.y, north.width, north.height) == (150, 20, 200, 40)
