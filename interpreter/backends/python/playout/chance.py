"""Chance in a function that plays a whole game: the generator is a Python variable, each draw stands in the text."""

from __future__ import annotations

from dsl import ir
from dsl import program as hdr
from dsl.base.types import MemberType, bounds
from interpreter.backends.python.playout.pool_index import Indexes
from interpreter.backends.python.regions.chance import Chances
from interpreter.backends.python.runtime.things import LIST, shape_of
from interpreter.core.rng import INCREMENT, MASK_64, MULTIPLIER
from interpreter.core.words import SCALARS, members

WHOLE = 1 << 32


class Draws(Indexes, Chances):
    size = 0  # of what is drawn from, where it is known
    most = 0  # the most that it can be; 0: not known
    lowest = -1  # its first member, where it has no gaps

    def save_generator(self) -> None:
        self.line(f"S[{hdr.RNG}] = g & 0x3FFFFF; S[{hdr.RNG + 1}] = g >> 22 & 0x3FFFFF; S[{hdr.RNG + 2}] = g >> 44")

    def drawing(self, i: ir.Chance) -> None:
        """A draw that surely happens; where there is nothing it fails."""
        if i.op == "shuffle":
            self.shuffling(i)
            return
        self.among(i)
        self.draw_one(i)

    def among(self, i: ir.Chance) -> str:
        """Put what is drawn from into `d`; gives the condition that there is something."""
        self.size = 0
        self.most = 0
        if i.op == "member" and isinstance(i.type, MemberType):
            self.most = i.type.high - i.type.low + 1
        if i.op == "number" and i.b is not None:
            self.line(f"d = range({self(i.a)}, {self(i.b)} + 1)")
        elif i.op == "member":
            if isinstance(i.a, ir.Const):
                found = members(i.a.value)
                self.size, self.lowest = len(found), found[0] if found else 0
                if found != tuple(range(self.lowest, self.lowest + self.size)) or self.unit.hides(i.type):
                    self.lowest = -1
                    self.line(f"d = {self.unit.literal(found)}")
            else:
                self.line(f"d = {self.members(i.a)}")
        elif (counts := self.kept(i)) is not None:
            self.kinds(counts)
            self.line(f"n = {counts.total}")
            return "n"
        else:
            among = self(i.a)
            self.line(f"d = {among[len('tuple(') : -1] if among.startswith('tuple(S[') else among}")
            self.line("n = sum(d)")
            return "n"
        return "d" if self.size == 0 or self.lowest < 0 else "True"

    def draw_one(self, i: ir.Chance) -> None:
        if i.op == "member" and self.unit.hides(i.type):
            self.unit.moves.mix(self, i.a)
        v = self.fresh("f")
        if i.op == "piece":
            low = bounds(i.type)[0] if i.type is not None else 0
            self.line(f"x = {self.below('n')}")
            counts = self.kept(i)
            if counts is not None:  # the usual case of one piece of each kind
                self.line(f"if len({counts.name}) == n: {v} = {counts.name}[x]")
                self.line("else:")
                self.line.depth += 1
            self.line(f"for {v}, k in enumerate({'d' if counts is None else counts.words}, {low}):")
            self.line(" x -= k")
            self.line(" if x < 0: break")
            if counts is not None:
                self.line.depth -= 1
                self.there |= {(v, counts.const)}
        elif self.size:
            text = self.below(self.size)
            self.line(f"{v} = d[{text}]" if self.lowest < 0 else f"{v} = ({text}) + {self.lowest}")
        else:
            self.line("n = len(d)")
            self.line(f"{v} = d[{self.below('n')}]")
        if i.type is not None and type(i.type) in SCALARS:
            self.keep(i.slot, i.type, v)
        elif i.type is not None:
            self.line("raise unplayed")

    def below(self, n: str | int) -> str:
        """The text of a number below n, which is drawn in the lines before."""
        if n == 1:
            self.line(f"g = g * {MULTIPLIER} + {INCREMENT} & {MASK_64}")
            return "0"
        self.line("x = g >> 27")
        self.line("x = ((x >> 18 ^ x) & 0xFFFFFFFF) * 0x100000001 >> (g >> 59) & 0xFFFFFFFF")
        self.line(f"g = g * {MULTIPLIER} + {INCREMENT} & {MASK_64}")
        if isinstance(n, str):
            least = str(WHOLE - 1 - self.most) if self.most else f"{WHOLE - 1} - {n}"
            self.line(f"if x > {least}: g, x = accepted(g, x, {n})")
            return f"x % {n} if {n} & {n} - 1 else x * {n} >> 32"
        if not WHOLE % n:
            return f"x >> {32 - n.bit_length() + 1}"
        self.line(f"if x >= {WHOLE - WHOLE % n}: g, x = accepted(g, x, {n})")
        return f"x % {n}"

    def shuffling(self, i: ir.Chance) -> None:
        zone = i.a.value if isinstance(i.a, ir.Const) else 0
        program = self.unit.program
        kind, base, _, _ = shape_of(program, zone)
        audience = program.zones[zone].audience
        if not zone or kind != LIST or (program.known_base and audience not in ("all", "nobody")):
            self.save_generator()
            self.line(f"if not shuffle(S, {self(i.a)}): raise unplayed")
            self.line(f"g = S[{hdr.RNG}] | S[{hdr.RNG + 1}] << 22 | S[{hdr.RNG + 2}] << 44")
            return
        self.line(f"d = S[{base + 1}:{base + 1} + S[{base}]]")
        self.line("g = shuffled(g, d)")
        self.line(f"S[{base + 1}:{base + 1} + len(d)] = d")
        if program.known_base:
            seers = f"(2 << S[{hdr.SEATS}]) - 2" if audience == "all" else "0"
            self.line("if len(d) > 1:")
            self.line(f" for k in d: S[k + {program.known_base}] = {seers}")
