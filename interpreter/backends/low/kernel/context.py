"""The state of the compilation of one kernel function: its text, its variables, and what it calls."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import CodeType, NoneType
from typing import Any, NamedTuple, TypeAlias, get_args, get_type_hints

from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import num
from interpreter.backends.low.form.nodes import Expr, Local
from interpreter.backends.low.kernel.texts import AnyFunction, KernelText
from interpreter.backends.low.kernel.values import Known, Sort, Typed, Value
from interpreter.core import kernel
from interpreter.core.kernel import KERNEL


class RecordField(NamedTuple):
    """A field of a record: its first word, and what it is."""

    at: int
    sort: Sort
    record: type | None

    @property
    def words(self) -> int:
        return 2 if self.sort is Sort.BITS else 1


BUILT_IN = frozenset({kernel.room, int, bool, min, max})
INSTEAD: dict[Any, AnyFunction] = {kernel.sort: kernel.insertion_sort}
"""Functions that native code has in another way."""

Within: TypeAlias = tuple[KernelText, ...]
Caller = Callable[[Lowering, AnyFunction, Mapping[str, Value], Sequence[Expr], Within], Expr]


class Host:
    """What a kernel function asks of its surroundings. Its methods get numbers of the low form, may write into `lo.w`,
    and give a number, a `Typed`, or nothing. Its fields are `Typed`, or known while the function is compiled."""

    def __init__(self, lo: Lowering) -> None:
        self.lo = lo


class Compiling:
    """`call`: writes what another kernel function gives. `within`: the texts in which this one stands in place of a
    call, and itself. `params`: the names of parameters of which nothing is known in low code. `held`: the variable with
    the end of the memory that was in use before this one took any; empty: it takes none. `loops`: for each loop that is
    open the labels that `break` and `continue` go to, and whether the latter repeats that loop."""

    def __init__(
        self,
        lo: Lowering,
        text: KernelText,
        known: Mapping[str, Value],
        call: Caller,
        within: Within,
        params: Mapping[str, str],
    ) -> None:
        self.lo, self.text, self.call, self.within = lo, text, call, (*within, text)
        self.locals = dict(params)
        self.variables: dict[str, Value] = {}
        self.held = ""
        self.loops: list[tuple[str, str, bool]] = []
        for name, annotation in text.params.items():
            self.variables[name] = known.get(name) or self.of_type(annotation, name)

    def of_type(self, annotation: ast.expr | None, name: str) -> Typed:
        """The variable of this name, of the type that the text gives."""
        local, named = Local(self.local(name)), self.text.type_of(annotation)
        sort = sort_of(named)
        if sort is None:
            where = self.text.tree if annotation is None else annotation
            raise self.text.refuse(where, "native code has `int`, `bool`, `Bits`, `Row`, and classes with such fields")
        return Typed(local, sort, record_of(named))

    def local(self, name: str) -> str:
        """The variable of low code for one of the text."""
        if name not in self.locals:
            self.locals[name] = self.lo.w.fresh(f"{name}_")
        return self.locals[name]

    def typed(self, value: Value, node: ast.AST) -> Typed:
        """A value as native code has it; a known tuple of numbers becomes a table."""
        if isinstance(value, Typed):
            return value
        known = value.value if isinstance(value, Known) else None
        if isinstance(known, int):
            return Typed(num(known), Sort.BITS if known >= 1 << 63 else Sort.NUMBER)
        if isinstance(known, tuple) and all(isinstance(item, int) for item in known):
            return Typed(num(self.lo.memory.words(known)), Sort.ROW)
        raise self.text.refuse(node, "native code has no such value, but numbers and tuples of numbers")

    def known(self, node: ast.expr) -> Known | None:
        """The value of an expression, if it is known while the function is compiled."""
        if isinstance(node, ast.Constant):
            return Known(node.value)
        values: dict[str, Any] = {}
        names, fields, calls = parts_of(node)
        for name in names:
            found = self.named(name)
            if not isinstance(found, Known):
                return None
            values[name] = found.value
        if any(self.host_value(field) is not None for field in fields):
            return None
        if any(self.is_asked(self.evaluated(call.func, values)) for call in calls):
            return None
        return Known(self.evaluated(node, values))

    def host_value(self, node: ast.Attribute) -> Typed | None:
        """What lies in memory under this name of a host."""
        of = self.known(node.value)
        found = getattr(of.value, node.attr, None) if of is not None and isinstance(of.value, Host) else None
        return found if isinstance(found, Typed) else None

    def evaluated(self, node: ast.expr, values: dict[str, Any]) -> Any:
        return eval(code_of(node), self.text.names, values)  # a text of the engine

    def named(self, name: str) -> Value | None:
        """What a name is: a variable, or what the module or Python has by this name. None: it is not set yet."""
        if name in self.variables or name in self.text.rebound:
            return self.variables.get(name)
        return Known(self.text.names[name] if name in self.text.names else getattr(builtins, name, None))

    def is_asked(self, function: Any) -> bool:
        """Whether a function is asked while the game runs."""
        is_host = isinstance(getattr(function, "__self__", None), Host)
        return is_host or function is kernel.room or function in KERNEL or function in INSTEAD


@cache
def parts_of(node: ast.expr) -> tuple[frozenset[str], tuple[ast.Attribute, ...], tuple[ast.Call, ...]]:
    """The names in an expression, the fields that it reads, and its calls."""
    parts = list(ast.walk(node))
    names = frozenset(part.id for part in parts if isinstance(part, ast.Name))
    fields = tuple(part for part in parts if isinstance(part, ast.Attribute))
    return names, fields, tuple(part for part in parts if isinstance(part, ast.Call))


@cache
def code_of(node: ast.expr) -> CodeType:
    return compile(ast.unparse(node), "<kernel>", "eval")


def variable(name: str) -> str:
    """The name of a variable in low code, where only fresh names end with a digit."""
    return f"{name}_" if name[-1].isdecimal() else name


def sort_of(named: Any) -> Sort | None:
    """How native code has values of a type; None: it has none."""
    if named in (int, bool):
        return Sort.NUMBER
    if named == kernel.Bits:
        return Sort.BITS
    if named == kernel.Row:
        return Sort.ROW
    if named == kernel.Longs:
        return Sort.LONGS
    return Sort.RECORD if record_of(named) else None


def record_of(named: Any) -> type | None:
    """The class of a record, which may be `None` besides; None: this is none."""
    named = next((one for one in get_args(named) if one is not NoneType), named)
    return named if isinstance(named, type) and "__annotations__" in named.__dict__ else None


@cache
def fields_of(record: type) -> dict[str, RecordField]:
    """The fields of a record by their names, in their order."""
    found: dict[str, RecordField] = {}
    at = 0
    for name, named in get_type_hints(record, include_extras=True).items():
        found[name] = RecordField(at, sort_of(named) or Sort.NUMBER, record_of(named))
        at += found[name].words
    return found


def words_of(record: type) -> int:
    """How many words a record has."""
    return sum(own.words for own in fields_of(record).values())
