"""The ranges of all variables of a module, worked out over all of its functions until none grows.

A parameter is what callers hand over, and anything where the host may call; a global is a word at least, since the host
may set it to one. What changes by a small constant only, counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.walk import bodies, operands, values
from interpreter.backends.printed.ranges import (
    BIT,
    BITS,
    COUNTED,
    FULL,
    LOOSE,
    SHIFTED,
    STEP,
    WORD,
    Range,
    counts,
    inside,
    is_flag,
    joined,
    kept,
    of_operation,
    of_portion,
    widened,
)

EXACT = 3  # rounds over a function in which its ranges grow by what is found, and no further


class FunctionFacts:
    """The knowledge of one function: the ranges of its variables and of its result, and where they come from."""

    def __init__(self, f: low.Function) -> None:
        self.f = f
        self.of_local: dict[str, Range] = dict.fromkeys(f.params, FULL if f.exported else (0, 0))
        self.result: Range = (0, 0)
        self.sets: list[low.Set] = []
        self.global_sets: list[low.SetGlobal] = []
        self.returns: list[low.Expr] = []
        self.calls: list[low.Call] = []
        self.reads: set[str] = set()  # globals
        self.users: set[str] = set()  # functions that call it
        for s in statements(f.body):
            match s:
                case low.Set(name, _):
                    self.sets.append(s)
                    self.of_local.setdefault(name, (0, 0))
                case low.SetGlobal():
                    self.global_sets.append(s)
                case low.Return(value):
                    self.returns.append(value)
            for value in values(s):
                self.look(value)

    def look(self, e: low.Expr) -> None:
        if isinstance(e, low.Call):
            self.calls.append(e)
        elif isinstance(e, low.Global):
            self.reads.add(e.name)
        for part in operands(e):
            self.look(part)


class ModuleFacts:
    """The ranges of the variables, globals and results in a module. `of_global`: the ranges of globals."""

    def __init__(self, module: low.Module) -> None:
        self.functions = {f.name: FunctionFacts(f) for f in module.functions}
        self.of_global: dict[str, Range] = dict.fromkeys(module.globals, WORD)
        self.readers: dict[str, list[str]] = {name: [] for name in module.globals}
        for name, f in self.functions.items():
            for read in f.reads:
                self.readers[read].append(name)
            for call in f.calls:
                self.functions[call.function].users.add(name)
        self.waiting = dict.fromkeys(reversed(self.functions))
        while self.waiting:
            name = next(iter(self.waiting))
            del self.waiting[name]
            self.work(name, self.functions[name])

    def work(self, name: str, f: FunctionFacts) -> None:
        """Work out one function from what is known now, and note who depends on what changed."""
        own = f.of_local
        growing, rounds = True, 0
        while growing:
            growing, rounds = False, rounds + 1
            for s in f.sets:
                old = own[s.name]
                if old != FULL and not inside(new := self.set_to(s, low.Local(s.name), old, own), old):
                    own[s.name] = joined(old, new) if rounds <= EXACT else widened(old, new)
                    growing = True
        for g in f.global_sets:
            old = self.of_global[g.name]
            if old != FULL and not inside(new := self.set_to(g, low.Global(g.name), old, own), old):
                self.of_global[g.name] = widened(old, new)
                self.waiting.update(dict.fromkeys(self.readers[g.name]))
        for call in f.calls:
            other = self.functions[call.function]
            for param, arg in zip(other.f.params, call.args, strict=True):
                old = other.of_local[param]
                if old != FULL and not inside(new := kept(self.of(arg, own)), old):
                    other.of_local[param] = widened(old, new)
                    self.waiting[call.function] = None
        result = f.result
        for value in f.returns:
            if not inside(new := kept(self.of(value, own)), result):
                result = widened(result, new)
        if result != f.result:
            f.result = result
            self.waiting.update(dict.fromkeys(f.users))

    def set_to(self, s: low.Set | low.SetGlobal, itself: low.Expr, old: Range, own: dict[str, Range]) -> Range:
        """The range of what a variable is set to, which had this one."""
        match s.value:
            case low.Op("+" | "-" as op, left, low.Num(step)) if left == itself and abs(step) <= STEP:
                if (op == "+") == (step >= 0) and counts(old[1]):
                    return old[0], COUNTED
                if (op == "-") == (step >= 0) and counts(old[0]):
                    return -COUNTED, old[1]
        return kept(self.of(s.value, own))

    def of(self, e: low.Expr, own: dict[str, Range]) -> Range:
        """The range of an expression, as it is printed where it need not be wrapped around."""
        find = RANGES.get(type(e))
        return find(self, e, own) if find is not None else FULL

    def of_op(self, e: low.Op, own: dict[str, Range]) -> Range:
        if e.op in low.COMPARISONS:
            return BIT
        a, b = self.of(e.left, own), self.of(e.right, own)
        if e.op in LOOSE:
            return of_operation(e.op, a, b)
        if e.op == "<<" and is_flag(e.left):
            return kept(of_operation("<<", BIT, kept(b)))
        return of_operation(e.op, a if e.op in SHIFTED else kept(a), kept(b))

    def of_choice(self, e: low.Choice, own: dict[str, Range]) -> Range:
        return joined(kept(self.of(e.then, own)), kept(self.of(e.orelse, own)))


RANGES: dict[type, Callable[[ModuleFacts, Any, dict[str, Range]], Range]] = {
    low.Num: lambda _, e, __: (e.value, e.value),
    low.Local: lambda _, e, own: own[e.name],
    low.Global: lambda facts, e, _: facts.of_global[e.name],
    low.Load: lambda _, __, ___: WORD,
    low.Op: ModuleFacts.of_op,
    low.Choice: ModuleFacts.of_choice,
    low.Call: lambda facts, e, _: facts.functions[e.function].result,
    low.Portion: lambda facts, e, own: of_portion(kept(facts.of(e.count, own))),
    **dict.fromkeys((low.Not, low.Both, low.Either), lambda _, __, ___: BIT),
    **dict.fromkeys((low.Lowest, low.Ones), lambda _, __, ___: BITS),
}


def statements(body: low.Body) -> list[low.Stmt]:
    """The statements of a body, those inside others among them."""
    found: list[low.Stmt] = []

    def look(body: low.Body) -> None:
        for s in body:
            found.append(s)
            for inner in bodies(s):
                look(inner)

    look(body)
    return found
