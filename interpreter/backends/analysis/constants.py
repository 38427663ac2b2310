"""What constant tables say of the members that a loop goes through, found before any game begins.

Takes an expression that is evaluated for each member of a constant set. Calls are written out where that shows reads
of tables; a table that is an even sequence becomes a sum; other parts that read tables only become columns of `Rows`,
which a loop goes through instead of the members. All generating back ends may use it; it writes no code.
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

SPREAD = 40  # nodes of a function that is written out
DEEPEST = 6  # functions written out inside each other
MOST_ITEMS = 4096  # of the rows of a loop, for all members outside it
FRESH = 1 << 16  # the first temp that no program has

CONSTANT = tuple(node for node in ir.having("pure") if node is not ir.MapWith)  # a whole map is no item of a row
TABLES = ir.having("tabled")
WRITTEN = (*CONSTANT, *ir.reading("local", "cells"), ir.CallFn, ir.Fold, ir.Domain, ir.Let)


@dataclass(frozen=True, slots=True)
class Rows:
    """The domain of a loop (kind `rows`) that gives the temps `slots` at once: the member, if `member`, and what
    constant tables say of it. `items` are the rows, or those for each value of temp `by` from `start` on; other values
    are a fault where `strict`."""

    items: tuple[Any, ...]
    by: ir.Temp | None
    start: int
    strict: bool
    slots: tuple[int, ...]
    spans: tuple[Range, ...]


class NotConstant(Exception):
    """A part that cannot be found beforehand."""


def fault(message: str, *_: Any) -> Exception:
    return NotConstant(message)


class Constants:
    def __init__(self, program: Program, facts: Facts) -> None:
        self.program, self.facts = program, facts
        self.fresh = count(FRESH)
        self.machine: Any = SimpleNamespace(program=program, ev=EVALUATE, fault=fault)
        self.machine.value = self.value
        self.spreading = 0
        self.known: dict[int, tuple[Any, Any]] = {}  # folds written out, by the id of what they were
        self.lines: dict[int, tuple[ir.Fold, ir.Fold, bool]] = {}  # with sums for tables, and whether there are any
        self.asking: dict[int, tuple[ir.Fold, bool]] = {}  # whether tables are read by the member

    def value(self, e: ir.Expr, temps: Mapping[int, int]) -> Any:
        return EVALUATE[type(e)](self.machine, e, temps)  # type: ignore[arg-type]

    # ------------------------------------------------------------ calls written out

    def written_out(self, node: Any) -> Any:
        """A fold, or tests, with small functions written out."""
        if not isinstance(node, ir.Fold):
            return self.spread(node)
        known = self.known.get(id(node))
        if known is None:
            where, keys, body = self.spread((node.where, node.keys, node.body))
            same = where is node.where and keys is node.keys and body is node.body
            known = self.known[id(node)] = node, node if same else replace(node, where=where, keys=keys, body=body)
        return known[1]

    def straightened(self, e: ir.Fold, found: Sequence[int]) -> ir.Fold:
        """A fold written out, with sums for tables that are even sequences over its members."""
        known = self.lines.get(id(e))
        if known is None:
            spread = self.written_out(e)
            inner = spread.where, spread.keys, spread.body
            changed = self.straight(inner, e.binders[-1][0], found)
            where, keys, body = changed
            new = spread if changed is inner else replace(spread, where=where, keys=keys, body=body)
            known = self.lines[id(e)] = e, new, changed is not inner
        return known[1]

    def is_straight(self, e: ir.Fold) -> bool:
        return self.lines[id(e)][2]

    def asks_tables(self, e: ir.Fold, slot: int) -> bool:
        """Whether constant tables are read by the member of a fold."""
        known = self.asking.get(id(e))
        if known is None:
            parts = walk((e.where, e.keys, e.body))
            reads = any(isinstance(n, CONSTANT) and slot in free(n) and reads_table(n) for n in parts)
            known = self.asking[id(e)] = e, reads
        return known[1]

    def spread(self, node: Any) -> Any:
        match node:
            case ir.CallFn(fn, args):
                args = self.spread(args)
                found = self.spread_call(fn, args)
                return ir.CallFn(fn, args) if found is None else found
        return rebuilt(node, self.spread)

    def spread_call(self, fn: int, args: Sequence[ir.Expr]) -> ir.Expr | None:
        function = self.program.functions[fn]
        if fn in self.facts.recursive_fns:
            return None
        if self.spreading >= DEEPEST or self.facts.sizes[fn] > SPREAD:
            return None
        nodes = list(walk(function.body))
        if not all(isinstance(n, WRITTEN) for n in nodes if ir.is_node(n)):
            return None
        given: dict[int, ir.Expr] = {}
        held: list[tuple[int, ir.Expr]] = []
        for slot, arg in enumerate(args):
            if not (isinstance(arg, ir.FrameVar) or constant(arg)):
                held.append((next(self.fresh), arg))
                arg = ir.Temp(held[-1][0])
            given[slot] = arg
        self.spreading += 1
        found: ir.Expr = self.spread(self.put(function.body, given))
        self.spreading -= 1
        for slot, arg in reversed(held):
            found = ir.Let(slot, arg, found)
        return found

    def put(self, node: Any, given: dict[int, ir.Expr]) -> Any:
        """The body of a function with its parameters given and all temps of its own renamed."""
        match node:
            case ir.Temp(slot):
                return given[slot]
            case ir.Let(slot, value, body):
                new = next(self.fresh)
                return ir.Let(new, self.put(value, given), self.put(body, {**given, slot: ir.Temp(new)}))
            case ir.Fold():
                inner = dict(given)
                binders = []
                for slot, domain in node.binders:
                    domain, new = self.put(domain, inner), next(self.fresh)
                    inner[slot] = ir.Temp(new)
                    binders.append((new, domain))
                where, keys, body = (self.put(part, inner) for part in (node.where, node.keys, node.body))
                return replace(node, binders=tuple(binders), where=where, keys=keys, body=body)
        return rebuilt(node, lambda part: self.put(part, given))

    # ------------------------------------------------------------ the same question twice

    def alike(self, slot: int, domain: ir.Domain, tests: Sequence[ir.Expr]) -> tuple[Any, Any]:
        """A domain and tests of its members in a form that is equal for all that ask the same."""
        before, self.fresh = self.fresh, count(2 * FRESH)
        parts = self.spread((domain, conditions(tuple(tests))))
        domain, tests = parts[0], conditions(parts[1])
        given: dict[int, ir.Expr] = {other: ir.Temp(other) for other in free((domain, tests))}
        self.fresh = count(4 * FRESH)
        found = self.put(domain, given), self.put(tests, {**given, slot: ir.Temp(-1)})
        self.fresh = before
        return found

    def asked(self, test: ir.Expr) -> tuple[bool, Any, Any] | None:
        """Of a test whether some member of a domain passes: whether it wants one, the domain and the tests."""
        match self.spread(test):
            case ir.Fold(kind="any", binders=((slot, domain),), where=where, body=body):
                tests = tuple(t for t in (where, body) if t is not None)
                return True, *self.alike(slot, domain, tests)
            case ir.Not(inner):
                found = self.asked(inner)
                return None if found is None else (not found[0], *found[1:])
        return None

    # ------------------------------------------------------------ tables that are even sequences

    def straight(self, node: Any, slot: int, found: Sequence[int]) -> Any:
        """A tree in which a sum stands for each read of a table that rises evenly with the member."""
        if isinstance(node, ir.TableGet) and free(node) == {slot} and constant(node):
            line = self.line(node, slot, found)
            if line is not None:
                return line
        new = rebuilt(node, lambda part: self.straight(part, slot, found))
        return flat(new) if isinstance(new, ir.Linear) and new is not node else new

    def line(self, e: ir.Expr, slot: int, found: Sequence[int]) -> ir.Expr | None:
        try:
            values = [self.value(e, {slot: v}) for v in found]
        except NotConstant:
            return None
        if not all(type(v) is int for v in values) or len(found) < 2:
            return None
        rise, rest = divmod(values[-1] - values[0], found[-1] - found[0])
        if rest or any(y != values[0] + rise * (x - found[0]) for x, y in zip(found, values, strict=True)):
            return None
        return flat(ir.Linear(values[0] - rise * found[0], ((ir.Temp(slot), rise),)))

    # ------------------------------------------------------------ rows

    def rows(
        self,
        slot: int,
        domain: ir.Domain,
        tests: tuple[ir.Expr, ...],
        others: Any,
        spans: Mapping[int, Range],
        own: bool,
    ) -> tuple[ir.Domain, tuple[ir.Expr, ...], Any] | None:
        """A domain of rows with the tests and other expressions that then are left, if they read tables by the member.
        `spans`: least and greatest values of the temps outside; `own`: whether the member itself is wanted anyway."""
        outside = self.outside((domain, tests, others), slot, spans)
        if len(outside) > 1 or not constant((domain.a, domain.b)) or not free(domain) <= set(outside):
            return None
        by = outside[0] if outside else None
        bound = {slot, *outside}
        first = 0
        while first < len(tests) and constant(tests[first]) and free(tests[first]) <= bound:
            first += 1
        columns = Columns(self, slot, bound)
        left, rest = columns.put(tests[first:]), columns.put(others)
        if not columns.parts and not any(reads_table(t) for t in tests[:first]):
            return None
        own = own or slot in free((left, rest))
        if by not in free((domain, tests[:first], tuple(part for part, _ in columns.parts.values()))):
            by = None

        def rows_for(temps: Mapping[int, int]) -> tuple[tuple[Any, ...], ...]:
            members_here = [{**temps, slot: v} for v in self.members(domain, temps)]
            return tuple(
                self.row(columns, t, own) for t in members_here if all(self.value(e, t) for e in tests[:first])
            )

        strict, (low, high) = False, spans[by] if by is not None else (0, 0)
        try:
            sizes = set(self.reads_by((domain, tests, others), by)) if by is not None else set()
            if len(sizes) == 1 and low < min(sizes)[0] <= high <= min(sizes)[1]:
                strict, (low, high) = True, sizes.pop()
            items = tuple(rows_for({} if by is None else {by: u}) for u in range(low, high + 1))
        except NotConstant:
            return None
        slots = ((slot,) if own else ()) + tuple(columns.parts)
        if not slots or sum(map(len, items)) > MOST_ITEMS:
            return None
        found = tuple(span_of([row[k] for group in items for row in group]) for k in range(len(slots)))
        rows = Rows(
            items if by is not None else items[0], None if by is None else ir.Temp(by), low, strict, slots, found
        )
        return ir.Domain("rows", rows), left, rest  # type: ignore[arg-type]

    def reads_by(self, node: Any, by: int) -> list[Range]:
        """The values of a temp by which constant tables can be read directly."""
        found = []
        for n in walk(node):
            match n:
                case ir.TableGet(table, ir.Linear(const, ((ir.Temp(slot), 1),))) if slot == by:
                    found.append((-const, len(self.program.tables[table]) - const - 1))
        return found

    def outside(self, node: Any, slot: int, spans: Mapping[int, Range]) -> list[int]:
        """The temps of small range, but the member, by which tables are read."""
        found: dict[int, None] = {}
        for n in walk(node):
            if isinstance(n, TABLES) and constant(n):
                for other in sorted(free(n) - {slot}):
                    low, high = spans.get(other, (-1, -1))
                    if 0 <= low <= high <= MOST_ITEMS // 8:
                        found[other] = None
        return list(found)

    def members(self, domain: ir.Domain, temps: Mapping[int, int]) -> tuple[int, ...]:
        if domain.kind == "set":
            return members(self.value(domain.a, temps))
        if domain.kind == "range" and domain.b is not None:
            return tuple(range(self.value(domain.a, temps), self.value(domain.b, temps) + 1))
        return tuple(self.value(domain.a, temps))

    def row(self, columns: Columns, temps: Mapping[int, int], own: bool) -> tuple[Any, ...]:
        found: list[Any] = [temps[columns.slot]] if own else []
        for part, as_members in columns.parts.values():
            value = self.value(part, temps)
            found.append(members(value) if as_members else value)
        return tuple(found)


class Columns:
    """Puts a fresh temp for each part of an expression that is certain for every member; `parts` says which."""

    def __init__(self, constants: Constants, slot: int, bound: set[int]) -> None:
        self.constants, self.slot, self.bound = constants, slot, bound
        self.parts: dict[int, tuple[ir.Expr, bool]] = {}

    def put(self, node: Any) -> Any:
        if isinstance(node, ir.Domain) and node.kind == "set" and self.certain(node.a):
            return ir.Domain("list", self.column(node.a, True))
        if self.certain(node):
            return self.column(node, False)
        return rebuilt(node, self.put)

    def certain(self, node: Any) -> bool:
        if not isinstance(node, CONSTANT) or not reads_table(node) or not constant(node):
            return False
        return self.slot in free(node) <= self.bound

    def column(self, part: ir.Expr, as_members: bool) -> ir.Temp:
        for slot, known in self.parts.items():
            if known == (part, as_members):
                return ir.Temp(slot)
        new = next(self.constants.fresh)
        self.parts[new] = part, as_members
        return ir.Temp(new)


def rebuilt(node: Any, change: Any) -> Any:
    """A node with its parts changed; the same one if none is."""
    if type(node) is tuple:
        items = tuple([change(item) for item in node])
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if ir.is_node(node):
        changed = {f.name: new for f in fields(node) if (new := change(old := getattr(node, f.name))) is not old}
        return replace(node, **changed) if changed else node
    return node


def constant(node: Any) -> bool:
    """Whether an expression reads nothing but constants and temps."""
    return all(isinstance(n, CONSTANT) for n in walk(node))


def reads_table(node: Any) -> bool:
    return any(isinstance(n, TABLES) for n in walk(node))


def flat(e: ir.Linear) -> ir.Expr:
    """A sum without sums inside."""
    const, terms = e.const, []
    for term, stride in e.terms:
        inner = flat(term) if isinstance(term, ir.Linear) else term
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


def conditions(tests: Sequence[ir.Expr]) -> tuple[ir.Expr, ...]:
    """Tests that all must hold, one by one."""
    found: list[ir.Expr] = []
    for test in tests:
        match test:
            case ir.And(items):
                found += conditions(items)
            case ir.Not(ir.Not(inner)):
                found += conditions((inner,))
            case _:
                found.append(test)
    return tuple(found)
