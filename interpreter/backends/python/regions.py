"""A stretch of instructions as one Python function of the store.

Takes the tree of a `Region` and writes its statements, calls, returns and questions; the function gives the number of
the instruction at which the driver goes on, or STOPPED. Frames lie in the store exactly as the reference leaves them;
frame variables that were read or written are kept in Python variables besides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dsl import ir
from dsl import program as hdr
from dsl.types import MemberType, Type
from interpreter.backends.facts import flow, free, walk
from interpreter.backends.python.chances import Chances
from interpreter.backends.python.frames import Frame
from interpreter.backends.python.names import ANY
from interpreter.backends.python.short import is_choice
from interpreter.backends.python.statements import SETTLING, returns_early, writable
from interpreter.backends.shape import (
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

if TYPE_CHECKING:
    from interpreter.backends.python.unit import Unit

STATEMENTS = ir.Stmt.__args__  # type: ignore[attr-defined]
CERTAIN = (ir.SetTemp, ir.SetFrame, ir.Note, ir.AtomicEnd, ir.IfS)
FAILING = (ir.TableGet, ir.CallFn, ir.Fold, ir.Reach, ir.RangeTable)
STOPPED = -1


class Writer(Chances):
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

    def confirmed(self, i: ir.Confirm) -> str:
        """Whether the answer that stands in the frame could be given now."""
        self.settle()
        site, lister = self.program.sites[i.site], self.unit.lister(i.site)
        if lister is None or (site.filter and self.unit.facts.plans):
            return f"confirmed({i.site})"
        if len(site.alternatives) > 1:
            return f"confirmed({i.site})"
        alternative = site.alternatives[0]
        values = [self(ir.FrameVar(slot, t)) for slot, t in alternative.slots[: len(alternative.binders)]]
        if site.shape == "number" and site.answer is not None:
            values = [self(ir.FrameVar(*site.answer))]
        if len(values) == len(alternative.binders) == 1:
            found = self.still_offered(alternative, values[0])
            if found:
                return found
        given = values[0] if len(alternative.binders) == 1 else f"({''.join(f'{v}, ' for v in values)})"
        return f"{given} in {lister}(S)"

    def still_offered(self, alternative: ir.Alternative, value: str) -> str | None:
        """A value of a chosen set is still there, and passes the tests."""
        slot, domain = alternative.binders[0][1:3]
        tests = [g.test for g in alternative.guards]
        value = self.hold(value)
        names = self.names.copy()
        self.names.temps[slot] = value
        while domain.kind == "set" and is_choice(domain.a):
            inner, domain_inside = domain.a.binders[0]
            self.names.temps[inner] = value
            tests = [*([domain.a.where] if domain.a.where is not None else []), *tests]
            domain = domain_inside
        found = None
        if domain.kind == "set" and isinstance(domain.a, ir.Const) and not any(may_fail(t) for t in tests):
            mask = domain.a.value
            with self.lazily():
                found = " and ".join([inside(value, mask, alternative.slots[0][1]), *(self.test(t) for t in tests)])
        frame = self.names.frame
        self.names = names
        self.names.frame = frame
        return found

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

    def ask(self, i: ir.Ask, pc: int) -> None:
        """Stop if there is an option; else the text goes on."""
        self.settle()
        lister = self.unit.lister(i.site)
        if lister is None or self.unit.facts.plans:
            guarded = lister is not None
            if guarded:
                self.line(f"if S[{hdr.PLAN}] or m.probing:")
                self.line.depth += 1
            work = self.work
            self.flush()
            self.line(f"r = step({pc}, ())")
            self.line(f"if r == {STOPPED}: return {STOPPED}")
            if not guarded:
                return
            self.line.depth -= 1
            self.line("else:")
            self.line.depth += 1
            self.work = work
            self.fast_ask(i, pc, str(lister))
            self.flush()
            self.line.depth -= 1
            return
        self.fast_ask(i, pc, lister)

    def fast_ask(self, i: ir.Ask, pc: int, lister: str) -> None:
        site = self.program.sites[i.site]
        self.line(f"offers = {lister}(S)")
        certain = self.unit.always_offers(i.site)
        if not certain:
            self.line("if offers:")
            self.line.depth += 1
        work = self.work
        self.flush()
        self.work = work
        self.line(f"S[{hdr.PC}] = {pc}")
        self.line(f"S[{hdr.SITE}] = {i.site + 1}")
        self.line(f"m.raw = ({i.site}, offers)")
        if self.unit.wide_results:
            self.line(f"if not is_number(S[{hdr.RV}]): S[{hdr.RV}] = 0")
        self.line(f"return {STOPPED}")
        if not certain:
            self.line.depth -= 1
        if not (site.decline or site.if_any):
            self.line(f"raise dead_end({i.site})")

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


def inside(value: str, mask: int, t: Type) -> str:
    """The condition that a variable of a type holds a member of a set."""
    if isinstance(t, MemberType) and not mask & 1 and all(mask >> v & 1 for v in range(max(t.low, 1), t.high + 1)):
        return value
    return f"{value} >= 0 and {mask} >> {value} & 1"


def may_fail(node: ir.Instr | ir.Expr | Sequence[ir.Stmt]) -> bool:
    """Whether statements or expressions may end with a fault of the rules."""
    return any(not isinstance(n, CERTAIN) for n in walk(node) if isinstance(n, STATEMENTS)) or any(
        isinstance(n, FAILING) for n in walk(node)
    )


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
