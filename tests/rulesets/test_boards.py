"""The boards of the classic games are what geometry says, and their larger boards can be played.

A square is a pair (column, row) read from its id; what touches what is worked out here from the pairs alone.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

import interpreter as rw
from interpreter.records.ruling import run_ruling

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
Square = tuple[int, int]
AROUND = {
    "north": (0, -1), "north_east": (1, -1), "east": (1, 0), "south_east": (1, 1),
    "south": (0, 1), "south_west": (-1, 1), "west": (-1, 0), "north_west": (-1, -1),
}  # fmt: skip


def board(path: str) -> dict[str, dict[str, Any]]:
    read: dict[str, dict[str, Any]] = yaml.safe_load((RULESETS / path).read_text(encoding="utf-8"))
    return read


def square(id_: str) -> Square:
    return ord(id_[0]) - ord("a") + 1, int(id_[1:])


def squares(ids: list[str]) -> set[Square]:
    assert len(set(ids)) == len(ids)
    return {square(id_) for id_ in ids}


def walk(start: Square, step: Square, inside: set[Square]) -> list[Square]:
    """The squares from here in one direction, nearest first."""
    found, (x, y) = [], start
    while (x := x + step[0], y := y + step[1]) in inside:
        found.append((x, y))
    return found


@pytest.mark.parametrize(
    ("path", "columns", "rows", "lines"),
    [
        # columns * (rows - 3) upright, (columns - 3) * rows across, twice (columns - 3) * (rows - 3) slanting
        ("connect_four/data/board.yaml", 7, 6, 21 + 24 + 24),
        ("connect_four/variants/eight_by_seven/data/board.yaml", 8, 7, 32 + 35 + 40),
    ],
)
def test_the_lines_of_connect_four(path: str, columns: int, rows: int, lines: int) -> None:
    data = board(path)
    inside = {(x, y) for x in range(1, columns + 1) for y in range(1, rows + 1)}
    assert squares(list(data["Cell"])) == inside
    for id_, column in data["Column"].items():
        assert [square(c) for c in column["cells"]] == [(square(id_ + "1")[0], y) for y in range(1, rows + 1)]
        assert column["top"] == column["cells"][-1]
    expected = set()
    for cell in inside:
        for step in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [cell, *walk(cell, step, inside)[:3]]
            if len(line) == 4:
                expected.add(frozenset(line))
    assert len(expected) == lines
    assert {frozenset(squares(line["cells"])) for line in data["Line"].values()} == expected
    assert len(data["Line"]) == lines
    for id_, cell in data["Cell"].items():
        assert set(cell["lines"]) == {name for name, line in data["Line"].items() if id_ in line["cells"]}


def test_the_lines_of_tic_tac_toe() -> None:
    data = board("tic_tac_toe/data/board.yaml")
    inside = {(x, y) for x in (1, 2, 3) for y in (1, 2, 3)}
    assert squares(list(data["Square"])) == inside
    expected = {
        frozenset([cell, *walk(cell, step, inside)])
        for cell in inside
        for step in ((1, 0), (0, 1), (1, 1), (1, -1))
        if len(walk(cell, step, inside)) == 2
    }
    assert len(expected) == 8
    assert {frozenset(squares(line["squares"])) for line in data["Line"].values()} == expected


@pytest.mark.parametrize(
    ("path", "size"),
    [("breakthrough/data/board.yaml", 8), ("breakthrough/variants/ten_by_ten/data/board.yaml", 10)],
)
def test_the_steps_of_breakthrough(path: str, size: int) -> None:
    data = board(path)["Square"]
    inside = {(x, y) for x in range(1, size + 1) for y in range(1, size + 1)}
    assert squares(list(data)) == inside
    for id_, record in data.items():
        x, y = square(id_)
        assert (record["column"], record["line"]) == (x, size + 1 - y)
        for name, dy in (("down", -1), ("up", 1)):
            assert squares(record[name]) == {(x + dx, y + dy) for dx in (-1, 0, 1)} & inside
        assert record.get("home", "none") == ("p1" if y >= size - 1 else "p2" if y <= 2 else "none")
        assert record.get("goal", "none") == {1: "p1", size: "p2"}.get(y, "none")


@pytest.mark.parametrize(("path", "size"), [("hex/data/board.yaml", 11), ("hex/variants/board_13/data/board.yaml", 13)])
def test_the_neighbours_of_hex(path: str, size: int) -> None:
    data = board(path)
    inside = {(x, y) for x in range(1, size + 1) for y in range(1, size + 1)}
    assert squares(list(data["Cell"])) == inside
    for id_, cell in data["Cell"].items():
        x, y = square(id_)
        six = {(x, y - 1), (x + 1, y - 1), (x + 1, y), (x, y + 1), (x - 1, y + 1), (x - 1, y)}
        assert squares(cell["next"]) == six & inside
    edges = {id_: (edge["owner"], squares(edge["cells"])) for id_, edge in data["Edge"].items()}
    assert edges == {
        "top_edge": ("p1", {cell for cell in inside if cell[1] == 1}),
        "bottom_edge": ("p1", {cell for cell in inside if cell[1] == size}),
        "left_edge": ("p2", {cell for cell in inside if cell[0] == 1}),
        "right_edge": ("p2", {cell for cell in inside if cell[0] == size}),
    }


def test_the_rays_of_othello() -> None:
    data = board("othello/data/board.yaml")["Square"]
    inside = {(x, y) for x in range(1, 9) for y in range(1, 9)}
    assert squares(list(data)) == inside
    for id_, record in data.items():
        rays = {name: [square(s) for s in ids] for name, ids in record["ray"].items()}
        expected = {name: walk(square(id_), step, inside) for name, step in AROUND.items()}
        assert rays == {name: ray for name, ray in expected.items() if ray}


@pytest.mark.parametrize("name", ["hex+board_13", "connect_four+eight_by_seven", "breakthrough+ten_by_ten"])
def test_a_larger_board_keeps_its_rulings_and_can_be_played(name: str) -> None:
    game = rw.load(name)
    own = [r for r in game.program.rulings.values() if "/variants/" in r.span.file]
    assert len(own) >= 2
    for ruling in own:
        assert run_ruling(game, ruling).passed, ruling.name
    chooser, state = random.Random(7), game.new(seats=2, seed=7)
    while not state.over:
        rw.apply(state, chooser.choice(rw.legal(state)))
    assert len(state.log) >= 7
