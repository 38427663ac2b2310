"""Partial evaluation: rules specialised for known values of frame variables and temps.

A `Specialiser` takes expressions, statements and questions with the values that variables are known to have, and gives
ones that mean the same there and have less to do. It knows no target language; the reference evaluates expressions of
constants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import reduce
from typing import Any

from dsl import ir
from dsl.base.types import MemberType, SetType, bounds, width
from dsl.program import Program
from interpreter.backends.analysis.dataflow import FRAME_ITEMS, frame_slots, free, size, walk
from interpreter.backends.analysis.substitute import (
    Known,
    Value,
    all_known,
    fits,
    flatten_sum,
    forget,
    rename_temps,
    replace_node,
)  # fmt: skip
from interpreter.core.words import members
from interpreter.machine.machine import Machine

PURE = tuple(node for node in ir.having("pure") if node not in (ir.Const, ir.Temp))  # those two need no evaluation
CONDITIONS = ir.having("truth")
TIME_DEPENDENT = (
    *ir.reading("local item", "frames", "timed", "waiver", "result", "position"),
    ir.ListItem,
    ir.Bounded,
)  # the last two may fail
READS = (*ir.reading("local", "local item", "cells", "frames", "timed", "waiver", "result", "position"), ir.Reach)
SMALL = 60  # nodes of a condition that is inlined
FEW = 3  # members of a small set
FIRST_FRESH, FRESH_STEP = 1_000_000, 100  # numbers of temps that nothing else has
LONGEST = 64  # items of a list that counts as a known value


class Specialiser:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.machine = Machine(program)
        self.closed = closed_functions(program)
        self.renamings = 0

    # ------------------------------------------------------------ expressions

    def expr(self, node: Any, frame: Mapping[int, Value], temps: Mapping[int, Any] | None = None) -> Any:
        """An expression, or any part of the IR without statements, where these variables are known."""
        return self._substitute(node, frame, temps or {})

    def _substitute(self, node: Any, frame: Mapping[int, Value], temps: Mapping[int, Any]) -> Any:
        match node:
            case ir.FrameVar(slot) if slot in frame:
                return ir.Const(frame[slot])
            case ir.Temp(slot) if slot in temps:
                known = temps[slot]
                return known if ir.is_node(known) else ir.Const(known)
            case ir.FrameItem(slot, offset, t):
                at = self._substitute(offset, frame, temps)
                if isinstance(at, ir.Const) and width(t) == 1:
                    return self._substitute(ir.FrameVar(slot + at.value, t), frame, temps)
                return replace(node, offset=at)
        if type(node) is tuple:
            items = tuple([self._substitute(item, frame, temps) for item in node])
            return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
        if ir.is_node(node):
            found = {f.name: getattr(node, f.name) for f in fields(node)}
            changed = {k: new for k, old in found.items() if (new := self._substitute(old, frame, temps)) is not old}
            return self.reduced(replace(node, **changed) if changed else node)
        return node

    def reduced(self, e: Any) -> Any:
        """An expression, simplified; its children are specialised already."""
        match e:
            case ir.If(ir.Const(test), then, orelse):
                return then if test else orelse
            case ir.And(items):
                if any(isinstance(i, ir.Const) and not i.value for i in items):
                    return ir.Const(0)
                left = tuple(i for i in items if not isinstance(i, ir.Const))
                return ir.Const(1) if not left else e if len(left) == len(items) else ir.And(left)
            case ir.Or(items):
                if any(isinstance(i, ir.Const) and i.value for i in items):
                    return ir.Const(1)
                left = tuple(i for i in items if not isinstance(i, ir.Const))
                return ir.Const(0) if not left else e if len(left) == len(items) else ir.Or(left)
            case ir.Compare("==" | "!=" as op, ir.If(test, ir.Const(a), ir.Const(b)), ir.Const(c)) if a != b:
                if c in (a, b) and isinstance(test, CONDITIONS):
                    return test if (op == "==") == (c == a) else ir.Not(test)
            case ir.Linear(const, terms) if any(isinstance(term, ir.Const | ir.Linear) for term, _ in terms):
                e = flatten_sum(const, terms)
        pure = isinstance(e, PURE) or (isinstance(e, ir.CallFn) and e.fn in self.closed)
        if pure and all_known(e):
            return self.evaluated(e)
        if isinstance(e, ir.Fold) and self.is_closed(e):
            return self.evaluated(e)
        if isinstance(e, ir.Fold):
            return self.hoisted(self.over_few(self.with_mask(e)))
        if isinstance(e, ir.Size) and e.kind == "set" and (chosen := self.small_filter(e.operand)) is not None:
            return ir.Fold("count", chosen.binders, chosen.where, (), None)
        return e

    def with_mask(self, e: Any) -> Any:
        """A fold over members of a set that pass a test of the member alone, by the mask of all that pass."""
        match e:
            case ir.Fold(
                "any" | "set" | "count" as kind,
                ((slot, ir.Domain("set", ir.Cell(_, SetType(MemberType() as elem)) as cell)),),
            ):
                pass
            case _:
                return e
        tests = [test for test in ((e.where, e.body) if kind == "any" else (e.where,)) if test is not None]
        if not tests or (kind != "any" and e.body not in (None, ir.Temp(slot))):
            return e
        mask = self.passing_mask(tests, slot, bounds(elem))
        if mask is None:
            return e
        some = ir.Arith("&", cell, ir.Const(mask))
        if kind == "any":
            return ir.Compare("!=", some, ir.Const(0))
        return some if kind == "set" else ir.Size("set", some)

    def hoisted(self, e: Any) -> Any:
        """A fold whose condition has a costly part that does not read the member: that is evaluated once, before."""
        if not isinstance(e, ir.Fold) or e.where is None or e.kind not in ("set", "count", "any"):
            return e
        outside = free(e)
        found = next((n for n in walk(e.where) if self.is_costly(n) and free(n) <= outside), None)
        if found is None or found is e.where:
            return e
        self.renamings += 1
        slot = FIRST_FRESH + FRESH_STEP * self.renamings
        return ir.Let(slot, found, self.hoisted(replace(e, where=replace_node(e.where, found, ir.Temp(slot)))))

    def is_costly(self, n: Any) -> bool:
        """True for an expression that loops over several sets, and can be evaluated at any time."""
        loops = 0
        for inner in walk(n) if isinstance(n, ir.Arith | ir.CallFn | ir.Fold) else ():
            if isinstance(inner, ir.CallFn):
                loops += any(isinstance(one, ir.Fold) for one in walk(self.program.functions[inner.fn].body))
            elif isinstance(inner, ir.Fold):
                loops += 1
            if isinstance(inner, TIME_DEPENDENT) or getattr(inner, "required", False):
                return False
            if isinstance(inner, ir.Arith) and "div" in inner.op:
                return False
        return loops > 1

    def passing_mask(self, tests: Sequence[ir.Expr], slot: int, span: tuple[int, int]) -> int | None:
        """The members of a range that pass tests of the member alone; None: the tests read something else."""
        if span[1] - span[0] > LONGEST or free(tuple(tests)) - {slot}:
            return None
        if any(isinstance(n, READS) for test in tests for n in walk(test)):
            return None
        mask = 0
        for v in range(span[0], span[1] + 1):
            found = [self._substitute(test, {}, {slot: v}) for test in tests]
            if not all(isinstance(test, ir.Const) for test in found):
                return None
            mask |= all(test.value for test in found) << v
        return mask

    def as_set(self, test: ir.Expr, slot: int, span: tuple[int, int]) -> ir.Expr | None:
        """The members of a range that pass a test, as a set: tests of the member alone become constant sets."""
        every = ir.Const((2 << span[1]) - (1 << span[0]))
        if slot not in free(test):
            return ir.If(test, every, ir.Const(0))
        match test:
            case ir.Not(inner) if (found := self.as_set(inner, slot, span)) is not None:
                return ir.Arith("&~", every, found)
            case ir.And(items) | ir.Or(items):
                sets = [self.as_set(item, slot, span) for item in items]
                if items and all(one is not None for one in sets):
                    op = "&" if isinstance(test, ir.And) else "|"
                    return reduce(lambda a, b: ir.Arith(op, a, b), sets)  # type: ignore[arg-type]
        mask = self.passing_mask([test], slot, span)
        return None if mask is None else ir.Const(mask)

    def over_few(self, e: Any) -> Any:
        """A fold over those members of a small set that pass a test, as one over the set."""
        if not isinstance(e, ir.Fold):
            return e
        if (
            len(e.binders) != 1
            or e.binders[0][1].kind != "set"
            or (chosen := self.small_filter(e.binders[0][1].a)) is None
        ):
            return e
        slot, inner = e.binders[0][0], chosen.binders[0][0]
        where = (self._substitute(chosen.where, {}, {inner: ir.Temp(slot)}), *(() if e.where is None else (e.where,)))
        return replace(e, binders=((slot, chosen.binders[0][1]),), where=ir.And(where) if len(where) > 1 else where[0])

    def small_filter(self, e: ir.Expr) -> ir.Fold | None:
        """A set as a filter of a small constant set; None: it is not one."""
        if isinstance(e, ir.CallFn) and not e.args:
            self.renamings += 1
            e = rename_temps(self.program.functions[e.fn].body, FIRST_FRESH + FRESH_STEP * self.renamings)
        match e:
            case ir.Fold("set", ((slot, ir.Domain("set", ir.Const(int() as mask))),), where, body=body) if (
                body in (None, ir.Temp(slot)) and where is not None and 0 < mask.bit_count() <= FEW
            ):
                return e
        return None

    def is_closed(self, e: Any) -> bool:
        """True if the value of an expression depends on nothing."""
        return not free(e) and not any(
            isinstance(n, READS) or (isinstance(n, ir.CallFn) and n.fn not in self.closed) for n in walk(e)
        )

    def evaluated(self, e: Any) -> Any:
        m = self.machine
        try:
            value = m.value(e, [0] * (m.temps + FRAME_ITEMS))
        except Exception:  # noqa: BLE001 - a fault, which comes when the rules come here
            return e
        if isinstance(value, int):
            return ir.Const(int(value))
        if isinstance(value, tuple) and len(value) <= LONGEST and all(type(v) is int for v in value):
            return ir.Const(value)
        return e

    # ------------------------------------------------------------ questions

    def alternative(self, a: ir.Alternative, frame: Known) -> ir.Alternative:
        """An alternative where these variables are known: its tests one by one, without those that its domains imply;
        members that fail known tests are left out of a constant domain."""
        a = self.expr(a, frame)
        if not a.binders:
            return a
        guards: list[ir.Guard] = []
        for guard in a.guards:
            guards += [replace(guard, test=self.inlined(test)) for test in self.conjuncts(guard.test)]
        sets = {ir.InSet(ir.Temp(slot), d.a) for _, slot, d, _ in a.binders if d.kind == "set"}
        left = [g for g in guards if g.test not in sets and g.test != ir.Const(1)]
        if len(a.binders) == 1 and (few := self.passing_members(a.binders[0], left)) is not None:
            name, slot, _, t = a.binders[0]
            return replace(a, binders=((name, slot, ir.Domain("set", ir.Const(few)), t),), guards=())
        match a.binders:
            case ((name, slot, ir.Domain("set", ir.Cell(_, SetType(MemberType() as elem)) as cell), t),):
                mine = [g for g in left if slot in free(g.test)]
                chosen = self.as_set(ir.And(tuple(g.test for g in mine)), slot, bounds(elem)) if mine else None
                if chosen is not None:
                    some = ir.Domain("set", ir.Arith("&", cell, chosen))
                    return replace(
                        a, binders=((name, slot, some, t),), guards=tuple(g for g in left if slot not in free(g.test))
                    )
        return replace(a, guards=tuple(left))

    def conjuncts(self, test: ir.Expr) -> list[ir.Expr]:
        """The conditions that must all hold; small functions are inlined."""
        if isinstance(test, ir.And):
            return [one for item in test.items for one in self.conjuncts(item)]
        if isinstance(test, ir.CallFn) and all(isinstance(i, ir.Temp | ir.Const | ir.FrameVar) for i in test.args):
            body = self.program.functions[test.fn].body
            if isinstance(body, ir.And | ir.InSet) and size(body) <= SMALL:
                self.renamings += 1
                by = FIRST_FRESH + FRESH_STEP * self.renamings
                return self.conjuncts(
                    self._substitute(rename_temps(body, by), {}, {by + n: arg for n, arg in enumerate(test.args)})
                )
        return [test]

    def inlined(self, node: Any) -> Any:
        """A condition in which small functions are inlined where that removes a loop."""
        if type(node) is tuple:
            return tuple([self.inlined(item) for item in node])
        if not ir.is_node(node):
            return node
        found = {f.name: getattr(node, f.name) for f in fields(node)}
        changed = {k: new for k, old in found.items() if (new := self.inlined(old)) is not old and new != old}
        node = replace(node, **changed) if changed else node
        if isinstance(node, ir.CallFn) and all(isinstance(i, ir.Temp | ir.Const | ir.FrameVar) for i in node.args):
            body = self.program.functions[node.fn].body
            if isinstance(body, ir.Fold) and size(body) <= SMALL:
                self.renamings += 1
                by = FIRST_FRESH + FRESH_STEP * self.renamings
                shorter = self._substitute(rename_temps(body, by), {}, {by + n: arg for n, arg in enumerate(node.args)})
                return node if isinstance(shorter, ir.Fold) else shorter
        return node

    def passing_members(self, binder: tuple[str, int, ir.Domain, Any], guards: Sequence[ir.Guard]) -> int | None:
        """The members of a constant domain that pass known tests; None: one is not known."""
        _, slot, domain, _ = binder
        if domain.kind != "set" or not isinstance(domain.a, ir.Const) or not guards:
            return None
        mask = 0
        for v in members(domain.a.value):
            tests = [self._substitute(g.test, {}, {slot: v}) for g in guards]
            if not all(isinstance(test, ir.Const) for test in tests):
                return None
            mask |= all(test.value for test in tests) << v
        return mask

    # ------------------------------------------------------------ statements

    def body(
        self, body: Sequence[ir.Stmt], frame: Known, temps: Mapping[int, Any] | None = None
    ) -> tuple[ir.Stmt, ...]:
        """Statements where these variables are known; `frame` is updated to what is known behind them."""
        found: list[ir.Stmt] = []
        for s in body:
            found += self.statement(s, frame, temps or {})
        return tuple(found)

    def statement(self, s: ir.Stmt, frame: Known, temps: Mapping[int, Any]) -> Sequence[ir.Stmt]:
        match s:
            case ir.Note() | ir.AtomicEnd():
                return ()
            case ir.Show() | ir.Forget() if not self.program.known_base:
                return ()
            case ir.SetFrame():
                done = self._substitute(s, frame, temps)
                if isinstance(done.offset, ir.Const) and width(s.type) == 1:
                    done = ir.SetFrame(s.slot + done.offset.value, s.type, done.value)
                forget(frame, frame_slots(done))
                if done.offset is None and isinstance(done.value, ir.Const) and fits(s.type, done.value.value):
                    frame[done.slot] = done.value.value
                return (done,)
            case ir.IfS(test, then, orelse):
                found = self._substitute(test, frame, temps)
                if isinstance(found, ir.Const):
                    return self.body(then if found.value else orelse, frame, temps)
                one, other = dict(frame), dict(frame)
                done = ir.IfS(found, self.body(then, one, temps), self.body(orelse, other, temps))
                for slot in [slot for slot in frame if slot not in one or one[slot] != other.get(slot)]:
                    del frame[slot]
                frame.update({slot: v for slot, v in one.items() if other.get(slot) == v})
                return (done,) if done.then or done.orelse else ()
            case ir.For(slot, domain, inner):
                domain = self._substitute(domain, frame, temps)
                forget(frame, frame_slots(inner))
                done = self.body(inner, dict(frame), temps)
                return (ir.For(slot, domain, done),) if done else ()
            case ir.While(test, inner, span):
                forget(frame, frame_slots(inner))
                return (ir.While(self._substitute(test, frame, temps), self.body(inner, dict(frame), temps), span),)
        return (self._substitute(s, frame, temps),)


def specialised(program: Program) -> Program:
    """A program specialised for the constants in it."""
    special = Specialiser(program)
    return replace(
        program,
        functions=tuple(replace(f, body=special.expr(f.body, {})) for f in program.functions),
        procs=tuple(replace(p, body=special.body(p.body, {})) for p in program.procs),
    )


def closed_functions(program: Program) -> frozenset[int]:
    """The functions whose value depends on their arguments only."""
    open_ = {n for n, f in enumerate(program.functions) if any(isinstance(node, READS) for node in walk(f.body))}
    calls = [{n.fn for n in walk(f.body) if isinstance(n, ir.CallFn)} for f in program.functions]
    while more := {n for n, called in enumerate(calls) if n not in open_ and called & open_}:
        open_ |= more
    return frozenset(range(len(program.functions))) - open_
