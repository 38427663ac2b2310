"""Frame variables in the store: an assignment writes them at once, what is read is kept in Python variables besides."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dsl import ir
from dsl.base.types import Type
from dsl.program import FP, FRAME_LINK
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.addresses import put
from interpreter.backends.python.emit.function import Fn


class InStore:
    """`frame`: the Python variable of the address of the running frame's variables. `handed`: frame variables that the
    function takes as parameters, since they are not in the store."""

    def __init__(self, fn: Fn, handed: Mapping[int, str] = MappingProxyType({}), frame: str | None = None) -> None:
        self.fn, self.handed, self.frame = fn, handed, frame

    def base(self) -> str:
        if self.frame is None:
            self.frame = "B"
            self.fn.line.text.insert(0, f" B = S[{FP}] + {FRAME_LINK}")
            for loop in self.fn.open_loops:
                loop.line += 1
        return self.frame

    def at(self, slot: int) -> str:
        return f"{self.base()} + {slot}" if slot else self.base()

    def earlier(self, slot: int) -> str:
        return f"T[{slot}]"

    def given(self, e: ir.Expr) -> dict[int, str]:
        return {n.slot: self.handed[n.slot] for n in walk(e) if isinstance(n, ir.FrameVar) and n.slot in self.handed}

    def keep(self, slot: int, t: Type, text: str) -> None:
        put(self.fn, self.at(slot), t, text, "a local", None)
        self.fn.names.frame[slot] = text

    def settle(self) -> None:
        """They are in the store."""
