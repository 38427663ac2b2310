"""Cells that a seat may see, and expressions that read cells that it may not see.

Evaluates expressions with a machine that records what they read; changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import width
from dsl.elaborate.core.reads import measured_cell, open_cells, open_parts, top_of
from dsl.program import PREDICATE
from interpreter.core.run import Run
from interpreter.core.words import Words
from interpreter.machine.machine import Machine
from interpreter.rules.layout import entry_at, holder_of, holder_width
from interpreter.rules.rules import Rules
from interpreter.visibility import audiences
from interpreter.visibility.static import openness


def sees_cell(rules: Rules, words: Words, entry: ir.LayoutEntry, thing: int, seat: int | None) -> bool:
    return audiences.sees(rules, words, entry.audience, entry.owner_fn, thing, seat)


def hidden_from(rules: Rules, words: Words, expr: ir.Expr, temps: Mapping[int, Any], seat: int | None) -> bool:
    """True if `expr` reads a cell that `seat` may not see."""
    return rules.has_secrets and _any_hidden(rules, words, _addresses_read(rules, words, expr, temps), seat)


def readers(rules: Rules, words: Words, expr: ir.Expr, temps: Mapping[int, Any]) -> tuple[int, ...] | None:
    """The seats that may see all that `expr` reads; None: everybody."""
    if openness(rules).is_open_expression(expr):
        return None
    addresses = _addresses_read(rules, words, expr, temps)
    if not _any_hidden(rules, words, addresses, None):
        return None
    return tuple(s for s in range(1, words[hdr.SEATS] + 1) if not _any_hidden(rules, words, addresses, s))


def options_hidden_from(rules: Rules, words: Words, seat: int | None) -> bool:
    """True if listing the options of the pending question reads a cell that `seat` may not see. It costs listing
    them."""
    machine = ReadingMachine(rules)
    machine.options(words)
    return _any_hidden(rules, words, machine.addresses, seat)


def unseen_by_predicate(rules: Rules, words: Words, seat: int) -> str:
    """The symbol that listing the options of the pending question reads, and that a predicate does not let `seat` see;
    empty if there is none."""
    machine = ReadingMachine(rules)
    machine.options(words)
    for address in machine.addresses:
        found = entry_at(rules, abs(address))
        seen_by = (found[0].audience, found[0].top if address < 0 else "") if found is not None else ()
        if found is not None and any(who.startswith(PREDICATE) for who in seen_by):
            if is_hidden(rules, words, address, seat):
                return found[0].symbol
    return ""


def _addresses_read(rules: Rules, words: Words, expr: ir.Expr, temps: Mapping[int, Any]) -> set[int]:
    machine = rules.cached(ReadingMachine)
    machine.addresses.clear()
    rules.evaluate(words, expr, temps, machine=machine)
    return machine.addresses


def _any_hidden(rules: Rules, words: Words, addresses: set[int], seat: int | None) -> bool:
    return any(is_hidden(rules, words, address, seat) for address in addresses)


def is_hidden(rules: Rules, words: Words, address: int, seat: int | None) -> bool:
    """True if `seat` may not see what was read at an address; below 0: no more than the top of the zone there."""
    found = entry_at(rules, abs(address))
    if found is None:
        return False
    entry, thing = found[0], holder_of(*found)
    if sees_cell(rules, words, entry, thing, seat):
        return False
    return address >= 0 or not audiences.sees(rules, words, entry.top, entry.owner_fn, thing, seat)


class ReadingMachine(Machine):
    """A machine that records the addresses of the declared cells that it reads, as a number below 0 where it reads the
    top of a zone alone. The size of a hidden zone is no secret, unless it reveals everything about the zone; nor are
    the backs of its things."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules.program)
        self.addresses: set[int] = set()
        parts = open_parts(rules.layout, rules.program.back_tables)
        looked_at: dict[int, Any] = {}  # nodes, by id, whose open cells are among these:
        passed_over: dict[int, Any] = {}
        tops = {entry.symbol for entry in rules.layout if entry.top}
        tops_read: dict[int, Any] = {}
        load, load_sum = self.ev[ir.Cell], self.ev[ir.CellSum]
        size, compare = self.ev[ir.Size], self.ev[ir.Compare]

        def read_cell(m: Run, e: Any, t: Any) -> Any:
            at = m.value(e.address, t)
            if id(e) in tops_read:
                self.addresses.add(-at)
            elif id(e) not in passed_over:
                self.addresses.update(range(at, at + width(e.type)))
            return load(m, e, t)

        def look(handler: Any) -> Any:
            """The handler of a node that may read of a hidden zone only what all see."""

            def handle(m: Run, e: Any, t: Any) -> Any:
                if id(e) not in looked_at:
                    looked_at[id(e)] = e
                    passed_over.update((id(cell), cell) for cell in open_cells(e, parts))
                    top = top_of(e)
                    if top is not None and top.symbol in tops:
                        tops_read[id(top)] = top
                return handler(m, e, t)

            return handle

        def read_sum(m: Run, e: Any, t: Any) -> Any:
            at = m.value(e.address, t)
            if not open_size(m, e, t, e.count):
                self.addresses.update(range(at, at + e.count * e.stride, e.stride))
            return load_sum(m, e, t)

        def measure(handler: Any) -> Any:
            """The handler of a size or a comparison: one that only measures a zone of known size reads nothing."""

            def handle(m: Run, e: Any, t: Any) -> Any:
                cell = measured_cell(e)
                if cell is None:
                    return handler(m, e, t)
                before = set(self.addresses)
                found = handler(m, e, t)
                if open_size(m, cell, t, 0):
                    self.addresses = before
                return found

            return handle

        def open_size(m: Run, cell: Any, t: Any, count: int) -> bool:
            found = entry_at(rules, m.value(cell.address, t))
            return found is not None and found[0].size_seen and count in (0, holder_width(found[0]))

        self.ev[ir.ByPlace] = lambda m, e, t: m.value(e.meaning, t)
        self.ev |= {ir.Cell: read_cell, ir.CellSum: read_sum, ir.Size: measure(size), ir.Compare: measure(compare)}
        if rules.program.back_tables or tops:
            self.ev |= {kind: look(self.ev[kind]) for kind in (ir.ListOp, ir.Fold, ir.TableGet)}
