"""The picture of a position: maps, panels, what is hidden, and lists where a ruleset gives no hints."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from rich.text import Text

from dsl.shows.reading import show_program
from interpreter import Game, State
from tests.concepts.play import start
from tests.interpreter.programs import fair
from tools.display.board import BoardPainter, board_lines, find_part
from tools.drawing.lines import align_columns, wrap_items
from tools.terminal.narrate import Narrator


def drawn(display: dict[str, Any], seat: int | None = 1, lang: str = "en", width: int = 100) -> list[str]:
    return [line.plain for line in board_lines(new(display), seat, lang, width)]


def new(display: dict[str, Any]) -> State:
    program = fair()
    program.display = show_program(display)
    return Game(program).new(seats=2, seed=8)


HEXES = {
    "members": {"Card": {"red": {"glyph": "R", "colour": "#ff0000"}}},
    "map": {
        "scale": [4, 1],
        "layers": [
            {
                "kind": "Seat",
                "shape": "hex",
                "show_if": "coins",
                "blank": "({id})",
                "at": {"p1": [0, 0], "p2": [3, 2]},
                "lines": [[{"of": "id"}], ["coins"]],
            }
        ],
    },
}


def test_a_hex_is_four_units_wide_and_high_with_its_lines_inside() -> None:
    assert drawn(HEXES) == [
        "    +-------+",
        "  /           \\",
        "+      p1       +       ·",
        "  \\     1     /",
        "    +-------+     (p2)      ·",
        "",
        "                ·       ·",
    ]


def test_a_list_panel_names_its_rows_and_shows_glyphs() -> None:
    panel = {"id": "stock", "show": [{"of": "pile", "as": "row"}, {"of": "basket", "as": "number"}]}
    assert drawn({"panels": [panel]}) == ["stock", "  pile    -", "  basket  16"]


def test_a_table_panel_has_a_row_a_member_and_hides_what_the_reader_may_not_see() -> None:
    display = {**HEXES, "map": None, "panels": [{"id": "players", "per": "Seat", "columns": ["coins", "hand"]}]}
    assert drawn(display, seat=1) == ["players", "        coins  hand", "  Anna      1  R", "  Ben       0  hidden (1)"]
    assert drawn(display, seat=2)[2:] == ["  Anna      1  hidden (1)", "  Ben       0  blue"]
    assert drawn(display, seat=None)[2:] == ["  Anna      1  hidden (1)", "  Ben       0  hidden (1)"]


def test_where_leaves_members_out() -> None:
    display = {"panels": [{"id": "players", "per": "Seat", "where": "coins", "columns": ["coins"]}]}
    assert [row.split() for row in drawn(display)[2:]] == [["Anna", "1"]]


def test_a_group_panel_puts_things_in_rows() -> None:
    display = {"panels": [{"id": "who", "group": "Seat", "by": "coins", "cells": [{"of": "id"}]}]}
    assert drawn(display) == ["who", "  0  p2", "  1  p1"], "numbers in their order"


def test_japanese_columns_line_up() -> None:
    display = {"panels": [{"id": "players", "per": "Seat", "columns": ["coins", {"of": "id", "label": "席"}]}]}
    _, head, first, second = drawn(display, lang="ja")
    assert first.startswith("  アンナ")
    assert (
        cell_len(first[: first.index("p1")])
        == cell_len(second[: second.index("p2")])
        == cell_len(head[: head.index("席")])
    )


def test_an_id_can_be_shown_as_the_name() -> None:
    display = {"panels": [{"id": "who", "group": "Seat", "by": "coins", "cells": [{"of": "id", "as": "text"}]}]}
    assert drawn(display) == ["who", "  0  Ben", "  1  Anna"]
    assert drawn(display, lang="ja")[2] == "  1  アンナ"


def test_a_table_that_is_too_wide_goes_on_below_with_its_first_column() -> None:
    display = {"panels": [{"id": "players", "per": "Seat", "columns": ["coins", "hand"]}]}
    assert drawn(display, width=26) == [
        "players",
        "        coins",
        "  Anna      1",
        "  Ben       0",
        "        hand",
        "  Anna  the red card",
        "  Ben   hidden (1)",
    ]
    assert drawn(display, width=27)[1] == "        coins  hand"


def test_a_cell_that_is_too_wide_goes_on_below_itself() -> None:
    assert [
        row.plain for row in align_columns([[Text(""), Text("won")], [Text("Ann"), Text("one, two, six")]], 14)
    ] == [
        "       won",
        "  Ann  one,",
        "       two,",
        "       six",
    ]


def test_panels_stand_beside_the_map_where_they_fit_and_below_where_not() -> None:
    display = {**HEXES, "panels": [{"id": "players", "per": "Seat", "columns": ["coins"]}]}
    wide, narrow = drawn(display, width=100), drawn(display, width=30)
    assert wide[0].endswith("players") and len(wide) == 7
    assert narrow[8] == "players"
    assert all(cell_len(row) <= 100 for row in wide)


def test_a_deck_shows_its_number_and_not_its_order() -> None:
    assert drawn({"panels": [{"id": "cards", "show": ["deck", {"of": "deck", "as": "total"}]}]})[1:] == [
        "  deck  hidden (2)",
        "  deck  2",
    ]


def test_what_was_shown_is_drawn_in_a_hidden_hand() -> None:
    rules = """
kind Card: 3
kind Seat
    zone hand: Card seen by owner
