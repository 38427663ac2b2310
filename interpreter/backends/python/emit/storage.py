"""Frame variables in the store: assignments save them at once; values that were read stay in Python variables too."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dsl import ir
from dsl.base.types import Type
from dsl.program import FP, FRAME_LINK
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.python.emit.addresses import save
from interpreter.backends.python.emit.function import Fn


class StoreVariables:
    """`frame`: the Python variable with the address of the running frame's variables. `passed`: frame variables that
    the function takes as parameters, since they are not in the store."""

    def __init__(self, fn: Fn, passed: Mapping[int, str] = MappingProxyType({}), frame: str | None = None) -> None:
        self.fn, self.passed, self.frame = fn, passed, frame

    def base(self) -> str:
        if self.frame is None:
            self.frame = "B"
            self.fn.line.text.insert(0, f" B = S[{FP}] + {FRAME_LINK}")
            for loop in self.fn.open_loops:
                loop.line += 1
        return self.frame

    def at(self, slot: int) -> str:
        return f"{self.base()} + {slot}" if slot else self.base()

    def earlier_temp(self, slot: int) -> str:
        return f"T[{slot}]"

    def passed_variables(self, e: ir.Expr) -> dict[int, str]:
        return {n.slot: self.passed[n.slot] for n in walk(e) if isinstance(n, ir.FrameVar) and n.slot in self.passed}

    def set_variable(self, slot: int, t: Type, text: str) -> None:
        save(self.fn, self.at(slot), t, text, "a local", None)
        self.fn.names.frame[slot] = text

    def sync(self) -> None:
        """Nothing is written: frames are in the store."""
