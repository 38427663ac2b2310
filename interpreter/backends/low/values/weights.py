"""Draws by weight: each member of a set as likely as its weight says, as `interpreter.semantics.chance` has it."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.base.types import INT_HIGH, bounds
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.kinds import Dense, Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, WordsAt, add, load
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.values.loops import Pass, each_member
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.ranges import set_kind
from interpreter.backends.low.values.sets import some, words_of

MOST_WEIGHT = INT_HIGH  # of all members together


class Weighed:
    """The members of a draw and their weights, worked out where this is made."""

    def __init__(self, lo: Lowering, i: ir.Chance) -> None:
        assert i.weights is not None and i.type is not None
        self.lo, self.first = lo, bounds(i.type)
        kind, sets = lo.kind(i.weights), set_kind(lo, i.a)
        if not isinstance(kind, Dense) or not isinstance(kind.item, Number):
            raise Unsupported("weights that are no numbers")
        self.row = lo.w.let(lo.row(i.weights))
        self.words = words_of(lo.hold_words(sets, lo.members(i.a)))
        self.member = Number(sets.low, max(sets.low, sets.high))
        self.count, self.total = lo.w.fresh("possible"), lo.w.fresh("total")  # members with a weight, and its sum

    def each(self, work: Callable[[Expr, Expr, str], None]) -> None:
        """Do `work` for each member that can come, with its weight and the label that ends the loop."""
        w, lowest = self.lo.w, self.first[0]

        def one(p: Pass) -> None:
            member = keep_within(self.lo, Local(p.member.names[0]), self.member, self.first)
            weight = w.let(load(WordsAt(add(self.row, member), -lowest)), "weight")
            w.trap_if(Op("<", weight, ZERO), Reason.FAULT)
            w.when(weight, lambda: work(member, weight, p.leave))

        each_member(self.lo, self.words, self.member, one)

    def add_up(self, empty: Callable[[], None]) -> None:
        """Count the members that can come, and add up their weights; a fault where no member has a weight."""
        w = self.lo.w
        for name in (self.count, self.total):
            w.set(name, ZERO)

        def one(_: Expr, weight: Expr, label: str) -> None:
            w.set(self.count, add(Local(self.count), ONE))
            w.set(self.total, add(Local(self.total), weight))

        self.each(one)
        self._when_there_is_none(empty)
        w.trap_if(Op(">", Local(self.total), Num(MOST_WEIGHT)), Reason.RANGE)

    def _when_there_is_none(self, empty: Callable[[], None]) -> None:
        w = self.lo.w
        w.when(low.Not(some(self.words)), empty)
        w.trap_if(low.Not(Local(self.count)), Reason.FAULT)

    def draw(self, below: Callable[[Expr], Expr]) -> Expr:
        """Draw one; `below` gives a random number below another."""
        w, found, left = self.lo.w, self.lo.w.fresh("drawn"), self.lo.w.fresh("left")
        w.set(left, below(Local(self.total)))
        w.set(found, Num(self.member.low))  # a set that is certainly empty has no passes

        def one(member: Expr, weight: Expr, label: str) -> None:
            w.set(left, Op("-", Local(left), weight))

            def take() -> None:
                w.set(found, member)
                w.leave(label)

            w.when(Op("<", Local(left), ZERO), take)

        self.each(one)
        return Local(found)

    def forget(self, forget_one: Callable[[Lowering, Expr], None]) -> None:
        """Let whoever does not see the zones of these things forget that they are there, where several could come."""
        if self.lo.program.known_base:
            several = Op(">", Local(self.count), ONE)
            self.lo.w.when(several, lambda: self.each(lambda member, weight, label: forget_one(self.lo, member)))
