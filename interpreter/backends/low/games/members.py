"""The members of a domain that pass tests, as words of a set: without a loop where the domain is a small constant.

There the test of each member becomes its bit, so that nothing depends on what a processor guesses.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from interpreter.backends.analysis.playout_graph import GameGraph
from interpreter.backends.analysis.substitute import replace_node
from interpreter.backends.low.base.context import Lowering, Words
from interpreter.backends.low.base.kinds import Members, Number, Unsupported
from interpreter.backends.low.base.make import ZERO, shifted, union
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op
from interpreter.backends.low.values.loops import Pass
from interpreter.backends.low.values.narrowing import flattened, narrowed, when_all
from interpreter.backends.low.values.ranges import domain_kind, number_kind
from interpreter.backends.low.values.sets import clear, put, words_of
from interpreter.core.words import members

MOST_UNROLLED = 16  # members that are tested one by one
MOST_PARTS = 2  # words of a set of answers


def filtered(slot: int, domain: ir.Domain, tests: Sequence[ir.Expr]) -> tuple[ir.Domain, tuple[ir.Expr, ...]]:
    """A domain and its tests, where one that is a set of members that pass a test is that test besides."""
    found = flattened(tests)
    while domain.kind == "set":
        match domain.a:
            case ir.Fold("set", ((inner, of),), where, (), body) if body in (None, ir.Temp(inner)) and of.kind == "set":
                passed = () if where is None else (replace_node(where, ir.Temp(inner), ir.Temp(slot)),)
                domain, found = of, (*flattened(passed), *found)
            case _:
                break
    return domain, found


def members_that_pass(
    lo: Lowering, graph: GameGraph, slot: int, domain: ir.Domain, tests: Sequence[ir.Expr]
) -> tuple[Words, Members]:
    """The members of a domain of a set that pass tests. Raises Unsupported for what is no small set."""
    if domain.kind == "list":
        raise Unsupported("answers from a list")
    domain, tests = filtered(slot, domain, tests)
    kind = domain_kind(lo, domain)
    if not isinstance(kind, Number) or kind.low < 0 or kind.high >> 6 >= MOST_PARTS:
        raise Unsupported("answers that are no small set")
    own = Members(kind.low, kind.high)
    if not tests and domain.kind == "set":
        return {w: lo.w.let(e) for w, e in lo.members(domain.a).items()}, own
    match domain:
        case ir.Domain("set", ir.Const(int() as mask)) if mask.bit_count() <= MOST_UNROLLED:
            return _one_by_one(lo, graph, slot, mask, tests), own
    held = clear(lo, lo.empty(own))
    walk = narrowed(lo, slot, domain, tests)

    def one(p: Pass) -> None:
        member = p.member.kind
        assert isinstance(member, Number)
        with lo.also({slot: p.member}):
            when_all(lo, walk.tests, lambda: put(lo, held, Local(p.member.names[0]), member, False))

    walk.go(one)
    return words_of(held), own


def _one_by_one(lo: Lowering, graph: GameGraph, slot: int, mask: int, tests: Sequence[ir.Expr]) -> Words:
    found: dict[int, Expr | None] = {}
    every = members(mask)
    lo.passes(Num(len(every)))
    for v in every:
        held: Expr | None = None
        for test in tests:
            known = graph.specialiser.expr(test, {}, {slot: v})
            holds = truth(lo, known)
            held = holds if held is None else Op("&", held, holds)
        bit = shifted(held if held is not None else Num(1), v & 63)
        found[v >> 6] = union(found.get(v >> 6), bit)
    return {w: lo.w.let(e) for w, e in found.items() if e is not None and e != ZERO}


def truth(lo: Lowering, test: ir.Expr) -> Expr:
    """A test as 0 or 1."""
    value = lo.number(test)
    if number_kind(lo, test) == Number(0, 1):
        return value
    return Num(int(value.value != 0)) if isinstance(value, Num) else Op("!=", value, ZERO)
