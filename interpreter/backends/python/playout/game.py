"""The function of a whole game while it is being written: what is known at the current place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dsl import ir
from interpreter.backends.analysis.playout_graph import GameGraph, Node
from interpreter.backends.python.emit.context import ModuleContext, Tables
from interpreter.backends.python.emit.function import Fn, Storage

BAIL = "raise unplayed"


class Unplayable(Exception):
    """The function cannot be written."""


@dataclass(frozen=True, slots=True)
class PoolCounts:
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


@dataclass(slots=True)
class Drawn:
    """What a draw is from: the number of members (0: not known), the most that there can be (0: not known), and the
    lowest where they have no gaps (-1: they have)."""

    size: int = 0
    most: int = 0
    lowest: int = -1


class GameFn(Fn):
    """`node`: the current place; `zones`: the zones where things in variables probably are; `cached_values`: variables
    with values of expressions; `copies`: the cells that temps are copies of; `pool_counts`: by `const`; `present`:
    variables with kinds of which there certainly is a piece, with the `const` of the pool; `valid_lists`: the `const`
    of pools whose lists of kinds are certainly made; `tree_loops`: loops open around the current place; `calls`:
    procedures inlined so far; `work`: units of work that are not counted yet."""

    steps = "w"
    unroll_limit = 3

    def __init__(self, ctx: ModuleContext, graph: GameGraph, storage: Callable[[Any], Storage], tables: Tables) -> None:
        super().__init__(ctx, storage, tables=tables)
        self.graph, self.nodes = graph, graph.nodes
        self.node: Node = graph.nodes[0]
        self.entries: list[int] = []
        self.tree_loops = 0
        self.work = 0
        self.calls = 0
        self.zones: dict[str, str] = {}
        self.cached_values: dict[Any, str] = {}
        self.copies: dict[int, ir.Cell] = {}
        self.pool_counts: dict[int, PoolCounts] = {}
        self.present: frozenset[tuple[str, int]] = frozenset()
        self.valid_lists: frozenset[int] = frozenset()
        self.drawn = Drawn()

    @property
    def depth(self) -> int:
        return len(self.node.spot.stack) - 1

    def variable(self, slot: int) -> str:
        """The Python variable for a variable of the running frame."""
        return f"F{self.depth}_{slot}"

    def forget_all(self) -> None:
        """Forget what is known of values and pools."""
        self.cached_values, self.copies = {}, {}
        self.valid_lists, self.present = frozenset(), frozenset()
