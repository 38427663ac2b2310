"""The test that low code is well formed: names that are known, labels that are open, ends that are not reached, data
inside the memory.

A module that does not verify is a fault of the compiler, never of a ruleset; the message says where.
"""

from __future__ import annotations

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.walk import bodies, operands, values, variables

OPERATORS = frozenset((*low.ARITHMETIC, *low.COMPARISONS))
PLAIN = frozenset({low.Set, low.Return, low.Do, low.Trap, low.Copy, low.Clear})  # statements that are their values
MOST_OFFSET = 1 << 29  # words of an offset


class NotWellFormed(Exception):
    """Low code that no target may be given."""


def verify(module: low.Module) -> None:
    """Raises NotWellFormed for the first thing that is wrong."""
    params: dict[str, int] = {}
    for f in module.functions:
        if f.name in params:
            raise NotWellFormed(f"there are two functions `{f.name}`")
        params[f.name] = len(f.params)
    if len(set(module.globals)) < len(module.globals) or low.REASON not in module.globals:
        raise NotWellFormed(f"globals need names of their own, and one is `{low.REASON}`: {module.globals}")
    for f in module.functions:
        _Checker(f, params, frozenset(module.globals)).check()
    end = 0
    for at, words in sorted(module.data):
        if at < end or at + len(words) > module.words:
            raise NotWellFormed(f"data at {at} lies on other data, or outside of {module.words} words")
        end = at + len(words)


class _Checker:
    """Looks through one function; `params`: how many parameters each function has."""

    def __init__(self, f: low.Function, params: dict[str, int], global_names: frozenset[str]) -> None:
        self.f, self.params, self.globals = f, params, global_names
        self.locals = {*f.params, *variables(f)}

    def fail(self, what: str) -> NotWellFormed:
        return NotWellFormed(f"in `{self.f.name}`: {what}")

    def check(self) -> None:
        if len(set(self.f.params)) < len(self.f.params):
            raise self.fail(f"two parameters have one name: {self.f.params}")
        self.body(self.f.body, {})
        if falls_through(self.f.body):
            raise self.fail("its end is reached without a result")

    def body(self, body: low.Body, labels: dict[str, bool]) -> None:
        """`labels`: those that are open, with whether each belongs to a loop."""
        for s in body:
            for value in values(s):
                self.expression(value)
            if type(s) not in PLAIN:
                self.statement(s, labels)

    def statement(self, s: low.Stmt, labels: dict[str, bool]) -> None:
        match s:
            case low.SetGlobal(name, _) if name not in self.globals:
                raise self.fail(f"there is no global `{name}`")
            case low.Store(_, offset, _) | low.StoreLong(_, offset, _):
                self.offset(offset)
            case low.If(_, then, orelse):
                self.body(then, labels)
                self.body(orelse, labels)
            case low.Block(label, inner) | low.Loop(label, inner):
                if label in labels:
                    raise self.fail(f"label `{label}` is open already")
                self.body(inner, {**labels, label: isinstance(s, low.Loop)})
            case low.Leave(label):
                if label not in labels:
                    raise self.fail(f"label `{label}` is not open where it is left")
            case low.Again(label):
                if not labels.get(label, False):
                    raise self.fail(f"`{label}` is no loop that is open")
            case low.Table(_, rows):
                numbers = [number for number, _ in rows]
                if not numbers or numbers != sorted(set(numbers)):
                    raise self.fail(f"the rows of a table do not ascend: {numbers[:20]}")
                for _, row in rows:
                    self.body(row, labels)

    def expression(self, e: low.Expr) -> None:
        match e:
            case low.Local(name):
                if name not in self.locals:
                    raise self.fail(f"variable `{name}` is never set")
                return
            case low.Num(value):
                if not -(1 << 63) <= value < 1 << 63:
                    raise self.fail(f"{value} is no signed number of 64 bits")
                return
            case low.Global(name):
                if name not in self.globals:
                    raise self.fail(f"there is no global `{name}`")
                return
            case low.Op(op, _, _):
                if op not in OPERATORS:
                    raise self.fail(f"there is no operator `{op}`")
            case low.Load(_, offset) | low.LoadLong(_, offset):
                self.offset(offset)
            case low.Call(function, args):
                if self.params.get(function) != len(args):
                    known = self.params.get(function, "no")
                    raise self.fail(f"`{function}` is called with {len(args)} arguments, but has {known} parameters")
        for part in operands(e):
            self.expression(part)

    def offset(self, offset: int) -> None:
        if not 0 <= offset < MOST_OFFSET:
            raise self.fail(f"{offset} is no offset")


def falls_through(body: low.Body) -> bool:
    """True if control can reach what stands behind a body."""
    return _flow(body)[0]


def _flow(body: low.Body) -> tuple[bool, set[str]]:
    """True if control can reach what stands behind a body; and the labels that the body leaves."""
    goes_on, left = True, set[str]()
    for s in body:
        match s:
            case low.Leave(label):
                goes_on = False
                left.add(label)
            case low.Return() | low.Trap() | low.Again():
                goes_on = False
            case low.If() | low.Block() | low.Loop() | low.Table():
                parts = [_flow(inner) for inner in bodies(s)]
                inside = set[str]().union(*(labels for _, labels in parts))
                goes_on = goes_on and _passes(s, [falls for falls, _ in parts], inside)
                left |= inside
    return goes_on, left


def _passes(s: low.Stmt, falls: list[bool], left: set[str]) -> bool:
    """True if control can reach what stands behind a statement, from what holds of its bodies."""
    match s:
        case low.Block(label, _):
            return falls[0] or label in left
        case low.Loop(label, _):
            return label in left
        case low.Table():
            return falls[-1]
    return any(falls)
