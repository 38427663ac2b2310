"""The words of the store that a function reads, as far as its arguments tell.

An extent is a range of words; where it depends on arguments, it begins at a number that rises evenly with them. What
is read at an address that cannot be told stands for all words of its symbol. Takes a program and gives extents by
function; all generating back ends may use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any

from dsl import ir
from dsl.base.types import BoolType, IntType, MemberType, SetType, Type, bounds, key_count, width
from dsl.program import WAIVE, Program
from interpreter.backends.analysis.dataflow import parts

Terms = tuple[tuple[int, int], ...]  # slot of a parameter, words for each step of its value
Form = tuple[int, int, Terms]  # a number from the first on, so far above it, and what arguments add
Env = Mapping[int, Form]
Given = tuple[tuple[int, int] | None, ...]  # least and greatest number that each argument can be; None: of its type

NEAR = 4  # words between two ranges that are compared as well
UNKNOWN = ir.reading("local", "local item", "frames", "result", "position")
TIMELY = ir.reading("timed")  # the timed records that are alive are read as well


@dataclass(frozen=True, slots=True, order=True)
class Extent:
    """The words from `start` up to `end`, both moved by `terms`."""

    terms: Terms
    start: int
    end: int


class NotTold(Exception):
    """Something is read that is not declared state."""


class Extents:
    """`timely`: the functions that also depend on timed records."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.symbols = {
            e.symbol: Extent((), e.base, e.base + key_count(e.dims) * width(e.type)) for e in program.layout
        }
        self.known: dict[tuple[int, Given], frozenset[Extent] | None] = {}
        self.timely: set[int] = set()

    def of(self, number: int) -> tuple[Extent, ...] | None:
        """What a function may read; None: not only declared state."""
        found = self.places(number)
        return None if found is None else joined(found)

    def places(self, number: int, given: Given = ()) -> frozenset[Extent] | None:
        """What a function reads if its arguments are so."""
        key = number, given
        if key not in self.known:
            self.known[key] = None  # while it is worked out
            reading = Reading(self, number, given)
            try:
                reading.body()
                self.known[key] = frozenset(reading.found)
            except NotTold:
                pass
        return self.known[key]


