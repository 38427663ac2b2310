"""Lattices (docs/manual/21-lattices.md): kinds of cells, cells by their coordinates and by their distance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interpreter as rw
from dsl.ir.lattices import Lattice, turned
from tests.concepts.play import answer_all, cell, code, errors, game, options, play_on_both, start, value
from tools.commands.ruling_names import names_for_rulings

RULES = """
lattice Spot: hex by -4..4, -4..4, 1..3 wraps
lattice Torus: square by 0..3, -1..4 wraps
lattice Square: square by 1..4, 1..3
    field stone: Seat or none
lattice Board: hex by 0..5, -2..2
enum Part: root, right, below
table east by Part
    root: 0
    right: 1
    below: 0
table south by Part
    root: 0
    right: 0
    below: 1
kind Tile from "tiles.yaml"
    const home: Spot
    const field_of_view: set of Square
    const spare: Square or none
    field at: Spot or none
    field last: Square = Square(2, 3)

value placed(): set of Tile = set(t in Tile where t.at is not none)
value covers(at: Spot): set of Spot = set(p in Part: shifted(at, east[p], south[p]))
value land(ts: set of Tile): set of Spot
    = set(t in ts, p in Part where t.at is not none: shifted(t.at, east[p], south[p]))
value fits(at: Spot, taken: set of Spot): bool = not any(c in covers(at): c in taken)
value beside(at: Spot, taken: set of Spot): bool = any(c in covers(at): any(d in c.next: d in taken))
value places(taken: set of Spot): set of Spot = set(at in Spot where fits(at, taken) and beside(at, taken))
value touch(t: Tile, u: Tile): bool = any(c in land({t}): any(d in c.next: d in land({u})))
value island(t: Tile): set of Tile = reach(u in {t}, v in Tile where touch(u, v))
value near(c: Square): set of Square = c.next
value spot_next(c: Spot): set of Spot = c.next
value coordinates(c: Spot): int = c.q * 100 + c.r * 10 + c.sheet
value moved(c: Spot, q: int, r: int): Spot = shifted(c, q, r)
value moved_turned(c: Spot, q: int, r: int, k: int): Spot = shifted(c, q, r, k)
value one_torus(c: Torus, x: int, y: int): Torus = shifted(c, x, y)
value one_square(c: Square, x: int, y: int): Square or none = shifted(c, x, y)
value square_turned(c: Square, x: int, y: int, k: int): Square or none = shifted(c, x, y, k)
value near_turned(c: Square, x: -1..2, y: 0..1, k: 0..3): Square or none = shifted(c, x, y, k)
value east_of(c: Square): Square or none = shifted(c, 1, 0)
value on_board(c: Board, q: int, r: int, k: int): Board or none = shifted(c, q, r, k)
value spot_at(q: int, r: int, s: int): Spot or none = Spot(q, r, s)
value same_sheet(c: Spot, q: int, r: int): Spot = Spot(q, r, c.sheet)
value square_at(x: int, y: int): Square or none = Square(x, y)

phase game
    set first_tile.at to Spot(1, -2, 3)
    set second_tile.at to first_tile.home
    choose at in places(land({first_tile})) by p1
    set second_tile.at to at
    choose c in Square where c.stone is none by p2
    set c.stone to p2
    choose number n in 0..size(island(first_tile)) by p1
