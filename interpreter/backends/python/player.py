"""A whole game at random as one Python function: from a place in the rules to the end, questions answered on the way.

Takes the tree of a `Whole`. Frame variables are Python variables, the generator is an int in one, questions are listed
where they are asked and answered at once by `draw`; nobody sees the store before the end. Whatever is not plain (faults
too) raises, and the game is played again by the machine, which knows all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dsl import ir
from dsl import program as hdr
from dsl.types import ListType, Type
from interpreter.backends.facts import flow, walk
from interpreter.backends.python.asking import RESET, Asking, Unplayable
from interpreter.backends.python.draws import Draws
from interpreter.backends.python.frames import Frames
from interpreter.backends.python.reuse import quiet
from interpreter.backends.python.short import is_choice
from interpreter.backends.python.statements import writable
from interpreter.backends.python.texts import prune
from interpreter.backends.shape import Block, Exit, Lay, Loop, Step, Test, falls
from interpreter.backends.special import frame_slots, renamed
from interpreter.backends.whole import ACCEPTED, OUTCOME, Node, Whole
from interpreter.store import members

if TYPE_CHECKING:
    from interpreter.backends.python.unit import Unit

UNROLLED = 8  # passes of a loop that are written one after the other
LONG = 400  # nodes of them
LARGE = 200  # nodes of a procedure that is written where it is called
MOST_STEPS = 6000  # of the whole function
BAIL = "raise unplayed"
CALLED = re.compile(r"\b(_p\d+|call)\(")  # what counts work by itself
UNREAD = re.compile(r" *(F\d+_\d+|[BbfaxktS]\d+) = (?!.*[MR]_)[^()/]*$")  # as UNUSED of `texts`
FRAMES = (ir.FrameVar, ir.FrameItem, ir.Running)
CALLS_ONLY = "#calls"  # the mark of a line that only called functions make necessary
SPENT = "#spent"  # the mark for work that called functions have counted


class Player(Draws, Asking):
    steps = "w"
    written_out = 3

    def __init__(self, unit: Unit, whole: Whole) -> None:
        Frames.__init__(self, unit)
        self.whole = whole
        self.nodes = whole.nodes
        self.node = whole.nodes[0]
        self.entries: list[int] = [0]
        self.dispatched = False
        self.loops_inside = 0
        self.calls = 0
        self.lies: dict[str, str] = {}  # the zones where things in variables probably are
        self.at_hand, self.copies = {}, {}

    @property
    def depth(self) -> int:
        return len(self.node.spot.stack) - 1

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

    # ------------------------------------------------------------ frames are Python variables

    def variable(self, slot: int) -> str:
        return f"F{self.depth}_{slot}"

    def FrameVar(self, e: ir.FrameVar) -> str:
        return self.variable(e.slot)

    def FrameItem(self, e: ir.FrameItem) -> str:
        return "bail()"

    def Running(self, e: ir.Running) -> str:
        raise Unplayable

    def ready(self, parts: Sequence[ir.Expr]) -> None:
        pass

    def base(self) -> str:
        raise Unplayable

    def settle(self) -> None:
        pass

    def drop(self) -> None:
        pass

    def draw_one(self, i: ir.Chance) -> None:
        super().draw_one(i)
        self.lies[self.variable(i.slot)] = lies_in(i.a)

    def accept(self, site: ir.Site, at: int) -> None:
        super().accept(site, at)
        if at < len(site.alternatives):
            a = site.alternatives[at]
            for (_, _, domain, _), (slot, _) in zip(a.binders, a.slots, strict=False):
                self.lies[self.variable(slot)] = lies_in(domain.a)

    def flush(self) -> None:
        if self.work:
            self.line(f"w += {self.work}")
            self.work = 0

    def temp(self, slot: int) -> str:
        if slot not in self.names.known and slot not in self.names.temps:
            self.names.temps[slot] = f"t{slot}"
        return super().temp(slot)

    def keep(self, slot: int, t: Type, text: str) -> None:
        self.forget_values(slot)
        self.line(f"{self.variable(slot)} = {text}")
        self.copy(self.variable(slot), text)

    def do_SetFrame(self, s: ir.SetFrame) -> None:
        if s.offset is not None:
            self.line(BAIL)
            return
        if isinstance(s.value, ir.Const) and not self.nested and not self.whole.needed(self.node, s.slot):
            i = self.node.i
            if isinstance(i, ir.Run) and s in i.body and list(frame_slots(i.body)).count(s.slot) == 1:
                self.forget_values(s.slot)
                return  # what reads it knows it
        text = self.within(s.type, s.value, "a local", None)
        if isinstance(s.type, ListType) and not isinstance(s.value, ir.Const):
            text = self.hold(text)
            self.line(f"if len({text}) > {s.type.cap}: {BAIL}")
        self.keep(s.slot, s.type, text)

    def by_reference(self, e: ir.Expr) -> str:
        if any(isinstance(n, FRAMES) for n in walk(e)):
            return "bail()"
        return super().by_reference(e)

    def by_call(self, s: ir.Stmt) -> None:
        self.line(BAIL)

    do_Defer = do_Timed = by_call

    def do_Pay(self, s: ir.Stmt) -> None:
        if any(isinstance(n, FRAMES) for n in walk(s)):
            self.line(BAIL)
        else:
            super().by_call(s)
            self.lose_kinds()

    def ListItem(self, e: ir.ListItem) -> str:
        if isinstance(e.list, ir.FrameVar):
            index = self(e.index)
            return f"{self(e.list)}[{index} - 1 if {index} > 0 else bail()]"
        return super().ListItem(e)

    def Size(self, e: ir.Size) -> str:
        if isinstance(e.operand, ir.FrameVar) and e.kind == "list":
            return f"len({self(e.operand)})"
        return super().Size(e)

    def do_Together(self, s: ir.Together) -> None:
        """Frames are told apart by their depth."""
        mine, word, frame = self.depth + 1, f"S[{hdr.TOGETHER}]", f"S[{hdr.TOGETHER_FRAME}]"
        self.line(f"if not {word}: {frame} = {mine}")
        self.line(f"if {frame} == {mine}: {word} += {s.delta}")
        self.line(f"if not {word}: {frame} = 0")

    def test(self, e: ir.Expr) -> str:
        match e:
            case ir.Compare(">", ir.CellSum(ir.Const(int() as at), count, 1), ir.Const(0)) if self.sure:
                for c in self.counts.values():
                    if (c.const + c.low, c.high - c.low + 1) == (at, count):
                        return self.kinds(c)
        return super().test(e)

    # ------------------------------------------------------------ statements

    def body(self, body: Sequence[ir.Stmt]) -> None:
        for s in body:
            still, valid, there = quiet((s,)), self.valid, self.there
            if isinstance(s, ir.For | ir.While):
                self.copies = {}
                if not still:
                    self.at_hand, self.valid = {}, frozenset()
                    self.there = frozenset()
            super().body((s,))
            if isinstance(s, ir.IfS | ir.For | ir.While):
                self.there = self.there & there
                self.valid &= valid
                self.copies = {}
            if not still:
                self.at_hand, self.copies = {}, {}

    def block(self, body: Sequence[ir.Stmt]) -> None:
        """What a part that may not run finds out is not known behind it."""
        valid, there = self.valid, self.there
        super().block(body)
        self.valid &= valid
        self.there &= there

    def do_MoveThing(self, s: ir.MoveThing) -> None:
        certain = self.span(s.thing)[0] > 0
        thing, likely = self.hold(self(s.thing), "a"), self.lies.get(self(s.thing), "")
        match s.thing:
            case ir.ListOp("front", (ir.Cell(symbol=symbol),)) | ir.Cell(symbol=symbol):
                likely = symbol
        with self.inside():
            if not certain:
                self.line(f"if {thing}:")
                self.line.depth += 1
            self.unit.moves.write(self, s, thing, likely, isinstance(s.thing, ir.ListOp))

    def do_For(self, s: ir.For) -> None:
        """A loop over a few known members is written out; one that puts all things into one zone needs no loop."""
        match s:
            case ir.For(slot, ir.Domain("set", ir.Const(int() as mask)), (ir.MoveThing(thing, zone, at),)) if (
                thing == ir.Temp(slot) and isinstance(zone, ir.Const) and at in (None, "bottom")
            ):
                if self.unit.moves.all_at_once(self, zone.value, members(mask)):
                    return
        self.lies[f"t{s.slot}"] = lies_in(s.domain.a)
        if isinstance(s.domain.a, ir.Fold) and s.domain.a.where is not None:
            self.hold_common([s.domain.a.where])
        match s.domain:
            case ir.Domain("set", ir.Const(int() as mask)):
                found: Sequence[int] = members(mask)
            case ir.Domain("list", ir.Const(tuple() as items)):
                found = items
            case ir.Domain("range", ir.Const(int() as a), ir.Const(int() as b)):
                found = range(a, min(b, a + UNROLLED) + 1)
            case _:
                super().do_For(s)
                return
        nodes = list(walk(s.body))
        if len(found) > UNROLLED or len(nodes) * len(found) > LONG or any(isinstance(n, LEAVING) for n in nodes):
            super().do_For(s)
            return
        for v in found:
            self.body(self.whole.special.body(s.body, {}, {s.slot: v}))

    def do_CallS(self, s: ir.CallS) -> None:
        proc = self.program.procs[s.proc]
        body = proc.body
        last = body[-1] if body and isinstance(body[-1], ir.Return) else None
        inner = body[:-1] if last is not None else body
        nodes = list(walk(inner))
        recursive = s.proc in self.unit.facts.recursive_procs
        if recursive or len(nodes) > LARGE or not writable(inner) or any(isinstance(n, ir.Return) for n in nodes):
            if any(isinstance(n, ir.Together) for n in nodes):
                raise Unplayable
            super().do_CallS(s)
            self.lose_kinds()
            return
        self.calls += 1
        by = 1000 * self.calls
        self.line("w += 1")
        temps: dict[int, Any] = {}
        for slot, arg in enumerate(s.args):
            if isinstance(arg, ir.Const):
                temps[slot + by] = arg.value
            else:
                span = self.span(arg)
                self.assign(slot + by, self(arg), span)
        self.body(self.whole.special.body(renamed(inner, by), {}, temps))
        if last is not None and last.value is not None:
            value = self.whole.special.expr(renamed(last.value, by), {}, temps)
            self.line(f"S[{hdr.RV}] = {self(value)}")

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


LEAVING = (ir.Break, ir.Continue, ir.Return)


def lies_in(e: ir.Expr) -> str:
    """The name of the zones whose things a set has."""
    while is_choice(e):
        e = e.binders[0][1].a
    return e.symbol if isinstance(e, ir.Cell) else ""


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
