"""A function that plays a whole game, while it is written: what is known at the place that is written now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dsl import ir
from interpreter.backends.python.emit.context import ModuleContext, Tables
from interpreter.backends.python.emit.function import Fn, Storage
from interpreter.backends.python.playout.analysis.playout_graph import GameGraph, Node

BAIL = "raise unplayed"


class Unplayable(Exception):
    """The function cannot be written."""


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


@dataclass(slots=True)
class Drawn:
    """What is drawn from: how many, where that is known; the most that it can be (0: not known); the first member,
    where it has no gaps."""

    size: int = 0
    most: int = 0
    lowest: int = -1


class GameFn(Fn):
    """`node`: the place that is written; `zones`: the zones where things in variables probably are; `at_hand`: the
    variables of values; `copies`: the cells that temps are copies of; `counts`: by `const`; `present`: variables with
    kinds of which there surely is a piece, and `const`; `valid`: those whose lists are surely made; `calls`: procedures
    written out so far; `work`: units of work that are not counted yet."""

    steps = "w"
    unroll_limit = 3

    def __init__(self, ctx: ModuleContext, graph: GameGraph, storage: Callable[[Any], Storage], tables: Tables) -> None:
        super().__init__(ctx, storage, tables=tables)
        self.graph, self.nodes = graph, graph.nodes
        self.node: Node = graph.nodes[0]
        self.entries: list[int] = [0]
        self.tree_loops = 0
        self.work = 0
        self.calls = 0
        self.zones: dict[str, str] = {}
        self.at_hand: dict[Any, str] = {}
        self.copies: dict[int, ir.Cell] = {}
        self.counts: dict[int, Counts] = {}
        self.present: frozenset[tuple[str, int]] = frozenset()
        self.valid: frozenset[int] = frozenset()
        self.drawn = Drawn()

    @property
    def depth(self) -> int:
        return len(self.node.spot.stack) - 1

    def variable(self, slot: int) -> str:
        """The Python variable of a variable of the running frame."""
        return f"F{self.depth}_{slot}"

    def forget_known(self) -> None:
        """Nothing is known of values and pools."""
        self.at_hand, self.copies = {}, {}
        self.valid, self.present = frozenset(), frozenset()
