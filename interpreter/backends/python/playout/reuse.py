"""Values that are read again: what conditions of a question and what follows ask more than once is found once.

A `Reuse` keeps the Python variables of values as long as nothing that they are read from changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from dsl import ir
from interpreter.backends.analysis.dataflow import free, parts, size, walk
from interpreter.backends.python.emit.statements import Statements
from interpreter.core.words import SCALARS

WORTH = (ir.Cell, ir.CallFn, ir.Fold, ir.CellSum, ir.Arith, ir.If, ir.Size)
COSTLY = (ir.Cell, ir.Fold, ir.CallFn, ir.Reach)
READERS = (*ir.reading("local item", "frames", "timed", "result", "position"), ir.ListItem)  # the last one may fail
QUIET = ir.having("quiet")  # statements after which the store is the same


class Reuse(Statements):
    """`at_hand`: the variables of values; `copies`: the cells that temps are copies of."""

    at_hand: dict[Any, str] = {}
    copies: dict[int, ir.Cell] = {}

    def __call__(self, e: ir.Expr) -> str:
        if self.at_hand and type(e) in WORTH and (found := self.at_hand.get(e)) is not None:
            return found
        return super().__call__(e)

    def test(self, e: ir.Expr) -> str:
        if self.at_hand and type(e) in WORTH and (found := self.at_hand.get(e)) is not None:
            return found
        return super().test(e)

    def hold_common(self, tests: Sequence[ir.Expr]) -> None:
        """Find values at once that conditions of a question read more than once, or again for each member."""
        while True:
            times: Counter[ir.Expr] = Counter()
            again: set[ir.Expr] = set()
            for test in tests:
                found = [e for e in self.not_held(test) if worth_keeping(e)]
                times.update(found)
                if free(test):
                    again.update(e for e in found if any(isinstance(n, COSTLY) for n in walk(e)))
            best = max((e for e, n in times.items() if n > 1 or e in again), key=size, default=None)
            if best is None:
                return
            self.at_hand = {**self.at_hand, best: self.hold(self(best))}

    def do_SetTemp(self, s: ir.SetTemp) -> None:
        super().do_SetTemp(s)
        self.copies.pop(s.slot, None)
        if isinstance(s.value, ir.Cell) and type(s.value.type) in SCALARS and not free(s.value):
            self.copies[s.slot] = s.value

    def block(self, body: Sequence[ir.Stmt]) -> None:
        before = self.copies
        super().block(body)
        self.copies = {slot: cell for slot, cell in before.items() if self.copies.get(slot) is cell}

    def same_word(self, e: ir.Expr | None, address: ir.Expr | None) -> bool:
        if isinstance(e, ir.Temp):
            e = self.copies.get(e.slot)
        return super().same_word(e, address)

    def not_held(self, node: Any) -> Iterator[Any]:
        """All nodes of a part but those whose values are at hand."""
        if type(node) in WORTH and node in self.at_hand:
            return
        yield node
        for part in parts(node):
            yield from self.not_held(part)

    def forget_values(self, slot: int | None = None) -> None:
        """Values that read a frame variable, or any, are no longer valid."""
        self.copies = {at: cell for at, cell in self.copies.items() if not reads_frame(cell, slot)}
        if self.at_hand:
            self.at_hand = {e: text for e, text in self.at_hand.items() if not reads_frame(e, slot)}


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
