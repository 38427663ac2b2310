"""A stretch of instructions as one Python function of the store.

Takes the tree of a `Region` and writes its statements, calls, returns and questions; the function gives the number of
the instruction at which the driver goes on, or STOPPED. Frames lie in the store exactly as the reference leaves them;
frame variables that were read or written are kept in Python variables besides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import ir
from dsl import program as hdr
from interpreter.backends.analysis.dataflow import flow, free, walk
from interpreter.backends.analysis.structure import (
    Back,
    Block,
    Break,
    Continue,
    Do,
    Exit,
    Last,
    Loop,
    Pop,
    Push,
    Region,
    Step,
    Test,
    falls,
)
from interpreter.backends.python.emit.function import ANY
from interpreter.backends.python.emit.statements import SETTLING, returns_early, writable
from interpreter.backends.python.regions.frames import Frame
from interpreter.backends.python.regions.questions import STOPPED, Questions, may_fail

if TYPE_CHECKING:
    from interpreter.backends.python.compile.module import Unit


class Writer(Questions):
    def __init__(self, unit: Unit, region: Region) -> None:
        super().__init__(unit)
        self.region = region
        self.exits: set[int] = set()  # where the driver may go on behind this function
        self.heads: list[str | None] = []  # the frame at the head of each open loop
        for slot in sorted(unit.live[region.entry[0]]):
            self.line(f"t{slot} = T[{slot}]")
            self.names.temps[slot] = f"t{slot}"

    def write(self) -> None:
        if self.region.entry[0]:
            self.base()
        self.tree(self.region.tree())

    # ------------------------------------------------------------ control

    def tree(self, block: Block) -> None:
        for step in block:
            self.step(step)

    def step(self, step: Step) -> None:
        match step:
            case Do(pc):
                self.do(pc)
            case Back():
                self.work += 1
            case Push():
                self.push(step)
            case Pop():
                self.pop(step)
            case Test():
                self.branch(step)
            case Loop(body):
                self.loop(body)
            case Break():
                self.settle()
                self.flush()
                self.line("break")
            case Continue():
                self.next_pass()
            case Exit(pc):
                self.leave_at(pc)
            case Last(pc):
                self.last(pc)

    def next_pass(self) -> None:
        """The end of a pass of a loop."""
        self.settle()
        self.flush()
        self.line(f"if S[{hdr.STEPS}] > {self.unit.limit}: raise endless(None)")
        if self.frame != self.heads[-1]:
            self.line(f"{self.heads[-1]} = {self.base()}")
        self.line("continue")

    def leave_at(self, pc: int) -> None:
        self.exits.add(pc)
        self.settle()
        self.flush()
        for slot in sorted(self.unit.live[pc]):
            self.line(f"T[{slot}] = {self.temp(slot)}")
        self.line(f"return {pc}")

    def arm(self, block: Block, settled: bool) -> None:
        """One way of a test; behind it no work is pending; `settled`: nor anything else."""
        self.line.depth += 1
        self.line("pass")
        self.tree(block)
        if falls(block):
            self.flush()
            if settled:
                self.settle()
        self.line.depth -= 1

    def branch(self, step: Test) -> None:
        i = self.program.code[step.pc]
        if may_fail(i):
            self.drop()
        if isinstance(i, ir.Branch):
            head = f"if {self.test(i.test)}:"
        elif isinstance(i, ir.Confirm):
            head = f"if {self.confirmed(i)}:"
        else:
            assert isinstance(i, ir.Chance)
            head = f"if {self.chance(i, step.pc)}:"
        both = falls(step.then) and falls(step.orelse)
        if both:
            self.settle_temps(step)
        both_settle = both and not (harmless(self.program, step.then) and harmless(self.program, step.orelse))
        before = self.state()
        self.line(head)
        if isinstance(i, ir.Chance):
            self.drawn(i, 1)
        self.arm(step.then, both_settle)
        after_then = self.state()
        self.restore(before)
        if not falls(step.then):
            self.tree(step.orelse)
            return
        if step.orelse or not falls(step.orelse):
            self.line("else:")
            self.arm(step.orelse, both_settle)
        elif self.work or both_settle:
            self.line("else:")
            self.line.depth += 1
            self.line("pass")
            self.flush()
            if both_settle:
                self.settle()
            self.line.depth -= 1
        self.work = 0
        if not both:
            self.restore(after_then)
            return
        names, frame, frames = after_then[0], after_then[1], after_then[2]
        self.merge(names)
        if [f.name for f in self.frames] != [f.name for f in frames]:
            self.frames = [Frame(None, {}, {}) for _ in self.frames]
        for mine, other in zip(self.frames, frames, strict=False):
            mine.known = {k: v for k, v in mine.known.items() if other.known.get(k) == v}
        if self.frame != frame:
            self.names.frame.clear()
            self.again()

    def settle_temps(self, step: Test) -> None:
        """Temps that only one side may assign stand in their own variable behind both."""
        for slot in sorted(self.assigned([*step.then, *step.orelse])):
            found = self.names.temps.get(slot)
            if found is not None and found != f"t{slot}":
                self.assign(slot, found, self.names.ranges.get(slot, ANY))

    def assigned(self, block: Block) -> set[int]:
        found: set[int] = set()
        for step in block:
            match step:
                case Do(pc):
                    i = self.program.code[pc]
                    if isinstance(i, ir.Run):
                        found |= flow(i.body)[2]
                case Test(_, then, orelse):
                    found |= self.assigned(then) | self.assigned(orelse)
                case Loop(body):
                    found |= self.assigned(body)
        return found

    def loop(self, body: Block) -> None:
        self.settle()
        self.flush()
        self.forget_all(body)
        self.line("while True:")
        with self.inside():
            self.line.depth += 1
            frames = self.frames[:]
            self.heads.append(self.base())
            self.tree(body)
            self.heads.pop()
        self.forget_all(body)
        self.frames = [Frame(None, {}, {}) for _ in frames]
        self.again()

    def forget_all(self, body: Block) -> None:
        """What a loop may change is not known at its beginning, nor behind it."""
        for slot in self.assigned(body):
            found = self.names.temps.get(slot)
            if found is not None and found != f"t{slot}":
                self.assign(slot, found)
            elif found is not None:
                self.names.ranges.pop(slot, None)
                self.names.known.pop(slot, None)
        self.names.frame.clear()

    # ------------------------------------------------------------ instructions

    def do(self, pc: int) -> None:
        i = self.program.code[pc]
        match i:
            case ir.Run(body):
                if may_fail(body):  # then a frame that was left must not be named
                    self.drop()
                self.body(body)
            case ir.Give(value, _):
                if value is not None:
                    self.line(f"S[{hdr.RV}] = {self(value)}")
                if self.unit.facts.together:
                    self.drop()
                    self.line(f"if S[{hdr.TOGETHER}] and S[{hdr.TOGETHER_FRAME}] == S[{hdr.FP}]:")
                    self.line(f" S[{hdr.TOGETHER}] = S[{hdr.TOGETHER_FRAME}] = 0")
            case ir.CallI(proc, args):
                self.do_CallS(ir.CallS(proc, args))
            case ir.EndList():
                self.end_list(pc)
            case ir.Drain():
                if self.unit.facts.deferred:
                    self.settle()
                    self.line(f"if S[{hdr.DEFERRED}] and not S[{hdr.TOGETHER}]:")
                    self.line.depth += 1
                    self.machine(pc)
                    self.line.depth -= 1
            case ir.Ask():
                self.ask(i, pc)
            case ir.Chance():
                text = self.chance(i, pc)
                if text != "True":
                    self.line(f"if not {text}: raise nothing_to_draw({self.unit.object(i.span)})")
                self.drawn(i, 0)
            case ir.OpenPlan() | ir.ClosePlan() | ir.Scope():
                self.settle()
                pairs = "".join(f"({slot}, {self.temp(slot)})," for slot in sorted(free(i)))
                self.line(f"step({pc}, ({pairs}))")
            case _:
                raise AssertionError(i)

    def machine(self, pc: int) -> None:
        """Let the reference carry out an instruction, and go on where it says."""
        work = self.work
        if work:
            self.line(f"S[{hdr.STEPS}] += {work}")
        pairs = "".join(f"({slot}, {self.temp(slot)})," for slot in sorted(free(self.program.code[pc])))
        self.line(f"return step({pc}, ({pairs}))")

    def end_list(self, pc: int) -> None:
        facts = self.unit.facts
        words = [f"S[{hdr.DEFERRED}]"] * facts.deferred + [f"S[{hdr.TIMED}]"] * facts.timed
        if words or not self.leaves_at_once(pc + 1):
            self.settle()
        if words:
            self.line(f"if {' or '.join(words)}:")
            self.line.depth += 1
            self.machine(pc)
            self.line.depth -= 1
        if self.leaves_at_once(pc + 1):
            return
        self.line(f"b = {self.base()} - {hdr.FRAME_LINK - 2}")
        self.line("if S[b] >= 0: S[b] = ~S[b]")

    def leaves_at_once(self, pc: int) -> bool:
        """Whether nothing that could look at the frame comes before it is left."""
        code = self.program.code
        while isinstance(i := code[pc], ir.Run) and all(isinstance(s, ir.Note | ir.AtomicEnd) for s in i.body):
            if self.unit.checked and any(isinstance(s, ir.AtomicEnd) and s.symbols for s in i.body):
                return False
            pc += 1
        return isinstance(code[pc], ir.Leave)

    # ------------------------------------------------------------ questions and chance

    def last(self, pc: int) -> None:
        i = self.program.code[pc]
        if isinstance(i, ir.Ask):
            self.ask(i, pc)
            self.line(f"return {STOPPED}")
            self.work = 0
            return
        self.settle()
        if isinstance(i, ir.End) and not self.unit.facts.plans:
            self.flush()
            self.line(f"S[{hdr.PC}] = 0")
            self.line(f"if S[{hdr.DRIVEN}]: S[{hdr.DRIVEN}] = 0")
            self.line(f"else: S[{hdr.OVER}] = 1")
            self.line(f"return {STOPPED}")
            return
        if isinstance(i, ir.Enter):
            self.enter(i, pc)
            return
        self.machine(pc)
        self.work = 0

    def enter(self, i: ir.Enter, pc: int) -> None:
        """A procedure whose number is known only at run time."""
        given = f"{self(i.proc)}, ({''.join(f'{self(a)}, ' for a in i.args)}), {pc + 1}"
        for slot in sorted(self.unit.live[pc + 1]):
            self.line(f"T[{slot}] = {self.temp(slot)}")
        self.flush()
        self.line(f"return enter(S, {given})")


def harmless(program: hdr.Program, block: Block) -> bool:
    """Whether what is not in the store yet may stay so over a block that may or may not run."""
    for step in block:
        match step:
            case Do(pc):
                i = program.code[pc]
                if not isinstance(i, ir.Run) or any(isinstance(n, SETTLING) for n in walk(i.body)):
                    return False
            case Test(_, then, orelse):
                if not (harmless(program, then) and harmless(program, orelse)):
                    return False
            case Push() | Pop() | Loop() | Last():
                return False
    return True


def written(program: hdr.Program) -> frozenset[int]:
    """The instructions that a `Writer` can write; the reference carries out the others."""
    found = set()
    for pc, i in enumerate(program.code):
        if isinstance(i, ir.Run) and (not writable(i.body) or returns_early(i.body)):
            continue
        found.add(pc)
    return frozenset(found)
