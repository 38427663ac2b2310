"""The model of a picture: places, panels and things as plain data, and what each reader has of them."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

from dsl.shows.reading import shown_map
from tests.tools.picture.games import DISPLAY, LOCALE, RULES, hand, picture, state
from tools.picture.model.data import FactBlock, FactTable, Groups, Picture, PrintedFact, PrintedFacts, Track, as_json
from tools.picture.model.position import picture_of
from tools.picture.model.scale import pitches, unit_of
from tools.shows.parts import CHIP, FACE, LABEL, NAME, Part, as_list


def panel(found: Picture, id_: str) -> PrintedFacts | FactTable | Groups | Track:
    return next(one for one in found.panels if one.id == id_)


def test_a_place_has_its_form_its_colour_and_its_lines() -> None:
    chart = picture().chart
    assert chart is not None
    north, south, west = chart.places
    assert (north.id, north.form, north.colour, north.pattern) == ("0.Field.f1", "hex", "#5fb04f", "plain")
    assert north.lines == (
        (Part("North", "Field.f1", NAME), Part("*", dim=True, role=LABEL), Part("Bert", "Seat.p2", NAME)),
        (Part("meadow", "Ground.meadow", NAME),),
    )
    assert (south.pattern, south.about) == ("dots", ("marsh",))
    assert not west.shown and west.lines == ((Part("f3", dim=True),),)
    assert south.x - north.x == 3 * 32 and abs(south.y - north.y - 2 * 32 * 0.866) < 0.1
    assert north.width / north.height > 1.15  # a regular hex, not one of cells of a terminal


def test_a_table_has_the_names_of_its_columns_and_the_cells_of_each_row() -> None:
    found, own = picture(), f"Card.{hand(state(), 1)}"
    stores = panel(found, "stores")
    assert isinstance(stores, FactTable)
    assert (stores.title, stores.heads) == ("Stores", ("coins", "hand"))
    assert stores.rows[0].cells == ((Part("7"),), (Part(found.things[own].name, own, NAME),))
    assert stores.rows[1].cells == ((Part("0"),), (Part("hidden (1)", dim=True),))


def test_facts_and_groups() -> None:
    found = picture()
    market = panel(found, "market")
    assert isinstance(market, PrintedFacts)
    assert market.blocks == (
        FactBlock(
            (), ((PrintedFact("market", (Part("Apple", "Card.apple", NAME),)),), (PrintedFact("deck", (Part("1"),)),))
        ),
    )
    groups = panel(found, "by_ground")
    assert isinstance(groups, Groups)
    assert [len(row.cells) for row in groups.rows] == [1, 3]
    assert groups.rows[0].cells[0] == (Part("Apple", "Card.apple", NAME), Part("3"))


def test_what_only_the_reader_sees_is_laid_out_as_cards() -> None:
    found = picture(seat=1)
    shown = panel(found, "reader.hand")
    assert isinstance(shown, PrintedFacts)
    (row,) = shown.blocks[0].rows
    own = f"Card.{hand(state(), 1)}"
    assert row == (PrintedFact("hand", (Part(found.things[own].name, own, FACE),)),)
    face = found.faces[own]
    assert [fact.label for fact in face.facts] == ["price", "hue"]
    assert "reader.hand" not in [one.id for one in picture(seat=None).panels]


def test_nothing_hidden_is_in_the_model_not_even_its_name() -> None:
    position = state(DISPLAY[: DISPLAY.index("  - {id: by_ground")])  # that panel names all cards, wherever they are
    written = {seat: json.dumps(as_json(picture_of(position, seat, "en"))) for seat in (None, 1, 2)}
    named = {seat: {card for card in ("pear", "plum", "fig") if card in written[seat].lower()} for seat in written}
    assert named == {None: set(), 1: {hand(position, 1)}, 2: {hand(position, 2)}}


def test_a_card_has_its_printed_text_for_whoever_points_at_it() -> None:
    assert picture().things["Card.apple"].about == ("Take two coins.",)


def test_seats_have_letters_and_colours_that_can_be_told_apart() -> None:
    things = picture().things
    assert things["Seat.p1"].mark == "1" and things["Seat.p2"].mark == "2"
    assert len({things["Seat.p1"].colour, things["Seat.p2"].colour, ""}) == 3


def test_the_legend_has_what_is_shown_by_letters() -> None:
    found = picture(display=DISPLAY.replace("{of: ground, as: text}", "{of: ground, as: glyph}"))
    assert found.legend == ("Ground.meadow", "Ground.marsh")
    assert found.signs == (("*", "keeper"),)
    assert "Ground.meadow" not in picture(seat=None).legend  # shown by its name alone


def test_without_a_display_there_are_lists_of_everything() -> None:
    found = picture(display="")
    assert found.chart is None
    assert [one.id for one in found.panels] == ["reader.hand", "game", "Seat", "Field"]


def test_it_is_plain_data_and_the_same_each_time() -> None:
    position = state()
    first, second = (picture_of(position, 1, "en") for _ in range(2))
    assert json.loads(json.dumps(as_json(first))) == json.loads(json.dumps(asdict(second)))


def test_who_looks_and_who_is_asked() -> None:
    assert picture(1).reader == "as Anna sees it" and picture(None).reader == "as an onlooker sees it"
    assert picture(2).asked == "Anna is asked"
    assert "asked" not in picture(1).asked


def test_in_a_language_that_the_ruleset_lacks_the_tool_speaks_for_itself() -> None:
    found = picture_of(state(), 1, "ja")
    assert found.reader == "Annaから見た局面"


def test_a_group_of_numbers_is_sorted_and_a_list_says_that_there_is_more() -> None:
    rules = RULES.replace("    set f1.ground", "    move fig from deck to market\n    set f1.ground")
    market = panel(picture(rules=rules), "market")
    assert isinstance(market, PrintedFacts)
    (fact,), _ = market.blocks[0].rows
    assert [part.more for part in fact.parts] == [True, False]


def test_boards_of_signs_have_square_cells_and_hexagons_regular_ones() -> None:
    sign = {"kind": "Field", "shape": "point", "lines": [[{"of": "keeper", "as": "glyph"}]]}
    board = [(x * 3.0, float(y)) for x in range(3) for y in range(3)]
    across, down = unit_of(shown_map({"layers": [sign]}), board)
    assert 3 * across == down == 44
    shifted = [(2.0 * x + y, float(y)) for x in range(3) for y in range(3)]
    across, down = unit_of(shown_map({"layers": [sign]}), shifted)
    assert 2 * across == 44 and abs(down - 44 * 0.866) < 0.01
    assert pitches([(0.0, 0.0), (4.0, 0.0), (8.0, 0.0)]) == (4.0, 1.0, False)
    words = {"kind": "Field", "shape": "box", "lines": [[{"of": "id", "as": "text"}]]}
    assert unit_of(shown_map({"layers": [words], "scale": [3, 1]}), board) == (27, 20)


def test_more_pieces_than_lie_in_a_row_are_counted() -> None:
    from tools.picture.model.reader import piled

    one, card = Part("meadow", "Ground.meadow", CHIP), Part("Fig", "Card.fig", FACE)
    assert piled(as_list([one] * 3)) == as_list([one] * 3)
    assert piled((*as_list([one] * 9), card)) == (replace(one, count=9), card)
    assert piled(as_list([one] * 9 + [card])) == (replace(one, count=9, more=True), card)
    assert piled((card, card)) == (replace(card, count=2),)
    assert piled((Part("7"),) * 9) == (Part("7"),) * 9, "numbers are not things"


def test_the_locale_names_places() -> None:
    assert picture(locale=LOCALE).things["Field.f1"].name == "North"
