"""Reads in expressions: temps, frame variables, cells of the store, constant tables."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.program import Program
from interpreter.backends.analysis.dataflow import free, walk
from interpreter.backends.python.emit.addresses import address_parts, address_text, fits_variable, load
from interpreter.backends.python.emit.function import Fn
from interpreter.backends.python.emit.ranges import range_of
from interpreter.backends.python.emit.source import sum_text
from interpreter.core.words import SCALARS, members

FEW_KEYS = 64  # of a table by ranges that becomes a dictionary
FEW_CELLS = 3  # cells that are added one by one


def by_reference(fn: Fn, e: ir.Expr) -> str:
    """A node that the reference evaluates, with the temps that it needs."""
    fn.storage.sync()
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
        if not fits_variable(e.type):
            return load(fn, fn.storage.at(e.slot), e.type)
        found = fn.names.frame[e.slot] = fn.hold(load(fn, fn.storage.at(e.slot), e.type), "f")
    return found


def frame_item(fn: Fn, e: ir.FrameItem) -> str:
    fn.storage.sync()
    return load(fn, f"{fn.storage.at(e.slot)} + {fn(e.offset)}", e.type)


def load_variables(fn: Fn, parts: Sequence[ir.Expr]) -> None:
    """Load the frame variables of expressions that are evaluated many times, once and before."""
    for n in walk(tuple(parts)):
        if isinstance(n, ir.FrameVar) and fits_variable(n.type):
            fn(n)


def cell(fn: Fn, e: ir.Cell) -> str:
    if fn.cached_cells and isinstance(e.address, ir.Linear) and type(e.type) in SCALARS:
        for term, stride in e.address.terms:
            if stride > 0 and isinstance(term, ir.Temp):
                others = tuple(t for t in e.address.terms if t[0] != term)
                found = fn.cached_cells.get((fn.temp(term.slot), e.address.const, stride, others))
                if found is not None:
                    return found
    return load(fn, address_text(fn, e.address), e.type)


def cell_sum(fn: Fn, e: ir.CellSum) -> str:
    size = e.count * e.stride
    const, text = address_parts(fn, e.address)
    if fn.eager and text and not text.isidentifier() and e.count > 1:
        text = fn.hold(text)
    if e.count <= FEW_CELLS and not (text and "(" in text):
        cells = [sum_text(const + k * e.stride, text) for k in range(e.count)]
        return "(" + " + ".join(f"S[{at}]" for at in cells) + ")"
    if text and not text.isidentifier():
        if not fn.eager:
            return f"cells(S, {fn(e.address)}, {e.count}, {e.stride})"
        text = fn.hold(text)
    step = f":{e.stride}" if e.stride > 1 else ""
    return f"sum(S[{sum_text(const, text)}:{sum_text(const + size, text)}{step}])"


def linear_sum(fn: Fn, e: ir.Linear) -> str:
    const, text = address_parts(fn, e)
    if not text:
        return fn.constant(const)
    found = sum_text(const, text)
    return found if found.isidentifier() else f"({found})"


# ------------------------------------------------------------ constant tables


def table_get(fn: Fn, e: ir.TableGet) -> str:
    text = table_item(fn, e.table, e.offset, False)
    return fn.hoist(text) if text.startswith("P_") else text


def range_table(fn: Fn, e: ir.RangeTable) -> str:
    """The value of the first row whose range has the key, else that of the last."""
    size = sum(high - low + 1 for low, high, _ in e.rows)
    if size > FEW_KEYS or any(type(value) is not int for _, _, value in e.rows):
        return f"lookup({fn.ctx.literal(e.rows)}, {fn(e.key)})"
    found: dict[int, int] = {}
    for low, high, value in e.rows:
        for key in range(low, high + 1):
            found.setdefault(key, value)
    return f"{fn.ctx.named_constant(repr(found), 'D')}.get({fn(e.key)}, {e.rows[-1][2]})"


def table_item(fn: Fn, number: int, offset: ir.Expr, as_members: bool) -> str:
    """The text of an item of a constant table; `as_members`: a set as the tuple of its members."""
    items = fn.ctx.program.tables[number]
    const, text = address_parts(fn, offset)
    if not text and 0 <= const < len(items):
        return fn.ctx.literal(members(items[const]) if as_members else items[const])
    low, high = range_of(fn, offset)
    made = "members_of" if as_members else "table"
    if text and low >= 0 and high < len(items):
        pad = -const
        if 0 <= pad <= 4096:
            return f"{fn.ctx.named_constant(f'padded({number}, {pad}, {as_members})', 'P')}[{text}]"
    if text.isidentifier():
        return f"{fn.ctx.named_constant(f'{made}({number}, {-const})', 'M')}[{text}]"
    return f"{fn.ctx.named_constant(f'{made}({number}, 0)', 'M')}[{sum_text(const, text)}]"


def rows_item(fn: Fn, outer: int, offset: ir.Expr, table: int, const: int, shift: int) -> str:
    """The text of the rows of a relation for the members of an item of the table `outer`."""
    at, text = address_parts(fn, offset)
    by, index = (-at, text) if text.isidentifier() else (0, sum_text(at, text) or 0)
    return f"{fn.ctx.named_constant(f'rows_of({outer}, {by}, {table}, {const}, {shift})', 'R')}[{index}]"


def row_size(program: Program, number: int) -> int:
    """The number of members of each set of a constant table; 0 if they differ."""
    sizes = {mask.bit_count() for mask in program.tables[number] if type(mask) is int}
    return sizes.pop() if len(sizes) == 1 else 0
