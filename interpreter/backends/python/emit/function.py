"""One Python function that is being written: its lines, what stands for temps, what is known of them.

A `Fn` is what all who write take; it writes an expression by the function that its table has for the node. No text of a
ruleset goes into it: names are made from numbers, other values are literals or objects of the module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from dsl import ir
from dsl.base.types import Type
from dsl.program import STEPS
from interpreter.backends.python.emit.context import ModuleContext, Tables

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


class Storage(Protocol):
    """Where the variables of frames live while a function runs, and temps that an earlier one has set."""

    def base(self) -> str:
        """The address of the running frame's variables."""

    def at(self, slot: int) -> str:
        """The address of a frame variable."""

    def earlier(self, slot: int) -> str:
        """A temp that an earlier instruction of the same procedure has set."""

    def given(self, e: ir.Expr) -> dict[int, str]:
        """The frame variables of an expression that a function apart must be given: they are not in the store."""

    def keep(self, slot: int, t: Type, text: str) -> None:
        """Set a frame variable to what a Python variable holds."""

    def settle(self) -> None:
        """What follows may look at the frames: they must lie in the store."""


class Fn:
    """`sure`: whether what is written now is certainly evaluated, so that lines may be put before it. `written_out`:
    the most members of a fold with keys that is written without a loop; `steps`: what counts work."""

    steps = f"S[{STEPS}]"
    written_out = 0

    def __init__(
        self,
        ctx: ModuleContext,
        storage: Callable[[Any], Storage],
        params: Sequence[str] = (),
        tables: Tables | None = None,
    ) -> None:
        self.ctx = ctx
        self.tables = tables or ctx.tables
        self.storage = storage(self)
        self.line = Lines()
        self.names = Names({n: name for n, name in enumerate(params)})
        self.sure = True
        self.count = 0
        self.inlined = 0  # functions written out around what is written
        self.loops_open = 0
        self.nested = 0  # statements open around what is written
        self.cells: dict[tuple[str, int, int, tuple[Any, ...]], str] = {}  # words at hand: variable and address
        self.open_loops: list[OpenLoop] = []
        self.rows: dict[tuple[str, int, int], tuple[str, ...]] = {}  # members of a row of a relation that are at hand

    def __call__(self, e: ir.Expr) -> str:
        """The text of an expression."""
        return self.tables.expressions[type(e)](self, e)

    def test(self, e: ir.Expr) -> str:
        """The text of a condition, of which only the truth counts."""
        return self.tables.test(self, e)

    def statements(self, body: Sequence[ir.Stmt]) -> None:
        """The lines of statements."""
        for s in body:
            self.tables.statements[type(s)](self, s)

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
        """What stays the same while a loop runs, and cannot fail, in a variable before the outermost such loop."""
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
        return self.ctx.literal(value)

    def temp(self, slot: int) -> str:
        if slot in self.names.known:
            return self.constant(self.names.known[slot])
        found = self.names.temps.get(slot)
        if found is None:
            found = self.names.temps[slot] = self.storage.earlier(slot)
        return found
