"""Parts of rules that read nothing but constant tables, and tests that are the same but for names and inlining.

Calls of small functions are inlined where that shows what they read. For whole games of low code; it writes no code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from itertools import count
from types import SimpleNamespace
from typing import Any

from dsl import ir
from dsl.program import Program
from interpreter.backends.analysis.dataflow import FlowFacts, free, walk
from interpreter.semantics.expressions import EVALUATE

MOST_INLINED = 40  # nodes of a function that is inlined
INLINE_DEPTH = 6  # functions inlined inside each other
FIRST_FRESH = 1 << 16  # the first temp that no program has

CONSTANT = tuple(node for node in ir.having("pure") if node is not ir.MapWith)  # a row does not hold a whole map
TABLE_READS = ir.having("tabled")
INLINABLE = (*CONSTANT, *ir.reading("local", "cells"), ir.CallFn, ir.Fold, ir.Domain, ir.Let, ir.LazyLet, ir.Force)


class NotConstant(Exception):
    """A part that cannot be evaluated beforehand."""


def fault(message: str, *_: Any) -> Exception:
    return NotConstant(message)


class ConstantFolder:
    """Inlines calls and evaluates reads of constant tables, for one program."""

    def __init__(self, program: Program, facts: FlowFacts) -> None:
        self.program, self.facts = program, facts
        self.fresh = count(FIRST_FRESH)
        self.machine: Any = SimpleNamespace(program=program, ev=EVALUATE, fault=fault)
        self.machine.value = self.value
        self.depth = 0

    def value(self, e: ir.Expr, temps: Mapping[int, int]) -> Any:
        return EVALUATE[type(e)](self.machine, e, temps)  # type: ignore[arg-type]

    # ------------------------------------------------------------ inlined calls

    def inline_calls(self, node: Any) -> Any:
        match node:
            case ir.CallFn(fn, args):
                args = self.inline_calls(args)
                found = self.inline_call(fn, args)
                return ir.CallFn(fn, args) if found is None else found
        return map_children(node, self.inline_calls)

    def inline_call(self, fn: int, args: Sequence[ir.Expr]) -> ir.Expr | None:
        function = self.program.functions[fn]
        if fn in self.facts.recursive_fns or function.cost:
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
    """True for an expression that reads nothing but constants and temps."""
    return all(isinstance(n, CONSTANT) for n in walk(node))


def reads_table(node: Any) -> bool:
    return any(isinstance(n, TABLE_READS) for n in walk(node))


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
