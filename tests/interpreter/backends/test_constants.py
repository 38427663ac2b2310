"""Constant tables in loops over known members: sums for arithmetic sequences, rows for the others; the values are
those of the reference, whatever is in the store."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from dsl import ir
from dsl.base.types import IntType, MemberType
from dsl.program import Program
from interpreter.backends.analysis.constants import Constants, Rows
from interpreter.backends.analysis.dataflow import facts
from interpreter.backends.python.compile.machine import PythonMachine
from interpreter.backends.python.compile.module import write
from interpreter.core.errors import RulesetError
from interpreter.machine.machine import Machine
from tests.interpreter.build import END, Build, C, among, equal

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


def values_of_both(program: Program, words: list[int], number: int, args: list[int], machines: Any) -> list[Any]:
    found = []
    for m in machines:
        try:
            found.append(m.eval_fn(words, number, args[:]))
        except RulesetError as fault:
            found.append(fault.message)
    return found


@pytest.mark.parametrize("name", sorted(bodies(Board())))
def test_values_are_those_of_the_reference(name: str) -> None:
    board = Board()
    number = board.value(bodies(board)[name])
    program = board.program()
    machines = Machine(program), PythonMachine(program)
    rng, seen = random.Random(7), set()
    for _ in range(150):
        words = [0] * program.state_words
        words[board.base : board.base + 40] = [rng.choice((0, 1, 2, 3)) for _ in range(40)]
        args = [rng.randrange(4), rng.randrange(1, 9)]
        one, other = values_of_both(program, words, number, args, machines)
        assert one == other, (name, args, words[board.base : board.base + 40])
        seen.add(str(one))
    assert len(seen) > 1 or name == "not_there"


def test_an_even_table_becomes_a_slice() -> None:
    board = Board()
    board.value(bodies(board)["even"])
    at = board.base
    assert f"S[{at + 10}:{at + 32}:3]" in write(board.program(), False).source


def test_lines_are_rows_of_ready_addresses() -> None:
    """Of spot 1 only the ways that have a first spot are left: up to 2, and over 9; each row has the address of that
    spot and the line."""
    board = Board()
    number = board.value(bodies(board)["lines_of_one"])
    program = board.program()
    constants = Constants(program, facts(program))
    body = constants.inlined(program.functions[number].body)
    found = constants.rows(2, body.binders[0][1], body.where.items, None, {1: (1, 8)}, False)
    assert found is not None
    domain, left, _ = found
    rows = domain.a
    assert isinstance(rows, Rows) and rows.by == ir.Temp(1) and rows.start == 1
    assert rows.items[0] == ((board.base + 2, (2, 3, 4)), (board.base + 9, (9, 17)))
    assert len(left) == 2  # what the store says is left to be asked


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ((4, 6, 8, 10), ir.Linear(2, ((ir.Temp(5), 2),))),  # 2 + 2 * member, for members 1..4
        ((9, 7, 5, 3), ir.Linear(11, ((ir.Temp(5), -2),))),
        ((6, 6, 6, 6), C(6)),
        ((1, 2, 4, 7), None),
    ],
)
def test_what_is_an_even_sequence(table: tuple[int, ...], line: ir.Expr | None) -> None:
    b = Build()
    b.tables.append(table)
    b.proc("main", ir.Jump(END))
    program = b.program()
    read = ir.TableGet(0, ir.Linear(-1, ((ir.Temp(5), 1),)))
    assert Constants(program, facts(program)).linearise(read, 5, (1, 2, 3, 4)) == (read if line is None else line)
