"""Frames, statements and moves in a function that plays a whole game: frame variables are Python variables.

The variables of the running frame are told by its depth, which is known everywhere. Loops over few known members, and
small procedures, are written where they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dsl import ir
from dsl import program as hdr
from dsl.base.types import ListType, Type
from interpreter.backends.analysis.dataflow import walk
from interpreter.backends.analysis.substitute import frame_slots, renamed
from interpreter.backends.python.emit.inline_folds import is_choice
from interpreter.backends.python.emit.statements import writable
from interpreter.backends.python.playout.chance import Draws
from interpreter.backends.python.playout.questions import Asking, Unplayable
from interpreter.backends.python.playout.reuse import quiet
from interpreter.core.words import members

UNROLLED = 8  # passes of a loop that are written one after the other
LONG = 400  # nodes of them
LARGE = 200  # nodes of a procedure that is written where it is called
BAIL = "raise unplayed"
CALLS_ONLY = "#calls"  # the mark of a line that only called functions make necessary
FRAMES = ir.reading("local", "local item", "frames")
LEAVING = ir.having("leaves")


class Variables(Draws, Asking):
    """`lies`: the zones where things in variables probably are; `calls`: procedures written out so far."""

    steps = "w"
    written_out = 3
    calls = 0
    lies: dict[str, str]

    @property
    def depth(self) -> int:
        return len(self.node.spot.stack) - 1

    def variable(self, slot: int) -> str:
        return f"F{self.depth}_{slot}"

    def FrameVar(self, e: ir.FrameVar) -> str:
        return self.variable(e.slot)

    def frame_given(self, e: ir.Expr) -> dict[int, str]:
        """All of them; lists are read in other ways."""
        found = [n for n in walk(e) if isinstance(n, ir.FrameVar | ir.FrameItem)]
        if any(isinstance(n, ir.FrameItem) or isinstance(n.type, ListType) for n in found):
            raise Unplayable
        return {n.slot: self.variable(n.slot) for n in found}

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


def lies_in(e: ir.Expr) -> str:
    """The name of the zones whose things a set has."""
    while is_choice(e):
        e = e.binders[0][1].a
    return e.symbol if isinstance(e, ir.Cell) else ""
