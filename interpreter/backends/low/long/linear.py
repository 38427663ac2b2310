"""Conditions on a whole set that add up what its members count: they become bounds on totals.

Takes a question and gives one with the same answers. Bounds are decided sooner than conditions, often at once.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import NamedTuple

from dsl import ir
from dsl.base.types import SetType
from dsl.ir.walk import free

BOUNDS = {">=": ("at least", 0), ">": ("at least", 1), "<=": ("at most", 0), "<": ("at most", -1), "==": ("exactly", 0)}
ZERO, ONE = ir.Const(0), ir.Const(1)


class Total(NamedTuple):
    """A number that is known, and what each member of the answer adds to it (None: nothing)."""

    known: ir.Expr
    each: ir.Expr | None


def with_totals(site: ir.Site) -> ir.Site:
    """The question with bounds in place of the conditions that add up."""
    if not site.such_that or site.answer is None or not isinstance(site.answer[1], SetType):
        return site
    binders = site.alternatives[0].binders
    if len(binders) != 1:
        return site
    member = ir.Temp(binders[0][1])
    found: list[ir.Bound] = []
    left: list[ir.Guard] = []
    for guard in site.such_that:
        others: list[ir.Expr] = []
        for test in guard.test.items if isinstance(guard.test, ir.And) else (guard.test,):
            bound = _bound(test, site.whole_slot, member)
            if bound is None:
                others.append(test)
            else:
                found.append(bound)
        if others:
            left.append(replace(guard, test=others[0] if len(others) == 1 else ir.And(tuple(others))))
    return replace(site, bounds=(*site.bounds, *found), such_that=tuple(left)) if found else site


def _bound(test: ir.Expr, whole: int, member: ir.Temp) -> ir.Bound | None:
    """The bound that a condition is, if it is one."""
    if not isinstance(test, ir.Compare) or test.op not in BOUNDS:
        return None
    left, right = _total(test.left, whole, member), _total(test.right, whole, member)
    if left is None or right is None or (left.each is None and right.each is None):
        return None
    op, shift = BOUNDS[test.op]
    difference = _sum(left, _scaled(right, -1))
    assert difference.each is not None
    amount = ir.Arith("-", ir.Const(shift), difference.known)
    return ir.Bound(op, amount, difference.each)


def _total(e: ir.Expr, whole: int, member: ir.Temp) -> Total | None:
    """A number as a total over the answer, if it is one."""
    if whole not in free(e):
        return Total(e, None)
    match e:
        case ir.Arith("+" | "-" as op, a, b):
            left, right = _total(a, whole, member), _total(b, whole, member)
            if left is None or right is None:
                return None
            return _sum(left, right if op == "+" else _scaled(right, -1))
        case ir.Arith("*", ir.Const(factor), other) | ir.Arith("*", other, ir.Const(factor)):
            found = _total(other, whole, member)
            return None if found is None else _scaled(found, factor)
        case ir.Linear(const, terms):
            parts = [_total(term, whole, member) for term, _ in terms]
            if any(part is None for part in parts):
                return None
            scaled = [_scaled(part, by) for part, (_, by) in zip(parts, terms, strict=True) if part is not None]
            return reduce(_sum, scaled, Total(ir.Const(const), None))
        case ir.Size("set", ir.Temp(slot)) if slot == whole:
            return Total(ZERO, ONE)
        case ir.Fold("sum" | "count", ((slot, ir.Domain("set", ir.Temp(among))),)) if among == whole:
            return _folded(e, slot, whole, member)
    return None


def _folded(e: ir.Fold, slot: int, whole: int, member: ir.Temp) -> Total | None:
    """What a fold over the members adds for each of them."""
    if whole in free((e.where, e.body)):
        return None
    value: ir.Expr = ONE
    if e.kind == "sum":
        value = ir.Temp(slot) if e.body is None else e.body
    if e.where is not None:
        value = ir.If(e.where, value, ZERO)
    return Total(ZERO, ir.Let(slot, member, value) if slot != member.slot else value)


def _sum(a: Total, b: Total) -> Total:
    each = b.each if a.each is None else a.each if b.each is None else ir.Arith("+", a.each, b.each)
    return Total(ir.Arith("+", a.known, b.known), each)


def _scaled(a: Total, by: int) -> Total:
    each = None if a.each is None else ir.Arith("*", ir.Const(by), a.each)
    return Total(ir.Arith("*", ir.Const(by), a.known), each)