"""
DATA = {
    "tiles.yaml": """
    Tile:
      first_tile: {home: [4, -4, 2], field_of_view: [[1, 1], [4, 3]]}
      second_tile: {home: spot_0_m1_1, spare: [2, 2]}
    """
}
SPOT = Lattice("hex", (-4, 4), (-4, 4), 3, True)
TORUS = Lattice("square", (0, 3), (-1, 4), 0, True)
SQUARE = Lattice("square", (1, 4), (1, 3))
BOARD = Lattice("hex", (0, 5), (-2, 2))
LATTICES = {"Spot": SPOT, "Torus": TORUS, "Square": SQUARE, "Board": BOARD}
PLAYED: list[rw.State] = []


def played() -> rw.State:
    """One game for all laws, which change nothing in it."""
    if not PLAYED:
        PLAYED.append(game(RULES, DATA).new())
    return PLAYED[0]


def test_cells_are_made_from_coordinates() -> None:
    program = game(RULES, DATA).program
    assert program.domains["Square"].ids[:5] == ("square_1_1", "square_2_1", "square_3_1", "square_4_1", "square_1_2")
    assert program.domains["Spot"].ids[0] == "spot_m4_m4_1" and len(program.domains["Spot"].ids) == 9 * 9 * 3
    s = played()
    assert value(s, "coordinates", "spot_m3_2_3") == -300 + 20 + 3
    assert value(s, "near", "square_1_1") == ["square_2_1", "square_1_2"]
    beside = "spot_0_m1_1 spot_1_m1_1 spot_m1_0_1 spot_1_0_1 spot_m1_1_1 spot_0_1_1".split()
    assert value(s, "spot_next", "spot_0_0_1") == beside


def test_cells_are_numbered_behind_all_other_kinds() -> None:
    program = game(RULES, DATA).program
    assert max(program.domains["Tile"].values) < min(program.domains["Spot"].values)


def test_tiles_lie_on_cells_and_a_place_is_one_answer() -> None:
    s = start(RULES, DATA)
    places = options(s)
    assert len(places) == len(set(places)) == 12 and "spot_2_m1_3" in places and "spot_1_m2_3" not in places
    assert cell(s, "second_tile.at") == "spot_4_m4_2" and cell(s, "second_tile.last") == "square_2_3"
    assert value(s, "island", "first_tile") == ["first_tile"]
    answer_all(s, "p1 spot_2_m1_3", "p2 square_4_3")
    assert value(s, "island", "first_tile") == ["first_tile", "second_tile"] and options(s) == ["0", "1", "2"]
    assert cell(s, "square_4_3.stone") == "p2"
    play_on_both(s.game.program, 2)


def test_a_cell_is_shown_by_its_coordinates() -> None:
    s = start(RULES, DATA)
    texts = {o.ids[0]: o.text("en") for o in s.decision.options} if s.decision else {}
    assert texts["spot_2_m1_3"] == "(2, -1, 3)"


def number(kind: str, at: int | None) -> str:
    """The id of a cell by its number."""
    return "none" if at is None else played().game.program.domains[kind].ids[at]


small = st.integers(-30, 30)
steps = st.integers(-13, 13)


@given(small, small, st.integers(-1, 5))
def test_the_cell_at_coordinates(q: int, r: int, sheet: int) -> None:
    s = played()
    assert value(s, "spot_at", q, r, sheet) == number("Spot", SPOT.find(q, r, sheet))
    assert value(s, "same_sheet", "spot_0_0_2", q, r) == number("Spot", SPOT.find(q, r, 2))
    assert value(s, "square_at", q, r) == number("Square", SQUARE.find(q, r))


@given(st.integers(0, SPOT.size - 1), small, small, small, small, steps)
def test_shifts_add_up_and_turns_go_round(n: int, a: int, b: int, q: int, r: int, k: int) -> None:
    s, c = played(), number("Spot", n)
    once = value(s, "moved", c, a, b)
    assert value(s, "moved", once, q, r) == value(s, "moved", c, a + q, b + r)
    assert value(s, "moved", once, -a, -b) == c
    assert value(s, "moved_turned", c, q, r, 0) == value(s, "moved_turned", c, q, r, 6) == value(s, "moved", c, q, r)
    assert value(s, "moved_turned", c, q, r, k) == value(s, "moved", c, *turned("hex", q, r, k))
    assert value(s, "moved_turned", c, q, r, k + 3) == value(s, "moved_turned", c, -q, -r, k)
    both = value(s, "moved_turned", value(s, "moved_turned", c, a, b, k), q, r, k)
    assert both == value(s, "moved_turned", c, a + q, b + r, k)


@given(st.sampled_from(["Torus", "Square", "Board"]), st.data(), small, small, steps)
def test_shifts_on_other_boards(kind: str, data: st.DataObject, x: int, y: int, k: int) -> None:
    s, lattice = played(), LATTICES[kind]
    n = data.draw(st.integers(0, lattice.size - 1))
    c, (column, row) = number(kind, n), lattice.coordinates(n)
    if kind != "Board":
        there = lattice.find(column + x, row + y)
        assert value(s, f"one_{kind.lower()}", c, x, y) == number(kind, there)
    if kind != "Torus":
        q, r = turned(lattice.shape, x, y, k)
        name = "on_board" if kind == "Board" else "square_turned"
        assert value(s, name, c, x, y, k) == number(kind, lattice.find(column + q, row + r))


def test_small_bounds_and_fixed_steps_give_the_same() -> None:
    s = played()
    for n in range(SQUARE.size):
        c, (x, y) = number("Square", n), SQUARE.coordinates(n)
        assert value(s, "east_of", c) == number("Square", SQUARE.find(x + 1, y))
        for dx in range(-1, 3):
            for k in range(4):
                q, r = turned("square", dx, 1, k)
                assert value(s, "near_turned", c, dx, 1, k) == number("Square", SQUARE.find(x + q, y + r))


def test_what_lies_beside_lies_one_step_away_and_the_other_way_round() -> None:
    for lattice in LATTICES.values():
        for n in range(lattice.size):
            column, row, *sheet = lattice.coordinates(n)
            ways = [turned(lattice.shape, 1, 0, k) for k in range(6 if lattice.shape == "hex" else 4)]
            around = {lattice.find(column + q, row + r, *sheet) for q, r in ways} - {None}
            assert set(lattice.beside(n)) == around
            assert all(n in lattice.beside(m) for m in lattice.beside(n))


def test_constants_in_data_are_coordinates() -> None:
    s = played()
    program = s.game.program
    table, _ = program.consts["Tile.field_of_view"]
    mask = sum(1 << code(s, id_, program.consts["Tile.spare"][1]) for id_ in ("square_1_1", "square_4_3"))
    assert program.tables[table][0] == mask
    assert program.tables[program.consts["Tile.spare"][0]] == (
        0,
        code(s, "square_2_2", program.consts["Tile.spare"][1]),
    )


@pytest.mark.parametrize(
    "line, found",
    [
        ("lattice L: triangle by 0..1, 0..1", "RW0450"),
        ("lattice L: hex by 0..1", "RW0450"),
        ("lattice L: hex by 0..1, 0..1, 0..2", "RW0450"),
        ("lattice L: hex by 0..1, Seat", "RW0450"),
        ("lattice L: hex by 5..1, 0..1", "RW0450"),
        ("lattice L: hex by 0..999, 0..999", "RW0450"),
        ("lattice L: hex by 0..1, 0..1\n    field q: 0..3", "RW0202"),
        ("value v(): Square = Square(9, 9)", "RW0451"),
        ("value v(): Square = Square(1)", "RW0250"),
        ("value v(x: int): Square = Square(x, 1)", "RW0401"),
        ("value v(x: int): Spot = Spot(0, 0, x)", "RW0401"),
        ("value v(): Square = shifted(square_1_1, 1, 0)", "RW0401"),
        ("value v(t: Tile): Spot = shifted(t.at, 1, 0)", "RW0401"),
        ("value v(t: Tile): Spot = shifted(t, 1, 0)", "RW0452"),
        ("value v(c: Torus): Torus = shifted(c, 1, 0, 1)", "RW0452"),
        ("value v(c: Torus): Torus = shifted(c, 1)", "RW0250"),
    ],
)
def test_mistakes(line: str, found: str) -> None:
    assert [e.code for e in errors(RULES + "\n" + line + "\n", DATA)] == [found]


@pytest.mark.parametrize("at", ["[9, 9]", "[1]", "[one, 2]", "{x: 1}"])
def test_coordinates_in_data_that_are_none(at: str) -> None:
    data = {"tiles.yaml": DATA["tiles.yaml"].replace("spare: [2, 2]", f"spare: {at}")}
    wanted = "RW0314" if at == "[9, 9]" else "RW0312"
    assert [e.code for e in errors(RULES, data)] == [wanted]


def test_cells_are_listed_for_rulings_by_their_coordinates() -> None:
    members = {named.name: named.detail for named in names_for_rulings(game(RULES, DATA).program)["members"]}
    assert members["Spot(q, r, sheet)"] == "q -4..4, r -4..4, sheet 1..3"
    assert members["Square(x, y)"] == "x 1..4, y 1..3" and "Spot" not in members
