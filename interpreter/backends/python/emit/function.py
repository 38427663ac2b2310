"""Text and names of a Python function that is being written: its lines, what stands for temps, known bounds.

`Base` knows nothing of how expressions are written; `expressions` adds that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dsl import ir
from dsl.base.types import BoolType, IntType, MemberType, PlaceType, SetType, Type, bounds
from dsl.program import SEATS
from interpreter.backends.analysis.dataflow import walk
from interpreter.core.words import SCALARS

if TYPE_CHECKING:
    from interpreter.backends.python.compile.module import Unit

Range = tuple[int, int]
LOCAL = re.compile(r"\b([a-zA-Z])(\d+)\b")  # a variable of a function
STEADY = re.compile(r"(?:[-+*&|()~<> \d]|\b[yfpw]\d+\b)+")  # of numbers that stay the same in one pass of a loop
ANY: Range = (-(1 << 62), 1 << 62)


class Lines:
    """The body of a function with its indentation."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.depth = 1

    def __call__(self, line: str) -> None:
        self.text.append(" " * self.depth + line)


@dataclass(slots=True)
class OpenLoop:
    """A loop that is being written: where its head stands, how deep, the number of names before it, what has been
    lifted out of it, and what is worked out once in each pass."""

    line: int
    depth: int
    count: int
    lifted: dict[str, str] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Names:
    """What stands for the temps: Python text, a number that is known, the least and greatest value; `frame` the frame
    variables that are at hand in Python variables."""

    temps: dict[int, str] = field(default_factory=dict)
    known: dict[int, int] = field(default_factory=dict)
    ranges: dict[int, Range] = field(default_factory=dict)
    frame: dict[int, str] = field(default_factory=dict)

    def copy(self) -> Names:
        return Names(self.temps.copy(), self.known.copy(), self.ranges.copy(), self.frame.copy())


