"""A whole game as structured control: from a place in the rules to the end, through every question on the way.

A `GameGraph` follows instructions like a `Region`, but not only up to the next question, and every place knows what
frame variables surely hold there: loops over seats become stretches for each seat, tests of what is known disappear.
Rules come as instructions with those values put in (`Specialiser`). What cannot be followed is a place without
instruction.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

from dsl import ir
from dsl.program import Program
from interpreter.backends.analysis.cfg import Graph
from interpreter.backends.analysis.structure import (
    BackEdge,
    Block,
    Break,
    Continue,
    Do,
    Exit,
    Last,
    Loop,
    ProcedureIndex,
    SetVariables,
    Step,
    Test,
    falls_through,
)
from interpreter.backends.python.playout.analysis.liveness import counters, frame_liveness, slot_types, taken, zero
from interpreter.backends.python.playout.analysis.specialise import Specialiser
from interpreter.backends.python.playout.analysis.substitute import Known, Value, forget, frame_slots
from interpreter.machine.machine import Machine

FACTS = tuple[tuple[int, Value], ...]  # what is known of a frame: slots and values, in order

ASKED, OUTCOME, ACCEPTED = 1, 2, 1000  # ways behind a question or a call by number; 0: the instruction itself
COUNTED = Machine.COUNTED
NO_PROC = 0  # the procedure that does nothing
MOST_PLACES = 1500
MOST_STEPS = 1500  # of one tree
MOST_VARIANTS = 12  # of one instruction; then nothing is known there
DEEPEST = 12  # frames


class Spot(NamedTuple):
    """An instruction, where the running procedures return to (the outermost first), what their frames hold, and for
    questions and calls by number the part that is meant."""

    pc: int
    stack: tuple[int, ...]
    known: tuple[FACTS, ...]
    way: int = 0


@dataclass(slots=True)
class Node:
    """What is done at a spot; without an instruction it cannot be followed. `site`: of a question."""

    spot: Spot
    i: ir.Instr | None = None
    site: ir.Site | None = None
    after: tuple[Spot, ...] = ()


class GameGraph(Graph[Spot]):
    def __init__(
        self, program: Program, procedures: ProcedureIndex, special: Specialiser, written: frozenset[int]
    ) -> None:
        self.program, self.procedures, self.special, self.written = program, procedures, special, written
        self.live = frame_liveness(program)
        self.types = [slot_types(program, n) for n in range(len(program.procs))]
        self.counting = [counters(program, n) for n in range(len(program.procs))]
        self.nodes: list[Node] = []
        self.numbers: dict[Spot, int] = {}
        self.variants: Counter[tuple[int, tuple[int, ...]]] = Counter()
        self.seen: set[Spot] = set()
        self.emitted = 0

    def follow(self, pc: int, stack: tuple[int, ...], known: tuple[FACTS, ...]) -> bool:
        """Find all that may come from here; False where that is too much."""
        self.start = self.spot(pc, stack, known)
        self.successors = {}
        queue = [self.start]
        for spot in queue:
            if spot in self.successors:
                continue
            if len(self.successors) >= MOST_PLACES:
                return False
            node = Node(spot)
            self.numbers[spot] = len(self.nodes)
            self.nodes.append(node)
            self.look(node)
            self.successors[spot] = node.after
            queue += node.after
        return True

    def spot(self, pc: int, stack: tuple[int, ...], known: tuple[FACTS, ...], way: int = 0) -> Spot:
        """A spot that knows only what may be read from there on, and nothing where there are too many like it."""
        known = tuple(self.worth(frame, at) for frame, at in zip(known, (*stack[1:], pc), strict=False))
        found = Spot(pc, stack, known, way)
        if found not in self.seen:
            self.variants[pc, stack] += 1
            if self.variants[pc, stack] > MOST_VARIANTS:
                return Spot(pc, stack, ((),) * len(stack), way)
            self.seen.add(found)
        return found

    def worth(self, frame: FACTS, pc: int) -> FACTS:
        """What of a frame is worth knowing at an instruction: a count of the items of an unknown list is not."""
        live, counting = self.live[pc], self.counting[self.procedures.proc(pc)] if pc else {}
        slots = {slot for slot, _ in frame}
        return tuple(
            (slot, v) for slot, v in frame if slot in live and (slot not in counting or counting[slot] in slots)
        )

    # ------------------------------------------------------------ one instruction

    def look(self, node: Node) -> None:
        """Find the instruction of a spot with what is known there, and what may follow."""
        pc, stack, known, way = node.spot
        if pc not in self.written:
            return
        frame: Known = dict(known[-1]) if known else {}
        i = self.program.code[pc]
        match i:
            case ir.Run(body):
                node.i = ir.Run(self.special.body(body, frame))
                node.after = (self.moved(node.spot, pc + 1, frame),)
            case ir.Jump(target) | ir.Give(target=target):
                node.i = self.special.expr(i, frame)
                node.after = (self.moved(node.spot, target, frame),)
            case ir.Branch(test, target):
                found = self.special.expr(test, frame)
                node.i = ir.Branch(found, target)
                ways: tuple[Spot, ...] = (self.moved(node.spot, pc + 1, frame), self.moved(node.spot, target, frame))
                if isinstance(found, ir.Const):
                    ways = ways[:1] if found.value else ways[1:]
                node.after = ways
            case ir.Confirm(site, target):
                node.i, node.site = i, self.site(site, frame)
                node.after = (self.moved(node.spot, target, frame), self.moved(node.spot, pc + 1, frame))
            case ir.CallI(proc, args):
                node.i = ir.CallI(proc, self.special.expr(args, frame))
                self.call(node, proc, node.i.args)
            case ir.Enter():
                self.enter(node, self.special.expr(i, frame))
            case ir.Leave():
                node.i = i
                node.after = (self.spot(stack[-1], stack[:-1], known[:-1]),)
            case ir.Stop(procs):
                self.stop(node, procs)
            case ir.Ask():
                self.ask(node, i, frame)
            case ir.Chance():
                node.i = self.special.expr(i, frame)
                forget(frame, range(i.slot, i.slot + 1))
                node.after = (self.moved(node.spot, pc + 1, frame),)
                if i.empty >= 0:
                    node.after += (self.moved(node.spot, i.empty, dict(known[-1])),)
            case ir.EndList() | ir.Drain():
                node.i = i
                node.after = (self.moved(node.spot, pc + 1, frame),)
            case ir.End():
                node.i = i

    def site(self, number: int, frame: Known) -> ir.Site:
        site = self.program.sites[number]
        return replace(site, alternatives=tuple(self.special.alternative(a, frame) for a in site.alternatives))

    def moved(self, spot: Spot, pc: int, frame: Known, way: int = 0) -> Spot:
        """Another place in the same procedure."""
        return self.spot(pc, spot.stack, (*spot.known[:-1], tuple(sorted(frame.items()))) if spot.known else (), way)

    def call(self, node: Node, number: int, args: tuple[ir.Expr, ...]) -> None:
        pc, stack, known, _ = node.spot
        proc = self.program.procs[number]
        if not proc.suspends:
            node.after = (self.moved(node.spot, pc + 1, dict(known[-1])),)
            return
        running = {self.procedures.proc(back - 1) for back in stack[1:]} | {self.procedures.proc(pc)}
        limits = self.program.limits
        if number in running or len(stack) >= min(DEEPEST, limits.frames):
            node.i = None
            return
        frame: Known = {slot: v for slot, t in self.types[number].items() if (v := zero(t)) is not None}
        for slot, arg in enumerate(args):
            frame.pop(slot, None)
            if isinstance(arg, ir.Const) and isinstance(arg.value, int | tuple):
                frame[slot] = arg.value
        node.after = (self.spot(proc.entry, (*stack, pc + 1), (*known, tuple(sorted(frame.items())))),)

    def enter(self, node: Node, i: ir.Enter) -> None:
        """A call by a number that is known only at run time: one way after the other for those that may be called."""
        way, number = node.spot.way, i.proc.value if isinstance(i.proc, ir.Const) else None
        node.i = i = replace(i, choices=tuple(dict.fromkeys((*i.choices, NO_PROC))))
        if way >= ACCEPTED or number is not None:
            self.call(node, number if number is not None else i.choices[way - ACCEPTED], i.args)
        else:
            self.split(node, len(i.choices))

    def split(self, node: Node, count: int) -> None:
        """The tests which of several outcomes it is; the last needs none."""
        spot = node.spot
        at = max(spot.way, OUTCOME) - OUTCOME
        mine = spot._replace(way=ACCEPTED + at)
        if at + 1 == count:
            node.after = (mine,)
        elif spot.way < OUTCOME:
            node.after = (spot._replace(way=OUTCOME),)
        else:
            last = at + 2 == count
            node.after = (mine, spot._replace(way=ACCEPTED + at + 1 if last else OUTCOME + at + 1))

    def stop(self, node: Node, procs: tuple[int, ...]) -> None:
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
        node.after = (self.moved(node.spot, pc + 1, dict(known[-1])),)

    def ask(self, node: Node, i: ir.Ask, frame: Known) -> None:
        """A question: listing, where it may be skipped; drawing; then one way for each alternative, and declining."""
        pc, way = node.spot.pc, node.spot.way
        node.i, node.site = i, self.site(i.site, frame)
        site = self.program.sites[i.site]
        may_skip = site.decline or site.if_any
        count = len(site.alternatives) + may_skip
        if way == 0 and may_skip:
            node.after = (node.spot._replace(way=ASKED), self.moved(node.spot, i.skip, frame))
        elif way < ACCEPTED:
            self.split(node, count)
        else:
            at = way - ACCEPTED
            if at == len(site.alternatives):
                node.after = (self.moved(node.spot, i.skip, frame),)
                return
            for slot, _ in site.alternatives[at].slots:
                forget(frame, (slot,))
            if site.answer is not None:
                forget(frame, (site.answer[0],))
                if site.shape == "one":
                    frame[site.answer[0]] = at + 1
            node.after = (self.moved(node.spot, pc + 1, frame),)

    # ------------------------------------------------------------ the tree

    def prepare(self, spot: Spot) -> Block:
        """The tree from a spot."""
        self.entry = spot
        self._order()
        self.emitted = 0
        return self._block(spot, {}, frozenset())

    def _block(self, spot: Spot, stops: dict[Spot, Step | None], open_: frozenset[Spot]) -> Block:
        """What follows from a spot until one of `stops`, which are reached by falling through or by a step."""
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
                inner[spot] = Continue()
                if leave is not None:
                    inner[leave] = Break()
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
        """Append what is done at a spot; gives the one that follows, None where the block ends with it."""
        self.emitted += 1
        number = self.numbers[spot]
        after = self.nodes[number].after
        if not after:
            out.append(Last(number))
            return None
        if len(after) == 1:
            out.append(Do(number))
            out += self.edge(spot, after[0])
            return after[0]
        join = self._join(*after)
        inner = stops
        if join is not None:  # only there control falls out of both ways
            inner = {p: Exit(self.numbers[p]) if end is None else end for p, end in stops.items()} | {join: None}
        then, orelse = (self.edge(spot, way) + self._block(way, inner, open_) for way in after)
        out.append(Test(number, then, orelse))
        return join if falls_through(then) or falls_through(orelse) else None

    def edge(self, spot: Spot, to: Spot) -> Block:
        """What is to be done between two spots: values that are no longer known are put into their variables. A way
        back counts as a unit of work; what is answered does not."""
        i = self.program.code[spot.pc]
        counts = isinstance(i, COUNTED) and to.pc <= spot.pc and not spot.way and not to.way
        lost = self.lost(spot, to)
        return [*([SetVariables(lost)] if lost else []), *([BackEdge()] if counts else [])]

    def lost(self, spot: Spot, to: Spot) -> tuple[tuple[int, int, Value], ...]:
        """Depth, number and value of frame variables that were known, are not any more, and may still be read."""
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

    def written_by(self, node: Node, to: Spot) -> frozenset[int]:
        """The variables of the running frame that are put into Python variables by what is done at a spot."""
        match node.i:
            case ir.Run(body):
                return frozenset(frame_slots(body))
            case ir.Ask() if node.spot.way >= ACCEPTED and node.site is not None:
                return frozenset(slot for slot, _ in taken(node.site)) if to == node.after[0] else frozenset()
            case ir.Chance(slot=slot) if to == node.after[0]:
                return frozenset({slot})
        return frozenset()

    def needed(self, node: Node, slot: int) -> bool:
        """Whether what is put into a variable of the running frame at a spot may be read behind it from there."""
        top = len(node.spot.stack) - 1
        for to in node.after:
            if len(to.stack) > top and slot in self.live[(*to.stack[1:], to.pc)[top]]:
                if slot not in dict(to.known[top]):
                    return True
        return False
