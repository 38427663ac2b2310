"""What expressions read: temps, frame variables, cells of the store, constant tables."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.program import Program
from interpreter.backends.analysis.dataflow import free, walk
from interpreter.backends.python.emit.addresses import added, address_of, keeps, linear, load
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.ranges import range_of
from interpreter.core.words import SCALARS, members

FEW_KEYS = 64  # of a table by ranges that becomes a dictionary
FEW_CELLS = 3  # cells that are added one by one


def by_reference(fn: Fn, e: ir.Expr) -> str:
    """A node that the reference reads, with the temps that it needs."""
    fn.storage.settle()
    pairs = "".join(f"({slot}, {fn.temp(slot)})," for slot in sorted(free(e)))
    fn.ctx.by_reference.add(type(e).__name__)
    return f"see({fn.ctx.object(e)}, ({pairs}))"


def const(fn: Fn, e: ir.Const) -> str:
    return fn.constant(e.value)


def temp_value(fn: Fn, e: ir.Temp) -> str:
    return fn.temp(e.slot)


def frame_var(fn: Fn, e: ir.FrameVar) -> str:
    found = fn.names.frame.get(e.slot)
    if found is None:
        if not keeps(e.type):
            return load(fn, fn.storage.at(e.slot), e.type)
        found = fn.names.frame[e.slot] = fn.hold(load(fn, fn.storage.at(e.slot), e.type), "f")
    return found


def frame_item(fn: Fn, e: ir.FrameItem) -> str:
    fn.storage.settle()
    return load(fn, f"{fn.storage.at(e.slot)} + {fn(e.offset)}", e.type)


def ready(fn: Fn, parts: Sequence[ir.Expr]) -> None:
    """Read the frame variables of what is evaluated many times, once."""
    for n in walk(tuple(parts)):
        if isinstance(n, ir.FrameVar) and keeps(n.type):
            fn(n)


def cell(fn: Fn, e: ir.Cell) -> str:
    if fn.cells and isinstance(e.address, ir.Linear) and type(e.type) in SCALARS:
        for term, stride in e.address.terms:
            if stride > 0 and isinstance(term, ir.Temp):
                others = tuple(t for t in e.address.terms if t[0] != term)
                found = fn.cells.get((fn.temp(term.slot), e.address.const, stride, others))
                if found is not None:
                    return found
    return load(fn, address_of(fn, e.address), e.type)


def cell_sum(fn: Fn, e: ir.CellSum) -> str:
    size = e.count * e.stride
    const, text = linear(fn, e.address)
    if fn.sure and text and not text.isidentifier() and e.count > 1:
        text = fn.hold(text)
    if e.count <= FEW_CELLS and not (text and "(" in text):
        cells = [added(const + k * e.stride, text) for k in range(e.count)]
        return "(" + " + ".join(f"S[{at}]" for at in cells) + ")"
    if text and not text.isidentifier():
        if not fn.sure:
            return f"cells(S, {fn(e.address)}, {e.count}, {e.stride})"
        text = fn.hold(text)
    step = f":{e.stride}" if e.stride > 1 else ""
    return f"sum(S[{added(const, text)}:{added(const + size, text)}{step}])"


def linear_sum(fn: Fn, e: ir.Linear) -> str:
    const, text = linear(fn, e)
    if not text:
        return fn.constant(const)
    found = added(const, text)
    return found if found.isidentifier() else f"({found})"


# ------------------------------------------------------------ constant tables


def table_get(fn: Fn, e: ir.TableGet) -> str:
    text = table_item(fn, e.table, e.offset, False)
    return fn.lift(text) if text.startswith("P_") else text


def range_table(fn: Fn, e: ir.RangeTable) -> str:
    """The first row that a key lies in, else the last."""
    size = sum(high - low + 1 for low, high, _ in e.rows)
    if size > FEW_KEYS or any(type(value) is not int for _, _, value in e.rows):
        return f"lookup({fn.ctx.literal(e.rows)}, {fn(e.key)})"
    found: dict[int, int] = {}
    for low, high, value in e.rows:
        for key in range(low, high + 1):
            found.setdefault(key, value)
    return f"{fn.ctx.head(repr(found), 'D')}.get({fn(e.key)}, {e.rows[-1][2]})"


def table_item(fn: Fn, number: int, offset: ir.Expr, as_members: bool) -> str:
    """The text of an item of a constant table; as the tuple of its members where it is a set."""
    items = fn.ctx.program.tables[number]
    const, text = linear(fn, offset)
    if not text and 0 <= const < len(items):
        return fn.ctx.literal(members(items[const]) if as_members else items[const])
    low, high = range_of(fn, offset)
    made = "members_of" if as_members else "table"
    if text and low >= 0 and high < len(items):
        pad = -const
        if 0 <= pad <= 4096:
            return f"{fn.ctx.head(f'padded({number}, {pad}, {as_members})', 'P')}[{text}]"
    if text.isidentifier():
        return f"{fn.ctx.head(f'{made}({number}, {-const})', 'M')}[{text}]"
    return f"{fn.ctx.head(f'{made}({number}, 0)', 'M')}[{added(const, text)}]"


def rows_item(fn: Fn, outer: int, offset: ir.Expr, table: int, const: int, shift: int) -> str:
    """The text of the rows of a relation that belong to the members of an item of another."""
    at, text = linear(fn, offset)
    if not text.isidentifier():
        return f"{fn.ctx.head(f'rows_of({outer}, 0, {table}, {const}, {shift})', 'R')}[{added(at, text) or 0}]"
    return f"{fn.ctx.head(f'rows_of({outer}, {-at}, {table}, {const}, {shift})', 'R')}[{text}]"


def row_size(program: Program, number: int) -> int:
    """How many members the sets of a constant table have, if all have as many; else 0."""
    sizes = {mask.bit_count() for mask in program.tables[number] if type(mask) is int}
    return sizes.pop() if len(sizes) == 1 else 0
