"""Loops over constant sets whose members are looked up in constant tables: loops over rows of table items instead.

Takes folds and the levels of questions, and gives the same ones over rows (`interpreter.backends.analysis.constants`)
and the heads of such loops. Loops that read words of the store by slices stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl import ir
from dsl.base.types import SetType
from interpreter.backends.analysis.constants import Range, Rows, conjuncts
from interpreter.backends.analysis.dataflow import free, walk
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.folds.inline import (
    MOST_UNROLLED,
    CellAddress,
    cell_address,
    consecutive_members,
    constant_members,
    is_short,
    slice_fold,
)
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.loads import row_size
from interpreter.backends.python.emit.ranges import simplify_test
from interpreter.choices.binding import Level

LEAST_SLICE = 3  # the least difference of the last and the first member of a slice
MOST_MEMBERS = 512  # of a set whose tables are compared with sums
NEEDS_NO_MEMBER = ("count", "any", "every")  # kinds of folds whose value does not need the member


def linearise(fn: Fn, e: ir.Fold) -> ir.Fold:
    """A fold with sums for tables that are arithmetic sequences, if there are any or it becomes a slice."""
    found = constant_members(e.binders[-1][1])
    if len(e.binders) > 1 or found is None or not 1 < len(found) <= MOST_MEMBERS:
        return e
    known = fn.ctx.constants.linearised(e, found)
    return known if known is not e and (fn.ctx.constants.is_linearised(e) or slice_fold(fn, known)) else e


def with_rows(fn: Fn, e: ir.Fold) -> ir.Fold:
    """A fold over rows, if it looks up its members in constant tables; else the fold."""
    slot, domain = e.binders[-1]
    if domain.kind not in ("set", "range", "list"):
        return e
    narrow = narrowed_domain(fn, slot, domain, () if e.where is None else conjuncts((e.where,)))
    if narrow is not None:
        domain, tests = narrow
        where = None if not tests else tests[0] if len(tests) == 1 else ir.And(tests)
        return replace(e, binders=(*e.binders[:-1], (slot, domain)), where=where)
    spread: ir.Fold = fn.ctx.constants.inlined(e)
    where, keys, body = spread.where, spread.keys, spread.body
    inner = tuple(x for x in (where, body, *(k for _, k in keys)) if x is not None)
    if slice_cells(fn, slot, domain, inner):
        return spread
    if not fn.ctx.constants.reads_tables_by(spread, slot) or row_fold(fn.ctx, slot, domain, inner):
        return e
    tests = () if where is None else conjuncts((where,))
    own = e.kind not in NEEDS_NO_MEMBER and (body is None or e.kind not in ("sum", "max", "min", "set", "list"))
    found = fn.ctx.constants.rows(slot, domain, tests, (keys, body), known_ranges(fn), own)
    if found is None:
        return e
    rows, left, (keys, body) = found
    where = None if not left else left[0] if len(left) == 1 else ir.And(left)
    return replace(e, binders=(*e.binders[:-1], (slot, rows)), where=where, keys=keys, body=body)


def level_with_rows(fn: Fn, level: Level) -> Level:
    """A level of a question over rows, if its tests look up the members in constant tables; else the level."""
    narrow = narrowed_domain(fn, level.slot, level.domain, conjuncts((*level.own, *level.joint)))
    if narrow is not None:
        return replace(level, domain=narrow[0], own=narrow[1], joint=())
    domain, tests = level.domain, conjuncts(fn.ctx.constants.inlined((*level.own, *level.joint)))
    found = constant_members(domain)
    if found is not None and 1 < len(found) <= MOST_MEMBERS:
        straight = fn.ctx.constants.linearise(tests, level.slot, found)
        if straight is not tests:
            level, tests = replace(level, own=straight, joint=()), straight
    if slice_cells(fn, level.slot, domain, tests):
        return replace(level, own=tests, joint=())
    rows = fn.ctx.constants.rows(level.slot, domain, tests, (), known_ranges(fn), True)
    return level if rows is None else replace(level, domain=rows[0], own=rows[1], joint=())


def narrowed_domain(
    fn: Fn, slot: int, domain: ir.Domain, tests: tuple[ir.Expr, ...]
) -> tuple[ir.Domain, tuple[ir.Expr, ...]] | None:
    """The intersection of a constant domain with a set that a test asks for, and the tests that are left."""
    if domain.kind != "set" or not isinstance(domain.a, ir.Const) or slice_cells(fn, slot, domain, tests):
        return None
    for n, test in enumerate(tests):
        match test:
            case ir.InSet(ir.Temp(at), ir.Cell(_, SetType()) | ir.FrameVar() | ir.Temp() as other) if (
                at == slot and slot not in free(other)
            ):
                return ir.Domain("set", ir.Arith("&", other, domain.a)), (*tests[:n], *tests[n + 1 :])
    return None


def known_ranges(fn: Fn) -> dict[int, Range]:
    return {**fn.names.ranges, **{slot: (v, v) for slot, v in fn.names.known.items()}}


def rows_head(fn: Fn, slot: int, rows: Rows) -> str:
    """The head of a loop over rows."""
    one = len(rows.slots) == 1
    groups = rows.items if rows.by is not None else (rows.items,)
    items = tuple(tuple(row[0] for row in group) if one else group for group in groups)
    if rows.by is None:
        source = fn.ctx.literal(items[0])
    else:
        name = fn.ctx.literal(items)
        if rows.strict:
            name = fn.ctx.named_constant(f"rows_from({name}, {rows.start})", "R")
        else:
            name = fn.ctx.named_constant(f"((),) * {rows.start} + {name}", "R")
        source = fn.hoist(f"{name}[{fn(rows.by)}]")
    names = [fn.bind(column, span) for column, span in zip(rows.slots, rows.spans, strict=True)]
    return f"for {', '.join(names)} in {source}"


# ------------------------------------------------------------ other forms of loops


def slice_cells(fn: Fn, slot: int, domain: ir.Domain, inner: Sequence[ir.Expr]) -> list[CellAddress]:
    """The addresses of the words that a loop over consecutive members reads first, if slices can give them."""
    found = consecutive_members(domain)
    if found is None or not inner or found[1] - found[0] < LEAST_SLICE:
        return []
    cells = list(dict.fromkeys(first_cells(simplify_test(fn, inner[0]), slot)))[:2]
    return [] if not fn.eager and any(c.others for c in cells) else cells


def row_fold(ctx: ModuleContext, slot: int, domain: ir.Domain, inner: Sequence[ir.Expr]) -> ir.Fold | None:
    """The fold over a short row of a relation that is the only reader of a member."""
    reads = [n for x in inner for n in walk(x) if n == ir.Temp(slot)]
    folds = [n for x in inner for n in walk(x) if isinstance(n, ir.Fold) and reads_row(n, slot)]
    if len(reads) != 1 or len(folds) != 1 or domain.kind != "set":
        return None
    row = folds[0].binders[0][1]
    assert isinstance(row.a, ir.TableGet)
    if not isinstance(domain.a, ir.TableGet) and not isinstance(domain.a, ir.Const):
        return None
    size = row_size(ctx.program, row.a.table)
    return folds[0] if 0 < size <= MOST_UNROLLED and is_short((folds[0].where, folds[0].body)) else None


def first_cells(test: ir.Expr, slot: int) -> Iterator[CellAddress]:
    """The addresses of the one-word cells of a member that a condition reads before all else."""
    match test:
        case ir.And(items) | ir.Or(items) if items:
            yield from first_cells(items[0], slot)
        case ir.Not(operand):
            yield from first_cells(operand, slot)
        case ir.Cell() if (found := cell_address(test, slot)) is not None:
            yield found
        case ir.Compare(_, left, right):
            for side in (left, right):
                found = cell_address(side, slot)
                if found is not None:
                    yield found


def reads_row(e: ir.Fold, slot: int) -> bool:
    """Whether a fold is over the row of a constant relation that belongs to a temp."""
    if len(e.binders) != 1 or e.kind not in ("any", "every", "count", "sum"):
        return False
    match e.binders[0][1]:
        case ir.Domain("set", ir.TableGet(_, ir.Linear(_, ((ir.Temp(at), 1),)))):
            return at == slot
    return False
