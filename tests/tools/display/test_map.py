"""The map: what is cut where it does not fit, the numbers of options, and the legend."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from interpreter import State
from tests.concepts.play import start
from tools.display.board import BoardPainter, board_lines, find_part
from tools.display.map import split
from tools.drawing.canvas import Box

RULES = """
enum Ground: mountain, sea
kind Tile: 6
    field ground: Ground or none
    field flag: Ground or none
kind Peg: 2
    field lies: Ground or none
phase game
    set tile_1.ground to mountain
    set tile_2.ground to sea
    set tile_5.ground to sea
    set peg_1.lies to sea
    set tile_2.flag to sea
    choose t in Tile where t.ground is none or decline by p1
kind Seat
"""
DISPLAY = """
members:
  Ground: {mountain: {glyph: Mo, colour: "#808080"}, sea: {glyph: Se, colour: "#0000ff"}}
map:
  scale: [4, 1]
  layers:
    - kind: Tile
      shape: hex
      show_if: ground
      blank: "{id}"
      lines: [[{of: id}, {of: flag, as: glyph, label: "!"}], [{of: ground, as: text}]]
      at: {tile_1: [0, 0], tile_2: [3, 2], tile_3: [0, 4], tile_4: [3, 6], tile_5: [0, 24], tile_6: [40, 24]}
    - kind: Peg
      shape: point
      show_if: lies
      lines: [[{of: lies, as: glyph}]]
      at: {peg_1: [2, 0], peg_2: [-2, 0]}
"""
LOCALE = "Ground: {mountain: mountain, sea: sea}\nTile.flag: flag\ndisplay: {}\n"


def state() -> State:
    return start(RULES, {"display.yaml": DISPLAY, "locale/en.yaml": LOCALE})


def picture(width: int, height: int, marks: dict[str, str] | None = None, window: int = 0) -> list[str]:
    s = state()
    things = {s.game.things[id_]: mark for id_, mark in (marks or {}).items()}
    return [line.plain for line in BoardPainter(s, 1, "en", width, things).fit(height, window).lines]


def test_all_that_is_shown_is_drawn_where_it_fits() -> None:
    rows = picture(180, 40)
    assert any("sea" in row for row in rows[24:]), "the far tile_5"
    assert "tile_6" in "\n".join(rows), "the whole map, with empty places"
    assert "tile_6" not in "\n".join(picture(60, 40)), "all that is shown, without the empty places around it"


def test_only_the_surroundings_of_what_can_be_chosen_are_drawn_where_not_all_fits() -> None:
    rows = picture(40, 11, {"tile_3": "1", "tile_4": "2"})
    text = "\n".join(rows)
    assert len(rows) <= 11 and max(map(cell_len, rows)) <= 40
    assert "tile_3 1" in text and "tile_4 2" in text
    assert "mountain" in text and rows[-1] == "  Se sea  ! flag", "a legend, rather than a wider cut"
    assert "\n".join(rows[:-1]).count("sea") == 1, "the neighbours are there, tile_5 is not"


def test_what_can_be_chosen_far_apart_is_shown_in_parts() -> None:
    marks = {"tile_3": "1", "tile_4": "2", "tile_6": "3"}
    s = state()
    things = {s.game.things[id_]: mark for id_, mark in marks.items()}
    board = BoardPainter(s, 1, "en", 40, things).fit(10)
    assert [{s.game.program.thing_ids[t] for t in window} for window in board.windows] == [
        {"tile_3", "tile_4"},
        {"tile_6"},
    ]
    assert "tile_6 3" in "\n".join(picture(40, 10, marks, 1))
    assert "tile_6" not in "\n".join(picture(40, 10, marks, 0))


@pytest.mark.parametrize(
    ("mark", "seen"), [("7", "+---7---+"), ("12", "+--12---+"), ("1-4", "+--1-4--+"), ("1,3,5,9,11", "+---*---+")]
)
def test_the_number_of_an_option_stands_on_the_lower_edge_of_its_place(mark: str, seen: str) -> None:
    assert seen in "\n".join(picture(60, 40, {"tile_2": mark}))


def test_the_number_of_a_point_stands_beside_what_lies_there_or_alone() -> None:
    text = "\n".join(picture(60, 40, {"peg_1": "8", "peg_2": "9"}))
    assert "Se 8" in text and "\n9" in text.replace(" ", ""), "peg_2 is empty"


def test_words_too_long_for_their_place_become_glyphs_and_the_legend_says_which() -> None:
    """At four columns a unit there are 11 cells for `mountain`, at two there are 5; `sea` fits always."""
    assert picture(60, 40)[3].startswith("  \\ mountain  / ")
    assert picture(60, 40)[-1] == "  Se sea  ! flag", "the glyph of the sea stands at the peg and the flag"
    narrow = picture(16, 40)
    assert " \\ Mo  /" in narrow[3] + " " and narrow[5].strip() == "\\ sea /"
    assert narrow[-2:] == ["  Mo mountain", "  Se sea  ! flag"]


def test_what_no_glyph_shortens_loses_its_spaces_and_is_then_cut_with_a_sign() -> None:
    """Seven cells hold `tile_2` and a sign that it goes on; the flag of the sea would need three more."""
    assert "tile_2…" in picture(16, 40)[4]
    assert "tile_2 !Se" in picture(60, 40)[4]


def test_a_mark_is_kept_where_the_text_before_it_is_cut() -> None:
    assert "til… 12" in "\n".join(picture(16, 40, {"tile_3": "12"}))


def test_an_empty_map_is_not_drawn() -> None:
    rules = RULES.replace("set tile", "# set tile").replace("set peg", "# set peg")
    s = start(rules, {"display.yaml": DISPLAY, "locale/en.yaml": LOCALE})
    assert board_lines(s, 1, "en", 80) == [] and BoardPainter(s, 1, "en", 80).fit(24).left_out == []
    marks = {s.game.things["tile_3"]: "1"}
    assert "tile_3 1" in "\n".join(line.plain for line in board_lines(s, 1, "en", 200, marks))


def test_boxes_that_lie_near_each_other_are_shown_together() -> None:
    boxes = [Box(0, row, 4, row + 2) for row in (0, 3, 6, 20)]
    assert [[box.top for box in group] for group in split(boxes, 9, vertical=True)] == [[0, 3, 6], [20]]
    assert [[box.top for box in group] for group in split(boxes, 8, vertical=True)] == [[0, 3], [6], [20]]
    assert [[box.top for box in group] for group in split(boxes, 1, vertical=True)] == [[0], [3], [6], [20]]


def test_a_map_wider_than_the_screen_is_drawn_in_parts_below_each_other() -> None:
    rows = [line.plain for line in find_part(state(), 1, "en", 60, "map")]
    assert max(map(cell_len, rows)) <= 60
    assert sum("tile_" in row for row in rows) == 6, "all tiles"


COUNTED = """
enum Kind: moss, stone, heath, fern
piece cube by Kind each 30 from bag
zone bag: cube
kind Tile: 1
    zone cubes: cube
