"""Things on lattices are drawn where they lie now (docs/manual/screen.md): rows, sheets, seams, options."""

from __future__ import annotations

import pytest

from interpreter import State
from tests.concepts.play import answer_all, start
from tools.display.board import BoardPainter, board_lines
from tools.display.typed_answers import read_words
from tools.shows.lattice import unrolled

RULES = """
lattice Spot: hex by -4..4, -4..4, 1..3 wraps
lattice Square: square by 1..3, 1..2
    field stone: Seat or none
enum Part: root, right, below
kind Tile: 3
    field at: Spot or none
kind Plot by Tile, Part
value spot(p: Plot): Spot or none = none if p.tile.at is none else shifted(p.tile.at, step_q(p), step_r(p))
value step_q(p: Plot): int = 1 if p.part is right else 0
value step_r(p: Plot): int = 1 if p.part is below else 0
value covers(t: Tile): set of Spot = set(p in Plot where p.tile is t: spot(p))
phase game
    set tile_1.at to Spot(4, -1, 1)
    set square_2_1.stone to p2
    choose c in {Spot(2, 0, 1), Spot(-3, 0, 1), Spot(0, 0, 3)} by p1
    set tile_2.at to c
    choose number n in 0..1 by p2
"""
LOCALE = "lattice: {Spot: '{q}/{r} on {sheet}'}\nPart: {root: root, right: right, below: below}\n"
DISPLAY = """
map:
  scale: [3, 1]
  layers:
    - {kind: Plot, shape: box, size: [4, 2], on: spot, lines: [[part]]}
    - {kind: Spot, shape: point, size: [4, 2]}
"""


def state(display: str = DISPLAY) -> State:
    return start(RULES, {"display.yaml": display, "locale/en.yaml": LOCALE}, seats=(2, 2))


def rows(s: State, width: int = 100, marks: dict[str, str] | None = None) -> list[str]:
    things = {s.game.things[id_]: mark for id_, mark in (marks or {}).items()}
    return [line.plain for line in board_lines(s, 1, "en", width, things)]


def test_a_tile_is_drawn_in_one_piece_across_the_seam() -> None:
    assert rows(state()) == [
        "+-----------+-----------+",
        "|   root    |   right   |",
        "+-----+-----+-----+-----+",
        "      |   below   |",
        "      +-----------+",
    ]


def test_empty_cells_that_can_be_chosen_have_their_numbers_and_sheets_stand_beside_each_other() -> None:
    drawn = rows(state(), 100, {"spot_2_0_1": "1", "spot_m3_0_1": "2", "spot_0_0_3": "3"})
    assert drawn == [
        "1                                                                 3",
        "                  +-----------+-----------+",
        "                  |   root    |   right   |                             3",
        "                  +-----+-----+-----+-----+",
        "      1                 |   below   |                 2",
        "                        +-----------+",
    ]


def test_sheets_that_do_not_fit_beside_each_other_stand_below() -> None:
    marks = {"spot_2_0_1": "1", "spot_m3_0_1": "2", "spot_0_0_3": "3"}
    drawn = rows(state(), 50, marks)
    assert max(map(len, drawn)) <= 50 and [row.strip() for row in drawn[-3:]] == ["3", "", "3"]


def test_what_moves_to_another_sheet_is_drawn_there() -> None:
    s = state()
    answer_all(s, "p1 spot_0_0_3")
    assert rows(s)[:2] == ["1" + 29 * " " + "3", "+-----------+-----------+     +-----------+-----------+"]


def test_hexes_stand_on_an_edge_and_east_is_drawn_to_the_lower_right() -> None:
    drawn = rows(state(DISPLAY.replace("shape: box, size: [4, 2]", "shape: hex")))
    assert drawn == [
        "   +-----+",
        "  /        \\",
        "+   root    +-----+",
        "  \\        /        \\",
        "   +-----+   right   +",
        "  /        \\        /",
        "+   below   +-----+",
        "  \\        /",
        "   +-----+",
    ]


def test_a_tile_may_be_drawn_on_all_that_it_covers() -> None:
    display = "map: {scale: [3, 1], layers: [{kind: Tile, shape: box, size: [4, 2], on: covers, lines: [[id]]}]}\n"
    assert sum(row.count("tile_1") for row in rows(state(display))) == 3


def test_all_cells_are_drawn_where_there_is_something_for_empty_ones() -> None:
    display = """
    map:
      scale: [1, 1]
      layers: [{kind: Square, shape: point, size: [4, 1], show_if: stone, blank: "·", lines: [[stone]]}]
    """
    assert [row.split() for row in rows(state(display))] == [["·", "p2", "·"], ["·", "·", "·"]]


def test_a_screen_shows_the_surroundings_of_the_options() -> None:
    s = state()
    things = {s.game.things["spot_m3_0_1"]: "2"}
    board = BoardPainter(s, 1, "en", 30, things).fit(6)
    assert board.windows == [frozenset(things)] and any("2" in line.plain for line in board.lines)


@pytest.mark.parametrize(
    "used, wraps, places",
    [
        ([-4, 4], True, {-4: -4, 4: -5}),
        ([-1, 0, 1], True, {-1: -1, 0: 0, 1: 1}),
        ([-4, 0, 4], False, {-4: -4, 0: 0, 4: 4}),
        ([3, 4, -4, -3], True, {-4: -4, -3: -3, 3: -6, 4: -5}),
    ],
)
def test_the_longest_gap_is_the_end(used: list[int], wraps: bool, places: dict[int, int]) -> None:
    assert unrolled(used, (-4, 4), wraps) == places


@pytest.mark.parametrize("typed", ["2/0 on 1", "(2, 0, 1)", "2 0 1", "Spot(2, 0, 1)", "spot 2 0 1", "spot_2_0_1"])
def test_a_cell_may_be_typed_as_it_is_shown_or_by_its_coordinates(typed: str) -> None:
    s = state()
    assert s.decision is not None and read_words(s.decision, typed, "en") == ["spot_2_0_1"]
