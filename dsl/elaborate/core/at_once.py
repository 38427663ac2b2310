"""The events that may happen inside a `together`, or while a set of things or all sorts of a piece move at once.

Takes the collected model and follows the routines that such a block starts, and the lines that act inside it. Gives the
verbs and routines by their words; too many at worst.
"""

from __future__ import annotations

from collections.abc import Iterable

from dsl.elaborate.core.suspension import CHANGES, Suspension
from dsl.symbols.call_graph import closure, routines_started
from dsl.symbols.symbols import Model
from dsl.syntax import nodes as sx
from dsl.syntax.walk import walk


def events_at_once(m: Model, suspension: Suspension) -> frozenset[str]:
    """The names of verbs and routines that may be events of a larger one."""
    blocks: list[object] = []
    found: set[str] = {"move"} if suspension.thing_moves_observed else set()
    texts = (*(r.block for r in m.routines.values()), *(t.decl for t in m.triggers), *(c for c, _ in m.checks))
    for node in walk(texts):
        if isinstance(node, sx.Section) and node.word == "together":
            blocks.append(node.block)
        elif isinstance(node, sx.Sentence) and suspension.moves_all_sorts(node):
            found.add(node.word)
    starts = {r.name: routines_started(m, r.block) for r in m.routines.values()} if blocks or found else {}
    acting = [t.decl for t in m.triggers if t.decl.word != "after"]
    while True:
        names = closure(starts, [name for block in blocks for name in routines_started(m, block)])
        found |= names | changes([*blocks, *(m.routines[name].block for name in names)])
        more = [d for d in acting if d.name in found]
        if not more:
            return frozenset(found)
        acting = [d for d in acting if d.name not in found]
        blocks += [d.block for d in more]


def changes(blocks: Iterable[object]) -> set[str]:
    """The verbs of the changes that these blocks make."""
    sentences = (node for block in blocks for node in walk(block) if isinstance(node, sx.Sentence))
    return {s.word for s in sentences if s.word in CHANGES}
