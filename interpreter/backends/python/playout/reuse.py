"""Common subexpressions: values that the conditions of a question read more than once are computed once.

The Python variables of values are valid as long as nothing that they are read from changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dsl import ir
from interpreter.backends.analysis.dataflow import children, free, size, walk
from interpreter.backends.python.emit import statements
from interpreter.backends.python.emit.moving import transfers
from interpreter.backends.python.playout.game import GameFn
from interpreter.core.words import SCALARS

CACHEABLE = (ir.Cell, ir.CallFn, ir.Fold, ir.CellSum, ir.Arith, ir.If, ir.Size)
COSTLY = (ir.Cell, ir.Fold, ir.CallFn, ir.Reach)
READERS = (*ir.reading("local item", "frames", "timed", "result", "position"), ir.ListItem, ir.Bounded)
"""The last two may fail."""
QUIET = ir.having("quiet")  # statements after which the store is the same


def cached(write: Callable[[Any, Any], str]) -> Callable[[GameFn, Any], str]:
    """A writer that gives the variable with the value of a node if there is one, else calls `write`."""

    def text(fn: GameFn, e: ir.Expr) -> str:
        return fn.cached_values.get(e) or write(fn, e) if fn.cached_values else write(fn, e)

    return text


def cache_common(fn: GameFn, tests: Sequence[ir.Expr]) -> None:
    """Put values into variables that the conditions of a question read more than once, or for each member."""
    while True:
        times: Counter[ir.Expr] = Counter()
        in_loops: set[ir.Expr] = set()
        for test in tests:
            found = [e for e in uncached_nodes(fn, test) if is_worth_caching(e)]
            times.update(found)
            if free(test):
                in_loops.update(e for e in found if any(isinstance(n, COSTLY) for n in walk(e)))
        best = max((e for e, n in times.items() if n > 1 or e in in_loops), key=size, default=None)
        if best is None:
            return
        fn.cached_values = {**fn.cached_values, best: fn.hold(fn(best))}


def set_temp(fn: GameFn, s: ir.SetTemp) -> None:
    statements.set_temp(fn, s)
    fn.copies.pop(s.slot, None)
    if isinstance(s.value, ir.Cell) and type(s.value.type) in SCALARS and not free(s.value):
        fn.copies[s.slot] = s.value


def block(fn: GameFn, body: Sequence[ir.Stmt]) -> None:
    """A block that perhaps does not run: what is learnt inside is not known behind it."""
    before, valid, present = fn.copies, fn.valid_lists, fn.present
    statements.block(fn, body)
    fn.copies = {slot: cell for slot, cell in before.items() if fn.copies.get(slot) is cell}
    fn.valid_lists &= valid
    fn.present &= present


def is_word_at(fn: GameFn, e: ir.Expr | None, address: ir.Expr | None) -> bool:
    if isinstance(e, ir.Temp):
        e = fn.copies.get(e.slot)
    return transfers.is_word_at(fn, e, address)


def uncached_nodes(fn: GameFn, node: Any) -> Iterator[Any]:
    """All nodes of a tree except those whose values are in variables."""
    if type(node) in CACHEABLE and node in fn.cached_values:
        return
    yield node
    for part in children(node):
        yield from uncached_nodes(fn, part)


def forget_values(fn: GameFn, slot: int | None = None) -> None:
    """Forget the values that read a frame variable, or any if `slot` is None."""
    fn.copies = {at: cell for at, cell in fn.copies.items() if not reads_frame(cell, slot)}
    if fn.cached_values:
        fn.cached_values = {e: text for e, text in fn.cached_values.items() if not reads_frame(e, slot)}


def is_worth_caching(e: Any) -> bool:
    return (
        isinstance(e, CACHEABLE)
        and (size(e) > 2 or isinstance(e, ir.CallFn | ir.Cell))
        and not (isinstance(e, ir.Cell) and type(e.type) not in SCALARS)
        and not free(e)
        and not any(isinstance(n, READERS) or (isinstance(n, ir.Arith) and "div" in n.op) for n in walk(e))
    )


def reads_frame(e: ir.Expr, slot: int | None) -> bool:
    return any(isinstance(n, ir.FrameVar) and slot in (None, n.slot) for n in walk(e))


def leaves_store(body: Sequence[ir.Stmt]) -> bool:
    """Whether statements do not change the store."""
    for s in body:
        match s:
            case ir.IfS(_, then, orelse):
                if not (leaves_store(then) and leaves_store(orelse)):
                    return False
            case ir.For(_, _, inner) | ir.While(_, inner):
                if not leaves_store(inner):
                    return False
            case _ if not isinstance(s, QUIET):
                return False
    return True
