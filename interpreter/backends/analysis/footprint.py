"""The words of the store that a function may read when it is called with certain arguments.

A `Footprints` goes through the body of the function with what is known of each local name: the numbers that it may
be. What is read at an address that cannot be told stands for all words of its symbol. Takes a program and changes
nothing; every back end may use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from dsl import ir
from dsl.base.types import ListType, SetType, Type, bounds, key_count, width
from dsl.ir.walk import children
from dsl.program import WAIVE, Program
from interpreter.core.words import members

Numbers = frozenset[int] | None  # what a value may be; None: cannot be told
Env = Mapping[int, Numbers]

MOST_NUMBERS = 2048  # that are kept apart; more of them cannot be told
UNREADABLE = ir.reading("local", "local item", "frames", "result", "position", "timed")  # not declared state


class NotTold(Exception):
    """Something is read that is not declared state."""


class Footprints:
    """What the functions of one program read; results are cached."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.symbols = {e.symbol: range(e.base, e.base + key_count(e.dims) * width(e.type)) for e in program.layout}
        self.known: dict[tuple[int, tuple[Numbers, ...]], frozenset[int] | None] = {}

    def of(self, number: int, args: Sequence[int]) -> frozenset[int] | None:
        """The addresses that a function may read with these arguments; None: not only declared state."""
        return self.of_call(number, tuple(frozenset((arg,)) for arg in args))

    def of_call(self, number: int, args: tuple[Numbers, ...]) -> frozenset[int] | None:
        key = number, args
        if key not in self.known:
            self.known[key] = None  # while it is worked out: what calls itself cannot be told
            found: set[int] = set()
            try:
                self.visit(self.program.functions[number].body, dict(enumerate(args)), found)
                self.known[key] = frozenset(found)
            except NotTold:
                pass
        return self.known[key]

    def visit(self, node: Any, env: Env, found: set[int]) -> None:
        """Add what a node reads to `found`; raises NotTold."""
        if isinstance(node, UNREADABLE):
            raise NotTold
        match node:
            case ir.Cell(address, t):
                self.read(address, range(width(t)), node.symbol, env, found)
            case ir.CellSum(address, count, stride):
                self.read(address, range(0, count * stride, stride), node.symbol, env, found)
            case ir.ByPlace():
                self.visit(node.read, env, found)
                return
            case ir.CallFn(fn, args):
                read = self.of_call(fn, tuple(self.numbers(arg, env) for arg in args))
                if read is None:
                    raise NotTold
                found |= read
            case ir.Let(slot, value, body) | ir.LazyLet(slot, value, body):
                self.visit(value, env, found)
                self.visit(body, {**env, slot: self.numbers(value, env)}, found)
                return
            case ir.Fold():
                for slot, domain in node.binders:
                    self.visit((domain.a, domain.b), env, found)
                    env = {**env, slot: self.domain(domain, env)}
                self.visit((node.where, node.keys, node.body), env, found)
                return
            case ir.Reach():
                env = {**env, node.x: None, node.y: None}
            case ir.Waived():
                found.add(WAIVE)
        for part in children(node):
            self.visit(part, env, found)

    def read(self, address: ir.Expr, offsets: Iterable[int], symbol: str, env: Env, found: set[int]) -> None:
        starts = self.numbers(address, env)
        if starts is not None:
            found |= {start + offset for start in starts if start for offset in offsets}
        elif symbol in self.symbols:
            found |= {*self.symbols[symbol]}
        else:
            raise NotTold

    # ------------------------------------------------------------ numbers

    def numbers(self, e: Any, env: Env) -> Numbers:
        """The numbers that an expression may be."""
        match e:
            case ir.Const(int() as value):
                return frozenset((value,))
            case ir.Temp(slot) | ir.Force(slot):
                return env.get(slot)
            case ir.Linear(const, terms):
                parts = [(self.numbers(term, env), stride) for term, stride in terms]
                spans = [[v * stride for v in values] for values, stride in parts if values is not None]
                size = 1
                for span in spans:
                    size *= len(span)
                if len(spans) < len(parts) or size > MOST_NUMBERS:
                    return None
                return frozenset(const + sum(values) for values in product(*spans))
            case ir.TableGet(table, offset):
                at, rows = self.numbers(offset, env), self.program.tables[table]
                if at is None:
                    at = frozenset(range(len(rows)))
                values = {rows[n] for n in at if 0 <= n < len(rows)}
                return frozenset(values) if all(isinstance(v, int) for v in values) else None
            case ir.If(_, then, orelse):
                one, other = self.numbers(then, env), self.numbers(orelse, env)
                return None if one is None or other is None else one | other
        return of_type(type_of(e))

    def domain(self, domain: ir.Domain, env: Env) -> Numbers:
        """The members that a loop may go through."""
        if domain.kind == "range":
            first, last = self.numbers(domain.a, env), self.numbers(domain.b, env)
            if first and last and max(last) - min(first) < MOST_NUMBERS:
                return frozenset(range(min(first), max(last) + 1))
            return None
        match domain.a:
            case ir.Const(int()) | ir.TableGet() if domain.kind == "set":
                sets = self.numbers(domain.a, env)
                return None if sets is None else frozenset(v for mask in sets if mask > 0 for v in members(mask))
            case ir.Fold("set", binders, body=ir.Temp(slot)):
                inner = dict(env)
                for at, over in binders:
                    inner[at] = self.domain(over, inner)
                return inner.get(slot)
            case ir.CallFn(fn, args):
                inner = {n: self.numbers(arg, env) for n, arg in enumerate(args)}
                return self.domain(ir.Domain(domain.kind, self.program.functions[fn].body), inner)
            case ir.Cell(type=SetType(elem) | ListType(elem)):
                return of_type(elem)
        return None


def type_of(e: Any) -> Type | None:
    """The type of what is read as it stands."""
    return e.type if isinstance(e, ir.Cell) else None


def of_type(t: Type | None) -> Numbers:
    """All numbers of a type, where they are few."""
    if t is None or isinstance(t, SetType):
        return None
    try:
        low, high = bounds(t)
    except TypeError:
        return None
    return frozenset((0, *range(low, high + 1))) if high - low < MOST_NUMBERS else None  # 0: none
