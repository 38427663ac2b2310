"""The observation of a seat in low code: the numbers that it sees of the store, equal to those of `view`.

First come the seat that looks, the seat that is asked and the number of the question; then the declared cells, with
`HIDDEN` for what the seat may not see, and for a hidden zone of public size that size first; then the places of
things, where zones may hide them. `tools.adapters.observations` defines the same.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ListType, MapType, SetType, SparseType, bounds, key_count, width
from dsl.program import ALL, NOBODY, OWNER, PREDICATE, SKIPPED
from interpreter.backends.low.base.context import SEERS, TOP_SEERS, Lowering
from interpreter.backends.low.base.kinds import Unsupported
from interpreter.backends.low.base.make import ZERO, add, bit, both, either, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.functions import FUNCTION
from interpreter.backends.low.whole.zones import zone
from interpreter.core.words import HIDDEN

OBSERVE, FILL = "observe", "fill_hidden"
"""Functions: write the observation of a seat at an address; fill words there with `HIDDEN`."""

HEAD = 3  # words in front of the cells
FEW = 8  # words that are filled without a call


def write(lo: Lowering, table: int) -> int:
    """Write the functions; `table`: that of all zones. Gives the words of an observation."""
    _write_fill(lo)
    entries = [e for e in lo.program.layout if e.sort not in SKIPPED]
    with lo.function(OBSERVE, ("seat", "asked", "site", "at")) as w:
        for k, name in enumerate(("seat", "asked", "site")):
            w.store(Local("at"), k, Local(name))
        seats = lo.program.domains[lo.program.seat_kind].values
        reader = w.let(add(Local("seat"), seats[0] - 1))
        to = HEAD
        for open_, base, size, entry in _pieces(entries):
            if open_:
                w.emit(low.Copy(add(Local("at"), to), Num(base), Num(size)))
                to += size
            else:
                to = _private(lo, entry, reader, to)
        if any(e.audience != ALL for e in entries):
            to = _known(lo, table, to)
        w.give(ZERO)
    return to


def _pieces(entries: list[ir.LayoutEntry]) -> list[tuple[bool, int, int, ir.LayoutEntry]]:
    """The entries in their order, those that all see as regions: one where they lie next to each other."""
    found: list[tuple[bool, int, int, ir.LayoutEntry]] = []
    for entry in entries:
        open_, size = entry.audience == ALL, key_count(entry.dims) * width(entry.type)
        if open_ and found and found[-1][0] and found[-1][1] + found[-1][2] == entry.base:
            found[-1] = (True, found[-1][1], found[-1][2] + size, entry)
        else:
            found.append((open_, entry.base, size, entry))
    return found


def _private(lo: Lowering, entry: ir.LayoutEntry, reader: Expr, to: int) -> int:
    """Write what a seat sees of an entry that not all see; gives where the next one is written."""
    owned = "." in entry.symbol and bool(entry.dims)
    size = key_count(entry.dims[1:] if owned else entry.dims) * width(entry.type)
    if not owned:
        _holder(lo, entry, ZERO, reader, Num(entry.base), add(Local("at"), to), size)
        return to + size
    lowest, highest = bounds(entry.dims[0])
    things = [thing for thing in range(lowest, highest + 1) if thing not in entry.absent]
    for first, count in _runs(things):
        base = entry.base + (first - lowest) * size

        def one(n: Expr, first: int = first, base: int = base, to: int = to) -> None:
            by = lo.w.let(scale(n, size))
            _holder(lo, entry, add(n, first), reader, add(by, base), add(Op("+", Local("at"), by), to), size)

        lo.w.upto(ZERO, Num(count), one)
        to += count * size
    return to


def _runs(things: list[int]) -> list[tuple[int, int]]:
    """Things that follow each other: the first one, and how many."""
    found: list[tuple[int, int]] = []
    for thing in things:
        if found and sum(found[-1]) == thing:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((thing, 1))
    return found


def _holder(lo: Lowering, entry: ir.LayoutEntry, thing: Expr, reader: Expr, base: Expr, to: Expr, size: int) -> None:
    """Write what a seat sees of the cells of one holder."""
    w = lo.w
    base, to = w.let(base), w.let(to)

    def shown() -> None:
        w.emit(low.Copy(to, base, Num(size)))

    def hidden() -> None:
        if size > FEW:
            w.call(FILL, to, Num(size))
        else:
            for k in range(size):
                w.store(to, k, Num(HIDDEN))
        each = width(entry.type)
        if entry.size_seen and entry.sort in ("pieces", "slot", "zone"):

            def measured(n: Expr) -> None:
                by = w.let(scale(n, each))
                w.store(Op("+", to, by), 0, _size(lo, entry, w.let(Op("+", base, by))))

            w.upto(ZERO, Num(size // each), measured)

    w.when(_sees(lo, entry, thing, reader), shown, hidden)


def _sees(lo: Lowering, entry: ir.LayoutEntry, thing: Expr, reader: Expr) -> Expr:
    """A test that the reader, a seat as a thing, may see the cells of a holder."""
    if entry.audience == NOBODY:
        return ZERO
    if entry.audience == OWNER:
        seats = lo.program.domains[lo.program.seat_kind].values
        is_seat = both(Op(">=", thing, Num(seats[0])), Op("<=", thing, Num(seats[-1])))
        owner: Expr = ZERO
        if entry.owner_fn >= 0:
            owner = low.Choice(thing, low.Call(lo.want(FUNCTION, entry.owner_fn), (thing,)), ZERO)
        return Op("==", low.Choice(is_seat, thing, owner), reader)
    number = int(entry.audience.removeprefix(PREDICATE))
    args = (thing, reader)
    return low.Call(lo.want(FUNCTION, number), args[len(args) - len(lo.program.functions[number].params) :])


def _size(lo: Lowering, entry: ir.LayoutEntry, base: Expr) -> Expr:
    """The amount of what is in a hidden zone: its pieces, or its things."""
    each = width(entry.type)
    if entry.sort == "pieces":
        return _sum([low.Load(base, k) for k in range(each)])
    if entry.sort == "slot":
        return Op("!=", low.Load(base), ZERO)
    match entry.type:
        case SetType():
            return _sum([low.Ones(low.Load(base, k)) for k in range(each)])
        case ListType():
            return low.Load(base)
        case MapType() | SparseType():
            raise Unsupported("a hidden zone that is a map")
    return Op("!=", low.Load(base), ZERO)


def _sum(parts: list[Expr]) -> Expr:
    found: Expr = ZERO
    for part in parts:
        found = add(found, part)
    return found


def _known(lo: Lowering, table: int, to: int) -> int:
    """Write the places of the things whose place is known; gives what follows behind them."""
    w, program = lo.w, lo.program
    things = [(thing, address) for thing, address in enumerate(program.placed) if address]
    data = lo.memory.words([n for pair in things for n in pair])

    def one(n: Expr) -> None:
        row = w.let(scale(n, 2))
        thing, place = w.let(low.Load(row, data)), w.let(low.Load(low.Load(row, data + 1)))
        shown = bit(low.Load(thing, program.known_base), Local("seat")) if program.known_base else ZERO
        seen = either(low.Not(place), either(shown, bit(low.Call(SEERS, (place,)), Local("seat"))))
        if any(z.top for z in program.zones):
            base = zone(lo, place, table).base
            first = both(low.Load(base), Op("==", low.Load(base, 1), thing))
            seen = either(seen, both(bit(low.Call(TOP_SEERS, (place,)), Local("seat")), first))
        w.store(Op("+", Local("at"), n), to, low.Choice(seen, place, Num(HIDDEN)))

    w.upto(ZERO, Num(len(things)), one)
    return to + len(things)


def _write_fill(lo: Lowering) -> None:
    with lo.function(FILL, ("at", "count")) as w:
        w.upto(ZERO, Local("count"), lambda n: w.store(Op("+", Local("at"), n), 0, Num(HIDDEN)))
        w.give(ZERO)
