"""Sight of values, that is, if one reads what a seat may not see: a module of its own, whose functions note each cell
that they read.

The same question as `interpreter.visibility.cells.hidden_from`, of the same values as the readings of a page. A value
is noted where it is read, so what a function finds out without reading a cell tells nothing about it. The host copies
the store in; what cannot be lowered has no function, and counts as hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import bounds, key_count, width
from dsl.elaborate.core.reads import measured_cell, nodes, open_cells, open_parts, top_of
from dsl.ir.walk import free
from dsl.program import ALL, NOBODY, OWNER, PREDICATE, Program
from interpreter.backends.low.base.context import FRESH, Bound, Held, Later, Lowering, LoweringTables
from interpreter.backends.low.base.kinds import Number, Unsupported, kind_of
from interpreter.backends.low.base.make import ONE, ZERO, add, both, either, word
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.functions import FUNCTION, value_to_give
from interpreter.backends.low.values.numbers import place_of
from interpreter.backends.low.whole.driver import write_fresh
from interpreter.backends.low.whole.lowering import TABLES, Lowered, finished, guarded, write_wanted
from interpreter.backends.low.whole.readings import Reading

HIDES = "hides"  # and the number of a reading: of the thing of a seat (0: an onlooker) and its arguments
LOOKS = (ir.ListOp, ir.Fold, ir.TableGet)  # nodes that may read of a hidden zone only what all see

Audience = tuple[str, int, Expr]  # who sees, the function that gives the owner of a thing, the thing


class CellNotes:
    """Facts of the cells of a program: their entries, and the nodes that read only what all see, or a top."""

    def __init__(self, program: Program, values: Sequence[ir.Expr]) -> None:
        self.entries = {e.symbol: e for e in program.layout}
        self.open: dict[int, Any] = {}
        self.tops: dict[int, Any] = {}
        parts = open_parts(program.layout, program.back_tables)
        for node in nodes((tuple(values), tuple(f.body for f in program.functions))):
            if isinstance(node, LOOKS):
                self.open |= {id(cell): cell for cell in open_cells(node, parts)}
                top = top_of(node)
                if top is not None and top.symbol in self.entries and self.entries[top.symbol].top:
                    self.tops[id(top)] = top
        self.reader = self.hidden = 0  # where the thing of the seat lies, and whether something is hidden from it


def lower_secrets(program: Program, readings: Mapping[int, Reading]) -> Lowered | None:
    """The module for these readings, by their numbers; None if it has no function."""
    return guarded(lambda: _lower(program, readings)) if readings else None


def _lower(program: Program, readings: Mapping[int, Reading]) -> Lowered:
    notes = CellNotes(program, [reading.value for reading in readings.values()])
    lo = Lowering(program, noting(notes))
    lo.gaps = []
    notes.reader, notes.hidden = lo.memory.room(1), lo.memory.room(1)
    for number, reading in readings.items():
        try:
            _write(lo, notes, number, reading)
        except Unsupported:
            continue
    write_fresh(lo)
    write_wanted(lo)
    return finished(lo)


def _write(lo: Lowering, notes: CellNotes, number: int, reading: Reading) -> None:
    if reading.order is not None:
        raise Unsupported("a value in the scope of an order")
    bound: dict[int, Bound] = {slot: Later(ir.Const(0), {}) for slot in free(reading.value)}
    for slot, t in reading.args:
        bound[slot] = Held(_number(t), (f"a{slot}",))
    with lo.function(f"{HIDES}{number}", ("seat", *(f"a{slot}" for slot, _ in reading.args)), exported=True) as w:
        w.call(FRESH)
        w.put(notes.reader, Local("seat"))
        w.put(notes.hidden, ZERO)
        lo.bound = bound
        w.emit(low.Do(value_to_give(lo, reading.value, kind_of(reading.type))))
        w.give(word(notes.hidden))
    if lo.orders:
        raise Unsupported("trials")


def _number(t: Any) -> Number:
    kind = kind_of(t)
    if not isinstance(kind, Number):
        raise Unsupported("a set or list that the host gives")
    return kind


# ------------------------------------------------------------ the tables


def noting(notes: CellNotes) -> LoweringTables:
    """The tables of a lowering that notes what it reads."""

    def read(handler: Callable[[Lowering, Any], Any]) -> Callable[[Lowering, Any], Any]:
        def handle(lo: Lowering, e: ir.Cell) -> Any:
            note_cell(lo, notes, e)
            return handler(lo, e)

        return handle

    def measure(handler: Callable[[Lowering, Any], Any]) -> Callable[[Lowering, Any], Any]:
        """A handler that counts nothing as read where a node only measures a zone of known size."""

        def handle(lo: Lowering, e: Any) -> Any:
            cell = measured_cell(e)
            entry = notes.entries.get(cell.symbol) if cell is not None else None
            if entry is None or not entry.size_seen:
                return handler(lo, e)
            before = lo.w.let(word(notes.hidden))
            found = lo.w.let(handler(lo, e))
            lo.w.put(notes.hidden, before)
            return found

        return handle

    def add_up(lo: Lowering, e: ir.CellSum) -> Expr:
        note_sum(lo, notes, e)
        return TABLES.numbers[ir.CellSum](lo, e)

    numbers = {
        **TABLES.numbers,
        ir.Cell: read(TABLES.numbers[ir.Cell]),
        ir.CellSum: add_up,
        ir.Size: measure(TABLES.numbers[ir.Size]),
        ir.Compare: measure(TABLES.numbers[ir.Compare]),
        ir.ByPlace: lambda lo, e: lo.number(e.meaning),
    }
    sets = {
        **TABLES.sets,
        ir.Cell: read(TABLES.sets[ir.Cell]),
        ir.ByPlace: lambda lo, e: lo.members(e.meaning),
    }
    rows = {**TABLES.rows, ir.Cell: read(TABLES.rows[ir.Cell]), ir.ByPlace: lambda lo, e: lo.row(e.meaning)}
    kinds = {**TABLES.kinds, ir.ByPlace: lambda lo, e: lo.kind(e.meaning)}
    return LoweringTables(kinds, numbers, sets, rows, TABLES.statements)


def note_cell(lo: Lowering, notes: CellNotes, e: ir.Cell) -> None:
    entry = notes.entries.get(e.symbol)
    if entry is None or entry.audience == ALL or id(e) in notes.open:
        return
    audiences = [entry.audience, *([entry.top] if id(e) in notes.tops else [])]
    _note(lo, notes, entry, e.address, audiences, -(-width(e.type) // _step(entry)))


def note_sum(lo: Lowering, notes: CellNotes, e: ir.CellSum) -> None:
    entry = notes.entries.get(e.symbol)
    if entry is None or entry.audience == ALL:
        return
    if entry.size_seen and e.count in (0, _step(entry)):
        return
    _note(lo, notes, entry, e.address, [entry.audience], -(-e.count * e.stride // _step(entry)))


def _step(entry: ir.LayoutEntry) -> int:
    """The words of one holder of an entry; of all of it if it has no holders."""
    return key_count(entry.dims[1:] if _is_owned(entry) else entry.dims) * width(entry.type)


def _is_owned(entry: ir.LayoutEntry) -> bool:
    return "." in entry.symbol and bool(entry.dims)


def _note(
    lo: Lowering, notes: CellNotes, entry: ir.LayoutEntry, address: ir.Expr, audiences: list[str], holders: int
) -> None:
    """Note that the cells of so many holders are read, from an address on."""
    w = lo.w
    first: Expr = ZERO
    if _is_owned(entry):
        place = place_of(lo, address)
        at = w.let(add(add(place.base, place.offset), -entry.base))
        first = w.let(add(Op("/u", at, Num(_step(entry))), bounds(entry.dims[0])[0]))
    for n in range(holders if _is_owned(entry) else 1):
        seen: Expr = ZERO
        for audience in audiences:
            seen = either(seen, sees(lo, notes, (audience, entry.owner_fn, add(first, n))))
        w.emit(low.If(low.Not(seen), (low.Store(ZERO, notes.hidden, ONE),)))


def sees(lo: Lowering, notes: CellNotes, whom: Audience) -> Expr:
    """A test that the reader is in an audience."""
    audience, owner_fn, thing = whom
    if audience == ALL:
        return ONE
    reader = word(notes.reader)
    if audience == NOBODY:
        return ZERO
    if audience == OWNER:
        seats = lo.program.domains[lo.program.seat_kind].values
        is_seat = both(Op(">=", thing, Num(seats[0])), Op("<=", thing, Num(seats[-1])))
        owner = ZERO if owner_fn < 0 else low.Choice(thing, _quietly(lo, notes, owner_fn, [thing]), ZERO)
        return both(reader, Op("==", low.Choice(is_seat, thing, owner), reader))
    number = int(audience.removeprefix(PREDICATE))
    args = [thing, reader]
    found = _quietly(lo, notes, number, args[len(args) - len(lo.program.functions[number].params) :])
    return both(reader, found)


def _quietly(lo: Lowering, notes: CellNotes, number: int, args: Sequence[Expr]) -> Expr:
    """The result of a function whose own reading is not noted."""
    w = lo.w
    before = w.let(word(notes.hidden))
    found = w.let(low.Call(lo.want(FUNCTION, number), tuple(args)))
    w.put(notes.hidden, before)
    return found
