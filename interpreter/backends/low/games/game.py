"""The function of a whole game while it is being written: the graph of the game, and the place that is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from interpreter.backends.analysis.constants import ConstantFolder
from interpreter.backends.analysis.playout_graph import GameGraph, GraphNode
from interpreter.backends.low.base.context import Bound, Held, Lowering
from interpreter.backends.low.base.make import num
from interpreter.backends.low.form.nodes import Expr
from interpreter.backends.low.games.noted import GameNotes
from interpreter.backends.low.games.plain import Plain
from interpreter.backends.low.games.variables import frame_variables
from interpreter.backends.low.rules.variables import declare

GAME = "game"  # the function: plays a game from the store in memory to its end; gives its answers
WORK, PASSES = "work", "passes"  # variables: what has been done since the last answer
TAKEN, MOST = "taken", "most"  # variables: the answers so far, and the most that there may be
ENTRY, AGAIN = "entry", "entries"  # the variable that says which tree follows, and the label of the loop around all
CALLED = "called"  # the variable with the number of a procedure that is called by number


class GameFunction:
    """The function of a whole game while it is written. `node`: the place that is written; `entries`: the places where
    trees begin; `loops`: the labels of the loops of the tree around the place, the innermost last; `begins_again`:
    whether a tree goes on at the beginning of one, which may be its own; `notes`: what is noted of the game, if
    anything is."""

    def __init__(
        self, lo: Lowering, graph: GameGraph, constants: ConstantFolder, plain: Plain, notes: GameNotes | None
    ) -> None:
        self.lo, self.graph, self.constants, self.plain, self.notes = lo, graph, constants, plain, notes
        self.node: GraphNode = graph.nodes[0]
        self.entries: list[int] = []
        self.loops: list[str] = []
        self.begins_again = False
        self._temps: dict[int, dict[int, Bound]] = {}

    @property
    def depth(self) -> int:
        return len(self.node.spot.stack) - 1

    @property
    def number(self) -> int:
        """The procedure that runs."""
        return self.graph.procedures.proc(self.node.spot.pc)

    def go_to(self, number: int) -> GraphNode:
        """The place with this number is written now: its variables are bound."""
        self.node = node = self.graph.nodes[number]
        if node.spot.stack:
            self.lo.bound = {**self.variables(self.number, self.depth), **self.temps(self.number)}
        return node

    def variables(self, number: int, depth: int) -> dict[int, Bound]:
        return frame_variables(self.graph.types[number], depth)

    def temps(self, number: int) -> dict[int, Bound]:
        """The temps that the statements of a procedure set."""
        if number not in self._temps:
            bodies = [n.i.body for n in self.graph.nodes if isinstance(n.i, ir.Run) and self._runs(n, number)]
            with self.lo.binding(self.variables(number, 0)):
                declare(self.lo, bodies)
                self._temps[number] = {slot: held for slot, held in self.lo.bound.items() if slot >= 0}
        return self._temps[number]

    def _runs(self, node: GraphNode, number: int) -> bool:
        return self.graph.procedures.proc(node.spot.pc) == number

    def constant(self, held: Held, value: Any) -> None:
        """Set variables to a known value."""
        for name, part in zip(held.names, parts_of(held, value), strict=True):
            self.lo.w.set(name, part)


def parts_of(held: Held, value: Any) -> Sequence[Expr]:
    """The words of a known value in variables."""
    words = getattr(held.kind, "words", None)
    return [num(value)] if words is None else [num(value >> 64 * w & (1 << 64) - 1) for w in words]
