"""Choices may depend only on what the seat that is asked can see (docs/manual/16-knowledge.md).

A hidden zone or field `seen by owner` may be read through the asked actor itself; one that nobody sees may not be read.
The size of a hidden zone is public, unless that is all there is to know about it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from dsl import ir
from dsl.base.span import Span
from dsl.base.types import bounds, key_count, width
from dsl.elaborate.core.reads import measured_cell, nodes, open_cells, open_parts
from dsl.symbols.layout import Layout
from dsl.symbols.symbols import Model


class VisibilityCheck:
    """`hidden[symbol]` is the audience of state that not everybody sees. Nodes whose id is in `ignored` do not count as
    read."""

    def __init__(
        self, m: Model, layout: Layout, functions: Sequence[ir.Function | None], ignored: Container[int] = ()
    ) -> None:
        self.m = m
        self.hidden = {e.symbol: e.audience for e in layout.entries if e.audience != "all" and e.sort != "counter"}
        self.entries = {e.symbol: e for e in layout.entries}
        self.parts = open_parts(layout.entries, {f.table for f in m.all_fields() if f.back})
        self.functions = functions
        self.ignored = ignored
        self.known: dict[int, list[tuple[str, Any]]] = {}

    def check(self, sites: Sequence[ir.Site]) -> None:
        """Report every choice that depends on hidden state."""
        if not self.hidden:
            return
        for site in sites:
            rest = (
                tuple(a.binders for a in site.alternatives),
                site.each,
                tuple((b.amount, b.weight) for b in site.bounds),
            )
            parts: list[tuple[Any, Span]] = [((rest, site.keys), site.span)]
            parts += [(g.test, g.span) for a in site.alternatives for g in a.guards]
            parts += [(g.test, g.span) for g in site.such_that]
            for part, span in parts:
                self.check_part(part, span, site)

    def check_part(self, part: Any, span: Span, site: ir.Site) -> None:
        for symbol, through in self.reads(part):
            if self.hidden[symbol].startswith("fn:"):
                continue  # who sees it by a predicate is known only in play
            if self.hidden[symbol] == "owner" and through in (site.actor, site.seat):
                continue
            who = "only its owner sees" if self.hidden[symbol] == "owner" else "nobody sees"
            self.m.error(
                "RW1210",
                span,
                f"a choice is decided by `{symbol}`, which {who}",
                "decide it by what the one who is asked can see, or let the owner choose",
            )
            return

    def reads(self, parts: Any) -> list[tuple[str, Any]]:
        """(hidden symbol, holder it is read through) of everything that the nodes read; the holder is None where it is
        not a single thing."""
        found: list[tuple[str, Any]] = []
        skipped: set[int] = set()
        for node in nodes(parts, self.ignored):
            measured = self.size_read(node)
            if measured is not None:
                skipped.add(id(measured))
            skipped.update(map(id, open_cells(node, self.parts)))
            if isinstance(node, (ir.Cell, ir.CellSum)) and node.symbol in self.hidden and id(node) not in skipped:
                found.append((node.symbol, self.holder(node.symbol, node.address)))
            elif isinstance(node, ir.CallFn):
                for symbol, through in self.function_reads(node.fn):
                    slot = through.slot if isinstance(through, ir.Temp) else -1
                    found.append((symbol, node.args[slot] if 0 <= slot < len(node.args) else None))
        return found

    def size_read(self, node: Any) -> Any:
        """The cell of which a node reads only the size, where that is public; else None."""
        cell = measured_cell(node)
        entry = self.entries.get(cell.symbol) if cell is not None else None
        if cell is None or entry is None or not entry.size_seen:
            return None
        whole = key_count(entry.dims[1:] if "." in entry.symbol else entry.dims) * width(entry.type)
        return cell if isinstance(cell, ir.Cell) or cell.count == whole else None

    def function_reads(self, number: int) -> list[tuple[str, Any]]:
        if number not in self.known:
            self.known[number] = []
            fn = self.functions[number]
            if fn is not None:
                self.known[number] = self.reads(fn.body)
        return self.known[number]

    def holder(self, symbol: str, address: Any) -> Any:
        """The thing whose column an address reads: the first term of its sum, or a constant thing."""
        if isinstance(address, ir.Const):
            entry = self.entries[symbol]
            if not entry.dims:
                return None
            size = width(entry.type) * key_count(entry.dims[1:])
            return ir.Const(bounds(entry.dims[0])[0] + (address.value - entry.base) // size)
        return address.terms[0][0] if isinstance(address, ir.Linear) and address.terms else None
