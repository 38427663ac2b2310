"""Conditions without branches, worked out in full: what can neither fail nor change anything, and is short.

A processor guesses at each branch, and a random game makes its guesses wrong; a dozen loads and comparisons cost less
than one wrong guess. Addresses are certainly inside the store, so nothing is read that a test in front should have
kept away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import ir
from interpreter.backends.analysis.specialise import Specialiser
from interpreter.backends.low.base.context import Bound, Held, Later, Lowering
from interpreter.backends.low.base.kinds import Number, Unsupported, kind_of, within
from interpreter.backends.low.base.make import ONE, ZERO, add, num, scale
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.games.variables import key
from interpreter.backends.low.values.functions import is_written_out
from interpreter.backends.low.values.narrowing import flattened
from interpreter.backends.low.values.numbers import compared
from interpreter.backends.low.values.ranges import number_kind
from interpreter.core.words import members

MOST_NODES = 250  # of a condition
MOST_UNROLLED = 16  # members that are tested one by one
KNOWN = (ir.ListOp, ir.MapItem, ir.ListItem, ir.Size, ir.TableGet)  # which may lie in a table


class NotPlain(Exception):
    """A part that may branch, fail, or take long."""


class Plain:
    """Writes such conditions; `left`: the nodes that may still be written of the current one."""

    def __init__(self, specialiser: Specialiser) -> None:
        self.specialiser = specialiser
        self.left = 0
        self.deep = False

    def truth(self, lo: Lowering, e: ir.Expr) -> Expr | None:
        """A condition as 0 or 1; None: it is not plain. What is written for it only sets variables."""
        return self._whole(lo, lambda: self._truth(lo, e))

    def bits(self, lo: Lowering, e: ir.Fold) -> Expr | None:
        """The members of a constant domain of few that pass the test of a fold, as bits; None: it is not plain."""
        return self._whole(lo, lambda: self._bits(lo, e))

    def _whole(self, lo: Lowering, work: Callable[[], Expr]) -> Expr | None:
        self.left, deep = (self.left, True) if self.deep else (MOST_NODES, False)
        self.deep = True
        try:
            with lo.w.inside() as written:
                found = work()
        except (NotPlain, Unsupported):
            return None
        finally:
            self.deep = deep
        lo.w.out += written
        return found

    # ------------------------------------------------------------ truth

    def _truth(self, lo: Lowering, e: ir.Expr) -> Expr:
        match e:
            case ir.Not(operand):
                inner = self._truth(lo, operand)
                return Num(int(not inner.value)) if isinstance(inner, Num) else low.Not(inner)
            case ir.And(items):
                return _all([self._truth(lo, item) for item in items])
            case ir.Or(items):
                found: Expr = ZERO
                for item in items:
                    found = _either(found, self._truth(lo, item))
                return found
        value = self._number(lo, e)
        if number_kind(lo, e) == Number(0, 1):
            return value
        return compared("!=", value, ZERO)

    def _bits(self, lo: Lowering, e: ir.Fold) -> Expr:
        found: Expr = ZERO
        rows = unrolled(self.specialiser, e)
        for v, tests in rows:
            found = _either(found, _shifted(_all([self._truth(lo, test) for test in tests]), v))
        lo.passes(Num(len(rows)))
        return found

    def _fold(self, lo: Lowering, e: ir.Fold) -> Expr:
        if e.kind == "count" and e.body is None:
            return low.Ones(self._bits(lo, e))
        if e.kind != "any" and (e.kind != "every" or e.where is not None):
            raise NotPlain
        parts = [_all([self._truth(lo, t) for t in tests]) for _, tests in unrolled(self.specialiser, e)]
        lo.passes(Num(len(parts)))
        if e.kind == "every":
            return _all(parts)
        found: Expr = ZERO
        for part in parts:
            found = _either(found, part)
        return found

    # ------------------------------------------------------------ numbers

    def _number(self, lo: Lowering, e: ir.Expr) -> Expr:
        self.left -= 1
        if self.left < 0:
            raise NotPlain
        match e:
            case ir.Const(int() as value):
                return num(value)
            case ir.Temp(slot) | ir.Force(slot):
                return self._bound(lo, lo.bound.get(slot))
            case ir.FrameVar(slot):
                return self._bound(lo, lo.bound.get(key(slot)))
            case ir.Cell(address):
                return self._cell(lo, address)
            case ir.Linear(const, terms):
                total: Expr = ZERO
                for term, by in terms:
                    total = add(total, scale(self._number(lo, term), by))
                return add(total, const)
            case ir.Compare(op, left, right):
                number_kind(lo, left), number_kind(lo, right)
                return compared(op, self._number(lo, left), self._number(lo, right))
            case ir.Not() | ir.And() | ir.Or():
                return self._truth(lo, e)
            case ir.If(ir.Compare() as test, ir.Const(int() as then), ir.Const(int() as orelse)):
                holds = self._truth(lo, test)
                if isinstance(holds, Num):
                    return num(then if holds.value else orelse)
                return low.Choice(holds, num(then), num(orelse))
            case ir.Fold():
                return self._fold(lo, e)
            case ir.CallFn():
                return self._call(lo, e)
        if isinstance(e, KNOWN):
            with lo.w.inside() as written:
                found = lo.number(e)
            if not written and isinstance(found, low.Load | Num | Local):
                return found
        raise NotPlain

    def _bound(self, lo: Lowering, found: Bound | None) -> Expr:
        if isinstance(found, Held) and isinstance(found.kind, Number) and found.names:
            return Local(found.names[0])
        if isinstance(found, Later):
            with lo.binding(found.bound):
                return self._number(lo, found.value)
        raise NotPlain

    def _cell(self, lo: Lowering, address: ir.Expr) -> Expr:
        if not within(number_kind(lo, address), 0, lo.memory.top - 1):
            raise NotPlain
        place = self._number(lo, address)
        match place:
            case Num(value):
                return low.Load(ZERO, value)
            case Op("+", Local() as base, Num(value)) if isinstance(address, ir.Linear) and value >= 0:
                if number_kind(lo, ir.Linear(0, address.terms)).low >= 0:
                    return low.Load(base, value)
        return low.Load(place)

    def _call(self, lo: Lowering, e: ir.CallFn) -> Expr:
        """A function that is written out; its arguments certainly are of their types."""
        fn = lo.program.functions[e.fn]
        result = kind_of(fn.result)
        if not is_written_out(lo, e.fn) or not isinstance(result, Number):
            raise NotPlain
        given: dict[int, Bound] = {}
        for slot, (arg, (_, t)) in enumerate(zip(e.args, fn.params, strict=True)):
            have, kind = lo.kind(arg), kind_of(t)
            if not isinstance(have, Number) or not isinstance(kind, Number) or not within(have, kind.low, kind.high):
                raise NotPlain
            value = lo.w.let(self._number(lo, arg))
            given[slot] = Later(ir.Const(value.value), {}) if isinstance(value, Num) else Held(have, _names(value))
        with lo.binding(given):
            if not within(number_kind(lo, fn.body), result.low, result.high):
                raise NotPlain
            return self._number(lo, fn.body)


def _names(value: Expr) -> tuple[str, ...]:
    assert isinstance(value, Local)
    return (value.name,)


def unrolled(specialiser: Specialiser, e: ir.Fold) -> list[tuple[int, tuple[ir.Expr, ...]]]:
    """The members of the domain of a fold, each with its tests. Raises NotPlain for what are not a few constants."""
    match e.binders:
        case ((slot, ir.Domain("set", ir.Const(int() as mask))),) if 0 <= mask.bit_count() <= MOST_UNROLLED:
            pass
        case _:
            raise NotPlain
    found: list[tuple[int, tuple[ir.Expr, ...]]] = []
    for v in members(mask):
        tests: list[Any] = [specialiser.expr(test, {}, {slot: v}) for test in tests_of(e)]
        found.append((v, tuple(tests)))
    return found


def tests_of(e: ir.Fold) -> tuple[ir.Expr, ...]:
    """The tests that a member must pass to count; of `every`, those that each must pass."""
    parts = [] if e.where is None else [e.where]
    if e.kind in ("any", "every") and e.body is not None:
        parts.append(e.body)
    return flattened(parts)


def _both(left: Expr, right: Expr) -> Expr:
    if isinstance(left, Num):
        return right if left.value else ZERO
    if isinstance(right, Num):
        return left if right.value else ZERO
    return Op("&", left, right)


def _all(parts: Sequence[Expr]) -> Expr:
    found: Expr = ONE
    for part in parts:
        found = _both(found, part)
    return found


def _either(left: Expr, right: Expr) -> Expr:
    """The bits of one or the other; of 0 and 1, a test that one is 1."""
    if left == ZERO:
        return right
    return left if right == ZERO else Op("|", left, right)


def _shifted(holds: Expr, by: int) -> Expr:
    if isinstance(holds, Num):
        return num(holds.value << (by & 63))
    return Op("<<", holds, Num(by & 63))
