"""Reads of constant tables in loops, evaluated before any game begins.

Takes an expression that is evaluated for each member of a constant set. Calls are inlined where that shows reads of
tables; a table that is an arithmetic sequence becomes a sum; other parts that read nothing but tables become columns
of `Rows`, which the loop goes through instead of the members. All generating back ends may use it; it writes no code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import count
from types import SimpleNamespace
from typing import Any

from dsl import ir
from dsl.program import Program
from interpreter.backends.analysis.dataflow import Facts, free, walk
from interpreter.core.words import members
from interpreter.semantics.expressions import EVALUATE

Range = tuple[int, int]

MOST_INLINED = 40  # nodes of a function that is inlined
INLINE_DEPTH = 6  # functions inlined inside each other
MOST_ROWS = 4096  # rows of a loop, over all values of the temp that they depend on
FIRST_FRESH = 1 << 16  # the first temp that no program has

CONSTANT = tuple(node for node in ir.having("pure") if node is not ir.MapWith)  # a row does not hold a whole map
TABLE_READS = ir.having("tabled")
INLINABLE = (*CONSTANT, *ir.reading("local", "cells"), ir.CallFn, ir.Fold, ir.Domain, ir.Let, ir.LazyLet, ir.Force)


@dataclass(frozen=True, slots=True)
class Rows:
    """The domain of a loop (kind `rows`) that sets several temps in each pass: `slots` are these temps (the member, if
    it is wanted, and a column for each value of constant tables), `spans` their bounds. `items` are the rows, or the
    rows for each value of temp `by` from `start` on; other values are a fault where `strict`."""

    items: tuple[Any, ...]
    by: ir.Temp | None
    start: int
    strict: bool
    slots: tuple[int, ...]
    spans: tuple[Range, ...]


class NotConstant(Exception):
    """A part that cannot be evaluated beforehand."""


def fault(message: str, *_: Any) -> Exception:
    return NotConstant(message)


class Constants:
    """Inlines calls and evaluates reads of constant tables, for one program."""

    def __init__(self, program: Program, facts: Facts) -> None:
        self.program, self.facts = program, facts
        self.fresh = count(FIRST_FRESH)
        self.machine: Any = SimpleNamespace(program=program, ev=EVALUATE, fault=fault)
        self.machine.value = self.value
        self.depth = 0
        # Results by the id of the fold, which they also hold: the id stays its own.
        self.inlined_folds: dict[int, tuple[Any, Any]] = {}
        self.linear_folds: dict[int, tuple[ir.Fold, ir.Fold, bool]] = {}  # and whether a sum stands for some table
        self.table_readers: dict[int, tuple[ir.Fold, bool]] = {}

    def value(self, e: ir.Expr, temps: Mapping[int, int]) -> Any:
        return EVALUATE[type(e)](self.machine, e, temps)  # type: ignore[arg-type]

    # ------------------------------------------------------------ inlined calls

    def inlined(self, node: Any) -> Any:
        """A fold, or tests, with calls of small functions inlined."""
        if not isinstance(node, ir.Fold):
            return self.inline_calls(node)
        known = self.inlined_folds.get(id(node))
        if known is None:
            where, keys, body = self.inline_calls((node.where, node.keys, node.body))
            same = where is node.where and keys is node.keys and body is node.body
            known = self.inlined_folds[id(node)] = (
                node,
                node if same else replace(node, where=where, keys=keys, body=body),
            )
        return known[1]

    def linearised(self, e: ir.Fold, found: Sequence[int]) -> ir.Fold:
        """An inlined fold, with sums for tables that are arithmetic sequences over its members."""
        known = self.linear_folds.get(id(e))
        if known is None:
            inlined = self.inlined(e)
            inner = inlined.where, inlined.keys, inlined.body
            changed = self.linearise(inner, e.binders[-1][0], found)
            where, keys, body = changed
            new = inlined if changed is inner else replace(inlined, where=where, keys=keys, body=body)
            known = self.linear_folds[id(e)] = e, new, changed is not inner
        return known[1]

    def is_linearised(self, e: ir.Fold) -> bool:
        return self.linear_folds[id(e)][2]

    def reads_tables_by(self, e: ir.Fold, slot: int) -> bool:
        """Whether a fold reads constant tables by its member, which is in temp `slot`."""
        known = self.table_readers.get(id(e))
        if known is None:
            parts = walk((e.where, e.keys, e.body))
            reads = any(isinstance(n, CONSTANT) and slot in free(n) and reads_table(n) for n in parts)
            known = self.table_readers[id(e)] = e, reads
        return known[1]

    def inline_calls(self, node: Any) -> Any:
        match node:
            case ir.CallFn(fn, args):
                args = self.inline_calls(args)
                found = self.inline_call(fn, args)
                return ir.CallFn(fn, args) if found is None else found
        return map_children(node, self.inline_calls)

    def inline_call(self, fn: int, args: Sequence[ir.Expr]) -> ir.Expr | None:
        function = self.program.functions[fn]
        if fn in self.facts.recursive_fns:
            return None
        if self.depth >= INLINE_DEPTH or self.facts.sizes[fn] > MOST_INLINED:
            return None
        nodes = list(walk(function.body))
        if not all(isinstance(n, INLINABLE) for n in nodes if ir.is_node(n)):
            return None
        given: dict[int, ir.Expr] = {}
        held: list[tuple[int, ir.Expr]] = []
        for slot, arg in enumerate(args):
            if not (isinstance(arg, ir.FrameVar) or is_constant(arg)):
                held.append((next(self.fresh), arg))
                arg = ir.Temp(held[-1][0])
            given[slot] = arg
        self.depth += 1
        found: ir.Expr = self.inline_calls(self.put(function.body, given))
        self.depth -= 1
        for slot, arg in reversed(held):
            found = ir.Let(slot, arg, found)
        return found

    def put(self, node: Any, given: dict[int, ir.Expr]) -> Any:
        """The body of a function with arguments put for its parameters and its own temps renamed."""
        match node:
            case ir.Temp(slot):
                return given[slot]
            case ir.Force(slot):
                renamed = given[slot]
                assert isinstance(renamed, ir.Temp)
                return ir.Force(renamed.slot)
            case ir.Let(slot, value, body):
                new = next(self.fresh)
                return ir.Let(new, self.put(value, given), self.put(body, {**given, slot: ir.Temp(new)}))
            case ir.LazyLet(slot, value, body):
                new = next(self.fresh)
                return ir.LazyLet(new, self.put(value, given), self.put(body, {**given, slot: ir.Temp(new)}))
            case ir.Fold():
                inner = dict(given)
                binders = []
                for slot, domain in node.binders:
                    domain, new = self.put(domain, inner), next(self.fresh)
                    inner[slot] = ir.Temp(new)
                    binders.append((new, domain))
                where, keys, body = (self.put(part, inner) for part in (node.where, node.keys, node.body))
                return replace(node, binders=tuple(binders), where=where, keys=keys, body=body)
        return map_children(node, lambda part: self.put(part, given))

    # ------------------------------------------------------------ the same test twice

    def normal_form(self, slot: int, domain: ir.Domain, tests: Sequence[ir.Expr]) -> tuple[Any, Any]:
        """A domain and tests of its members in a form that is equal for all that differ in inlining and temps only."""
        before, self.fresh = self.fresh, count(2 * FIRST_FRESH)
        parts = self.inline_calls((domain, conjuncts(tuple(tests))))
        domain, tests = parts[0], conjuncts(parts[1])
        given: dict[int, ir.Expr] = {other: ir.Temp(other) for other in free((domain, tests))}
        self.fresh = count(4 * FIRST_FRESH)
        found = self.put(domain, given), self.put(tests, {**given, slot: ir.Temp(-1)})
        self.fresh = before
        return found

    def existence_test(self, test: ir.Expr) -> tuple[bool, Any, Any] | None:
        """The parts of a test whether some member of a domain passes tests: False if it asks for none, the domain and
        the tests; None: it is another test."""
        match self.inline_calls(test):
            case ir.Fold(kind="any", binders=((slot, domain),), where=where, body=body):
                tests = tuple(t for t in (where, body) if t is not None)
                return True, *self.normal_form(slot, domain, tests)
            case ir.Not(inner):
                found = self.existence_test(inner)
                return None if found is None else (not found[0], *found[1:])
        return None

    # ------------------------------------------------------------ tables that are arithmetic sequences

    def linearise(self, node: Any, slot: int, found: Sequence[int]) -> Any:
        """A tree in which sums stand for reads of tables whose items rise evenly with the member in temp `slot`;
        `found` are the members."""
        if isinstance(node, ir.TableGet) and free(node) == {slot} and is_constant(node):
            line = self.linear_form(node, slot, found)
            if line is not None:
                return line
        new = map_children(node, lambda part: self.linearise(part, slot, found))
        return flatten_sum(new) if isinstance(new, ir.Linear) and new is not node else new

    def linear_form(self, e: ir.Expr, slot: int, found: Sequence[int]) -> ir.Expr | None:
        try:
            values = [self.value(e, {slot: v}) for v in found]
        except NotConstant:
            return None
        if not all(type(v) is int for v in values) or len(found) < 2:
            return None
        rise, rest = divmod(values[-1] - values[0], found[-1] - found[0])
        if rest or any(y != values[0] + rise * (x - found[0]) for x, y in zip(found, values, strict=True)):
            return None
        return flatten_sum(ir.Linear(values[0] - rise * found[0], ((ir.Temp(slot), rise),)))

    # ------------------------------------------------------------ rows

    def rows(
        self,
        slot: int,
        domain: ir.Domain,
        tests: tuple[ir.Expr, ...],
        others: Any,
        spans: Mapping[int, Range],
        keep_member: bool,
    ) -> tuple[ir.Domain, tuple[ir.Expr, ...], Any] | None:
        """A domain of rows, and what is left of the tests and of other expressions that read the member; None: rows do
        not pay. `spans`: least and greatest values of temps bound outside; `keep_member`: rows have the member too."""
        indexes = self.index_temps((domain, tests, others), slot, spans)
        if len(indexes) > 1 or not is_constant((domain.a, domain.b)) or not free(domain) <= set(indexes):
            return None
        by = indexes[0] if indexes else None
        bound = {slot, *indexes}
        first = 0
        while first < len(tests) and is_constant(tests[first]) and free(tests[first]) <= bound:
            first += 1
        columns = Columns(self, slot, bound)
        left, rest = columns.put(tests[first:]), columns.put(others)
        if not columns.parts and not any(reads_table(t) for t in tests[:first]):
            return None
        keep_member = keep_member or slot in free((left, rest))
        if by not in free((domain, tests[:first], tuple(part for part, _ in columns.parts.values()))):
            by = None

        def rows_for(temps: Mapping[int, int]) -> tuple[tuple[Any, ...], ...]:
            bindings = [{**temps, slot: v} for v in self.members(domain, temps)]
            return tuple(
                self.row(columns, t, keep_member) for t in bindings if all(self.value(e, t) for e in tests[:first])
            )

        strict, (low, high) = False, spans[by] if by is not None else (0, 0)
        try:
            sizes = set(self.valid_indexes((domain, tests, others), by)) if by is not None else set()
            if len(sizes) == 1 and low < min(sizes)[0] <= high <= min(sizes)[1]:
                strict, (low, high) = True, sizes.pop()
            items = tuple(rows_for({} if by is None else {by: u}) for u in range(low, high + 1))
        except NotConstant:
            return None
        slots = ((slot,) if keep_member else ()) + tuple(columns.parts)
        if not slots or sum(map(len, items)) > MOST_ROWS:
            return None
        found = tuple(span_of([row[k] for group in items for row in group]) for k in range(len(slots)))
        rows = Rows(
            items if by is not None else items[0], None if by is None else ir.Temp(by), low, strict, slots, found
        )
        return ir.Domain("rows", rows), left, rest  # type: ignore[arg-type]

    def valid_indexes(self, node: Any, by: int) -> list[Range]:
        """The values of a temp that are in bounds, for each table of which it is the index."""
        found = []
        for n in walk(node):
            match n:
                case ir.TableGet(table, ir.Linear(const, ((ir.Temp(slot), 1),))) if slot == by:
                    found.append((-const, len(self.program.tables[table]) - const - 1))
        return found

    def index_temps(self, node: Any, slot: int, spans: Mapping[int, Range]) -> list[int]:
        """The temps of small range, other than the member, that are indexes of tables."""
        found: dict[int, None] = {}
        for n in walk(node):
            if isinstance(n, TABLE_READS) and is_constant(n):
                for other in sorted(free(n) - {slot}):
                    low, high = spans.get(other, (-1, -1))
                    if 0 <= low <= high <= MOST_ROWS // 8:
                        found[other] = None
        return list(found)

    def members(self, domain: ir.Domain, temps: Mapping[int, int]) -> tuple[int, ...]:
        if domain.kind == "set":
            return members(self.value(domain.a, temps))
        if domain.kind == "range" and domain.b is not None:
            return tuple(range(self.value(domain.a, temps), self.value(domain.b, temps) + 1))
        return tuple(self.value(domain.a, temps))

    def row(self, columns: Columns, temps: Mapping[int, int], keep_member: bool) -> tuple[Any, ...]:
        found: list[Any] = [temps[columns.slot]] if keep_member else []
        for part, as_members in columns.parts.values():
            value = self.value(part, temps)
            found.append(members(value) if as_members else value)
        return tuple(found)


class Columns:
    """Puts a fresh temp for each part of an expression that constant tables decide for every member. `parts`: the part
    of each temp, and whether its column has the members of a set instead of the set."""

    def __init__(self, constants: Constants, slot: int, bound: set[int]) -> None:
        self.constants, self.slot, self.bound = constants, slot, bound
        self.parts: dict[int, tuple[ir.Expr, bool]] = {}

    def put(self, node: Any) -> Any:
        if isinstance(node, ir.Domain) and node.kind == "set" and self.is_column(node.a):
            return ir.Domain("list", self.column(node.a, True))
        if self.is_column(node):
            return self.column(node, False)
        return map_children(node, self.put)

    def is_column(self, node: Any) -> bool:
        if not isinstance(node, CONSTANT) or not reads_table(node) or not is_constant(node):
            return False
        return self.slot in free(node) <= self.bound

    def column(self, part: ir.Expr, as_members: bool) -> ir.Temp:
        for slot, known in self.parts.items():
            if known == (part, as_members):
                return ir.Temp(slot)
        new = next(self.constants.fresh)
        self.parts[new] = part, as_members
        return ir.Temp(new)


def map_children(node: Any, change: Any) -> Any:
    """A node with `change` applied to its children; the same node if none changes."""
    if type(node) is tuple:
        items = tuple([change(item) for item in node])
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if ir.is_node(node):
        changed = {f.name: new for f in fields(node) if (new := change(old := getattr(node, f.name))) is not old}
        return replace(node, **changed) if changed else node
    return node


def is_constant(node: Any) -> bool:
    """Whether an expression reads nothing but constants and temps."""
    return all(isinstance(n, CONSTANT) for n in walk(node))


def reads_table(node: Any) -> bool:
    return any(isinstance(n, TABLE_READS) for n in walk(node))


def flatten_sum(e: ir.Linear) -> ir.Expr:
    """A sum without sums in its terms."""
    const, terms = e.const, []
    for term, stride in e.terms:
        inner = flatten_sum(term) if isinstance(term, ir.Linear) else term
        if isinstance(inner, ir.Linear):
            const += inner.const * stride
            terms += [(t, by * stride) for t, by in inner.terms]
        elif isinstance(inner, ir.Const):
            const += inner.value * stride
        elif stride:
            terms.append((inner, stride))
    return ir.Linear(const, tuple(terms)) if terms else ir.Const(const)


def span_of(values: Sequence[Any]) -> Range:
    """The least and greatest of some numbers, or of the members of some lists."""
    numbers = [n for v in values for n in (v if type(v) is tuple else (v,)) if type(n) is int]
    return (min(numbers), max(numbers)) if numbers else (0, 0)


def conjuncts(tests: Sequence[ir.Expr]) -> tuple[ir.Expr, ...]:
    """The parts of tests that must all hold."""
    found: list[ir.Expr] = []
    for test in tests:
        match test:
            case ir.And(items):
                found += conjuncts(items)
            case ir.Not(ir.Not(inner)):
                found += conjuncts((inner,))
            case _:
                found.append(test)
    return tuple(found)