class Base:
    """`frame`: the Python variable of the address of the running frame's variables. `sure`: whether what is written now
    is certainly evaluated, so that lines may be put before it. `written_out`: the most members of a fold with keys that
    is written without a loop."""

    written_out = 0
    given: dict[int, str] = {}  # frame variables that a function apart was given

    def frame_given(self, e: ir.Expr) -> dict[int, str]:
        """The frame variables of an expression that a function apart must be given: they are not in the store."""
        return {n.slot: self.given[n.slot] for n in walk(e) if isinstance(n, ir.FrameVar) and n.slot in self.given}

    def __init__(self, unit: Unit, params: Sequence[str] = ()) -> None:
        self.unit = unit
        self.line = Lines()
        self.names = Names({n: name for n, name in enumerate(params)})
        self.frame: str | None = None
        self.sure = True
        self.count = 0
        self.inlined = 0
        self.cells: dict[tuple[str, int, int, tuple[Any, ...]], str] = {}  # words at hand: variable and address
        self.open_loops: list[OpenLoop] = []
        self.rows: dict[tuple[str, int, int], tuple[str, ...]] = {}  # members of a row of a relation that are at hand

    # ------------------------------------------------------------ text and names

    def fresh(self, letter: str = "x") -> str:
        self.count += 1
        return f"{letter}{self.count}"

    @contextmanager
    def lazily(self) -> Iterator[None]:
        """What is written inside may not be evaluated."""
        before, self.sure = self.sure, False
        yield
        self.sure = before

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Names bound and lines indented inside end with it."""
        names, depth, loops = self.names.copy(), self.line.depth, len(self.open_loops)
        yield
        self.names, self.line.depth = names, depth
        del self.open_loops[loops:]

    def bind(self, slot: int, span: Range = ANY, letter: str = "y") -> str:
        """A fresh name for a temp."""
        name = self.fresh(letter)
        self.names.temps[slot] = name
        self.names.known.pop(slot, None)
        self.names.ranges[slot] = span
        return name

    def hold(self, text: str, letter: str = "x") -> str:
        """Put a value into a variable, in a line before."""
        if text.isidentifier() or text.isdigit():
            return text
        steady = bool(self.open_loops) and STEADY.fullmatch(text) is not None
        for loop in self.open_loops if steady else ():
            if text in loop.held:
                return loop.held[text]
        name = self.fresh(letter)
        self.line(f"{name} = {text}")
        if steady:
            self.open_loops[-1].held[text] = name
        return name

    def head(self, line: str, count: int) -> None:
        """The head of a loop in which nothing changes; what follows is indented. `count`: names before those that the
        loop binds."""
        self.open_loops.append(OpenLoop(len(self.line.text), self.line.depth, count))
        self.line(f"{line}:")
        self.line.depth += 1

    def lift(self, text: str) -> str:
        """What stays the same while a loop runs, and can not fail, in a variable before the outermost such loop."""
        names = LOCAL.findall(text)
        if not names or "S[" in text or any(letter == "t" for letter, _ in names):
            return text
        newest = max((int(number) for letter, number in names if letter != "p"), default=0)
        for loop in self.open_loops:
            if newest <= loop.count:
                if text not in loop.lifted:
                    name = loop.lifted[text] = self.fresh()
                    self.line.text.insert(loop.line, f"{' ' * loop.depth}{name} = {text}")
                    for other in self.open_loops:
                        other.line += other.line >= loop.line
                return loop.lifted[text]
        return text

    def constant(self, value: Any) -> str:
        if type(value) is int:
            return f"({value})" if value < 0 else str(value)
        return self.unit.literal(value)

    def settle(self) -> None:
        """What follows may look at the frames: they must lie in the store."""

    def temp(self, slot: int) -> str:
        if slot in self.names.known:
            return self.constant(self.names.known[slot])
        found = self.names.temps.get(slot)
        if found is None:  # set by an earlier instruction of the same procedure
            found = self.names.temps[slot] = f"T[{slot}]"
        return found

    # ------------------------------------------------------------ bounds

    def span(self, e: ir.Expr) -> Range:
        """The least and the greatest value that an expression can have, as far as it is known."""
        match e:
            case ir.Const(int() as v):
                return v, v
            case ir.Temp(slot):
                known = self.names.known.get(slot)
                return (known, known) if known is not None else self.names.ranges.get(slot, ANY)
            case ir.Cell(ir.Const(at)) if at == SEATS:
                return self.unit.program.seats
            case ir.FrameVar(_, t) | ir.Cell(_, t) | ir.FrameItem(_, _, t):
                return held(t)
            case ir.Linear(const, terms):
                low = high = const
                for term, stride in terms:
                    a, b = self.span(term)
                    low, high = low + min(a * stride, b * stride), high + max(a * stride, b * stride)
                return max(low, ANY[0]), min(high, ANY[1])
            case ir.Not() | ir.And() | ir.Or() | ir.Compare() | ir.InSet() | ir.InList() | ir.Subset():
                return 0, 1
            case ir.Fold(kind="any" | "every"):
                return 0, 1
            case ir.Fold(kind="count") | ir.Size() | ir.CellSum():
                return 0, ANY[1]
            case ir.If(_, then, orelse):
                (a, b), (c, d) = self.span(then), self.span(orelse)
                return min(a, c), max(b, d)
            case ir.TableGet(table, _):
                return self.unit.table_span(table)
            case ir.CallFn(fn):
                t = self.unit.program.functions[fn].result
                return (0, bounds(t)[1]) if isinstance(t, BoolType | MemberType) else ANY
            case ir.Arith(op, left, right):
                return arithmetic(op, self.span(left), self.span(right))
        return ANY

    def decided(self, test: ir.Expr) -> bool | None:
        """Whether a condition holds, if the bounds of its sides say so."""
        match test:
            case ir.Not(operand):
                found = self.decided(operand)
                return None if found is None else not found
            case ir.Compare(op, left, right):
                (a, b), (c, d) = self.span(left), self.span(right)
                if op in (">", ">="):
                    op, a, b, c, d = ("<" if op == ">" else "<="), c, d, a, b
                match op:
                    case "==" | "!=":
                        apart, same = b < c or d < a, a == b == c == d
                        return (op == "!=") if apart else (op == "==") if same else None
                    case "<":
                        return True if b < c else False if a >= d else None
                    case "<=":
                        return True if b <= c else False if a > d else None
        return None


def arithmetic(op: str, left: Range, right: Range) -> Range:
    (a, b), (c, d) = left, right
    match op:
        case "+":
            return max(a + c, ANY[0]), min(b + d, ANY[1])
        case "-":
            return max(a - d, ANY[0]), min(b - c, ANY[1])
        case "min":
            return min(a, c), min(b, d)
        case "max":
            return max(a, c), max(b, d)
        case "half_up" | "half_down" if a >= 0:
            return 0, b
    return (0, ANY[1]) if a >= 0 and c >= 0 and op in ("*", "|", "&", "&~") else ANY


def held(t: Type) -> Range:
    """What a variable of this type can hold; before it is set it holds 0."""
    match t:
        case IntType(low, high):
            return min(low, 0), max(high, 0)
        case BoolType():
            return 0, 1
        case MemberType(_, _, high):
            return 0, high
        case PlaceType() | SetType():
            return 0, ANY[1]
    return ANY


def keeps(t: Type) -> bool:
    """Whether a frame variable of this type is worth keeping in a Python variable."""
    return type(t) in SCALARS or isinstance(t, SetType)


def truths(e: ir.Expr) -> bool:
    """Whether an expression is a condition."""
    if isinstance(e, ir.Const):
        return e.value in (0, 1)
    return isinstance(e, ir.Not | ir.And | ir.Or | ir.Compare | ir.InSet | ir.If)


def simple_arguments(e: ir.CallFn) -> bool:
    """Whether the arguments of a call can be read anywhere, as often as needed."""
    return all(isinstance(a, ir.Temp | ir.Const | ir.FrameVar) for a in e.args)


def atom(text: str) -> bool:
    return text.isidentifier() or text.isdigit()