phase game
    for every c in Card: move c to p1.hand
    random c in p1.hand
    show c to p2
    choose n in 1..2 by p1
"""
    state = start(rules, seats=(3, 3), script=["card_2"])  # what two of two know, an onlooker would know
    pictures = ["\n".join(line.plain for line in board_lines(state, seat, "en", 100)) for seat in (1, 2, None)]
    assert ["hidden (3)" in picture for picture in pictures] == [False, True, True]
    assert ["hidden (3): card_2" in picture for picture in pictures] == [False, True, False]
    assert "card_1" not in pictures[1]


def test_unknown_names_draw_nothing_and_do_not_fail() -> None:
    panels = [{"id": "odd", "show": ["nothing_here"]}, {"id": "none", "per": "Nobody"}, {"id": "empty"}]
    assert drawn({"panels": panels}) == ["odd", "  nothing here  -"]


def test_without_hints_everything_public_is_listed() -> None:
    rows = drawn({}, seat=None)
    assert "  basket  16" in rows
    assert any(row.split() == ["Anna", "1", "hidden", "(1)", "2", "hidden"] for row in rows)


@pytest.mark.parametrize("seat", [1, 2, None])
def test_nothing_hidden_is_drawn(seat: int | None) -> None:
    """What a seat does not know is in none of its pictures."""
    state = new({})
    held = {1: "red card", 2: "blue"}
    for other, card in held.items():
        text = "\n".join(line.plain for line in board_lines(state, seat, "en", 100))
        assert (card in text) == (seat == other)


def test_headings_name_the_running_phases(capsys: pytest.CaptureFixture[str]) -> None:
    from tools.base.console import stdout

    narrator = Narrator(stdout(), "en")
    narrator.report(new({}))
    assert narrator.news.next_headings == ["turn"]


def test_a_low_screen_has_the_panels_that_fit_and_names_the_others() -> None:
    state = new({"panels": [{"id": f"stock_{n}", "show": ["basket"] * 6} for n in range(4)]})
    whole = board_lines(state, 1, "en", 80)
    assert len(whole) == 4 * 7 + 3
    board = BoardPainter(state, 1, "en", 80).fit(31)
    assert (board.lines, board.left_out) == (whole, [])
    board = BoardPainter(state, 1, "en", 80).fit(30)
    assert board.lines == whole[:23] and board.left_out == ["stock 3"]
    board = BoardPainter(state, 1, "en", 80).fit(15)
    assert board.lines == whole[:15] and board.left_out == ["stock 2", "stock 3"]
    assert BoardPainter(state, 1, "en", 80).fit(0).left_out == ["stock 0", "stock 1", "stock 2", "stock 3"]


def test_a_wide_screen_has_panels_side_by_side() -> None:
    state = new({"panels": [{"id": f"stock_{n}", "show": ["basket"] * 6} for n in range(4)]})
    board = BoardPainter(state, 1, "en", 123).fit(15)
    assert board.left_out == [] and len(board.lines) == 15
    assert [line.plain.split() for line in board.lines if "stock" in line.plain] == [
        ["stock", "0", "stock", "2"],
        ["stock", "1", "stock", "3"],
    ]


def test_a_part_of_the_board_is_found_by_its_id_or_the_beginning_of_its_title() -> None:
    state = new({**HEXES, "panels": [{"id": f"stock_{n}", "show": ["basket"]} for n in range(2)]})

    def part(name: str, lang: str = "en") -> list[str]:
        return [line.plain for line in find_part(state, 1, lang, 80, name)]

    assert part("Stock 1") == part("stock_1") == ["stock 1", "  basket  16"]
    assert part("stock") == ["stock 0", "  basket  16"]
    assert part("stock 9") == part("") == []
    assert part("map") == part("Ma") == part("地図", "ja") == drawn(HEXES)
    assert part("legend") == ["Legend", "  R the red card"] and part("凡例", "ja")[0] == "凡例"


def test_what_no_line_holds_is_broken_and_closing_signs_begin_none() -> None:
    rows = wrap_items(Text("  "), [Text("文明の発展、全文明は次の一つを行える。"), Text("next")], 20, 4)
    assert [row.plain for row in rows] == ["  文明の発展、", "    全文明は次の一つ", "    を行える。  next"]
    rows = wrap_items(Text(""), [Text("a list, of things"), Text("that is long")], 12, 2)
    assert [row.plain for row in rows] == ["a list, of", "  things", "  that is", "  long"]


def wrapped(text: str, width: int) -> list[str]:
    return [row.plain for row in wrap_items(Text(""), [Text(text)], width, 2)]


def test_a_sentence_in_wide_letters_fills_its_lines() -> None:
    """It is not moved to the next line as one word; numbers, Latin words and brackets are not torn."""
    assert wrapped("-- 省略（board 名前 で表示）：地球、動物種、エレメントボックス、供給 --", 30) == [
        "-- 省略（board 名前 で表示）：",
        "  地球、動物種、エレメントボッ",
        "  クス、供給 --",
    ]
    assert wrapped("席12345のプレイヤーはabcdefgh（草）を1234個受け取った", 38) == [
        "席12345のプレイヤーはabcdefgh（草）を",
        "  1234個受け取った",
    ]
    assert wrapped("abcdefghijklmnop", 9) == ["abcdefghi", "  jklmnop"], "a word that is longer than a line"
