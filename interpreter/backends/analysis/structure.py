"""Regions of instructions as structured control: what runs from one instruction up to the next question.

A `Region` begins at an instruction and follows runs, branches, calls and returns of suspending procedures until the
machine must stop or the region gets too large. `tree` gives it as nested blocks, tests and loops for a target language
without jumps; where control does not nest, the tree has an `Exit`, and the driver goes on at that instruction.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

from dsl import ir
from dsl.base.record import dataclass
from dsl.program import Program
from interpreter.backends.analysis.cfg import Graph
from interpreter.backends.analysis.dataflow import Facts

Place = tuple[int, tuple[int, ...]]  # an instruction, and where the procedures entered inside the region return to

MOST_FRAMES = 3  # procedures entered inside each other in one region


@dataclass(frozen=True, slots=True)
class Do:
    """Carry out an instruction that does not branch."""

    pc: int


@dataclass(frozen=True, slots=True)
class Push:
    """Call a suspending procedure, which returns to `return_pc`; its code follows."""

    pc: int
    proc: int
    return_pc: int


@dataclass(frozen=True, slots=True)
class Call:
    """Call a suspending procedure whose code stands in a function of its own; go on where it returns to `return_pc`."""

    pc: int
    proc: int
    return_pc: int


@dataclass(frozen=True, slots=True)
class Pop:
    """Leave a frame. `return_pc`: the return address; unless `known`, code must test that it is this one; -1: it may be
    any."""

    pc: int
    return_pc: int
    known: bool


@dataclass(frozen=True, slots=True)
class Test:
    """One of two blocks: of a branch (`then` where it holds), chance (`orelse`: nothing to draw), a confirmation."""

    pc: int
    then: Block
    orelse: Block


@dataclass(frozen=True, slots=True)
class BackEdge:
    """Count a unit of work: control goes back to an earlier instruction."""


@dataclass(frozen=True, slots=True)
class Loop:
    body: Block


@dataclass(frozen=True, slots=True)
class Break:
    pass


@dataclass(frozen=True, slots=True)
class Continue:
    pass


@dataclass(frozen=True, slots=True)
class Exit:
    """Give control back to the driver, which goes on at `pc`."""

    pc: int


@dataclass(frozen=True, slots=True)
class Last:
    """Carry out an instruction that ends the region: a question, the end, a call of an unknown procedure."""

    pc: int


@dataclass(frozen=True, slots=True)
class SetVariables:
    """Set frame variables: the depth of the frame, the number of the variable, its value."""

    values: tuple[tuple[int, int, Any], ...]


Step = Do | Push | Call | Pop | Test | BackEdge | Loop | Break | Continue | Exit | Last | SetVariables
Block = list[Step]


class ProcedureIndex:
    """Gives the suspending procedure that an instruction belongs to."""

    def __init__(self, program: Program) -> None:
        rows = sorted((p.entry, n) for n, p in enumerate(program.procs) if p.suspends)
        self.starts = [entry for entry, _ in rows]
        self.numbers = [n for _, n in rows]

    def proc(self, pc: int) -> int:
        at = bisect_right(self.starts, pc) - 1
        return self.numbers[at] if at >= 0 else -1


class Region(Graph[Place]):
    """`written`: the instructions that the target can write; others end the region. `called`: the procedures that are
    not entered but called. `size`: the most places; from `short` places on it ends where another region begins anyway,
    at one of `entries`. `passes`: how many passes are written of a loop that does not begin at `entry`."""

    def __init__(
        self,
        program: Program,
        facts: Facts,
        procedures: ProcedureIndex,
        entry: int,
        written: frozenset[int],
        called: frozenset[int],
        entries: frozenset[int],
        size: int,
        short: int,
        passes: int,
    ) -> None:
        self.program, self.facts, self.procedures, self.written = program, facts, procedures, written
        self.called = called
        self.calls = procedures.proc(entry) not in called  # inside a call the driver makes others: none lies in another
        self.entry: Place = (entry, ())
        self.passes = passes
        self.successors: dict[Place, tuple[Place, ...]] = {}
        self._explore(size, short, entries)
        self._order()
        self.emitted = 0
        self.most = 3 * size

    # ------------------------------------------------------------ the graph

    def _explore(self, size: int, short: int, entries: frozenset[int]) -> None:
        queue = [self.entry]
        for place in queue:
            if len(self.successors) >= size:
                break
            if place in self.successors or place[0] not in self.written:
                continue
            if len(self.successors) >= short and not place[1] and place[0] in entries:
                continue
            self.successors[place] = self._after(place)
            queue += self.successors[place]

    def _after(self, place: Place) -> tuple[Place, ...]:
        pc, stack = place
        i = self.program.code[pc]
        match i:
            case ir.Jump(target) | ir.Give(target=target):
                return ((target, stack),)
            case ir.Branch(target=target):
                return ((pc + 1, stack), (target, stack))
            case ir.Confirm(target=target):
                return ((target, stack), (pc + 1, stack))
            case ir.CallI(proc, _) if proc in self.called:
                return ((pc + 1, stack),) if self.calls else ()
            case ir.CallI(proc, _) if self.program.procs[proc].suspends:
                return ((self.program.procs[proc].entry, (*stack, pc + 1)),) if self._enters(proc, stack) else ()
            case ir.Leave():
                if stack:
                    return ((stack[-1], stack[:-1]),)
                back = self._only_caller(pc)
                return ((back, ()),) if back >= 0 else ()
            case ir.Ask(site, skip):
                s = self.program.sites[site]
                return ((skip, stack),) if s.decline or s.if_any else ()
            case ir.Chance(empty=empty):
                return ((pc + 1, stack), (empty, stack)) if empty >= 0 else ((pc + 1, stack),)
            case ir.Enter() | ir.Stop() | ir.End():
                return ()
        return ((pc + 1, stack),)

    def _enters(self, proc: int, stack: tuple[int, ...]) -> bool:
        inside = {self.procedures.proc(back - 1) for back in stack} | {proc}
        return len(stack) < MOST_FRAMES and len(inside) == len(stack) + 1 and not self._recurses(proc, stack)

    def _recurses(self, proc: int, stack: tuple[int, ...]) -> bool:
        return any(self.procedures.proc(back) == proc for back in stack)

    def _only_caller(self, pc: int) -> int:
        """Where a procedure returns to, if it is called from one place."""
        found = self.facts.returns.get(self.procedures.proc(pc), ())
        return found[0] if len(found) == 1 else -1

    # ------------------------------------------------------------ the tree

    def tree(self) -> Block:
        return self._block(self.entry, {}, {})

    def _block(self, place: Place, stops: dict[Place, Step | None], open_: dict[Place, int]) -> Block:
        """The block from a place up to one of `stops`: None ends the block there, a step is appended. `open_`: the
        heads of the loops around it, each with the passes so far."""
        out: Block = []
        while True:
            if place in stops:
                step = stops[place]
                return out if step is None else [*out, step]
            if place not in self.successors or self.emitted > self.most:
                return [*out, Exit(place[0])]
            if place in self.loops and place != self.entry:
                open_ = {**open_, place: open_.get(place, 0) + 1}
                if open_[place] == self.passes:  # the region that begins there has the loop
                    stops = {**stops, place: Exit(place[0])}
            elif place in self.loops and place not in open_:
                leave = self._loop_exit(place)
                inner: dict[Place, Step | None] = {p: Exit(p[0]) for p in stops}
                inner[place] = Continue()
                if leave is not None:
                    inner[leave] = Break()
                body = self._body(place, inner, {**open_, place: 1})
                out.append(Loop(body))
                if leave is None:
                    return out
                place = leave
                continue
            ended = self._step(place, stops, open_, out)
            if ended is None:
                return out
            place = ended

    def _body(self, head: Place, stops: dict[Place, Step | None], open_: dict[Place, int]) -> Block:
        out: Block = []
        after = self._step(head, stops, open_, out)
        return out if after is None else out + self._block(after, stops, open_)

    def _step(self, place: Place, stops: dict[Place, Step | None], open_: dict[Place, int], out: Block) -> Place | None:
        """Append what one instruction does; gives the place that follows, None where the block ends there."""
        self.emitted += 1
        pc, stack = place
        i = self.program.code[pc]
        after = self.successors[place]
        match i:
            case ir.Jump(target):
                if target <= pc:
                    out.append(BackEdge())
                return after[0]
            case ir.CallI(proc, _) if self.program.procs[proc].suspends:
                if not after:
                    out += [Push(pc, proc, pc + 1), Exit(self.program.procs[proc].entry)]
                    return None
                out.append((Call if proc in self.called else Push)(pc, proc, pc + 1))
                return after[0]
            case ir.Leave():
                out.append(Pop(pc, stack[-1] if stack else self._only_caller(pc), bool(stack)))
                return after[0] if after else None
            case ir.Ask():
                out.append(Do(pc) if after else Last(pc))
                if after and after[0][0] <= pc:
                    out.append(BackEdge())
                return after[0] if after else None
            case ir.Enter() | ir.Stop() | ir.End():
                out.append(Last(pc))
                return None
        if len(after) == 1:
            out.append(Do(pc))
            return after[0]
        join = self._join(*after)
        inner = stops
        if join is not None:  # only there control falls out of both branches
            inner = {p: Exit(p[0]) if end is None else end for p, end in stops.items()} | {join: None}
        then, orelse = (back_edge(pc, to) + self._block(to, inner, open_) for to in after)
        out.append(Test(pc, then, orelse))
        return join if falls_through(then) or falls_through(orelse) else None


def back_edge(pc: int, to: Place) -> Block:
    return [BackEdge()] if to[0] <= pc else []


def falls_through(block: Block) -> bool:
    """Whether control can reach the end of a block."""
    if not block:
        return True
    last = block[-1]
    if isinstance(last, Test):
        return falls_through(last.then) or falls_through(last.orelse)
    if isinstance(last, Loop):
        return any(has_break(step) for step in last.body)
    if isinstance(last, Pop):
        return last.return_pc >= 0
    return not isinstance(last, Break | Continue | Exit | Last)


def has_break(step: Step) -> bool:
    return isinstance(step, Break) or (isinstance(step, Test) and any(map(has_break, [*step.then, *step.orelse])))