kind Seat
phase game
    {moves}
    choose n in 1..2 by p1
"""
GLYPHS = """
members:
  Kind: {moss: {glyph: M}, stone: {glyph: S}, heath: {glyph: H}, fern: {glyph: F}}
map:
  scale: [2, 1]
  layers:
    - {kind: Tile, shape: hex, lines: [[{of: cubes, as: counts}]], at: {tile_1: [0, 0]}}
"""


@pytest.mark.parametrize(
    ("cubes", "seen"),
    [
        ("1 moss 2 stone", "M1 S2"),
        ("1 moss 2 stone 1 heath", "M1S2H1"),
        ("1 moss 2 stone 1 heath 1 fern", "MS2HF"),
        ("20 moss 20 stone 20 heath", "M20S20…"),
    ],
)
def test_counts_are_shortened_before_they_are_cut(cubes: str, seen: str) -> None:
    """A hex is four units wide: at two columns a unit, there are seven cells between its corners."""
    words = cubes.split()
    moves = [f"move {n} cube[{k}] from bag to tile_1.cubes" for n, k in zip(words[::2], words[1::2], strict=True)]
    s = start(COUNTED.replace("{moves}", "\n    ".join(moves)), {"display.yaml": GLYPHS})
    assert board_lines(s, 1, "en", 80)[2].plain.strip("+ ") == seen


@pytest.mark.parametrize(("width", "height"), [(40, 2), (5, 40), (3, 1), (60, 40)])
def test_everything_marked_is_in_some_window_even_if_it_is_larger(width: int, height: int) -> None:
    s = state()
    marks = {s.game.things[id_]: "1" for id_ in ("tile_1", "tile_2", "tile_4", "peg_1")}
    board = BoardPainter(s, 1, "en", width, marks).fit(height)
    assert frozenset().union(*board.windows) == marks.keys()
    assert len(board.lines) <= height


def test_a_map_with_a_title_is_also_found_by_the_word_of_the_terminal() -> None:
    s = start(RULES, {"display.yaml": DISPLAY, "locale/en.yaml": LOCALE.replace("{}", "{map: The valley}")})
    for name, lang in (("map", "en"), ("valley", "en"), ("the v", "en"), ("地図", "ja")):
        assert bool(find_part(s, 1, lang, 60, name)) == (name != "valley"), name
    assert BoardPainter(s, 1, "en", 60).fit(3).left_out == ["The valley"]
