"""One Python function that is being written: its lines, the texts of temps, and what is known of them.

All writers take an `Fn`; it writes a node by the writer that its table has for the class. No text of a ruleset goes
into it: names are made from numbers, other values are literals or objects of the module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from typing import Any, Protocol

from dsl import ir
from dsl.base.types import Type
from dsl.program import STEPS
from interpreter.backends.python.emit.context import ModuleContext, Tables

Range = tuple[int, int]
LOCAL = re.compile(r"\b([a-zA-Z])(\d+)\b")  # a variable of a function
INVARIANT = re.compile(r"(?:[-+*&|()~<> \d]|\b[yfpw]\d+\b)+")  # of numbers that stay the same in one pass of a loop
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
    """A loop that is being written: the line of its head, the indentation, the number of names before it, the most
    members it goes through, variables hoisted out of it, and variables set once in each pass, by their texts."""

    line: int
    depth: int
    count: int
    size: int
    hoisted: dict[str, str] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Names:
    """What is known of temps: the text of each, its value if that is constant, its bounds; `frame`: the frame variables
    that are in Python variables."""

    temps: dict[int, str] = field(default_factory=dict)
    known: dict[int, int] = field(default_factory=dict)
    ranges: dict[int, Range] = field(default_factory=dict)
    frame: dict[int, str] = field(default_factory=dict)

    def copy(self) -> Names:
        return Names(self.temps.copy(), self.known.copy(), self.ranges.copy(), self.frame.copy())


class Storage(Protocol):
    """Where the variables of frames are while a function runs, and temps that an earlier function has set."""

    def base(self) -> str:
        """The address of the running frame's variables."""

    def at(self, slot: int) -> str:
        """The address of a frame variable."""

    def earlier_temp(self, slot: int) -> str:
        """The text of a temp that an earlier instruction of the same procedure has set."""

    def passed_variables(self, e: ir.Expr) -> dict[int, str]:
        """The frame variables that an outlined function with this expression must be passed: they are not in the
        store."""

    def set_variable(self, slot: int, t: Type, text: str) -> None:
        """Set a frame variable to the value of a Python variable."""

    def sync(self) -> None:
        """Bring the frames in the store up to date: what follows may read them there."""


class Fn:
    """`eager`: whether what is written now is certainly evaluated, so that lines may be put before it; `unroll_limit`:
    the most members of a fold with keys that is written without a loop; `steps`: the variable that counts work;
    `times`: how often what is written may run in one instruction or list of options, apart from the loops that are open
    in it; `question`: the site whose options are listed."""

    steps = f"S[{STEPS}]"
    unroll_limit = 0
    times = 1
    question = -1

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
        self.eager = True
        self.count = 0
        self.inline_depth = 0  # functions inlined around what is written
        self.loop_depth = 0
        self.block_depth = 0  # statements open around what is written
        self.cached_cells: dict[tuple[str, int, int, tuple[Any, ...]], str] = {}  # words in variables
        self.open_loops: list[OpenLoop] = []
        self.rows: dict[tuple[str, int, int], tuple[str, ...]] = {}  # members of rows of relations, in variables

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
        """A context for text that is perhaps not evaluated."""
        before, self.eager = self.eager, False
        yield
        self.eager = before

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A context whose names and indentation end with it."""
        names, depth, loops = self.names.copy(), self.line.depth, len(self.open_loops)
        yield
        self.names, self.line.depth = names, depth
        del self.open_loops[loops:]

    def bind(self, slot: int, span: Range = ANY, letter: str = "y") -> str:
        """Give a temp a fresh name; `span`: its bounds."""
        name = self.fresh(letter)
        self.names.temps[slot] = name
        self.names.known.pop(slot, None)
        self.names.ranges[slot] = span
        return name

    def hold(self, text: str, letter: str = "x") -> str:
        """A variable that holds a value: set in a line before, unless the text is a name or number already."""
        if text.isidentifier() or text.isdigit():
            return text
        steady = bool(self.open_loops) and INVARIANT.fullmatch(text) is not None
        for loop in self.open_loops if steady else ():
            if text in loop.held:
                return loop.held[text]
        name = self.fresh(letter)
        self.line(f"{name} = {text}")
        if steady:
            self.open_loops[-1].held[text] = name
        return name

    def open_loop(self, line: str, count: int, size: int) -> None:
        """The head of a loop that assigns no words of the store; what follows is indented. `count`: of the names before
        those that the loop binds; `size`: the most members that it goes through."""
        self.open_loops.append(OpenLoop(len(self.line.text), self.line.depth, count, size))
        self.line(f"{line}:")
        self.line.depth += 1

    def passes(self, size: int = 1) -> int:
        """The most passes of a loop of this size here, in one instruction or list of options."""
        return self.times * prod(loop.size for loop in self.open_loops) * size

    def hoist(self, text: str) -> str:
        """A variable for a text that cannot fail, set before the outermost loop in which it stays the same."""
        names = LOCAL.findall(text)
        if not names or "S[" in text or any(letter == "t" for letter, _ in names):
            return text
        newest = max((int(number) for letter, number in names if letter != "p"), default=0)
        for loop in self.open_loops:
            if newest <= loop.count:
                if text not in loop.hoisted:
                    name = loop.hoisted[text] = self.fresh()
                    self.line.text.insert(loop.line, f"{' ' * loop.depth}{name} = {text}")
                    for other in self.open_loops:
                        other.line += other.line >= loop.line
                return loop.hoisted[text]
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
            found = self.names.temps[slot] = self.storage.earlier_temp(slot)
        return found
