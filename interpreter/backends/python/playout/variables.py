"""Frame variables in Python variables, in the function of a whole game.

They are named by the depth of the frame, which is known at every place.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.types import ListType, Type
from interpreter.backends.analysis.dataflow import frame_slots, walk
from interpreter.backends.python.emit import expressions, loads
from interpreter.backends.python.emit.folds.inline import is_filter
from interpreter.backends.python.emit.statements import checked_value
from interpreter.backends.python.playout.game import BAIL, GameFn, Unplayable
from interpreter.backends.python.playout.pool_index import copy_present
from interpreter.backends.python.playout.reuse import forget_values

FRAMES = ir.reading("local", "local item", "frames")


class PythonVariables:
    """The storage of frame variables in Python variables: frames are never in the store."""

    def __init__(self, fn: GameFn) -> None:
        self.fn = fn

    def base(self) -> str:
        raise Unplayable

    def at(self, slot: int) -> str:
        raise Unplayable

    def earlier_temp(self, slot: int) -> str:
        return f"t{slot}"

    def passed_variables(self, e: ir.Expr) -> dict[int, str]:
        """All frame variables of the expression; lists cannot be passed."""
        found = [n for n in walk(e) if isinstance(n, ir.FrameVar | ir.FrameItem)]
        if any(isinstance(n, ir.FrameItem) or isinstance(n.type, ListType) for n in found):
            raise Unplayable
        return {n.slot: self.fn.variable(n.slot) for n in found}

    def set_variable(self, slot: int, t: Type, text: str) -> None:
        forget_values(self.fn, slot)
        self.fn.line(f"{self.fn.variable(slot)} = {text}")
        copy_present(self.fn, self.fn.variable(slot), text)

    def sync(self) -> None:
        """Nothing is written: nothing reads frames."""


def frame_var(fn: GameFn, e: ir.FrameVar) -> str:
    return fn.variable(e.slot)


def frame_item(fn: GameFn, e: ir.FrameItem) -> str:
    return "bail()"


def running(fn: GameFn, e: ir.Running) -> str:
    raise Unplayable


def by_reference(fn: GameFn, e: ir.Expr) -> str:
    if any(isinstance(n, FRAMES) for n in walk(e)):
        return "bail()"
    return loads.by_reference(fn, e)


def list_item(fn: GameFn, e: ir.ListItem) -> str:
    if isinstance(e.list, ir.FrameVar):
        index = fn(e.index)
        return f"{fn(e.list)}[{index} - 1 if {index} > 0 else bail()]"
    return expressions.list_item(fn, e)


def size_of(fn: GameFn, e: ir.Size) -> str:
    if isinstance(e.operand, ir.FrameVar) and e.kind == "list":
        return f"len({fn(e.operand)})"
    return expressions.size_of(fn, e)


def set_frame(fn: GameFn, s: ir.SetFrame) -> None:
    """An assignment; none is written for a constant that all later reads know."""
    if s.offset is not None:
        fn.line(BAIL)
        return
    if isinstance(s.value, ir.Const) and not fn.block_depth and not fn.graph.is_needed(fn.node, s.slot):
        i = fn.node.i
        if isinstance(i, ir.Run) and s in i.body and list(frame_slots(i.body)).count(s.slot) == 1:
            forget_values(fn, s.slot)
            return
    text = checked_value(fn, s.type, s.value, "a local", None)
    if isinstance(s.type, ListType) and not isinstance(s.value, ir.Const):
        text = fn.hold(text)
        fn.line(f"if len({text}) > {s.type.cap}: {BAIL}")
    fn.storage.set_variable(s.slot, s.type, text)


def zones_in(e: ir.Expr) -> str:
    """The name of the zones that a set of things is read from; empty: it is not read from zones."""
    while is_filter(e):
        e = e.binders[0][1].a
    return e.symbol if isinstance(e, ir.Cell) else ""
