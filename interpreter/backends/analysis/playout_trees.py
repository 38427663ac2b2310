"""All trees of a whole random game: one from its first place on, and from each place where a tree grew too large."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.backends.analysis.playout_graph import GameGraph
from interpreter.backends.analysis.structure import Block, Exit, Loop, Test

MOST_STEPS = 6000  # of all trees


def trees_of(graph: GameGraph) -> dict[int, Block] | None:
    """The place where each tree begins, the first one first -> the tree; None where there are too many steps."""
    trees: dict[int, Block] = {}
    entries, steps = [0], 0
    for number in entries:
        trees[number] = graph.prepare(graph.nodes[number].spot)
        steps += graph.emitted
        if steps > MOST_STEPS:
            return None
        entries += [n for n in dict.fromkeys(exits(trees[number])) if n not in entries]
    return trees


def exits(block: Block) -> Iterator[int]:
    """The places where a block leaves to other trees."""
    for step in block:
        if isinstance(step, Exit):
            yield step.pc
        elif isinstance(step, Test):
            yield from exits(step.then)
            yield from exits(step.orelse)
        elif isinstance(step, Loop):
            yield from exits(step.body)
