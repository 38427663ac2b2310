"""Values that are read again: what conditions of a question and what follows ask more than once is found once.

The Python variables of values are kept as long as nothing that they are read from changes.
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

WORTH = (ir.Cell, ir.CallFn, ir.Fold, ir.CellSum, ir.Arith, ir.If, ir.Size)
COSTLY = (ir.Cell, ir.Fold, ir.CallFn, ir.Reach)
READERS = (*ir.reading("local item", "frames", "timed", "result", "position"), ir.ListItem)  # the last one may fail
QUIET = ir.having("quiet")  # statements after which the store is the same


def reused(write: Callable[[Any, Any], str]) -> Callable[[GameFn, Any], str]:
    """Who writes a node, if its value is not at hand."""

    def text(fn: GameFn, e: ir.Expr) -> str:
        return fn.at_hand.get(e) or write(fn, e) if fn.at_hand else write(fn, e)

    return text


def hold_common(fn: GameFn, tests: Sequence[ir.Expr]) -> None:
    """Find values at once that conditions of a question read more than once, or again for each member."""
    while True:
        times: Counter[ir.Expr] = Counter()
        again: set[ir.Expr] = set()
        for test in tests:
            found = [e for e in not_held(fn, test) if worth_keeping(e)]
            times.update(found)
            if free(test):
                again.update(e for e in found if any(isinstance(n, COSTLY) for n in walk(e)))
        best = max((e for e, n in times.items() if n > 1 or e in again), key=size, default=None)
        if best is None:
            return
        fn.at_hand = {**fn.at_hand, best: fn.hold(fn(best))}


def set_temp(fn: GameFn, s: ir.SetTemp) -> None:
    statements.set_temp(fn, s)
    fn.copies.pop(s.slot, None)
    if isinstance(s.value, ir.Cell) and type(s.value.type) in SCALARS and not free(s.value):
        fn.copies[s.slot] = s.value


def block(fn: GameFn, body: Sequence[ir.Stmt]) -> None:
    """What a part that may not run finds out is not known behind it."""
    before, valid, present = fn.copies, fn.valid, fn.present
    statements.block(fn, body)
    fn.copies = {slot: cell for slot, cell in before.items() if fn.copies.get(slot) is cell}
    fn.valid &= valid
    fn.present &= present


def same_word(fn: GameFn, e: ir.Expr | None, address: ir.Expr | None) -> bool:
    if isinstance(e, ir.Temp):
        e = fn.copies.get(e.slot)
    return transfers.is_word_at(fn, e, address)


def not_held(fn: GameFn, node: Any) -> Iterator[Any]:
    """All nodes of a part but those whose values are at hand."""
    if type(node) in WORTH and node in fn.at_hand:
        return
    yield node
    for part in children(node):
        yield from not_held(fn, part)


def forget_values(fn: GameFn, slot: int | None = None) -> None:
    """Values that read a frame variable, or any, are no longer valid."""
    fn.copies = {at: cell for at, cell in fn.copies.items() if not reads_frame(cell, slot)}
    if fn.at_hand:
        fn.at_hand = {e: text for e, text in fn.at_hand.items() if not reads_frame(e, slot)}


def worth_keeping(e: Any) -> bool:
    return (
        isinstance(e, WORTH)
        and (size(e) > 2 or isinstance(e, ir.CallFn | ir.Cell))
        and not (isinstance(e, ir.Cell) and type(e.type) not in SCALARS)
        and not free(e)
        and not any(isinstance(n, READERS) or (isinstance(n, ir.Arith) and "div" in n.op) for n in walk(e))
    )


def reads_frame(e: ir.Expr, slot: int | None) -> bool:
    return any(isinstance(n, ir.FrameVar) and slot in (None, n.slot) for n in walk(e))


def quiet(body: Sequence[ir.Stmt]) -> bool:
    """Whether statements leave the store as it is."""
    for s in body:
        match s:
            case ir.IfS(_, then, orelse):
                if not (quiet(then) and quiet(orelse)):
                    return False
            case ir.For(_, _, inner) | ir.While(_, inner):
                if not quiet(inner):
                    return False
            case _ if not isinstance(s, QUIET):
                return False
    return True
