"""Two pictures compared: marks at what differs, and the pair of them as a picture and as a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from interpreter import apply, legal
from tests.tools.picture.games import DISPLAY, RULES, check_inside, picture, state, texts
from tools.picture.differ.marks import SIGN, marked, only_changes
from tools.picture.differ.zoom import zoomed
from tools.picture.model.data import FactTable, Groups, Picture, PrintedFacts, Track
from tools.picture.model.position import cards_of, picture_of
from tools.picture.sheets.pair import pair_page, pair_svg

AFTER = RULES.replace("set f2.ground to marsh", "set f2.ground to meadow").replace("coins to 7", "coins to 8")


def pair(after: str = AFTER, display: str = DISPLAY, seat: int | None = None) -> tuple[Picture, Picture]:
    return marked(picture(seat, display=display), picture(seat, display=display, rules=after))


def test_pictures_that_are_alike_have_no_marks() -> None:
    first, second = pair(RULES)
    assert first == second == picture(None)
    assert only_changes(first).panels == () and only_changes(first).chart is None


def test_places_and_cells_that_differ_are_marked_in_both() -> None:
    for found in pair():
        assert found.chart is not None
        assert [place.thing for place in found.chart.places if place.changed] == ["Field.f2"]
        stores = next(one for one in found.panels if one.id == "stores")
        assert isinstance(stores, FactTable) and stores.title == f"Stores {SIGN}"
        assert [cell[0].text for cell in stores.rows[0].cells] == [SIGN, "hidden (1)"]
        assert [cell[0].text for cell in stores.rows[1].cells] == ["0", "hidden (1)"]
        assert [one.title for one in found.panels if one.id == "market"] == ["market"]


def test_facts_groups_and_tracks_are_marked_where_they_differ() -> None:
    display = DISPLAY.replace("market, show: [{of: market, as: row}", "market, show: [{of: market, as: total}")
    display += "  - {id: race, per: Seat, track: coins}\n"
    after = RULES.replace("move front(deck) to p2.hand", "move front(deck) to market").replace(
        "coins to 7", "coins to 9"
    )
    first, second = pair(after, display.replace("cells: [{of: id, as: text}, price]", "cells: [price, {of: id}]"))
    by_id = {one.id: one for one in second.panels}
    market, race, groups = by_id["market"], by_id["race"], by_id["by_ground"]
    assert isinstance(market, PrintedFacts) and [row[0].parts[0].text for row in market.blocks[0].rows] == [SIGN, "1"]
    assert isinstance(race, Track) and [lane.head[0].text for lane in race.lanes] == [SIGN, "Bert"]
    assert isinstance(groups, Groups) and groups.title == "by ground"
    assert first != second


def test_what_only_one_of_them_has_is_marked() -> None:
    first, second = pair(RULES.replace("set f1.keeper to p2\n", "set f3.ground to marsh\n    set f1.keeper to p2\n"))
    assert first.chart is not None and second.chart is not None
    assert [place.shown for place in first.chart.places if place.changed] == [False]
    assert [place.shown for place in second.chart.places if place.changed] == [True]


def test_a_card_whose_text_differs_is_marked() -> None:
    one = cards_of(state(), "en", ["apple", "pear"], "Cards")
    other = cards_of(state(locale="Card.apple.text: Take three coins.\n"), "en", ["apple", "pear"], "Cards")
    found = marked(one, other)[1]
    assert [key for key, face in found.faces.items() if face.changed] == ["Card.apple"]
    assert [panel.id for panel in only_changes(found).panels] == ["cards"]


def test_the_pair_is_one_picture_with_what_differs_below_its_heads() -> None:
    svg = pair_svg(zoomed(*pair()), ("Before", "After"))
    ElementTree.fromstring(svg)
    written = texts(svg)
    assert written.index("Before") < written.index("After")
    assert written.count(f"Stores {SIGN}") == 2 and "market" not in written
    assert svg.count('class="mark"') == 2  # the line around the place
    ids = re.findall(r' id="([^"]*)"', svg)
    assert len(ids) == len({*ids}) and {"before-place-0.Field.f2", "after-map"} <= {*ids}
    check_inside(svg)


def test_a_page_shows_both_whole() -> None:
    page = pair_page(pair(), ("Before", "After"))
    assert page.count(f"Stores {SIGN}</h2>") == 2 and page.count("market</h2>") == 2
    ids = re.findall(r'<section id="([^"]*)"', page)
    assert len(ids) == len({*ids})
    assert 'class="rw"' in page and 'class="pair"' in page


def test_a_map_is_cut_to_what_has_changed_and_what_is_around_it() -> None:
    at = ", ".join(f"f{n}: [{12 * n}, 0]" for n in (1, 2, 3))
    display = DISPLAY.replace("{f1: [0, 0], f2: [3, 2], f3: [0, 4]}", f"{{{at}}}")
    first, second = pair(display=display)
    assert first.chart is not None and second.chart is not None
    cut = zoomed(first, second)
    for whole, part in zip((first, second), cut, strict=True):
        assert part.chart is not None and whole.chart is not None
        assert [place.thing for place in part.chart.places] == ["Field.f2"]
        assert part.chart.width < whole.chart.width / 2
    assert cut[0].chart is not None and cut[1].chart is not None
    assert cut[0].chart.width == cut[1].chart.width


def test_nothing_hidden_comes_into_a_comparison() -> None:
    before, after = state(DISPLAY), state(DISPLAY)
    apply(after, legal(after)[0])
    pictures = marked(picture_of(before, None, "en"), picture_of(after, None, "en"))
    assert not any("hand" in key for found in pictures for key in found.faces)