class Reading:
    """Goes through the body of one function and collects the places that it reads."""

    def __init__(self, extents: Extents, number: int, given: Given) -> None:
        self.extents, self.number = extents, number
        self.program = extents.program
        params = self.program.functions[number].params
        self.spans = {
            slot: known or bounds(t) for slot, ((_, t), known) in enumerate(zip_longest(params, given)) if is_number(t)
        }
        self.found: set[Extent] = set()

    def body(self) -> None:
        env: Env = {
            slot: (low, 0, ()) if low == high else (0, 0, ((slot, 1),)) for slot, (low, high) in self.spans.items()
        }
        self.visit(self.program.functions[self.number].body, env)

    def visit(self, node: Any, env: Env) -> None:
        match node:
            case ir.Cell(address, t):
                self.read(address, width(t), node.symbol, env)
            case ir.CellSum(address, count, stride):
                self.read(address, (count - 1) * stride + 1, node.symbol, env)
            case ir.ByPlace():
                self.visit(node.read, env)
                return
            case ir.CallFn(fn, args):
                self.call(fn, [self.form(arg, env) for arg in args])
            case ir.Let(slot, value, body):
                self.visit(value, env)
                self.visit(body, put(env, slot, self.form(value, env)))
                return
            case ir.Fold():
                for slot, domain in node.binders:
                    self.visit((domain.a, domain.b), env)
                    env = put(env, slot, self.span(domain, env))
                self.visit((node.where, node.keys, node.body), env)
                return
            case ir.Reach():
                env = put(put(env, node.x, None), node.y, None)
            case ir.TimedFold():
                for slot in range(node.slot, node.slot + max(len(node.types), 8)):
                    env = put(env, slot, None)
            case ir.Waived():
                self.found.add(Extent((), WAIVE, WAIVE + 1))
        if isinstance(node, UNKNOWN):
            raise NotTold
        if isinstance(node, TIMELY):
            self.extents.timely.add(self.number)
        for part in parts(node):
            self.visit(part, env)

    def read(self, address: ir.Expr, size: int, symbol: str, env: Env) -> None:
        form = self.form(address, env)
        if form is not None:
            start, spread, terms = form
            self.found.add(Extent(terms, start, start + spread + size))
        elif isinstance(address, ir.TableGet):
            starts = [at for at in self.program.tables[address.table] if at]
            self.found |= {Extent((), at, at + size) for at in starts}
        else:
            self.whole(symbol)

    def whole(self, symbol: str) -> None:
        if symbol not in self.extents.symbols:
            raise NotTold
        self.found.add(self.extents.symbols[symbol])

    def call(self, fn: int, args: list[Form | None]) -> None:
        """The places of another function, with its arguments; one that cannot be told is any of its type."""
        types = [t for _, t in self.program.functions[fn].params]
        forms = {n: arg or anything(t) for n, (arg, t) in enumerate(zip(args, types, strict=True)) if is_number(t)}
        given = [self.ends(forms[n]) if n in forms else None for n in range(len(args))]
        inner = self.extents.places(fn, tuple(given))
        if inner is None:
            raise NotTold
        if fn in self.extents.timely:
            self.extents.timely.add(self.number)
        for words in inner:
            form = summed(words.start, [(forms[slot], stride) for slot, stride in words.terms])
            assert form is not None
            start, spread, terms = form
            self.found.add(Extent(terms, start, start + spread + words.end - words.start))

    # ------------------------------------------------------------ numbers

    def form(self, e: Any, env: Env) -> Form | None:
        match e:
            case ir.Const(int() as value):
                return value, 0, ()
            case ir.Temp(slot):
                return env.get(slot)
            case ir.Linear(const, terms):
                return summed(const, [(self.form(term, env), stride) for term, stride in terms])
            case ir.TableGet(table, offset):
                at = self.form(offset, env)
                return None if at is None else self.row(self.program.tables[table], *at)
        return None

    def row(self, table: Sequence[Any], start: int, spread: int, terms: Terms) -> Form | None:
        """What a table holds there: the numbers between its least and its greatest, or one that rises evenly with an
        argument."""
        if not all(isinstance(value, int) for value in table):
            return None
        if not terms:
            values = table[start : start + spread + 1]
            return (min(values), max(values) - min(values), ()) if start >= 0 and len(values) > spread else None
        if spread:
            return None
        (slot, stride), *more = terms
        low, high = self.spans[slot]
        at = range(start + stride * low, start + stride * high + 1, stride)
        if more or stride < 1 or not 0 <= at[0] <= at[-1] < len(table):
            return None
        values = [table[n] for n in at]
        by = values[1] - values[0] if len(values) > 1 else 0
        if any(y - x != by for x, y in pairwise(values)):
            return None
        return values[0] - by * low, 0, ((slot, by),) if by else ()

    def ends(self, form: Form) -> tuple[int, int]:
        """The least and the greatest number that a form can be."""
        start, spread, terms = form
        low = sum(stride * self.spans[slot][stride < 0] for slot, stride in terms)
        high = sum(stride * self.spans[slot][stride > 0] for slot, stride in terms)
        return start + low, start + spread + high

    def span(self, domain: ir.Domain, env: Env) -> Form | None:
        """The members that a loop goes through."""
        match domain:
            case ir.Domain("set", ir.Const(int() as mask)) if mask:
                low = (mask & -mask).bit_length() - 1
                return low, mask.bit_length() - 1 - low, ()
            case ir.Domain("set", ir.Cell(type=SetType(elem))):
                return anything(elem)
            case ir.Domain("range", a, b):
                first, last = self.form(a, env), self.form(b, env)
                if first is not None and last is not None and not first[2] and not last[2]:
                    return first[0], max(0, last[0] + last[1] - first[0]), ()
        return None


def is_number(t: Type) -> bool:
    return isinstance(t, (IntType, MemberType, BoolType))


def anything(t: Type) -> Form:
    low, high = bounds(t)
    return low, high - low, ()


def put(env: Env, slot: int, form: Form | None) -> Env:
    changed = {at: known for at, known in env.items() if at != slot}
    if form is not None:
        changed[slot] = form
    return changed


def summed(const: int, parts: Iterable[tuple[Form | None, int]]) -> Form | None:
    """A number and multiples of others."""
    spread = 0
    terms: dict[int, int] = {}
    for form, stride in parts:
        if form is None:
            return None
        start, more, inner = form
        const += stride * (start + more if stride < 0 else start)
        spread += abs(stride) * more
        for slot, by in inner:
            terms[slot] = terms.get(slot, 0) + by * stride
    return const, spread, tuple(sorted((slot, by) for slot, by in terms.items() if by))


def joined(ranges: Iterable[Extent]) -> tuple[Extent, ...]:
    """Ranges put together where they touch, or nearly so."""
    found: list[Extent] = []
    for r in sorted(set(ranges)):
        last = found[-1] if found else None
        if last is not None and last.terms == r.terms and r.start <= last.end + NEAR:
            found[-1] = Extent(r.terms, last.start, max(r.end, last.end))
        else:
            found.append(r)
    return tuple(found)
