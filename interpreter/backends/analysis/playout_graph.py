"""A whole game as structured control: from a place in the rules to the end, through every question on the way.

A `GameGraph` follows instructions, beyond questions too, and each of its spots has the values that frame variables
certainly have there: loops over seats are unrolled, tests of known values disappear. Instructions are
specialised for those values (`Specialiser`). An instruction that cannot be followed is a node without instruction.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from dsl import ir
from dsl.base.types import Type
from dsl.program import FRAME_LINK, PC, Program
from interpreter.backends.analysis.cfg import Graph
from interpreter.backends.analysis.dataflow import frame_slots
from interpreter.backends.analysis.liveness import (
    frame_liveness,
    initial_value,
    list_counters,
    slot_types,
)
from interpreter.backends.analysis.specialise import Specialiser
from interpreter.backends.analysis.structure import (
    BackEdge,
    Block,
    BreakLoop,
    CarryOut,
    ContinueLoop,
    Exit,
    Last,
    Loop,
    ProcedureIndex,
    SetVariables,
    Step,
    Test,
    falls_through,
)
from interpreter.backends.analysis.substitute import Known, Value, forget
from interpreter.core.stack import bases as frame_bases
from interpreter.core.words import Words, load
from interpreter.machine.machine import Machine

FrameFacts = tuple[tuple[int, Value], ...]  # known values of a frame's variables: pairs of slot and value, in order

ASKED, OUTCOME, ACCEPTED = 1, 2, 1000  # parts of a question or a call by number; 0: the first
COUNTED = Machine.COUNTED
NO_PROC = 0  # the procedure that does nothing
MOST_PLACES = 1500
MOST_STEPS = 1500  # of one tree
MOST_VARIANTS = 12  # of one instruction; then nothing is known there
MOST_FRAMES = 12  # frames


class Spot(NamedTuple):
    """An instruction, the return addresses of the running procedures (the outermost first), the known values of their
    frames, and the part of a question or of a call by number."""

    pc: int
    stack: tuple[int, ...]
    known: tuple[FrameFacts, ...]
    part: int = 0


class Variable(NamedTuple):
    """A frame variable of a store: the depth of its frame, its number, its address and its type."""

    depth: int
    slot: int
    address: int
    type: Type


@dataclass(slots=True)
class GraphNode:
    """The specialised instruction of a spot; None: it cannot be followed. `site`: that of a question; `after`: the
    spots that follow."""

    spot: Spot
    i: ir.Instr | None = None
    site: ir.Site | None = None
    after: tuple[Spot, ...] = ()


class GameGraph(Graph[Spot]):
    def __init__(
        self, program: Program, procedures: ProcedureIndex, specialiser: Specialiser, written: frozenset[int]
    ) -> None:
        self.program, self.procedures, self.specialiser, self.written = program, procedures, specialiser, written
        self.live = frame_liveness(program)
        self.types = [slot_types(program, n) for n in range(len(program.procs))]
        self.list_counters = [list_counters(program, n) for n in range(len(program.procs))]
        self.nodes: list[GraphNode] = []
        self.numbers: dict[Spot, int] = {}
        self.variants: Counter[tuple[int, tuple[int, ...]]] = Counter()
        self.seen: set[Spot] = set()
        self.emitted = 0

    def follow(self, pc: int, stack: tuple[int, ...], known: tuple[FrameFacts, ...]) -> bool:
        """Build the graph of all that may follow from here; False where it gets too large."""
        self.start = self.spot(pc, stack, known)
        self.successors = {}
        queue = [self.start]
        for spot in queue:
            if spot in self.successors:
                continue
            if len(self.successors) >= MOST_PLACES:
                return False
            node = GraphNode(spot)
            self.numbers[spot] = len(self.nodes)
            self.nodes.append(node)
            self.expand(node)
            self.successors[spot] = node.after
            queue += node.after
        return True

    def follow_from(self, begun: Words) -> list[Variable] | None:
        """Build the graph of all that may follow from a store; gives the variables whose values are not known where it
        begins. None where the graph gets too large."""
        pc = begun[PC]
        bases = list(frame_bases(begun))[::-1]
        stack = tuple(begun[base] for base in bases)
        held: list[Known] = []
        variables: list[Variable] = []
        for depth, (base, place) in enumerate(zip(bases, (*stack[1:], pc), strict=True)):
            number = begun[base + 2]
            types = self.types[number if number >= 0 else ~number]
            found: Known = {}
            for slot in sorted(self.live[place] & types.keys()):
                variables.append(Variable(depth, slot, base + FRAME_LINK + slot, types[slot]))
                value: Any = load(begun, variables[-1].address, types[slot])
                if isinstance(value, int | tuple):
                    found[slot] = value
            held.append(found)
        if not self.follow(pc, stack, tuple(tuple(sorted(found.items())) for found in held)):
            return None
        known = [dict(frame) for frame in self.start.known]
        return [v for v in variables if v.slot not in known[v.depth]]

    def spot(self, pc: int, stack: tuple[int, ...], known: tuple[FrameFacts, ...], part: int = 0) -> Spot:
        """A spot with only those values that may be read from there on, and with none where there are too many
        variants of the same instruction."""
        known = tuple(self.relevant(frame, at) for frame, at in zip(known, (*stack[1:], pc), strict=False))
        found = Spot(pc, stack, known, part)
        if found not in self.seen:
            self.variants[pc, stack] += 1
            if self.variants[pc, stack] > MOST_VARIANTS:
                return Spot(pc, stack, ((),) * len(stack), part)
            self.seen.add(found)
        return found

    def relevant(self, frame: FrameFacts, pc: int) -> FrameFacts:
        """The relevant values of a frame at an instruction: live ones; an index of an unknown list is not relevant."""
        live, counting = self.live[pc], self.list_counters[self.procedures.proc(pc)] if pc else {}
        slots = {slot for slot, _ in frame}
        return tuple(
            (slot, v) for slot, v in frame if slot in live and (slot not in counting or counting[slot] in slots)
        )

    # ------------------------------------------------------------ one instruction

    def expand(self, node: GraphNode) -> None:
        """Set the specialised instruction of a node, and the spots that may follow."""
        pc, stack, known, part = node.spot
        if pc not in self.written:
            return
        frame: Known = dict(known[-1]) if known else {}
        i = self.program.code[pc]
        match i:
            case ir.Run(body):
                node.i = ir.Run(self.specialiser.body(body, frame))
                node.after = (self.next_spot(node.spot, pc + 1, frame),)
            case ir.Jump(target) | ir.Give(target=target):
                node.i = self.specialiser.expr(i, frame)
                node.after = (self.next_spot(node.spot, target, frame),)
            case ir.Branch(test, target):
                found = self.specialiser.expr(test, frame)
                node.i = ir.Branch(found, target)
                following: tuple[Spot, ...] = (
                    self.next_spot(node.spot, pc + 1, frame),
                    self.next_spot(node.spot, target, frame),
                )
                if isinstance(found, ir.Const):
                    following = following[:1] if found.value else following[1:]
                node.after = following
            case ir.Confirm(site, target):
                node.i, node.site = i, self.site(site, frame)
                node.after = (self.next_spot(node.spot, target, frame), self.next_spot(node.spot, pc + 1, frame))
            case ir.CallI(proc, args):
                node.i = ir.CallI(proc, self.specialiser.expr(args, frame))
                self.call(node, proc, node.i.args)
            case ir.Enter():
                self.enter(node, self.specialiser.expr(i, frame))
            case ir.Leave():
                node.i = i
                node.after = (self.spot(stack[-1], stack[:-1], known[:-1]),)
            case ir.Stop(procs):
                self.stop(node, procs)
            case ir.Ask():
                self.ask(node, i, frame)
            case ir.Chance():
                node.i = self.specialiser.expr(i, frame)
                forget(frame, range(i.slot, i.slot + 1))
                node.after = (self.next_spot(node.spot, pc + 1, frame),)
                if i.empty >= 0:
                    node.after += (self.next_spot(node.spot, i.empty, dict(known[-1])),)
            case ir.EndList() | ir.Drain():
                node.i = i
                node.after = (self.next_spot(node.spot, pc + 1, frame),)
            case ir.End():
                node.i = i

    def site(self, number: int, frame: Known) -> ir.Site:
        site = self.program.sites[number]
        return replace(site, alternatives=tuple(self.specialiser.alternative(a, frame) for a in site.alternatives))

    def next_spot(self, spot: Spot, pc: int, frame: Known, part: int = 0) -> Spot:
        """A spot at another instruction of the same procedure."""
        return self.spot(pc, spot.stack, (*spot.known[:-1], tuple(sorted(frame.items()))) if spot.known else (), part)

    def call(self, node: GraphNode, number: int, args: tuple[ir.Expr, ...]) -> None:
        pc, stack, known, _ = node.spot
        proc = self.program.procs[number]
        if not proc.suspends:
            node.after = (self.next_spot(node.spot, pc + 1, dict(known[-1])),)
            return
        running = {self.procedures.proc(back - 1) for back in stack[1:]} | {self.procedures.proc(pc)}
        limits = self.program.limits
        if number in running or len(stack) >= min(MOST_FRAMES, limits.frames):
            node.i = None
            return
        frame: Known = {slot: v for slot, t in self.types[number].items() if (v := initial_value(t)) is not None}
        for slot, arg in enumerate(args):
            frame.pop(slot, None)
            if isinstance(arg, ir.Const) and isinstance(arg.value, int | tuple):
                frame[slot] = arg.value
        node.after = (self.spot(proc.entry, (*stack, pc + 1), (*known, tuple(sorted(frame.items())))),)

    def enter(self, node: GraphNode, i: ir.Enter) -> None:
        """A call by a number that is known only at run time: one part after the other for those that may be called."""
        part, number = node.spot.part, i.proc.value if isinstance(i.proc, ir.Const) else None
        node.i = i = replace(i, choices=tuple(dict.fromkeys((*i.choices, NO_PROC))))
        if part >= ACCEPTED or number is not None:
            self.call(node, number if number is not None else i.choices[part - ACCEPTED], i.args)
        else:
            self.split(node, len(i.choices))

    def split(self, node: GraphNode, count: int) -> None:
        """The successors of a test which of `count` outcomes it is; the last one needs no test."""
        spot = node.spot
        at = max(spot.part, OUTCOME) - OUTCOME
        mine = spot._replace(part=ACCEPTED + at)
        if at + 1 == count:
            node.after = (mine,)
        elif spot.part < OUTCOME:
            node.after = (spot._replace(part=OUTCOME),)
        else:
            last = at + 2 == count
            node.after = (mine, spot._replace(part=ACCEPTED + at + 1 if last else OUTCOME + at + 1))

    def stop(self, node: GraphNode, procs: tuple[int, ...]) -> None:
        pc, stack, known, _ = node.spot
        node.i = self.program.code[pc]
        places = (*stack[1:], pc)
        for depth in range(len(stack) - 1, -1, -1):
            number = self.procedures.proc(places[depth] - (depth + 1 < len(stack)))
            if number in procs:
                if places[depth] > self.program.procs[number].epilogue:
                    node.i = None  # whether it still runs is not known
                    return
                node.after = (self.spot(self.program.procs[number].epilogue, stack[: depth + 1], known[: depth + 1]),)
                return
        node.after = (self.next_spot(node.spot, pc + 1, dict(known[-1])),)

    def ask(self, node: GraphNode, i: ir.Ask, frame: Known) -> None:
        """A question: listing, where it may be skipped; drawing; then a part for each alternative and for declining."""
        pc, part = node.spot.pc, node.spot.part
        node.i, node.site = i, self.site(i.site, frame)
        site = self.program.sites[i.site]
        may_skip = site.decline or site.if_any
        count = len(site.alternatives) + may_skip
        if part == 0 and may_skip:
            node.after = (node.spot._replace(part=ASKED), self.next_spot(node.spot, i.skip, frame))
        elif part < ACCEPTED:
            self.split(node, count)
        else:
            at = part - ACCEPTED
            if at == len(site.alternatives):
                node.after = (self.next_spot(node.spot, i.skip, frame),)
                return
            for slot, _ in site.alternatives[at].slots:
                forget(frame, (slot,))
            if site.answer is not None:
                forget(frame, (site.answer[0],))
                if site.shape == "one":
                    frame[site.answer[0]] = at + 1
            node.after = (self.next_spot(node.spot, pc + 1, frame),)

    # ------------------------------------------------------------ the tree

    def prepare(self, spot: Spot) -> Block:
        """The tree from a spot."""
        self.entry = spot
        self._order()
        self.emitted = 0
        return self._block(spot, {}, frozenset())

    def _block(self, spot: Spot, stops: dict[Spot, Step | None], open_: frozenset[Spot]) -> Block:
        """The block from a spot up to one of `stops`: None ends the block there, a step is appended."""
        out: Block = []
        while True:
            if spot in stops:
                step = stops[spot]
                return out if step is None else [*out, step]
            if self.emitted > MOST_STEPS:
                return [*out, Exit(self.numbers[spot])]
            if spot in self.loops and spot not in open_:
                leave = self._loop_exit(spot)
                inner: dict[Spot, Step | None] = {p: Exit(self.numbers[p]) for p in stops}
                inner[spot] = ContinueLoop()
                if leave is not None:
                    inner[leave] = BreakLoop()
                body: Block = []
                after = self._step(spot, inner, open_ | {spot}, body)
                out.append(Loop(body if after is None else body + self._block(after, inner, open_ | {spot})))
                if leave is None:
                    return out
                spot = leave
                continue
            following = self._step(spot, stops, open_, out)
            if following is None:
                return out
            spot = following

    def _step(self, spot: Spot, stops: dict[Spot, Step | None], open_: frozenset[Spot], out: Block) -> Spot | None:
        """Append what is done at a spot; gives the spot that follows, None where the block ends there."""
        self.emitted += 1
        number = self.numbers[spot]
        after = self.nodes[number].after
        if not after:
            out.append(Last(number))
            return None
        if len(after) == 1:
            out.append(CarryOut(number))
            out += self.edge_steps(spot, after[0])
            return after[0]
        join = self._join(*after)
        inner = stops
        if join is not None:  # only there control falls out of both branches
            inner = {p: Exit(self.numbers[p]) if end is None else end for p, end in stops.items()} | {join: None}
        then, orelse = (self.edge_steps(spot, way) + self._block(way, inner, open_) for way in after)
        out.append(Test(number, then, orelse))
        return join if falls_through(then) or falls_through(orelse) else None

    def edge_steps(self, spot: Spot, to: Spot) -> Block:
        """The steps between two spots: variables are set to values that are no longer known behind; a back edge counts
        as a unit of work, unless it is from or to a part of a question."""
        i = self.program.code[spot.pc]
        counts = isinstance(i, COUNTED) and to.pc <= spot.pc and not spot.part and not to.part
        lost = self.lost_values(spot, to)
        return [*([SetVariables(lost)] if lost else []), *([BackEdge()] if counts else [])]

    def lost_values(self, spot: Spot, to: Spot) -> tuple[tuple[int, int, Value], ...]:
        """Depth, number and value of live frame variables that are known at a spot but not at the next one."""
        found = []
        places = (*to.stack[1:], to.pc)
        top = len(spot.stack) - 1
        for depth, (frame, kept) in enumerate(zip(spot.known, to.known, strict=False)):
            if frame == kept:
                continue
            known, live = dict(kept), self.live[places[depth]]
            done = self.written_by(self.nodes[self.numbers[spot]], to) if depth == top else frozenset[int]()
            found += [(depth, slot, v) for slot, v in frame if slot in live and slot not in known and slot not in done]
        return tuple(found)

    def written_by(self, node: GraphNode, to: Spot) -> frozenset[int]:
        """The variables of the running frame that the instruction of a spot sets."""
        match node.i:
            case ir.Run(body):
                return frozenset(frame_slots(body))
            case ir.Ask() if node.spot.part >= ACCEPTED and node.site is not None:
                return frozenset(slot for slot, _ in node.site.answer_slots()) if to == node.after[0] else frozenset()
            case ir.Chance(slot=slot) if to == node.after[0]:
                return frozenset({slot})
        return frozenset()

    def is_needed(self, node: GraphNode, slot: int) -> bool:
        """True if a variable of the running frame that is set at a spot may be read later, where it is not known."""
        top = len(node.spot.stack) - 1
        for to in node.after:
            if len(to.stack) > top and slot in self.live[(*to.stack[1:], to.pc)[top]]:
                if slot not in dict(to.known[top]):
                    return True
        return False
