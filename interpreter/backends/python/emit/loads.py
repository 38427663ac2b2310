"""What expressions read, as Python text: temps, frame variables, cells of the store, constant tables, addresses.

`Loads` writes them and hands every other node on to the method of its name; `expressions` has those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from dsl.base.types import WORD_BITS, ListType, MapType, SetType, Type, bounds, width
from dsl.program import FP, FRAME_LINK
from interpreter.backends.analysis.dataflow import free, walk
from interpreter.backends.python.emit.function import Base, keeps
from interpreter.core.words import SCALARS, members

FEW_WORDS = 3  # words of a set that are read and written one by one
FEW_KEYS = 64  # of a table by ranges that becomes a dictionary
FEW_CELLS = 3  # cells that are added one by one


class Loads(Base):
    """Writes what is read."""

    def ready(self, parts: Sequence[ir.Expr]) -> None:
        """Read the frame variables of what is evaluated many times, once."""
        for n in walk(tuple(parts)):
            if isinstance(n, ir.FrameVar) and keeps(n.type):
                self.FrameVar(n)

    def __call__(self, e: ir.Expr) -> str:
        write: Callable[[Any], str] = getattr(self, type(e).__name__, self.by_reference)
        return write(e)

    def by_reference(self, e: ir.Expr) -> str:
        """A node that the reference reads, with the temps that it needs."""
        self.settle()
        pairs = "".join(f"({slot}, {self.temp(slot)})," for slot in sorted(free(e)))
        self.unit.by_reference.add(type(e).__name__)
        return f"see({self.unit.object(e)}, ({pairs}))"

    # ------------------------------------------------------------ loads

    def Const(self, e: ir.Const) -> str:
        return self.constant(e.value)

    def Temp(self, e: ir.Temp) -> str:
        return self.temp(e.slot)

    def base(self) -> str:
        """The address of the running frame's variables."""
        if self.frame is None:
            self.frame = "B"
            self.line.text.insert(0, f" B = S[{FP}] + {FRAME_LINK}")
            for loop in self.open_loops:
                loop.line += 1
        return self.frame

    def frame_at(self, slot: int) -> str:
        return f"{self.base()} + {slot}" if slot else self.base()

    def load(self, address: str, t: Type) -> str:
        if type(t) in SCALARS:
            return f"S[{address}]"
        if isinstance(t, SetType) and width(t) == 1:
            low = bounds(t.elem)[0]
            return f"(S[{address}] << {low})" if low else f"S[{address}]"
        if isinstance(t, SetType) and width(t) <= FEW_WORDS and self.sure:
            at, low = self.hold(address, "a"), bounds(t.elem)[0]
            words = [f"S[{self.sum(k, at)}]" + (f" << {k * WORD_BITS}" if k else "") for k in range(width(t))]
            text = f"({' | '.join(words)})"
            return f"({text} << {low})" if low else text
        if isinstance(t, MapType) and type(t.value) in SCALARS and address.isdigit():
            return f"tuple(S[{address}:{int(address) + width(t)}])"
        if isinstance(t, ListType) and type(t.elem) in SCALARS and address.isdigit():
            return f"tuple(S[{int(address) + 1}:{int(address) + 1} + S[{address}]])"
        return f"{self.unit.loader(t)}(S, {address})"

    def part(self, e: ir.Cell, t: SetType, mask: int) -> str:
        """The words of a set that hold some members."""
        low = bounds(t.elem)[0]
        const, text = self.linear(e.address)
        first, last = ((v - low) // WORD_BITS for v in (members(mask)[0], members(mask)[-1]))
        if first < 0 or last >= width(t) or last - first >= FEW_WORDS or (text and not text.isidentifier()):
            return self(e)
        words = [f"S[{self.sum(const + k, text)}] << {k * WORD_BITS + low}" for k in range(first, last + 1)]
        return f"({' | '.join(words)})"

    def FrameVar(self, e: ir.FrameVar) -> str:
        found = self.names.frame.get(e.slot)
        if found is None:
            if not keeps(e.type):
                return self.load(self.frame_at(e.slot), e.type)
            found = self.names.frame[e.slot] = self.hold(self.load(self.frame_at(e.slot), e.type), "f")
        return found

    def FrameItem(self, e: ir.FrameItem) -> str:
        self.settle()
        return self.load(f"{self.frame_at(e.slot)} + {self(e.offset)}", e.type)

    def Cell(self, e: ir.Cell) -> str:
        if self.cells and isinstance(e.address, ir.Linear) and type(e.type) in SCALARS:
            for term, stride in e.address.terms:
                if stride > 0 and isinstance(term, ir.Temp):
                    others = tuple(t for t in e.address.terms if t[0] != term)
                    found = self.cells.get((self.temp(term.slot), e.address.const, stride, others))
                    if found is not None:
                        return found
        return self.load(self.address(e.address), e.type)

    def address(self, e: ir.Expr) -> str:
        """An address as it stands in brackets."""
        text = self(e)
        return text[1:-1] if isinstance(e, ir.Linear) and text.startswith("(") else text

    def CellSum(self, e: ir.CellSum) -> str:
        size = e.count * e.stride
        const, text = self.linear(e.address)
        if self.sure and text and not text.isidentifier() and e.count > 1:
            text = self.hold(text)
        if e.count <= FEW_CELLS and not (text and "(" in text):
            cells = [self.sum(const + k * e.stride, text) for k in range(e.count)]
            return "(" + " + ".join(f"S[{at}]" for at in cells) + ")"
        if text and not text.isidentifier():
            if not self.sure:
                return f"cells(S, {self(e.address)}, {e.count}, {e.stride})"
            text = self.hold(text)
        step = f":{e.stride}" if e.stride > 1 else ""
        return f"sum(S[{self.sum(const, text)}:{self.sum(const + size, text)}{step}])"

    def sum(self, const: int, text: str) -> str:
        if not text:
            return str(const)
        if text.isdigit():
            return str(int(text) + const)
        return f"{text} + {const}" if const > 0 else f"{text} - {-const}" if const else text

    def linear(self, e: ir.Expr) -> tuple[int, str]:
        """An address as a number and the text that is added to it."""
        if isinstance(e, ir.Const):
            return e.value, ""
        if not isinstance(e, ir.Linear):
            return 0, self(e)
        const, parts = e.const, []
        for term, stride in e.terms:
            if isinstance(term, ir.Const):
                const += term.value * stride
            elif isinstance(term, ir.Temp) and term.slot in self.names.known:
                const += self.names.known[term.slot] * stride
            elif isinstance(term, ir.Linear):
                more, text = self.linear(term)
                const += more * stride
                if text:
                    parts.append(text if stride == 1 else f"({text}) * {stride}")
            else:
                parts.append(self(term) if stride == 1 else f"{self(term)} * {stride}")
        return const, " + ".join(parts)

    def Linear(self, e: ir.Linear) -> str:
        const, text = self.linear(e)
        if not text:
            return self.constant(const)
        found = self.sum(const, text)
        return found if found.isidentifier() else f"({found})"

    def TableGet(self, e: ir.TableGet) -> str:
        text = self.unit.item(self, e.table, e.offset, False)
        return self.lift(text) if text.startswith("P_") else text

    def RangeTable(self, e: ir.RangeTable) -> str:
        """The first row that a key lies in, else the last."""
        size = sum(high - low + 1 for low, high, _ in e.rows)
        if size > FEW_KEYS or any(type(value) is not int for _, _, value in e.rows):
            return f"lookup({self.unit.literal(e.rows)}, {self(e.key)})"
        found: dict[int, int] = {}
        for low, high, value in e.rows:
            for key in range(low, high + 1):
                found.setdefault(key, value)
        return f"{self.unit.head(repr(found), 'D')}.get({self(e.key)}, {e.rows[-1][2]})"
