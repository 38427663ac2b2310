"""A whole game at random as one Python function: from a place in the rules to the end, questions answered on the way.

Takes the tree of a `Whole`. Frame variables are Python variables, the generator is an int in one, questions are listed
where they are asked and answered at once by `draw`; nobody sees the store before the end. Whatever is not plain (faults
too) raises, and the game is played again by the machine, which knows all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dsl import ir
from dsl import program as hdr
from dsl.base.types import ListType
from interpreter.backends.analysis.dataflow import flow
from interpreter.backends.analysis.playout_graph import ACCEPTED, OUTCOME, Node, Whole
from interpreter.backends.analysis.structure import Block, Exit, Lay, Loop, Step, Test, falls
from interpreter.backends.analysis.substitute import frame_slots
from interpreter.backends.python.emit.source import prune
from interpreter.backends.python.playout.questions import RESET, Unplayable
from interpreter.backends.python.playout.variables import BAIL, CALLS_ONLY, Variables
from interpreter.backends.python.regions.frames import Frames

if TYPE_CHECKING:
    from interpreter.backends.python.compile.module import Unit

MOST_STEPS = 6000  # of the whole function
CALLED = re.compile(r"\b(_p\d+|call)\(")  # what counts work by itself
UNREAD = re.compile(r" *(F\d+_\d+|[BbfaxktS]\d+) = (?!.*[MR]_)[^()/]*$")  # as UNUSED of `texts`
SPENT = "#spent"  # the mark for work that called functions have counted


class Player(Variables):
    def __init__(self, unit: Unit, whole: Whole) -> None:
        Frames.__init__(self, unit)
        self.whole = whole
        self.nodes = whole.nodes
        self.node = whole.nodes[0]
        self.entries: list[int] = [0]
        self.dispatched = False
        self.loops_inside = 0
        self.lies: dict[str, str] = {}  # the zones where things in variables probably are
        self.at_hand, self.copies = {}, {}

    # ------------------------------------------------------------ the function

    def write(self) -> None:
        trees: list[Block] = []
        steps = 0
        for number in self.entries:
            tree = self.whole.prepare(self.nodes[number].spot)
            steps += self.whole.emitted
            if steps > MOST_STEPS:
                raise Unplayable
            trees.append(tree)
            self.entries += [n for n in dict.fromkeys(exits(tree)) if n not in self.entries]
        self.dispatched = any(True for tree in trees for _ in exits(tree))
        self.find_counts([(n.i, n.site.alternatives if n.site is not None else ()) for n in self.nodes])
        self.line(f"q = 0; w = S[{hdr.STEPS}]; S[{hdr.STEPS}] = 0")
        if not self.dispatched:
            self.tree(trees[0])
            return
        self.line("c = 1")
        self.line("while True:")
        self.line.depth += 1
        for n, tree in enumerate(trees, 1):
            with self.inside():
                self.line(f"{'if' if n == 1 else 'elif'} c == {n}:")
                self.line.depth += 1
                self.line("c = 0")
                self.names = type(self.names)()
                self.work = 0
                self.at_hand, self.copies, self.valid = {}, {}, frozenset()
                self.there = frozenset()
                self.tree(tree)

    def text(self) -> list[str]:
        """The lines of the function; work that is counted elsewhere is looked at only if there is any."""
        counted = any(CALLED.search(line) for line in self.line.text)
        found = []
        for line in self.line.text:
            if line.endswith((RESET, CALLS_ONLY)) and not counted:
                continue
            if line.endswith(RESET):
                line = line.replace(RESET, f"S[{hdr.STEPS}] = 0")
            found.append(line.replace(SPENT, f" + S[{hdr.STEPS}]" if counted else ""))
        return prune(found, UNREAD)

    def leave_at(self, pc: int) -> None:
        """Go on at another entry."""
        self.flush()
        for slot in sorted(self.unit.live[self.nodes[pc].spot.pc]):
            if self.temp(slot) != f"t{slot}":
                self.line(f"t{slot} = {self.temp(slot)}")
        self.line(f"c = {self.entries.index(pc) + 1}")
        self.line("break" if self.loops_inside else "continue")

    # ------------------------------------------------------------ control

    def step(self, step: Step) -> None:
        if not isinstance(step, Lay):
            super().step(step)
            return
        for depth, slot, value in step.values:
            self.line(f"F{depth}_{slot} = {self.constant(value)}")

    def do(self, pc: int) -> None:
        self.node = node = self.nodes[pc]
        i, spot = node.i, node.spot
        match i:
            case ir.Run(body):
                known = dict(spot.known[-1])
                for slot in sorted(set(frame_slots([s for s in body if not isinstance(s, ir.SetFrame)])) & set(known)):
                    self.line(f"{self.variable(slot)} = {self.constant(known[slot])}")  # some ways keep it
                self.body(body)
            case ir.Give(value, _):
                if value is not None:
                    self.line(f"S[{hdr.RV}] = {self(value)}")
                if self.unit.facts.together:
                    self.line(f"if S[{hdr.TOGETHER}] and S[{hdr.TOGETHER_FRAME}] == {self.depth + 1}:")
                    self.line(f" S[{hdr.TOGETHER}] = S[{hdr.TOGETHER_FRAME}] = 0")
            case ir.CallI(proc, args):
                self.call_or_push(proc, args, node)
            case ir.Enter(number, args, choices):
                if isinstance(number, ir.Const):
                    self.call_or_push(number.value, args, node)
                elif spot.way >= ACCEPTED:
                    self.call_or_push(choices[spot.way - ACCEPTED], args, node)
                else:
                    self.line(f"e = {self(number)}")
            case ir.EndList() | ir.Drain():
                if self.unit.facts.deferred:
                    self.line(f"if S[{hdr.DEFERRED}]: {BAIL} {CALLS_ONLY}")
            case ir.Ask():
                self.question(node)
            case ir.Chance():
                self.drawing(i)
            case ir.Leave() | ir.Stop():
                self.forget_values()
            case ir.Jump() | ir.Branch():
                pass
            case _:
                raise AssertionError(i)

    def call_or_push(self, number: int, args: Sequence[ir.Expr], node: Node) -> None:
        proc = self.program.procs[number]
        if not proc.suspends:
            self.do_CallS(ir.CallS(number, tuple(args)))
            return
        texts = [self(a) for a in args]
        self.work += 1
        self.forget_values()
        inside = node.after[0].pc
        live, types = self.whole.live[inside], self.whole.types[number]
        known = dict(node.after[0].known[-1])
        for slot in range(proc.frame_words):
            if slot not in live or slot in known:
                continue
            if slot < len(texts):
                self.line(f"F{self.depth + 1}_{slot} = {texts[slot]}")
                self.lies[f"F{self.depth + 1}_{slot}"] = self.lies.get(texts[slot], "")
            else:
                self.line(f"F{self.depth + 1}_{slot} = {'()' if isinstance(types.get(slot), ListType) else '0'}")

    def branch(self, step: Test) -> None:
        self.node = node = self.nodes[step.pc]
        i, way = node.i, node.spot.way
        match i:
            case ir.Branch(test, _):
                head = self.test(test)
            case ir.Confirm():
                assert node.site is not None
                head = self.still(node.site)
            case ir.Chance():
                head = self.among(i)
            case ir.Ask() if way == 0:
                self.listed(node)
                head = "out"
            case ir.Ask():
                head = self.outcome(node, way - OUTCOME)
            case ir.Enter(choices=choices):
                head = f"e == {choices[way - OUTCOME]}"
            case _:
                raise AssertionError(i)
        both = falls(step.then) and falls(step.orelse)
        if both:
            self.settle_temps(step)
        self.copies = {}
        before, work, values, valid = self.names.copy(), self.work, self.at_hand, self.valid
        there = self.there
        self.line(f"if {head}:")
        if isinstance(i, ir.Chance):
            self.line.depth += 1
            self.draw_one(i)
            self.line.depth -= 1
        self.arm(step.then, False)
        after_then, values_then, valid_then, there_then = self.names, self.at_hand, self.valid, self.there
        self.there = there
        self.names, self.work, self.at_hand, self.valid = before.copy(), work, values, valid
        self.copies = {}
        if not falls(step.then):
            self.tree(step.orelse)
            return
        if step.orelse or work:
            self.line("else:")
            self.arm(step.orelse, False)
        self.work = 0
        self.copies = {}
        if both:
            self.merge(after_then)
            self.at_hand = {e: text for e, text in self.at_hand.items() if values_then.get(e) == text}
            self.valid &= valid_then
            self.there &= there_then
        else:
            self.names, self.at_hand, self.valid, self.there = after_then, values_then, valid_then, there_then

    def assigned(self, block: Block) -> set[int]:
        found: set[int] = set()
        for step in block:
            pc = getattr(step, "pc", -1)
            if pc >= 0 and isinstance(i := self.nodes[pc].i, ir.Run):
                found |= flow(i.body)[2]
            if isinstance(step, Test):
                found |= self.assigned(step.then) | self.assigned(step.orelse)
            elif isinstance(step, Loop):
                found |= self.assigned(step.body)
        return found

    def loop(self, body: Block) -> None:
        self.flush()
        self.forget_all(body)
        self.at_hand, self.copies, self.valid = {}, {}, frozenset()
        self.there = frozenset()
        self.line("while True:")
        self.loops_inside += 1
        with self.inside():
            self.line.depth += 1
            self.tree(body)
        self.loops_inside -= 1
        self.forget_all(body)
        self.at_hand, self.valid = {}, frozenset()
        self.there = frozenset()
        if any(True for _ in exits(body)):
            self.line(f"if c: {'break' if self.loops_inside else 'continue'}")

    def again(self) -> None:
        pass

    def next_pass(self) -> None:
        """The end of a pass of a loop."""
        self.flush()
        self.line(f"if w{SPENT} > {self.unit.limit} or q > most: {BAIL}")
        self.line("continue")

    def last(self, pc: int) -> None:
        self.node = node = self.nodes[pc]
        if not isinstance(node.i, ir.End):
            self.line(BAIL)
            return
        self.flush()
        self.line(f"if q > most: {BAIL}")
        self.line(f"if S[{hdr.DRIVEN}]: S[{hdr.DRIVEN}] = 0")
        self.line(f"else: S[{hdr.OVER}] = 1")
        self.line(f"S[{hdr.PC}] = S[{hdr.SITE}] = S[{hdr.FP}] = 0")
        self.line(f"S[{hdr.STEPS}] += w")
        self.save_generator()
        self.line(f"del S[{self.program.state_words}:]")
        self.line("return q")


def exits(block: Block) -> Iterator[int]:
    """The entries that a block leaves to."""
    for step in block:
        if isinstance(step, Exit):
            yield step.pc
        elif isinstance(step, Test):
            yield from exits(step.then)
            yield from exits(step.orelse)
        elif isinstance(step, Loop):
            yield from exits(step.body)
