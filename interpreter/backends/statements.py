"""IR statements as lines of Python, for the body of a function with the parameters `S` (the store) and `T`.

Temps that the statements assign are Python variables. Common statements are written out; the others call the same
functions that the reference calls. `Lines` keeps the text with its indentation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dsl import ir
from dsl.program import FP, FRAME_LINK, RV, STEPS
from dsl.types import IntType, SetType, Type, bounds, width
from interpreter.backends.expressions import Names, Writer
from interpreter.store import SCALARS


class Lines:
    def __init__(self) -> None:
        self.text: list[str] = []
        self.depth = 1

    def __call__(self, line: str) -> None:
        self.text.append("    " * self.depth + line)


class Body(Writer):
    """Writes statements. `checked`: with the tests of a checking run; `limit` is the limit of steps."""

    def __init__(self, unit: Names, limit: int, checked: bool) -> None:
        super().__init__(unit)
        self.limit = limit
        self.checked = checked
        self.line = Lines()
        self.loops_open = 0
        self.once: set[int] = set()  # temps that are assigned in one place

    def function(self, name: str, params: int, body: Sequence[ir.Stmt]) -> str:
        """A function of the store and the temps that carries out statements; the first temps are parameters."""
        self.line(f"B = S[{FP}] + {FRAME_LINK}")
        self.frame = "B"
        self.variables(body, params)
        self.body(body)
        return "\n".join([f"def {name}(S, T):", *self.line.text])

    def variables(self, body: Sequence[ir.Stmt], params: int = 0) -> None:
        """The temps that are Python variables: parameters, and what the body assigns."""
        times = Counter(assigned(body))
        self.once = {slot for slot, n in times.items() if n == 1 and slot >= params}
        self.names = {slot: f"t{slot}" for slot in sorted({*range(params), *times})}
        for slot, name in self.names.items():
            self.line(f"{name} = T[{slot}]")

    def body(self, body: Sequence[ir.Stmt]) -> None:
        for s in body:
            write: Callable[[Any], None] = getattr(self, f"do_{type(s).__name__}", self.do_by_reference)
            write(s)

    def block(self, body: Sequence[ir.Stmt]) -> None:
        self.line.depth += 1
        self.line("pass")
        self.body(body)
        self.line.depth -= 1

    def do_by_reference(self, s: ir.Stmt) -> None:
        pairs = "".join(f"({slot}, {name})," for slot, name in self.names.items())
        self.line(f"do({self.unit.constant(s)}, T, ({pairs}))")

    # ------------------------------------------------------------ variables and fields

    def do_SetTemp(self, s: ir.SetTemp) -> None:
        value = self(s.value)
        self.line(f"{self.set_temp(s.slot)} = {value}")

    def set_temp(self, slot: int) -> str:
        """Where a temp is assigned: instructions that follow in the procedure may read it too."""
        return f"{self.names[slot]} = T[{slot}]"

    def do_SetFrame(self, s: ir.SetFrame) -> None:
        at = f"B + {s.slot}" if s.slot else "B"
        value = self.within(s.type, self(s.value), s.value, ("a local", None))
        if s.offset is not None:
            at += f" + {self(s.offset)}"
        self.put(at, s.type, value, ("a local", None))

    def do_Store(self, s: ir.Store) -> None:
        at = self(s.address)
        if not isinstance(s.address, ir.Const):
            self.line(f"a = {at}")
            at = "a"
        what = (f"`{s.symbol}`", s.span)
        self.put(at, s.type, self.within(s.type, self(s.value), s.value, what), what)

    def within(self, t: Type, text: str, value: ir.Expr, what: Any) -> str:
        """The value, tested against the bounds of its type where it is a number."""
        if not isinstance(t, IntType):
            return text
        if isinstance(value, ir.Const) and t.low <= value.value <= t.high:
            return text
        self.line(f"v = {text}")
        self.line(
            f"if not {t.low} <= v <= {t.high}: raise outside({self.unit.constant(t)}, v, {self.unit.constant(what)})"
        )
        return "v"

    def put(self, at: str, t: Type, text: str, what: Any) -> None:
        if type(t) in SCALARS:
            self.line(f"S[{at}] = {text}")
        elif isinstance(t, SetType) and width(t) == 1:
            low = bounds(t.elem)[0]
            self.line(f"S[{at}] = {text} >> {low}" if low else f"S[{at}] = {text}")
        elif isinstance(t, SetType):
            self.line(f"{self.unit.saver(t)}(S, {at}, {text})")
        else:
            self.line(f"put({at}, {self.unit.constant(t)}, {text}, {self.unit.constant(what)})")

    # ------------------------------------------------------------ pieces and things

    def do_Transfer(self, s: ir.Transfer) -> None:
        ends = []
        for name, pool in (("a", s.source), ("b", s.target)):
            endless = pool.kind == "endless" or pool.address is None
            code = (
                self(pool.code)
                if pool.kind == "slot" and pool.code is not None
                else "1"
                if pool.kind == "slot"
                else "0"
            )
            ends.append((name, "0" if endless or pool.address is None else self(pool.address), code, endless))
        self.line(f"n = {self(s.amount)}")
        for name, address, _, _ in ends:
            self.line(f"{name} = {address}")
        call = f"pieces({self.unit.constant(s)}, n, a, {ends[0][2]}, b, {ends[1][2]})"
        if s.source.kind == s.target.kind == "count" and not ends[0][3] and not ends[1][3]:
            room = f" or n > {s.limit} - S[b]" if s.limit is not None else ""
            self.line(f"if n < 0 or n > S[a] or a == b{room}: n = {call}")
            self.line("else:")
            self.line("    S[a] -= n")
            self.line("    S[b] += n")
        else:
            self.line(f"n = {call}")
        if s.moved is not None:
            self.line(f"{self.set_temp(s.moved)} = n")

    def do_MoveThing(self, s: ir.MoveThing) -> None:
        at = repr(s.at) if s.at is None or isinstance(s.at, str) else self(s.at)
        self.line(f"a = {self(s.thing)}")
        self.line(f"if a: move(a, {self(s.zone)}, {at}, {self.unit.constant(s)})")

    # ------------------------------------------------------------ control

    def do_IfS(self, s: ir.IfS) -> None:
        self.line(f"if {self.test(s.test)}:")
        self.block(s.then)
        if s.orelse:
            self.line("else:")
            self.block(s.orelse)

    def do_While(self, s: ir.While) -> None:
        self.line(f"while {self.test(s.test)}:")
        self.line(f"    S[{STEPS}] += 1")
        self.line(f"    if S[{STEPS}] > {self.limit}: raise endless({self.unit.constant(s.span)})")
        self.inside_loop(s.body)

    def do_For(self, s: ir.For) -> None:
        source = self.domain(s.domain)
        if s.domain.kind == "set" and s.slot in self.once:
            self.natural.add(s.slot)
        self.line(f"for {self.names[s.slot]} in {source}:")
        self.inside_loop(s.body)

    def inside_loop(self, body: Sequence[ir.Stmt]) -> None:
        self.loops_open += 1
        self.block(body)
        self.loops_open -= 1

    def do_Break(self, s: ir.Break) -> None:
        self.line("break" if self.loops_open else "return")

    def do_Continue(self, s: ir.Continue) -> None:
        self.line("continue" if self.loops_open else "return")

    def do_Return(self, s: ir.Return) -> None:
        if s.value is not None:
            self.line(f"S[{RV}] = {self(s.value)}")
        self.line("return")

    def do_CallS(self, s: ir.CallS) -> None:
        self.line(f"call({s.proc}, [{', '.join(self(a) for a in s.args)}])")

    def do_Require(self, s: ir.Require) -> None:
        self.line(f"if not {self.test(s.guard.test)}: raise required({self.unit.constant(s.guard)})")

    def do_Together(self, s: ir.Together) -> None:
        self.line(f"{'checked_together' if self.checked else 'together'}({self.unit.constant(s)})")

    def do_AtomicEnd(self, s: ir.AtomicEnd) -> None:
        if self.checked:
            self.line(f"atomic_end({self.unit.constant(s)})")

    def do_Note(self, s: ir.Note) -> None:
        """Only traces hear of it."""


def assigned(node: Any) -> Iterator[int]:
    """The temps that statements assign."""
    match node:
        case tuple() | list():
            for part in node:
                yield from assigned(part)
        case ir.SetTemp(slot, _):
            yield slot
        case ir.Transfer(moved=int() as slot):
            yield slot
        case ir.For(slot, _, body):
            yield slot
            yield from assigned(body)
        case ir.IfS(_, then, orelse):
            yield from assigned(then)
            yield from assigned(orelse)
        case ir.While(_, body, _):
            yield from assigned(body)


def ends_early(body: Sequence[ir.Stmt], in_loop: bool = False) -> bool:
    """Whether statements may end before their last one."""
    for s in body:
        match s:
            case ir.Return():
                return True
            case ir.Break() | ir.Continue():
                if not in_loop:
                    return True
            case ir.IfS(_, then, orelse):
                if ends_early(then, in_loop) or ends_early(orelse, in_loop):
                    return True
            case ir.While(body=inner) | ir.For(body=inner):
                if ends_early(inner, True):
                    return True
    return False
