"""The module that is being written: what its functions have in common.

A `ModuleContext` is made from a program and holds the facts about it, the text so far, its constants and objects, and a
queue of functions that are called but not written yet. It writes none itself: `finish` takes a table of writers. Names
are made from numbers only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from dsl import ir
from dsl.base.types import INT_HIGH, Type
from dsl.program import Program
from interpreter.backends.analysis.constants import Constants
from interpreter.backends.analysis.dataflow import facts, liveness, walk
from interpreter.backends.analysis.passes import multiplicities
from interpreter.backends.python.emit.source import literal_text, prune
from interpreter.backends.python.emit.zone_rows import Row, rows_of_zones
from interpreter.choices.binding import Level, levels

LONG_LITERAL = 60  # characters of a value that gets a name
FUNCTION_NAMES = {"function": "_f{}", "finder": "_f{}_any", "procedure": "_p{}", "lister": "_l{}"}


@dataclass(frozen=True, slots=True)
class Tables:
    """The writers of all nodes: for each class of expressions and of statements a function that takes an `Fn` and the
    node; `test` writes an expression of which only the truth counts."""

    expressions: Mapping[type, Callable[[Any, Any], str]]
    statements: Mapping[type, Callable[[Any, Any], None]]
    test: Callable[[Any, Any], str]


class ModuleContext:
    """`checked`: for runs that test invariants and places; `tables`: the writers of functions that read nothing but the
    store; `apart`: functions that are called by name everywhere."""

    def __init__(self, program: Program, checked: bool, tables: Tables, apart: frozenset[int] = frozenset()) -> None:
        self.program, self.checked, self.tables, self.apart = program, checked, tables, apart
        self.facts = facts(program)
        if apart:  # like those that may call themselves
            self.facts = replace(self.facts, recursive_fns=self.facts.recursive_fns | apart)
        self.live = liveness(program.code)
        self.constants = Constants(program, self.facts)
        self.limit = program.limits.steps
        self.multiplicities = multiplicities(program)
        self.zone_rows = rows_of_zones(program)
        self.move_functions: dict[tuple[Row, int], str] = {}
        self.by_reference: set[str] = set()
        self.text: list[str] = []
        self.named_constants: dict[str, str] = {}  # named constants: text -> name
        self.objects: list[Any] = []
        self.numbers: dict[int, int] = {}  # id of an object -> its number
        self.needs: dict[tuple[str, Type], str] = {}
        self.queue: list[tuple[str, int]] = []
        self.written: list[tuple[str, int]] = []
        self.requested: set[str] = set()
        self.shared_functions: dict[str, str] = {}  # outlined functions: text -> name
        self.count = 0
        self.level_cache = SimpleNamespace(levels={})
        self.wide_results = any(
            isinstance(n, ir.Give | ir.Return) and not (n.value is None or is_word(n.value))
            for n in walk((program.code, program.procs))
        )

    # ------------------------------------------------------------ names

    def literal(self, value: Any) -> str:
        """The text of a constant value; a long one is named."""
        text = literal_text(value)
        if text is None:
            return self.object(value)
        return text if len(text) <= LONG_LITERAL else self.named_constant(text, "C")

    def named_constant(self, text: str, letter: str) -> str:
        name = self.named_constants.get(text)
        if name is None:
            name = self.named_constants[text] = f"{letter}_{len(self.named_constants)}"
        return name

    def object(self, value: Any) -> str:
        """The text of a value that has no literal: an item of the table of objects."""
        return f"K[{self.object_number(value)}]"

    def object_number(self, value: Any) -> int:
        number = self.numbers.get(id(value))
        if number is None:
            number = self.numbers[id(value)] = len(self.objects)
            self.objects.append(value)
        return number

    def type_function(self, how: str, t: Type) -> str:
        return self.needs.setdefault((how, t), f"{how}_{len(self.needs)}")

    def loader(self, t: Type) -> str:
        return self.type_function("load", t)

    def saver(self, t: Type) -> str:
        return self.type_function("save", t)

    def zeros(self, n: int) -> str:
        return self.named_constant(f"[0] * {n}", "Z")

    def levels(self, alternative: ir.Alternative) -> tuple[list[ir.Expr], list[Level]]:
        return levels(self.level_cache, alternative)

    # ------------------------------------------------------------ functions

    def add(self, letter: str, params: Sequence[str], lines: Sequence[str], name: str = "") -> str:
        """Add the text of a function; gives its name. Functions without a given name share one with the same text."""
        body = [f"({', '.join(params)}):", *prune(lines)]
        if not name:
            same = "\n".join(body)
            if same in self.shared_functions:
                return self.shared_functions[same]
            self.count += 1
            name = self.shared_functions[same] = f"_{letter}{self.count}"
        self.text += [f"def {name}{body[0]}", *body[1:]]
        return name

    def function_name(self, kind: str, number: int) -> str:
        """The name of the function of this kind and number, which is written once, by `finish`."""
        name = FUNCTION_NAMES[kind].format(number)
        if name not in self.requested:
            self.requested.add(name)
            self.queue.append((kind, number))
        return name

    def finish(self, writers: Mapping[str, Callable[[ModuleContext, int], None]]) -> str:
        """Write all functions that are called; gives the text of the module."""
        while self.queue:
            waiting, self.queue = self.queue, []
            for kind, number in waiting:
                writers[kind](self, number)
            self.written += waiting
        heads = [f"{name} = {text}" for text, name in self.named_constants.items()]
        return "\n".join([*heads, *self.text]) + "\n"

    def type_functions(self) -> list[tuple[str, str, Type]]:
        """The functions that load and save values of types: name, which of the two, type."""
        return [(name, how, t) for (how, t), name in self.needs.items()]


def is_word(e: ir.Expr) -> bool:
    """Whether a result certainly fits a word."""
    match e:
        case ir.Const(int() as v):
            return abs(v) <= INT_HIGH
        case ir.Compare() | ir.Not() | ir.And() | ir.Or() | ir.InSet() | ir.InList() | ir.Subset():
            return True
    return False
