"""What all functions of one module have in common while they are written.

A `ModuleContext` is made from a program and holds what is known of it, the text so far, its constants and objects, and
the functions that are still wanted. It writes none itself: `finish` takes a table of those who do. Names are made from
numbers only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from dsl import ir
from dsl.base.types import INT_HIGH, Type
from dsl.program import Program
from interpreter.backends.analysis.constants import Constants
from interpreter.backends.analysis.dataflow import facts, liveness, walk
from interpreter.backends.python.emit.source import plain, prune
from interpreter.backends.python.runtime.zone_rows import Row, rows_of_zones
from interpreter.choices.binding import Level, levels

LONG_LITERAL = 60  # characters of a value that gets a name
NAMES = {"function": "_f{}", "finder": "_f{}_any", "procedure": "_p{}", "lister": "_l{}"}


@dataclass(frozen=True, slots=True)
class Tables:
    """Who writes what: for each node of expressions and of statements a function of `Fn` and the node; `test` writes an
    expression of which only the truth counts."""

    expressions: Mapping[type, Callable[[Any, Any], str]]
    statements: Mapping[type, Callable[[Any, Any], None]]
    test: Callable[[Any, Any], str]


class ModuleContext:
    """`tables`: those of plain functions, which know the store alone."""

    def __init__(self, program: Program, checked: bool, tables: Tables) -> None:
        self.program, self.checked, self.tables = program, checked, tables
        self.facts = facts(program)
        self.live = liveness(program.code)
        self.constants = Constants(program, self.facts)
        self.limit = program.limits.steps
        self.zone_rows = rows_of_zones(program)
        self.move_functions: dict[tuple[Row, int], str] = {}
        self.by_reference: set[str] = set()
        self.text: list[str] = []
        self.heads: dict[str, str] = {}  # named constants: text -> name
        self.objects: list[Any] = []
        self.numbers: dict[int, int] = {}  # id of an object -> its number
        self.needs: dict[tuple[str, Type], str] = {}
        self.queue: list[tuple[str, int]] = []
        self.asked: set[str] = set()
        self.alike: dict[str, str] = {}  # functions that stand for a part of another one, by their text
        self.count = 0
        self.known_levels = SimpleNamespace(levels={})
        self.wide_results = any(
            isinstance(n, ir.Give | ir.Return) and not (n.value is None or narrow(n.value))
            for n in walk((program.code, program.procs))
        )

    # ------------------------------------------------------------ names

    def literal(self, value: Any) -> str:
        """A value as text; a long one by name."""
        text = plain(value)
        if text is None:
            return self.object(value)
        return text if len(text) <= LONG_LITERAL else self.head(text, "C")

    def head(self, text: str, letter: str) -> str:
        name = self.heads.get(text)
        if name is None:
            name = self.heads[text] = f"{letter}_{len(self.heads)}"
        return name

    def object(self, value: Any) -> str:
        """What cannot be written as text, by its number."""
        return f"K[{self.object_number(value)}]"

    def object_number(self, value: Any) -> int:
        number = self.numbers.get(id(value))
        if number is None:
            number = self.numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        return number

    def need(self, how: str, t: Type) -> str:
        return self.needs.setdefault((how, t), f"{how}_{len(self.needs)}")

    def loader(self, t: Type) -> str:
        return self.need("load", t)

    def saver(self, t: Type) -> str:
        return self.need("save", t)

    def zeros(self, n: int) -> str:
        return self.head(f"[0] * {n}", "Z")

    def levels(self, alternative: ir.Alternative) -> tuple[list[ir.Expr], list[Level]]:
        return levels(self.known_levels, alternative)

    # ------------------------------------------------------------ functions

    def add(self, letter: str, params: Sequence[str], lines: Sequence[str], name: str = "") -> str:
        """Add the text of a function; gives its name. One without a name of its own stands for all with the same
        text."""
        body = [f"({', '.join(params)}):", *prune(lines)]
        if not name:
            same = "\n".join(body)
            if same in self.alike:
                return self.alike[same]
            self.count += 1
            name = self.alike[same] = f"_{letter}{self.count}"
        self.text += [f"def {name}{body[0]}", *body[1:]]
        return name

    def want(self, kind: str, number: int) -> str:
        """The name of a function that is written once, when its turn comes."""
        name = NAMES[kind].format(number)
        if name not in self.asked:
            self.asked.add(name)
            self.queue.append((kind, number))
        return name

    def finish(self, writers: Mapping[str, Callable[[ModuleContext, int], None]]) -> str:
        """Write what is wanted; gives the text of the module."""
        while self.queue:
            waiting, self.queue = self.queue, []
            for kind, number in waiting:
                writers[kind](self, number)
        heads = [f"{name} = {text}" for text, name in self.heads.items()]
        return "\n".join([*heads, *self.text]) + "\n"

    def needed(self) -> list[tuple[str, str, Type]]:
        """The functions that load and save values of types: name, which of the two, type."""
        return [(name, how, t) for (how, t), name in self.needs.items()]


def narrow(e: ir.Expr) -> bool:
    """Whether a result is surely a number that fits a word."""
    match e:
        case ir.Const(int() as v):
            return abs(v) <= INT_HIGH
        case ir.Compare() | ir.Not() | ir.And() | ir.Or() | ir.InSet() | ir.InList() | ir.Subset():
            return True
    return False
