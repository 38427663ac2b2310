"""Chance in a function that is being written: what is drawn from, the draw, and who may know of it.

A draw by the generator stands in the text. Chance that is asked, noted or laid down by a script is carried out by the
reference, instruction by instruction.
"""

from __future__ import annotations

from dsl import ir
from dsl import program as hdr
from dsl.base.types import bounds
from interpreter.backends.analysis.dataflow import free
from interpreter.backends.python.emit.inline_folds import is_choice
from interpreter.backends.python.regions.frames import Frames
from interpreter.core.words import SCALARS

RARE = f"m.noting or S[{hdr.ASKING}]"  # chance that the reference carries out


class Chances(Frames):
    def chance(self, i: ir.Chance, pc: int) -> str:
        """The condition under which something is drawn; the draw itself is in the variable `d` behind it."""
        self.settle()
        self.flush()
        pairs = "".join(f"({slot}, {self.temp(slot)})," for slot in sorted(free(i)))
        if i.op == "shuffle":
            zone = self.hold(self(i.a))
            self.line(f"if {self.rare()} or not shuffle(S, {zone}):")
            self.line.depth += 1
            self.line(f"r = step({pc}, ({pairs}))")
            self.line(f"if r != {pc + 1}: return r")
            self.line.depth -= 1
            return "True"
        if i.op == "number" and i.b is not None:
            among = f"range({self(i.a)}, {self(i.b)} + 1)"
        elif i.op == "member":
            among = self.members(i.a)
        else:
            among = self(i.a)
            if among.startswith("tuple(S["):  # it is only looked at
                among = among[len("tuple(") : -1]
        self.line(f"d = {among}")
        if i.op == "piece":
            self.line("n = sum(d)")
        self.line(f"if {self.rare()}:")
        self.line.depth += 1
        self.line(f"r = step({pc}, ({pairs}))")
        for slot in sorted(self.unit.live[pc + 1] | (self.unit.live[i.empty] if i.empty >= 0 else frozenset())):
            self.line(f"T[{slot}] = {self.temp(slot)}")
        self.line("return r")
        self.line.depth -= 1
        return "n" if i.op == "piece" else "d"

    def rare(self) -> str:
        return f"{RARE} or S[{hdr.PLAN}] or m.probing" if self.unit.facts.plans else RARE

    def members(self, e: ir.Expr) -> str:
        """The members of a set in order, without making the set."""
        folds = self.unit.folds
        while is_choice(e) and e.where is None:
            e = e.binders[0][1].a
        if folds.choice(self, e) is None:
            return folds.source(self, ir.Domain("set", e))[0]
        x = self.fresh()
        self.line(f"{x} = []")
        with self.inside():
            folds.over(self, -1, ir.Domain("set", e))
            self.line(f"{x}.append({self.temp(-1)})")
        return x

    def drawn(self, i: ir.Chance, indent: int) -> None:
        if i.op == "shuffle":
            return
        self.line.depth += indent
        v = self.fresh("f")
        if i.op == "member" and self.unit.hides(i.type):
            self.unit.moves.mix(self, i.a)
        if i.op == "piece":
            low = bounds(i.type)[0] if i.type is not None else 0
            self.line(f"{v} = pick_piece(S, d, n, {low})")
        else:
            self.line(f"{v} = pick(S, d)")
        self.names.frame.pop(i.slot, None)
        if i.type is not None and type(i.type) in SCALARS:
            self.keep(i.slot, i.type, v)
        elif i.type is not None:
            self.put(self.frame_at(i.slot), i.type, v, "a local", None)
        self.line.depth -= indent
