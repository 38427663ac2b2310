"""Folds over a few constant members without branches: each member's test is a bit, and only those that pass the plain
tests are gone through for the others.
"""

from __future__ import annotations

from dataclasses import replace

from dsl import ir
from interpreter.backends.low.base.context import Lowering, NumberMaker, SetMaker, Words
from interpreter.backends.low.base.kinds import Number, as_members
from interpreter.backends.low.base.make import ONE, ZERO, add
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local
from interpreter.backends.low.games.plain import MOST_UNROLLED, Plain, tests_of
from interpreter.backends.low.values.loops import Pass, each_member
from interpreter.backends.low.values.narrowing import when_all
from interpreter.backends.low.values.ranges import domain_kind
from interpreter.backends.low.values.sets import clear, put, words_of

BITS = 64  # members of a word


class Unrolled:
    def __init__(self, plain: Plain) -> None:
        self.plain = plain

    def number(self, make: NumberMaker) -> NumberMaker:
        """A maker of numbers that tries this for folds first."""

        def found(lo: Lowering, e: ir.Fold) -> Expr:
            known = self._number(lo, e) if _is_small(e) else None
            return make(lo, e) if known is None else known

        return found

    def members(self, make: SetMaker) -> SetMaker:
        """A maker of sets that tries this for folds first."""

        def found(lo: Lowering, e: ir.Fold) -> Words:
            known = self._members(lo, e) if _is_small(e) else None
            return make(lo, e) if known is None else known

        return found

    def _number(self, lo: Lowering, e: ir.Fold) -> Expr | None:
        if e.kind in ("any", "every") or (e.kind == "count" and e.body is None):
            whole = self.plain.truth(lo, e) if e.kind != "count" else self.plain.bits(lo, e)
            if whole is not None:
                return lo.w.let(whole if e.kind != "count" else low.Ones(whole))
        if e.kind not in ("any", "count") or (e.kind == "count" and e.body is not None):
            return None
        split = self._split(lo, e)
        if split is None:
            return None
        bits, rest = split
        found = lo.w.fresh(e.kind)
        lo.w.set(found, ZERO)

        def one(p: Pass) -> None:
            def count_it() -> None:
                lo.w.set(found, add(Local(found), 1) if e.kind == "count" else ONE)
                if e.kind == "any":
                    lo.w.leave(p.leave)

            with lo.also({e.binders[0][0]: p.member}):
                when_all(lo, rest, count_it)

        each_member(lo, {0: bits}, domain_kind(lo, e.binders[0][1]), one)
        return Local(found)

    def _members(self, lo: Lowering, e: ir.Fold) -> Words | None:
        slot = e.binders[0][0]
        if e.kind != "set" or e.body not in (None, ir.Temp(slot)):
            return None
        whole = self.plain.bits(lo, e)
        if whole is not None:
            return {0: lo.w.let(whole)}
        split = self._split(lo, e)
        if split is None:
            return None
        held = clear(lo, lo.empty(as_members(lo.kind(e))))

        def one(p: Pass) -> None:
            member = p.member.kind
            assert isinstance(member, Number)
            with lo.also({slot: p.member}):
                when_all(lo, split[1], lambda: put(lo, held, Local(p.member.names[0]), member, False))

        each_member(lo, {0: split[0]}, domain_kind(lo, e.binders[0][1]), one)
        return words_of(held)

    def _split(self, lo: Lowering, e: ir.Fold) -> tuple[Expr, tuple[ir.Expr, ...]] | None:
        """The members that pass the plain tests in front, as bits, and the tests that are left; None: there are none in
        front."""
        tests = tuple(one for test in tests_of(e) for one in self.plain.specialiser.conjuncts(test))
        first = replace(e, kind="set", where=tests[0], body=None) if len(tests) > 1 else None
        bits = self.plain.bits(lo, first) if first is not None else None
        return None if bits is None else (lo.w.let(bits), tests[1:])


def _is_small(e: ir.Fold) -> bool:
    match e.binders:
        case ((_, ir.Domain("set", ir.Const(int() as mask))),):
            return mask.bit_count() <= MOST_UNROLLED and mask >> BITS == 0
    return False
