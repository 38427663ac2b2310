"""Frames in a function that is being written: what of them lies in the store, and what in Python variables only.

Frame variables are written to the store when something may look at them, and not at all if the frame is left before. A
frame that was left stays where it is until something looks, and a new one may take its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl import ir
from dsl import program as hdr
from dsl.base.types import Type
from interpreter.backends.analysis.structure import Pop, Push
from interpreter.backends.python.emit.function import Names
from interpreter.backends.python.emit.statements import Statements
from interpreter.core.words import SCALARS

if TYPE_CHECKING:
    from interpreter.backends.python.compile.module import Unit

MANY = 12  # words of a frame that are written one by one

Dirty = dict[int, tuple[Type, str]]


@dataclass(slots=True)
class Frame:
    """A frame under the running one: the Python variable of its address, what is known of it, and what is not in the
    store yet."""

    name: str | None
    known: dict[int, str]
    dirty: Dirty

    def copy(self) -> Frame:
        return Frame(self.name, self.known.copy(), self.dirty.copy())


class Frames(Statements):
    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.program = unit.program
        self.work = 0  # units of work that are not counted yet
        self.frames: list[Frame] = []  # of the callers entered in this function
        self.dirty: Dirty = {}  # frame variables whose values are not in the store yet
        self.popped = ""  # the base of a frame that has been left but still lies in the store

    def flush(self) -> None:
        if self.work:
            self.line(f"S[{hdr.STEPS}] += {self.work}")
            self.work = 0

    def keep(self, slot: int, t: Type, text: str) -> None:
        if self.nested:
            super().keep(slot, t, text)
            return
        self.names.frame[slot] = text
        self.dirty[slot] = (t, text)

    def settle(self) -> None:
        self.drop()
        for frame in self.frames:
            if frame.dirty:
                assert frame.name is not None
                self.write_back(frame.name, frame.dirty)
        if self.dirty:
            self.write_back(self.base(), self.dirty)

    def write_back(self, name: str, dirty: Dirty) -> None:
        for slot, (t, text) in dirty.items():
            self.put(f"{name} + {slot}" if slot else name, t, text, "a local", None)
        dirty.clear()

    def drop(self) -> None:
        """Take a frame that has been left out of the store."""
        if self.popped:
            self.line(f"S[{hdr.FP}] = S[{self.popped} + 1]")
            self.line(f"del S[{self.popped}:]")
            self.popped = ""

    # ------------------------------------------------------------ what is known on several ways

    def state(self) -> tuple[Names, str, list[Frame], int, Dirty, str]:
        """What is known here, to be taken up again on another way."""
        frames = [frame.copy() for frame in self.frames]
        return self.names.copy(), self.base(), frames, self.work, self.dirty.copy(), self.popped

    def restore(self, state: tuple[Names, str, list[Frame], int, Dirty, str]) -> None:
        names, self.frame, frames, self.work, dirty, self.popped = state
        self.names, self.frames, self.dirty = names.copy(), [frame.copy() for frame in frames], dirty.copy()

    def merge(self, other: Names) -> None:
        """Behind two ways only that is known which both know."""
        one = self.names
        for slot in set(one.frame) | set(other.frame):
            if one.frame.get(slot) != other.frame.get(slot):
                one.frame.pop(slot, None)
        for slot in set(one.temps) | set(other.temps):
            if one.temps.get(slot) != other.temps.get(slot):
                one.temps[slot] = f"t{slot}"
            if one.known.get(slot) != other.known.get(slot):
                one.known.pop(slot, None)
            if one.ranges.get(slot) != other.ranges.get(slot):
                one.ranges.pop(slot, None)

    def again(self) -> None:
        """Look up the running frame anew."""
        self.frame = None
        self.base()

    # ------------------------------------------------------------ calls

    def push(self, step: Push) -> None:
        """Push a frame; as long as the stack is low, its limits can not be passed."""
        program, limits = self.program, self.program.limits
        i = program.code[step.pc]
        assert isinstance(i, ir.CallI)
        proc = program.procs[step.proc]
        args = [self(a) for a in i.args]
        self.work += 1
        size = hdr.FRAME_LINK + proc.frame_words
        safe = program.state_words + min(limits.stack - size, hdr.FRAME_LINK * (limits.frames - 1))
        rest = proc.frame_words - len(args)
        names: dict[int, str] = {}
        given = f"{step.proc}, [{', '.join(args)}], {step.back}"
        if len(proc.params) == len(args) and all(type(t) in SCALARS for _, t in proc.params):
            for slot, arg in enumerate(args):
                args[slot] = names[slot] = self.hold(arg, "f")
            given = f"{step.proc}, [{', '.join(args)}], {step.back}"
            words = [str(step.proc), *args, *(["0"] * rest if rest <= MANY else [f"*{self.unit.zeros(rest)}"])]
            for slot in range(len(args), min(proc.frame_words, MANY)):
                names[slot] = "0"
            if self.popped:  # the new frame takes the place of the one that was left
                b = self.popped
                self.line(f"S[{b}:] = ({step.back}, {self.base()} - {hdr.FRAME_LINK}, {', '.join(words)},)")
                self.line(f"S[{hdr.FP}] = {b}")
                self.line(f"if {b} > {safe}:")
                self.line(f" S[{hdr.FP}] = S[{b} + 1]")
                self.line(f" del S[{b}:]")
                self.line(f" push({given})")
                self.popped = ""
            else:
                b = self.fresh("b")
                self.line(f"{b} = len(S)")
                self.line(f"if {b} > {safe}: push({given})")
                self.line("else:")
                self.line(f" S.extend(({step.back}, S[{hdr.FP}], {', '.join(words)},))")
                self.line(f" S[{hdr.FP}] = {b}")
        else:
            self.settle()
            b = self.fresh("b")
            self.line(f"{b} = len(S)")
            self.line(f"push({given})")
        self.frames.append(Frame(self.base(), self.names.frame, self.dirty))
        self.dirty = {}
        self.frame = self.fresh("B")
        self.line(f"{self.frame} = {b} + {hdr.FRAME_LINK}")
        self.names = Names(frame=names)

    def pop(self, step: Pop) -> None:
        b = self.fresh("b")
        self.line(f"{b} = {self.base()} - {hdr.FRAME_LINK}")
        self.dirty = {}
        self.names = Names()
        if not step.known:
            self.line(f"r = S[{b}]")
        self.popped = b
        if self.unit.facts.plans:
            self.drop()
            self.line(f"if S[{hdr.PLAN}] and S[{hdr.PLAN_FRAME}] == {b}: end_plan()")
        if step.known:
            frame = self.frames.pop()
            self.frame, self.names.frame, self.dirty = frame.name, frame.known, frame.dirty
            self.base()
            return
        self.frame = None
        if step.back < 0:
            self.drop()
            self.flush()
            self.line("return r")
            return
        self.line(f"if r != {step.back}:")
        self.line.depth += 1
        work, popped = self.work, self.popped
        self.drop()
        self.flush()
        self.line("return r")
        self.line.depth -= 1
        self.work, self.popped = work, popped
        self.again()

    def base(self) -> str:
        if self.frame is None:
            self.frame = self.fresh("B")
            at = f"S[{self.popped} + 1]" if self.popped else f"S[{hdr.FP}]"
            self.line(f"{self.frame} = {at} + {hdr.FRAME_LINK}")
        return self.frame
