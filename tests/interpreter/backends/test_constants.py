"""Constant tables in loops over known members: sums for arithmetic sequences, rows for the others; the values are
those of the reference, whatever is in the store."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from dsl import ir
from dsl.base.types import INT, IntType, MemberType
from dsl.program import Program
from interpreter.backends.native.games import NativeGames
from interpreter.core.errors import RulesetError
from interpreter.core.words import Words, new_store, put
from interpreter.machine.machine import Machine
from tests.interpreter.build import END, Build, C, among, equal, numbers
from tests.native import needs_wasmtime

SPOT = MemberType("Spot", 1, 8)
WORD = IntType(0, 3)
SPOTS = among(*range(1, 9))
DIRECTIONS = among(1, 2, 3)
EVEN, UNEVEN, RAYS, MATES = range(4)

LADDER = (10, 13, 16, 19, 22, 25, 28, 31)  # three more for each spot
STEPS = (5, 1, 8, 2, 2, 7, 0, 3)
LINES = (
    ((2, 3, 4), (), (9, 17)), ((3, 4), (1,), (10,)), ((4,), (2, 1), ()), ((), (3, 2, 1), (12, 20, 28)),
    ((6, 7), (), ()), ((7, 8), (5,), (14,)), ((8,), (6, 5), (15, 23)), ((), (7, 6, 5), ()),
)  # fmt: skip
GROUPS = tuple(sum(1 << v for v in spots) for spots in ((2, 3), (1,), (), (5, 6, 7), (4,), (8,), (1, 8), (2, 4)))


def temp(slot: int, add: int = 0) -> ir.Expr:
    return ir.Linear(add, ((ir.Temp(slot), 1),)) if add else ir.Temp(slot)


def item(table: int, slot: int) -> ir.TableGet:
    return ir.TableGet(table, temp(slot, -1))


def ray(s: int, d: int) -> ir.MapItem:
    return ir.MapItem(item(RAYS, s), temp(d, -1))


class Board:
    """Forty words that values read, and the functions 0.. of a person `p` in temp 0 and a spot in temp 1."""

    def __init__(self) -> None:
        b = self.build = Build()
        b.tables += [LADDER, STEPS, LINES, GROUPS]
        self.base = b.words
        b.words += 40
        b.layout.append(ir.LayoutEntry("Spot.flag", self.base, (MemberType("Spot", 0, 39),), WORD, "field"))
        b.proc("main", ir.Jump(END))

    def cell(self, at: ir.Expr) -> ir.Cell:
        return ir.Cell(ir.Linear(self.base, ((at, 1),)), WORD, "Spot.flag")

    def value(self, body: ir.Expr) -> int:
        number = self.build.function(f"f{len(self.build.functions)}", body, 2, 40)
        function = self.build.functions[number]
        self.build.functions[number] = replace(function, params=(("p", WORD), ("s", SPOT)))
        return number

    def program(self) -> Program:
        return self.build.program()


def fold(kind: str, slot: int, domain: ir.Domain, where: ir.Expr | None = None, body: ir.Expr | None = None) -> ir.Fold:
    return ir.Fold(kind, ((slot, domain),), where, (), body)


def encloses(board: Board, s: int, d: int) -> ir.Expr:
    """The first spot of a line holds 2, and the first that holds something else holds p."""
    front = ir.ListOp("front", (ray(s, d),))
    x = fold("first", 9, ir.Domain("list", ray(s, d)), ir.Not(equal(board.cell(ir.Temp(9)), C(2))), ir.Temp(9))
    held = ir.And((ir.Not(equal(ir.Temp(10), C(0))), equal(board.cell(ir.Temp(10)), ir.Temp(0))))
    return ir.And((ir.Not(equal(front, C(0))), equal(board.cell(front), C(2)), ir.Let(10, x, held)))


def bodies(board: Board) -> dict[str, ir.Expr]:
    cell, p = board.cell, ir.Temp(0)
    return {
        "even": fold("any", 2, SPOTS, equal(cell(item(EVEN, 2)), p)),
        "even_count": fold("count", 2, SPOTS, equal(cell(item(EVEN, 2)), p)),
        "even_set": fold("set", 2, SPOTS, equal(cell(item(EVEN, 2)), p), ir.Temp(2)),
        "uneven": fold(
            "every", 2, SPOTS, None, ir.Or((equal(cell(item(UNEVEN, 2)), p), ir.Not(equal(cell(temp(2)), C(1)))))
        ),
        "greatest": ir.Fold("max", ((2, SPOTS),), equal(cell(item(EVEN, 2)), p), (), item(UNEVEN, 2), empty=-1),
        "by_table": fold("sum", 2, SPOTS, ir.Compare(">", item(UNEVEN, 2), C(2)), cell(temp(2, 4))),
        "first": fold("first", 2, SPOTS, equal(cell(item(UNEVEN, 2)), p), ir.Temp(2)),
        "lines_of_one": fold("any", 2, DIRECTIONS, encloses(board, 1, 2)),
        "lines_of_one_set": fold("set", 2, DIRECTIONS, encloses(board, 1, 2), ir.Temp(2)),
        "lines_of_all": fold("count", 3, SPOTS, fold("any", 2, DIRECTIONS, encloses(board, 3, 2))),
        "no_line": fold("every", 3, SPOTS, None, ir.Not(fold("any", 2, DIRECTIONS, encloses(board, 3, 2)))),
        "groups": fold("count", 2, SPOTS, fold("any", 4, ir.Domain("set", item(MATES, 2)), equal(cell(temp(4)), p))),
        "some_group": fold("sum", 4, ir.Domain("set", item(MATES, 1)), equal(cell(item(EVEN, 4)), p), item(UNEVEN, 4)),
        "not_there": fold("any", 2, among(*range(1, 12)), equal(cell(item(UNEVEN, 2)), p)),
    }


def game_of(name: str) -> tuple[Board, Program]:
    """A game without questions that writes down the value of a body for each spot and person."""
    board = Board()
    b = board.build
    body = bodies(board)[name]
    number = board.value(ir.Size("set", body) if name.endswith("_set") else body)
    first = b.words
    for n in range(4 * 9):
        b.field(f"out{n}", INT)
    out = ir.Linear(first, ((ir.Temp(6), 9), (ir.Temp(7), 1)))
    value = ir.CallFn(number, (ir.Temp(6), ir.Temp(7)))
    write = ir.Store(out, INT, value, "out")
    b.proc("game", ir.Run((ir.For(6, numbers(0, 3), (ir.For(7, numbers(1, 8), (write,)),)),)))
    return board, board.program()


@needs_wasmtime
@pytest.mark.parametrize("name", sorted(bodies(Board())))
def test_values_are_those_of_the_reference(name: str) -> None:
    board, program = game_of(name)
    machine, games = Machine(program), NativeGames(Machine(program), worth=1)
    chance, seen = random.Random(7), set()
    for _ in range(60):
        words = new_store(board.build.blank()[1])
        put(words, board.base, board.base + 40, [chance.choice((0, 1, 2, 3)) for _ in range(40)])
        machine.start(words, program.entry)
        found: list[Any] = []
        for player in (machine, games):
            ends: list[Words] = []
            try:
                player.playouts(words, 1, random.Random(1), 9, ends)
                found.append([end.tolist() for end in ends])
            except RulesetError as fault:
                found.append(fault.message)
        assert found[0] == found[1], (name, words[board.base : board.base + 40])
        seen.add(str(found[0]))
    assert any(games.beginnings.modules.values()) and not games.notice
    assert len(seen) > 1 or name == "not_there"
