"""Which declared cells a seat may see, by address.

`cells` walks the layout; `hidden_from` reads an expression and says whether it touches a cell that the reader may
not see. Both only look.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import bounds, key_count, width
from dsl.elaborate.core.reads import measured_cell
from interpreter.core.run import Run
from interpreter.machine.machine import Machine
from interpreter.visibility import audiences

if TYPE_CHECKING:
    from interpreter.session.game import Game


def holder_dims(entry: ir.LayoutEntry) -> int:
    """1 if the first dimension is the thing that the cells belong to (`Kind.name`), 0 for global state."""
    return 1 if "." in entry.symbol and entry.dims else 0


def holders(entry: ir.LayoutEntry) -> Iterator[tuple[int, int]]:
    """(thing, address of its first cell) for each holder; (0, base) for global state."""
    if not holder_dims(entry):
        yield 0, entry.base
        return
    low, high = bounds(entry.dims[0])
    size = inner(entry)
    for number, thing in enumerate(range(low, high + 1)):
        yield thing, entry.base + number * size


def inner(entry: ir.LayoutEntry) -> int:
    """Words of one holder."""
    return key_count(entry.dims[holder_dims(entry) :]) * width(entry.type)


def sees_cell(game: Game, words: list[int], entry: ir.LayoutEntry, thing: int, seat: int | None) -> bool:
    return audiences.sees(game, words, entry.audience, entry.owner_fn, thing, seat)


def entry_at(game: Game, address: int) -> tuple[ir.LayoutEntry, int] | None:
    """The layout entry that a word belongs to, with the number of the item (row-major over its dimensions)."""
    entries = game.layout
    at = bisect.bisect_right(entries, address, key=lambda e: e.base) - 1
    if at < 0:
        return None
    entry = entries[at]
    number = (address - entry.base) // width(entry.type)
    return (entry, number) if number < key_count(entry.dims) else None


def holder_of(entry: ir.LayoutEntry, number: int) -> int:
    """The thing that item `number` of an entry belongs to; 0 for global state."""
    if not holder_dims(entry):
        return 0
    return bounds(entry.dims[0])[0] + number // key_count(entry.dims[1:])


def hidden_from(game: Game, words: list[int], expr: ir.Expr, temps: Mapping[int, Any], seat: int | None) -> bool:
    """Whether reading `expr` touches a cell that `seat` may not see."""
    return game.secrets and _any_hidden(game, words, _read(game, words, expr, temps), seat)


def readers(game: Game, words: list[int], expr: ir.Expr, temps: Mapping[int, Any]) -> tuple[int, ...] | None:
    """The seats that may see all that `expr` reads; None: everybody."""
    if game.openness.expression(expr):
        return None
    addresses = _read(game, words, expr, temps)
    if not _any_hidden(game, words, addresses, None):
        return None
    return tuple(s for s in range(1, words[hdr.SEATS] + 1) if not _any_hidden(game, words, addresses, s))


def options_hidden_from(game: Game, words: list[int], seat: int | None) -> bool:
    """Whether listing the options of the pending question touches a cell that `seat` may not see."""
    machine = ReadingMachine(game)
    machine.options(words)
    return _any_hidden(game, words, machine.read, seat)


def _read(game: Game, words: list[int], expr: ir.Expr, temps: Mapping[int, Any]) -> set[int]:
    machine = game.reader
    machine.read.clear()
    game.evaluate(words, expr, temps, machine=machine)
    return machine.read


def _any_hidden(game: Game, words: list[int], addresses: set[int], seat: int | None) -> bool:
    for address in addresses:
        found = entry_at(game, address)
        if found is not None and not sees_cell(game, words, found[0], holder_of(*found), seat):
            return True
    return False


class ReadingMachine(Machine):
    """A machine that notes which declared cells it reads. How much lies in a hidden zone is no secret, unless that is
    all there is to know of it."""

    def __init__(self, game: Game) -> None:
        super().__init__(game.program)
        self.read: set[int] = set()
        load, load_sum = self.ev[ir.Cell], self.ev[ir.CellSum]
        size, compare = self.ev[ir.Size], self.ev[ir.Compare]

        def one(m: Run, e: Any, t: Any) -> Any:
            at = m.value(e.address, t)
            self.read.update(range(at, at + width(e.type)))
            return load(m, e, t)

        def many(m: Run, e: Any, t: Any) -> Any:
            at = m.value(e.address, t)
            if not open_size(m, e, t, e.count):
                self.read.update(range(at, at + e.count * e.stride, e.stride))
            return load_sum(m, e, t)

        def measure(handler: Any) -> Any:
            """A size or a comparison: of a zone that is only asked how much it holds nothing is read."""

            def handle(m: Run, e: Any, t: Any) -> Any:
                cell = measured_cell(e)
                if cell is None:
                    return handler(m, e, t)
                before = set(self.read)
                found = handler(m, e, t)
                if open_size(m, cell, t, 0):
                    self.read = before
                return found

            return handle

        def open_size(m: Run, cell: Any, t: Any, count: int) -> bool:
            found = entry_at(game, m.value(cell.address, t))
            return found is not None and found[0].size_seen and count in (0, inner(found[0]))

        self.ev[ir.ByPlace] = lambda m, e, t: m.value(e.meaning, t)
        self.ev |= {ir.Cell: one, ir.CellSum: many, ir.Size: measure(size), ir.Compare: measure(compare)}
