"""Going through the members of a domain that pass tests, where the first tests say which members those are.

`x in S` leaves the members of both sets, and `x is e` one of them at most. So loops over all things of a kind, most of
which are somewhere else, become short. They count as many passes as if all were gone through.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from dsl import ir
from dsl.ir.walk import free
from interpreter.backends.low.base.context import Held, Lowering
from interpreter.backends.low.base.kinds import MembersKind, Number
from interpreter.backends.low.base.make import both
from interpreter.backends.low.form.nodes import Expr, Num, Op
from interpreter.backends.low.values.loops import Pass, Work, each
from interpreter.backends.low.values.ranges import number_kind, set_kind
from interpreter.backends.low.values.sets import is_member
from interpreter.backends.low.values.wide import wide_type


class DomainWalk(NamedTuple):
    """A walk through the members of a domain, and the tests that are left for each."""

    go: Callable[[Work], None]
    tests: tuple[ir.Expr, ...]


def narrowed(
    lo: Lowering,
    slot: int,
    domain: ir.Domain,
    tests: Sequence[ir.Expr],
    through: Callable[[Lowering, ir.Domain, Work], None] = each,
) -> DomainWalk:
    """The walk through a domain whose members a temp holds, with what its first tests say."""
    left = flattened(tests)
    if domain.kind != "set" or not isinstance(domain.a, ir.Const) or not domain.a.value or domain.a.value & 1:
        return DomainWalk(lambda work: through(lo, domain, work), left)
    found: ir.Expr = domain.a
    while left and (among := _set_of(lo, slot, left[0])) is not None:
        found, left = ir.Arith("&", found, among), left[1:]
    size = domain.a.value.bit_count()
    if found is domain.a:
        value = _value_of(lo, slot, left[0]) if left else None
        if value is None:
            return DomainWalk(lambda work: each(lo, domain, work), left)
        mask = domain.a
        return DomainWalk(lambda work: _only(lo, mask, value, work), left[1:])

    def go(work: Work) -> None:
        lo.passes(Num(size))
        each(lo, ir.Domain("set", found), work)

    return DomainWalk(go, left)


def flattened(tests: Sequence[ir.Expr]) -> tuple[ir.Expr, ...]:
    """The tests, those of an `and` one by one."""
    found: list[ir.Expr] = []
    for test in tests:
        found += flattened(test.items) if isinstance(test, ir.And) else (test,)
    return tuple(found)


def _is_plain(lo: Lowering, slot: int, e: ir.Expr) -> bool:
    """True for a value that is the same for all members, and no demand."""
    return slot not in free(e) and not lo.trials.may_fail(e)


def _set_of(lo: Lowering, slot: int, test: ir.Expr) -> ir.Expr | None:
    """The set in which a member has to be."""
    match test:
        case ir.InSet(ir.Temp(own), among) if own == slot and _is_plain(lo, slot, among):
            return among if isinstance(lo.kind(among), MembersKind) and wide_type(among) is None else None
    return None


def _value_of(lo: Lowering, slot: int, test: ir.Expr) -> ir.Expr | None:
    """The number that a member has to be."""
    match test:
        case ir.Compare("==", ir.Temp(own), value) | ir.Compare("==", value, ir.Temp(own)):
            if own == slot and _is_plain(lo, slot, value) and isinstance(lo.kind(value), Number):
                return value
    return None


def _only(lo: Lowering, mask: ir.Const, value: ir.Expr, work: Work) -> None:
    """Do `work` for a number if it is a member of a constant set."""
    kind, w = set_kind(lo, mask), lo.w
    own = number_kind(lo, value)
    lo.passes(Num(mask.value.bit_count()))
    number = w.let(lo.number(value), "v")
    name = w.fresh("v")
    w.set(name, number)

    def one() -> None:
        w.block(lambda leave: _pass(lo, Held(Number(kind.low, kind.high), (name,)), leave, work))

    w.when(_belongs(lo, mask, number, own), one)


def _pass(lo: Lowering, member: Held, leave: str, work: Work) -> None:
    with lo.cut_back():
        work(Pass(member, leave, leave))


def _belongs(lo: Lowering, mask: ir.Const, number: Expr, own: Number) -> Expr:
    kind = set_kind(lo, mask)
    inside = both(Op(">=", number, Num(kind.low)), Op("<=", number, Num(kind.high)))
    if mask.value.bit_count() == kind.high - kind.low + 1:
        return inside
    return both(inside, is_member(lo.members(mask), number, Number(max(own.low, kind.low), min(own.high, kind.high))))


def when_all(lo: Lowering, tests: Sequence[ir.Expr], work: Callable[[], None]) -> None:
    """Do `work` if all tests hold; each is worked out only if those before it hold."""
    if not tests:
        work()
        return
    lo.w.when(lo.number(tests[0]), lambda: when_all(lo, tests[1:], work))
