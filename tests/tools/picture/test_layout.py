"""Where panels stand, and the forms that only a picture has: tracks for all, lines of cards, sides, piles of copies."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.tools.picture.games import DISPLAY, LOCALE, RULES, corners, picture, size_of, state, texts
from tools.display.board import find_panel, find_part
from tools.picture.model.data import Face, FactTable, Groups, Picture, PrintedFacts, Thing, Track
from tools.picture.model.piles import piled_faces
from tools.picture.render.page import page_of
from tools.picture.render.tracks import numbered, one_lane
from tools.picture.sheets.columns import balanced
from tools.picture.sheets.sheet import sheet, svg_of
from tools.shows.parts import FACE, Part
from tools.shows.presenter import Presenter

TRACK = DISPLAY + "  - {id: race, per: Seat, track: [0, 12, 5], at: coins, side: top, title: display.stores}\n"


def panel(found: Picture, id_: str) -> PrintedFacts | FactTable | Groups | Track:
    return next(one for one in found.panels if one.id == id_)


def race(display: str = TRACK, **changes: str) -> Track:
    found = panel(picture(display=display, **changes), "race")
    assert isinstance(found, Track)
    return found


def test_a_track_for_all_has_one_marker_for_each() -> None:
    found = race()
    assert (found.low, found.high, found.step, found.side) == (0, 12, 5, "top")
    assert [(lane.thing, lane.at) for lane in found.lanes] == [("Seat.p1", 7), ("Seat.p2", 0)]


def test_a_marker_beyond_the_track_makes_it_longer() -> None:
    assert race(TRACK.replace("[0, 12, 5]", "[2, 5]")).low == 0
    assert race(TRACK.replace("[0, 12, 5]", "[2, 5]")).high == 7


def test_the_end_of_a_track_may_be_a_value() -> None:
    assert race(TRACK.replace("[0, 12, 5]", "[0, goal]"), rules=f"value goal: int = 3 * 5\n{RULES}").high == 15


def test_a_track_counts_what_lies_in_a_zone_of_pieces() -> None:
    rules = RULES.replace("kind Seat\n", "piece point\nkind Seat\n    zone score: point\n")
    rules = rules.replace("    set p1.coins to 7\n", "    gain 4 point by p2\n    set p1.coins to 7\n")
    assert [lane.at for lane in race(TRACK.replace("at: coins", "at: score"), rules=rules).lanes] == [0, 4]


def test_named_spaces_and_those_with_markers_have_their_numbers() -> None:
    drawn = svg_of(picture(display=TRACK))
    inside = drawn[drawn.index('id="panel-race"') : drawn.index('id="map"')]
    assert re.findall(r"<text[^>]*font-size=\"10\"[^>]*>(\d+)<", inside) == ["0", "5", "7", "10", "12"]
    assert inside.count("<rect") == 13 + 1  # spaces and the frame
    assert "Anna: 7" in inside and "Bert: 0" in inside


def test_a_long_track_goes_on_in_rows_that_begin_at_a_named_space() -> None:
    found = picture(display=TRACK.replace("[0, 12, 5]", "[0, 150, 10]"))
    drawn = svg_of(found)
    width, height = size_of(drawn)
    assert all(right <= width + 1 and bottom <= height + 1 for _, _, right, bottom in corners(drawn))
    inside = drawn[drawn.index('id="panel-race"') : drawn.index('id="map"')]
    rows = {y for y in re.findall(r"translate\(0 (\S+)\)", inside)}
    assert len(rows) >= 2


def far(*at: int) -> tuple[Picture, Track]:
    """A long track whose markers have gone as far as this."""
    found = picture(display=TRACK.replace("[0, 12, 5]", "[0, 250, 10]"))
    track = panel(found, "race")
    assert isinstance(track, Track)
    return found, replace(track, lanes=tuple(replace(lane, at=n) for lane, n in zip(track.lanes, at, strict=True)))


def test_a_long_track_begins_where_the_last_marker_is() -> None:
    drawn = one_lane(*far(205, 248), 1180)
    written = re.findall(r">(\d{2,})</text>", drawn.html)
    assert written == ["180", "190", "200", "205", "210", "220", "230", "240", "248", "250"]
    whole = one_lane(*far(0, 248), 1180)
    assert drawn.height < whole.height and drawn.html.count("<rect") == 250 - 180 + 1


def test_no_number_of_a_track_covers_another() -> None:
    found, track = far(151, 172)
    on = {n: [lane for lane in track.lanes if lane.at == n] for n in range(140, 181)}
    assert numbered(track, on, 17) == {140, 151, 160, 170, 172, 180} and 150 in numbered(track, on, 30)


def test_a_map_may_lie_on_a_ground_of_its_own() -> None:
    grounded = picture(display=DISPLAY.replace("  scale: [4, 1]\n", '  scale: [4, 1]\n  ground: "#123456"\n'))
    for write in (svg_of, page_of):
        assert write(grounded).count('fill="#123456"') == 1 and "#123456" not in write(picture())


def test_the_terminal_shows_a_track_for_all_as_a_column() -> None:
    lines = [line.plain for line in find_part(state(TRACK), 1, "en", 80, "race")]
    assert lines[0] == "Stores" and lines[1].split() == ["coins"] and lines[2].split() == ["Anna", "7"]


def test_a_page_has_the_track_with_words_for_those_who_do_not_see_it() -> None:
    page = page_of(picture(display=TRACK))
    assert "<title>Stores: Anna 7, Bert 0</title>" in page
    assert re.search(r'<section id="panel-race" class="side-top">', page)


def test_a_title_is_a_text_or_the_address_of_one() -> None:
    assert race(TRACK.replace("title: display.stores", "title: The race")).title == "The race"
    assert race().title == "Stores"
    assert race(TRACK.replace(", title: display.stores", "")).title == "race"


@pytest.mark.parametrize(("only", "drawn", "listed"), [("picture", True, False), ("terminal", False, True)])
def test_a_panel_may_be_for_pictures_or_terminals_alone(only: str, drawn: bool, listed: bool) -> None:
    display = TRACK.replace("side: top", f"only: {only}")
    assert ("race" in [one.id for one in picture(display=display).panels]) is drawn
    assert (find_panel(Presenter(state(display), 1, "en"), "race") is not None) is listed
    assert bool(find_part(state(display), 1, "en", 80, "race")) is listed


def test_a_line_of_groups_has_the_name_of_its_group_above_each_cell() -> None:
    display = DISPLAY.replace("cells: [{of: id, as: text}, price]", "cells: [{of: id, as: face}], flow: line")
    found = picture(display=display)
    groups = panel(found, "by_ground")
    assert isinstance(groups, Groups) and groups.flow == "line"
    written = texts(svg_of(found))
    assert written.count("marsh") >= 3  # above pear, plum and fig
    assert '<div class="line">' in page_of(found)


@pytest.mark.parametrize("side", ["top", "wide", "left"])
def test_panels_stand_at_their_side(side: str) -> None:
    display = DISPLAY.replace("{id: stores, ", f"{{id: stores, side: {side}, ")
    svg = svg_of(picture(display=display))
    at = {
        name: tuple(map(float, found))
        for name in ("map", "panel-stores", "panel-market")
        for found in re.findall(rf'translate\((\S+) (\S+)\)"><g id="{name}"', svg)
    }
    if side == "left":
        assert at["panel-stores"][0] < at["map"][0]
    elif side == "top":
        assert at["panel-stores"][1] < at["map"][1]
    else:
        assert at["panel-stores"][1] > at["map"][1] and at["panel-stores"][0] == 16


def test_own_cards_come_first() -> None:
    assert [one.id for one in picture().panels][0] == "reader.hand"


def test_columns_are_about_equally_high() -> None:
    sides, height = balanced({"a": 130, "b": 50, "c": 400})
    assert sides == {"a": 0, "b": 0, "c": 1} and height == 400
    assert balanced({"a": 100}) == ({"a": 0}, 100)


def test_cards_that_look_alike_are_one_pile_that_names_those_below() -> None:
    things = {f"Card.{key}": Thing(f"Card.{key}", name) for key, name in (("a", "Fig"), ("b", "Fig"), ("c", "Plum"))}
    faces = {"Card.a": Face("3"), "Card.b": Face("3"), "Card.c": Face("3")}
    one, other, plum = (Part(thing=key, form=FACE) for key in things)
    (first, second) = piled_faces((one, other, plum), things, faces)
    assert (first.thing, first.count, first.below) == ("Card.a", 2, ("Card.b",))
    assert (second.thing, second.count, second.below) == ("Card.c", None, ())
    assert [part.count for part in piled_faces((one, plum, other), things, faces)] == [None] * 3  # order may matter
    assert [part.count for part in piled_faces((one, other), things, faces | {"Card.b": Face("4")})] == [None] * 2
    assert piled_faces((Part("x"), Part("x")), things, faces) == (Part("x"), Part("x"))


def test_a_card_of_a_pile_tells_which_are_below_it() -> None:
    found = picture(display=DISPLAY.replace("{of: market, as: row}", "{of: market, as: face}"))
    market = panel(found, "market")
    assert isinstance(market, PrintedFacts)
    (fact,) = market.blocks[0].rows[0]
    more = replace(fact.parts[0], count=2, below=("Card.pear",))
    blocks = (replace(market.blocks[0], rows=((replace(fact, parts=(more,)),),)),)
    shown = replace(found, panels=(replace(market, blocks=blocks),))
    for text in (svg_of(shown), page_of(shown)):
        assert 'data-below="Card.pear"' in text and "Apple ×2" in text


def test_a_wide_picture_is_as_wide_as_its_map() -> None:
    width, _, _ = sheet(picture(display=DISPLAY.replace("scale: [4, 1]", "unit: [400, 30]")))
    assert width > 1240


def test_letters_on_a_map_have_one_size_for_each_layer() -> None:
    svg = svg_of(picture(locale=LOCALE.replace("North", "The far north of the land")))
    inside = svg[svg.index('id="map"') : svg.index('id="panel-')]
    assert len({*re.findall(r'font-size="(\S+?)"[^>]*>(?:meadow|marsh|South)<', inside)}) == 1
