"""Folds as one expression: tests of neighbouring words by slices, folds over a few known members unrolled.

The functions at the end recognise forms of expressions; loops and options use them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from dsl import ir
from dsl.base.types import BoolType
from interpreter.backends.analysis.dataflow import free, walk
from interpreter.backends.python.emit.addresses import address_parts
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.ranges import range_of
from interpreter.backends.python.emit.source import sum_text
from interpreter.core.words import SCALARS, members

MOST_ADDED = 4  # booleans that are added up one by one
MOST_UNROLLED = 6  # members of a constant domain whose fold is unrolled
MOST_NODES = 40  # nodes of a body that is unrolled


def is_inline(fn: Fn, e: ir.Fold) -> bool:
    """Whether a fold is written as one expression."""
    return bool(slice_fold(fn, e) or unroll_fold(fn, e))


def slice_fold(fn: Fn, e: ir.Fold) -> str | None:
    """Tests of neighbouring one-word cells for equality, by a slice."""
    if len(e.binders) != 1 or e.kind not in ("any", "every", "count", "sum", "max", "min"):
        return None
    if e.kind in ("max", "min") and e.where is not None:
        return None
    slot, domain = e.binders[0]
    found = consecutive_members(domain)
    if found is None:
        return None
    low, high = found
    asked = e.kind == "count" or (e.kind == "any" and e.body is None)
    test = e.where if asked else e.body
    if (e.body if asked else e.where) is not None:
        return None
    if e.kind == "sum":
        cells = cell_address(test, slot)
        if cells is None or (cells.others and not fn.eager):
            return None
        return f"sum({slice_text(fn, cells, low, high)})"
    negated = truths = False
    while isinstance(test, ir.Not):
        test, negated = test.operand, not negated
    match test:
        case ir.Cell(_, BoolType()):
            test, truths = ir.Compare("==", test, ir.Const(1)), True
        case ir.Compare(">", ir.Cell() as cell, ir.Const(0) as zero) if range_of(fn, cell)[0] >= 0:
            test = ir.Compare("!=", cell, zero)
    if not isinstance(test, ir.Compare) or test.op not in ("==", "!="):
        return None
    negated ^= test.op == "!="
    cells, other = cell_address(test.left, slot), test.right
    if cells is None:
        cells, other = cell_address(test.right, slot), test.left
    if cells is None or slot in free(other):
        return None
    if cells.others and not fn.eager:
        return None
    if truths and e.kind == "count" and not cells.others and high - low < MOST_ADDED:
        ones = [f"S[{cells.const + n * cells.stride}]" for n in range(low, high + 1)]
        return f"({len(ones)} - {' - '.join(ones)})" if negated else f"({' + '.join(ones)})"
    words, value = slice_text(fn, cells, low, high), fn(other)
    match e.kind, negated:
        case "any", False:
            return f"({value} in {words})"
        case "every", True:
            return f"({value} not in {words})"
        case "count", False:
            return f"{words}.count({value})"
        case "count", True:
            return f"({high - low + 1} - {words}.count({value}))"
    return None


def slice_text(fn: Fn, cells: CellAddress, low: int, high: int) -> str:
    base = address_parts(fn, ir.Linear(0, cells.others)) if cells.others else (0, "")
    text = fn.hold(base[1]) if base[1] else ""
    a, b = cells.const + base[0] + low * cells.stride, cells.const + base[0] + high * cells.stride + 1
    words = f"{sum_text(a, text)}:{sum_text(b, text)}"
    return f"S[{words}]" if cells.stride == 1 else f"S[{words}:{cells.stride}]"


def unroll_fold(fn: Fn, e: ir.Fold) -> str | None:
    """A fold over a few known members as one expression with a part for each."""
    if len(e.binders) != 1 or e.kind not in ("any", "every", "count", "sum", "max", "min"):
        return None
    if e.kind in ("max", "min") and e.where is not None:
        return None
    slot, domain = e.binders[0]
    found: Sequence[int | str] | None = cached_row(fn, domain) or constant_members(domain)
    if found is None or not 0 < len(found) <= MOST_UNROLLED or not is_short((e.where, e.body)):
        return None
    body, where = e.body, e.where
    parts = []
    for n, v in enumerate(found):
        before, fn.eager = fn.eager, fn.eager and (n == 0 or e.kind not in ("any", "every")) and where is None
        names = fn.names.copy()
        fn.names.temps[slot] = str(v)
        fn.names.known.pop(slot, None)
        fn.names.ranges.pop(slot, None)
        if isinstance(v, int):
            fn.names.known[slot], fn.names.ranges[slot] = v, (v, v)
        parts.append(unrolled_part(fn, e.kind, where, body, v))
        fn.names = type(names)(names.temps, names.known, names.ranges, fn.names.frame)
        fn.eager = before
    match e.kind:
        case "any":
            return f"({' or '.join(parts)})"
        case "every":
            return f"({' and '.join(parts)})"
        case "max" | "min" if len(parts) == 1:
            return parts[0]
        case "max" | "min" if len(parts) == 2 and fn.eager:
            a, b = (fn.hold(part) for part in parts)
            return f"({a} if {a} {'>' if e.kind == 'max' else '<'} {b} else {b})"
        case "max" | "min":
            return f"{e.kind}({', '.join(parts)})"
    return f"({' + '.join(parts)})"


def cached_row(fn: Fn, domain: ir.Domain) -> tuple[str, ...] | None:
    match domain:
        case ir.Domain("set", ir.TableGet(table, ir.Linear(const, ((ir.Temp(slot), 1),)))) if fn.rows:
            return fn.rows.get((fn.temp(slot), table, const))
    return None


def unrolled_part(fn: Fn, kind: str, where: ir.Expr | None, body: ir.Expr | None, v: int | str) -> str:
    if kind == "count":
        return f"(1 if {fn.test(where)} else 0)" if where is not None else "1"
    if kind in ("sum", "max", "min"):
        value = fn(body) if body is not None else str(v)
        return value if where is None else f"({value} if {fn.test(where)} else 0)"
    if kind == "any":
        tests = [t for t in (where, body) if t is not None]
        return f"({' and '.join(fn.test(t) for t in tests)})" if tests else "True"
    if body is None:
        return "True"
    return f"({fn.test(body)})" if where is None else f"(not {fn.test(where)} or {fn.test(body)})"


def is_short(parts: Any) -> bool:
    """Whether expressions are short and without loops."""
    nodes = list(walk(parts))
    return len(nodes) <= MOST_NODES and not any(isinstance(n, ir.Fold | ir.Reach) for n in nodes)


def is_filter(e: Any) -> TypeGuard[ir.Fold]:
    """Whether an expression filters a set: those members of another set that pass a test."""
    if not isinstance(e, ir.Fold) or e.kind != "set" or len(e.binders) != 1:
        return False
    slot, domain = e.binders[0]
    return domain.kind == "set" and e.body in (None, ir.Temp(slot))


def constant_members(domain: ir.Domain) -> tuple[int, ...] | None:
    match domain:
        case ir.Domain("set", ir.Const(int() as mask)):
            return members(mask)
        case ir.Domain("range", ir.Const(int() as a), ir.Const(int() as b)):
            return tuple(range(a, min(b, a + 64) + 1))
    return None


def consecutive_members(domain: ir.Domain) -> tuple[int, int] | None:
    """First and last member of a constant domain without gaps."""
    match domain:
        case ir.Domain("set", ir.Const(int() as mask)):
            found = members(mask)
            if len(found) > 1 and found[-1] - found[0] + 1 == len(found):
                return found[0], found[-1]
        case ir.Domain("range", ir.Const(int() as a), ir.Const(int() as b)) if a < b:
            return a, b
    return None


@dataclass(frozen=True, slots=True)
class CellAddress:
    """The address of a cell as a function of a temp: `const` plus `stride` times the temp plus other terms."""

    const: int
    stride: int
    others: tuple[tuple[ir.Expr, int], ...]


def cell_address(e: ir.Expr | None, slot: int) -> CellAddress | None:
    """The address of a one-word cell as a function of a temp; None if it is not of that form."""
    match e:
        case ir.Cell(ir.Linear(const, terms), t) if type(t) in SCALARS:
            mine = [stride for term, stride in terms if term == ir.Temp(slot)]
            others = tuple((term, stride) for term, stride in terms if term != ir.Temp(slot))
            if len(mine) == 1 and mine[0] > 0 and slot not in free(others):
                return CellAddress(const, mine[0], others)
    return None
