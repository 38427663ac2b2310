"""Which kinds of pieces lie in a pool, kept as a list beside the store in a function that plays a whole game.

A pool of several kinds is a row of counts. Where options or draws go through the kinds that are there, a Python
variable holds their list, and another one the number of pieces: changes of the counts change them, and they are made
anew (None: they must be) where changes are not plain.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dsl import ir
from dsl.base.types import MapType, MemberType, width
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.transfers import Pieces
from interpreter.core.words import SCALARS, members


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of one pool: member m is counted by word m + `const`."""

    symbol: str
    const: int
    low: int
    high: int

    @property
    def name(self) -> str:
        return f"h{self.const + self.low}"

    @property
    def total(self) -> str:
        return f"u{self.const + self.low}"

    @property
    def words(self) -> str:
        return f"S[{self.const + self.low}:{self.const + self.high + 1}]"


class Indexes(Pieces):
    counts: dict[int, Counts] = {}  # by `const`
    there: frozenset[tuple[str, int]] = frozenset()  # variables with kinds of which there surely is a piece; `const`
    valid: frozenset[int] = frozenset()  # those whose lists are surely made

    def find_counts(self, parts: Iterable[Any]) -> None:
        """Keep lists for the pools that parts of the rules go through, or draw from."""
        found = [c for part in parts for node in walk(part) if (c := counts_of(node)) and c.symbol in self.unit.pools]
        self.counts = {c.const: c for c in found}
        for c in self.counts.values():
            self.line(f"{c.name} = None")

    def kinds(self, c: Counts) -> str:
        """The variable with the list of the kinds that are there."""
        if c.const not in self.valid:
            self.line(f"if {c.name} is None: {c.name}, {c.total} = kinds({c.words}, {c.low})")
            self.valid |= {c.const}
        return c.name

    def kept(self, node: Any) -> Counts | None:
        """The counts that a part of the rules goes through, if their list is kept."""
        c = counts_of(node)
        return c if c is not None and self.counts.get(c.const) == c else None

    def lose_kinds(self, symbols: Iterable[str] | None = None) -> None:
        """The counts of these pools, or of all, have changed in an unknown way."""
        for c in self.counts.values():
            if symbols is None or c.symbol in symbols:
                self.line(f"{c.name} = None")
                self.valid -= {c.const}
                self.there = frozenset(f for f in self.there if f[1] != c.const)

    def do_Transfer(self, s: ir.Transfer) -> None:
        """Counts that changed by one in the usual way change their lists."""
        ends = [(found, sign) for pool, sign in ((s.source, -1), (s.target, 1)) if (found := self.place_of(pool))]
        unknown = {pool.symbol for pool in (s.source, s.target) if self.listed_pool(pool) and not self.place_of(pool)}
        plain = s.amount == ir.Const(1) and s.exact
        super().do_Transfer(s)
        touched = {c.const for (c, _, _), _ in ends}
        self.there = frozenset() if unknown else frozenset(f for f in self.there if f[1] not in touched)
        if not plain:
            unknown |= {c.symbol for (c, _, _), _ in ends}
        self.lose_kinds(unknown)
        for (c, member, word), sign in ends if plain else ():
            made = "" if c.const in self.valid else f"{c.name} is not None and "
            if sign < 0:
                self.line(f"if {made}not {word}: {c.name}.remove({member})")
            else:
                self.line(f"if {made}{word} == 1: insort({c.name}, {member})")
            self.line(f"{'' if not made else f'if {c.name} is not None: '}{c.total} {'-' if sign < 0 else '+'}= 1")

    def surely(self, pool: ir.Pool) -> bool:
        """Whether a piece is in a pool."""
        found = self.place_of(pool) if self.there else None
        return found is not None and (found[1], found[0].const) in self.there

    def copy(self, to: str, text: str) -> None:
        """A variable takes the value of a text: what is known of the one is known of the other."""
        self.there = frozenset(
            {f for f in self.there if f[0] != to} | {(to, const) for name, const in self.there if name == text}
        )

    def listed_pool(self, pool: ir.Pool) -> bool:
        return pool.kind == "count" and any(c.symbol == pool.symbol for c in self.counts.values())

    def place_of(self, pool: ir.Pool) -> tuple[Counts, str, str] | None:
        """The counts in which a pool is, the text of its kind and of its word; None where it is not known."""
        if not self.listed_pool(pool) or not isinstance(pool.address, ir.Const | ir.Linear):
            return None
        match pool.address:
            case ir.Const(int() as word):
                at = next((c for c in self.counts.values() if c.low <= word - c.const <= c.high), None)
                return None if at is None else (at, str(word - at.const), f"S[{word}]")
            case ir.Linear(const, ((term, 1),)) if const in self.counts:
                text = self(term)
                return (self.counts[const], text, f"S[{self.sum(const, text)}]") if text.isidentifier() else None
        return None


def counts_of(node: Any) -> Counts | None:
    """The counts whose kinds with pieces a set has, from which pieces are drawn, or whose sum is asked."""
    match node:
        case ir.Fold(
            "set",
            ((slot, ir.Domain("set", ir.Const(int() as mask))),),
            ir.Compare(">", ir.Cell(ir.Linear(const, ((ir.Temp(index), 1),)), t, symbol), ir.Const(0)),
            body=body,
        ) if index == slot and body in (None, ir.Temp(slot)) and type(t) in SCALARS and mask:
            found = members(mask)
            if found == tuple(range(found[0], found[-1] + 1)):
                return Counts(symbol, const, found[0], found[-1])
        case ir.Chance(op="piece", a=ir.Cell(ir.Const(int() as at), MapType((MemberType(_, low, high),)) as t, symbol)):
            if width(t) == high - low + 1:
                return Counts(symbol, at - low, low, high)
    return None
