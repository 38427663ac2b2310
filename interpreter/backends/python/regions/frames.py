"""Frames in the function of a region: which of their variables are in the store, and which in Python variables only.

Frame variables are saved to the store when something may read them there, and not at all if the frame is left before.
A frame that was left stays in the store until something may read it, and a new one may take its place.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl import ir
from dsl import program as hdr
from dsl.base.types import Type
from interpreter.backends.analysis.structure import Call, Pop, Push, Region
from interpreter.backends.python.emit.addresses import save
from interpreter.backends.python.emit.context import ModuleContext
from interpreter.backends.python.emit.function import ANY, Fn, Names
from interpreter.backends.python.emit.statements import assign
from interpreter.backends.python.emit.storage import StoreVariables
from interpreter.core.words import SCALARS

MOST_LISTED = 12  # words of a frame that are written one by one

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


class Frames(StoreVariables):
    """`frames`: those of the callers entered in this function; `dirty`: frame variables whose values are not in the
    store yet; `work`: units of work that are not counted yet; `popped`: the base of a frame that has been left but is
    still in the store."""

    def __init__(self, fn: Fn) -> None:
        super().__init__(fn)
        self.frames: list[Frame] = []
        self.dirty: Dirty = {}
        self.work = 0
        self.popped = ""

    def base(self) -> str:
        if self.frame is None:
            self.frame = self.fn.fresh("B")
            at = f"S[{self.popped} + 1]" if self.popped else f"S[{hdr.FP}]"
            self.fn.line(f"{self.frame} = {at} + {hdr.FRAME_LINK}")
        return self.frame

    def set_variable(self, slot: int, t: Type, text: str) -> None:
        if self.fn.block_depth:
            super().set_variable(slot, t, text)
            return
        self.fn.names.frame[slot] = text
        self.dirty[slot] = (t, text)

    def sync(self) -> None:
        self.remove_popped()
        for frame in self.frames:
            if frame.dirty:
                assert frame.name is not None
                self.write_back(frame.name, frame.dirty)
        if self.dirty:
            self.write_back(self.base(), self.dirty)

    def write_back(self, name: str, dirty: Dirty) -> None:
        for slot, (t, text) in dirty.items():
            save(self.fn, f"{name} + {slot}" if slot else name, t, text, "a local", None)
        dirty.clear()

    def remove_popped(self) -> None:
        """Take a frame that has been left out of the store."""
        if self.popped:
            self.fn.line(f"S[{hdr.FP}] = S[{self.popped} + 1]")
            self.fn.line(f"del S[{self.popped}:]")
            self.popped = ""

    def reload_base(self) -> None:
        """Read the address of the running frame anew."""
        self.frame = None
        self.base()

    def count_work(self) -> None:
        if self.work:
            self.fn.line(f"S[{hdr.STEPS}] += {self.work}")
            self.work = 0

    # ------------------------------------------------------------ branches

    def state(self) -> tuple[Names, str, list[Frame], int, Dirty, str]:
        """What is known here, to be restored for another branch."""
        frames = [frame.copy() for frame in self.frames]
        return self.fn.names.copy(), self.base(), frames, self.work, self.dirty.copy(), self.popped

    def restore(self, state: tuple[Names, str, list[Frame], int, Dirty, str]) -> None:
        names, self.frame, frames, self.work, dirty, self.popped = state
        self.fn.names, self.frames, self.dirty = names.copy(), [frame.copy() for frame in frames], dirty.copy()


class RegionFn(Fn):
    """The function of a region. `exits`: the instructions at which the driver may go on; `loop_bases`: the base of the
    running frame at the head of each open loop."""

    storage: Frames

    def __init__(self, ctx: ModuleContext, region: Region) -> None:
        super().__init__(ctx, Frames)
        self.exits: set[int] = set()
        self.loop_bases: list[str | None] = []
        for slot in sorted(ctx.live[region.entry[0]]):
            self.line(f"t{slot} = T[{slot}]")
            self.names.temps[slot] = f"t{slot}"


def merge(fn: Fn, other: Names) -> None:
    """Behind two branches, keep what is known on both: this one and the other."""
    one = fn.names
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


def unify_temps(fn: Fn, slots: set[int]) -> None:
    """Before a branch: put the temps that its blocks may assign into variables of their own."""
    for slot in sorted(slots):
        found = fn.names.temps.get(slot)
        if found is not None and found != f"t{slot}":
            assign(fn, slot, found, fn.names.ranges.get(slot, ANY))


def forget_in_loop(fn: Fn, slots: set[int]) -> None:
    """Before and behind a loop: forget what is known of the temps that it may assign, and of frame variables."""
    for slot in slots:
        found = fn.names.temps.get(slot)
        if found is not None and found != f"t{slot}":
            assign(fn, slot, found)
        elif found is not None:
            fn.names.ranges.pop(slot, None)
            fn.names.known.pop(slot, None)
    fn.names.frame.clear()


def push(fn: RegionFn, step: Push) -> None:
    """Push a frame; the limits are only tested where the stack is high."""
    program, limits = fn.ctx.program, fn.ctx.program.limits
    i = program.code[step.pc]
    assert isinstance(i, ir.CallI)
    proc = program.procs[step.proc]
    args = [fn(a) for a in i.args]
    fn.storage.work += 1
    size = hdr.FRAME_LINK + proc.frame_words
    safe = program.state_words + min(limits.stack - size, hdr.FRAME_LINK * (limits.frames - 1))
    rest = proc.frame_words - len(args)
    names: dict[int, str] = {}
    given = f"{step.proc}, [{', '.join(args)}], {step.return_pc}"
    if len(proc.params) == len(args) and all(type(t) in SCALARS for _, t in proc.params):
        for slot, arg in enumerate(args):
            args[slot] = names[slot] = fn.hold(arg, "f")
        given = f"{step.proc}, [{', '.join(args)}], {step.return_pc}"
        words = [str(step.proc), *args, *(["0"] * rest if rest <= MOST_LISTED else [f"*{fn.ctx.zeros(rest)}"])]
        for slot in range(len(args), min(proc.frame_words, MOST_LISTED)):
            names[slot] = "0"
        if fn.storage.popped:  # the new frame takes the place of the one that was left
            b = fn.storage.popped
            fn.line(f"S[{b}:] = ({step.return_pc}, {fn.storage.base()} - {hdr.FRAME_LINK}, {', '.join(words)},)")
            fn.line(f"S[{hdr.FP}] = {b}")
            fn.line(f"if {b} > {safe}:")
            fn.line(f" S[{hdr.FP}] = S[{b} + 1]")
            fn.line(f" del S[{b}:]")
            fn.line(f" push({given})")
            fn.storage.popped = ""
        else:
            b = fn.fresh("b")
            fn.line(f"{b} = len(S)")
            fn.line(f"if {b} > {safe}: push({given})")
            fn.line("else:")
            fn.line(f" S.extend(({step.return_pc}, S[{hdr.FP}], {', '.join(words)},))")
            fn.line(f" S[{hdr.FP}] = {b}")
    else:
        fn.storage.sync()
        b = fn.fresh("b")
        fn.line(f"{b} = len(S)")
        fn.line(f"push({given})")
    fn.storage.frames.append(Frame(fn.storage.base(), fn.names.frame, fn.storage.dirty))
    fn.storage.dirty = {}
    fn.storage.frame = fn.fresh("B")
    fn.line(f"{fn.storage.frame} = {b} + {hdr.FRAME_LINK}")
    fn.names = Names(frame=names)


def call(fn: RegionFn, step: Call) -> None:
    """Call the function of the region where a procedure begins. Where it stops, or goes on elsewhere, so does the
    caller: all frames are in the store. The same number may belong to a frame above this one."""
    push(fn, Push(step.pc, step.proc, step.return_pc))
    fn.storage.sync()
    fn.storage.count_work()
    frame = fn.storage.frames.pop()
    fn.storage.frame, fn.storage.dirty, fn.names = frame.name, frame.dirty, Names(frame=frame.known)
    fn.line(f"r = _r{fn.ctx.program.procs[step.proc].entry}(S)")
    fn.line(f"if r != {step.return_pc} or S[{hdr.FP}] != {fn.storage.base()} - {hdr.FRAME_LINK}: return r")


def pop(fn: RegionFn, step: Pop) -> None:
    b = fn.fresh("b")
    fn.line(f"{b} = {fn.storage.base()} - {hdr.FRAME_LINK}")
    fn.storage.dirty = {}
    fn.names = Names()
    if not step.known:
        fn.line(f"r = S[{b}]")
    fn.storage.popped = b
    if fn.ctx.facts.uses_plans:
        fn.storage.remove_popped()
        fn.line(f"if S[{hdr.PLAN}] and S[{hdr.PLAN_FRAME}] == {b}: end_plan()")
    if step.known:
        frame = fn.storage.frames.pop()
        fn.storage.frame, fn.names.frame, fn.storage.dirty = frame.name, frame.known, frame.dirty
        fn.storage.base()
        return
    fn.storage.frame = None
    if step.return_pc < 0:
        fn.storage.remove_popped()
        fn.storage.count_work()
        fn.line("return r")
        return
    fn.line(f"if r != {step.return_pc}:")
    fn.line.depth += 1
    work, popped = fn.storage.work, fn.storage.popped
    fn.storage.remove_popped()
    fn.storage.count_work()
    fn.line("return r")
    fn.line.depth -= 1
    fn.storage.work, fn.storage.popped = work, popped
    fn.storage.reload_base()
