"""Cells by their coordinates, `Spot(1, -2)`, and by their distance from another, `shifted(c, 1, -1)`.

Both become look-ups in tables that are made from the bounds of the numbers: numbers without small bounds are brought
within such first, by `mod` on a lattice that wraps, else to just outside of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from dsl import ir
from dsl.base.types import ERROR, IntType, MemberType, bounds, key_count
from dsl.elaborate.context import Elaboration
from dsl.elaborate.core.build import BAD, key_offset, linear
from dsl.elaborate.core.scope import Scope, Val
from dsl.elaborate.core.types import need
from dsl.ir.lattices import TURNS, Lattice, turned, written
from dsl.symbols.symbols import KindSym
from dsl.syntax import nodes as sx

MOST_ITEMS = 1_000_000  # of a table


def cell_type(kind: KindSym, optional: bool) -> MemberType:
    return MemberType(kind.name, kind.low, kind.high, optional)


def table_get(elab: Elaboration, key: tuple[Any, ...], make: Callable[[], Iterator[int]], at: ir.Expr) -> ir.Expr:
    """Item `at` of a table, which is made when it is first needed."""
    if key not in elab.memo.lattice_tables:
        elab.memo.lattice_tables[key] = len(elab.model.tables_data)
        elab.model.tables_data.append(tuple(make()))
    return ir.TableGet(elab.memo.lattice_tables[key], at)


# ---------------------------------------------------------------- by coordinates


def cell(elab: Elaboration, node: sx.Call, kind: KindSym, scope: Scope) -> Val:
    """`Spot(q, r)`, `Spot(q, r, sheet)`."""
    m, lattice = elab.model, kind.lattice
    assert lattice is not None
    kind.used = True
    m.uses.append((node.func.span, kind.span))
    axes = lattice.axes
    if len(node.args) != len(axes):
        message = f"a `{kind.name}` has {len(axes)} coordinates, but got {len(node.args)}"
        m.error("RW0250", node.span, message, f"write `{kind.name}({', '.join(axes)})`")
        return BAD
    given = [elab.number(a.value, scope) for a in node.args]
    if any(v.t == ERROR for v in given):
        return BAD
    if all(isinstance(v.e, ir.Const) for v in given):
        at = tuple(v.e.value for v in given if isinstance(v.e, ir.Const))
        found = lattice.find(*at)
        if found is None:
            report_outside(elab, node, kind, at)
            return BAD
        return Val(ir.Const(kind.low + found), cell_type(kind, False))
    near = [coordinate(v, *side) for v, side in zip(given, sides(lattice), strict=False)]
    spans = tuple(bounds(v.t) for v in near)
    board = zip(spans, sides(lattice), strict=False)
    inside = all(round_ or least <= low and high <= most for (low, high), (least, most, round_) in board)

    def items() -> Iterator[int]:
        for at in product(*(range(low, high + 1) for low, high in spans)):
            found = lattice.find(*at)
            yield 0 if found is None else kind.low + found

    offset = key_offset(tuple(v.t for v in near), [v.e for v in near])
    return Val(table_get(elab, (kind.name, "cell", spans), items, offset), cell_type(kind, not inside))


def sides(lattice: Lattice) -> tuple[tuple[int, int, bool], ...]:
    """The least and the greatest of each coordinate, and whether it goes round."""
    return (*lattice.columns, lattice.wraps), (*lattice.rows, lattice.wraps), (1, max(1, lattice.sheets), False)


def report_outside(elab: Elaboration, node: sx.Expr, kind: KindSym, at: tuple[int, ...]) -> None:
    """Report that there is no cell with these coordinates."""
    lattice = kind.lattice
    assert lattice is not None
    named = zip(lattice.axes, sides(lattice), strict=False)
    help = ", ".join(f"{axis} from {low} to {high}" for axis, (low, high, _) in named)
    elab.model.error("RW0451", node.span, f"`{kind.name}` has no cell {written(at)}", f"it has {help}")


def coordinate(v: Val, low: int, high: int, wraps: bool) -> Val:
    """A coordinate within bounds that are not much wider than the board, with the same cell."""
    size = high - low + 1
    least, most = bounds(v.t)
    if low - size <= least and most <= high + size:
        return v
    if wraps:
        return Val(linear(low, [(modulo(linear(-low, [(v.e, 1)]), size), 1)]), IntType(low, high))
    return clamped(v, low - 1, high + 1)


def clamped(v: Val, low: int, high: int) -> Val:
    return Val(ir.Arith("max", ir.Arith("min", v.e, ir.Const(high)), ir.Const(low)), IntType(low, high))


def modulo(e: ir.Expr, size: int) -> ir.Expr:
    return ir.Const(e.value % size) if isinstance(e, ir.Const) else ir.Arith("mod", e, ir.Const(size))


# ---------------------------------------------------------------- by distance


def shifted(elab: Elaboration, node: sx.Call, args: list[sx.Expr], scope: Scope) -> Val:
    """`shifted(c, dq, dr)`, and `shifted(c, dq, dr, k)` with the offset turned."""
    m = elab.model
    start = elab.expr(args[0], scope)
    numbers = [elab.number(a, scope) for a in args[1:]]
    if start.t == ERROR or any(v.t == ERROR for v in numbers):
        return BAD
    kind = m.kind_of(start.t)
    if kind is None or kind.lattice is None:
        known = ", ".join(f"`{k.name}`" for k in m.kinds.values() if k.lattice)
        message = f"`{m.text(args[0].span)}` is `{start.t}`; `shifted` takes a cell of a lattice"
        m.error("RW0452", args[0].span, message, f"the lattices here: {known}" if known else "declare a `lattice`")
        return BAD
    start = need(m, start, kind.type, args[0].span)
    if start.t == ERROR:
        return BAD
    lattice = kind.lattice
    if len(numbers) == 3 and lattice.wraps and lattice.width != lattice.height:
        message = f"`{kind.name}` wraps and is not as wide as it is high, so nothing can be turned on it"
        m.error("RW0452", node.span, message, "make both of its ranges equally long")
        return BAD
    offset = offset_by(lattice, numbers[:2], len(numbers) == 3)
    if len(numbers) == 2:
        margins = (*bounds(offset[0].t), *bounds(offset[1].t))
        stride = lattice.width + margins[1] - margins[0]
        move = linear(-margins[2] * stride - margins[0], [(offset[1].e, stride), (offset[0].e, 1)])
    else:
        margins = margins_of_turns(lattice)
        found = move_of_turn(elab, kind, offset, numbers[2], margins)
        if found is None:
            message = "this offset is turned, and its numbers may be so large that no table of it is made"
            m.error("RW0452", node.span, message, "take it from constants with small bounds: `const q: -3..3`")
            return BAD
        move = found
    return Val(moved(elab, kind, start.e, margins, move), cell_type(kind, not lattice.wraps))


def margins_of_turns(lattice: Lattice) -> tuple[int, int, int, int]:
    """The bounds of a turned offset: there is no need to tell those apart that lead far outside of the board."""
    width, height = lattice.width, lattice.height
    return (0, width - 1, 0, height - 1) if lattice.wraps else (-width, width, -height, height)


def move_of_turn(
    elab: Elaboration, kind: KindSym, offset: list[Val], steps: Val, margins: tuple[int, int, int, int]
) -> ir.Expr | None:
    """A turned offset as a move in the grid with these margins; None if a table of it would be too large."""
    lattice = kind.lattice
    assert lattice is not None
    turns, spans = TURNS[lattice.shape], tuple(bounds(v.t) for v in offset)
    left, right, up, down = margins

    def items() -> Iterator[int]:
        for k, q, r in product(range(turns), *(range(low, high + 1) for low, high in spans)):
            column, row = turned(lattice.shape, q, r, k)
            if lattice.wraps:
                column, row = column % lattice.width, row % lattice.height
            column, row = max(left, min(right, column)), max(up, min(down, row))
            yield (row - up) * (lattice.width + right - left) + column - left

    keys = (IntType(0, turns - 1), offset[0].t, offset[1].t)
    if key_count(keys) > MOST_ITEMS:
        return None
    low, high = bounds(steps.t)
    turn = steps.e if 0 <= low and high < turns else modulo(steps.e, turns)
    at = key_offset(keys, [turn, offset[0].e, offset[1].e])
    return table_get(elab, (kind.name, "turn", spans), items, at)


def offset_by(lattice: Lattice, numbers: list[Val], turns: bool) -> list[Val]:
    """An offset within small bounds that leads to the same cell, also after a turn."""
    found = []
    for v, size in zip(numbers, (lattice.width, lattice.height), strict=True):
        far = 2 * max(lattice.width, lattice.height) if turns and not lattice.wraps else size
        low, high = bounds(v.t)
        if -far <= low and high <= far:
            found.append(v)
        elif lattice.wraps:
            found.append(Val(modulo(v.e, size), IntType(0, size - 1)))
        else:
            found.append(clamped(v, -far, far))
    return found


def moved(
    elab: Elaboration, kind: KindSym, start: ir.Expr, margins: tuple[int, int, int, int], move: ir.Expr
) -> ir.Expr:
    """The cell at `move` from a cell, both as numbers in a grid that is wider than the board by `margins`: the least
    and the greatest step in a row, then those from row to row."""
    lattice = kind.lattice
    assert lattice is not None
    left, right, up, down = margins
    stride, height = lattice.width + right - left, lattice.height + down - up

    def places() -> Iterator[int]:
        for n in range(lattice.size):
            rest, column = divmod(n, lattice.width)
            sheet, row = divmod(rest, lattice.height)
            yield (sheet * height + row) * stride + column

    def cells() -> Iterator[int]:
        for sheet in range(1, max(1, lattice.sheets) + 1):
            for row in range(lattice.rows[0] + up, lattice.rows[1] + down + 1):
                for column in range(lattice.columns[0] + left, lattice.columns[1] + right + 1):
                    found = lattice.find(column, row, sheet)
                    yield 0 if found is None else kind.low + found

    at = linear(-kind.low, [(start, 1)])
    if (left, up) != (right, down):
        at = table_get(elab, (kind.name, "place", stride, height), places, at)
    return table_get(elab, (kind.name, "moved", margins), cells, linear(0, [(at, 1), (move, 1)]))
