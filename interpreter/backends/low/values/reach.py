"""Reachable nodes: a flood over sets in variables; with one price for every step, so many rings of it; the nearest
goals, and how far away they are, by rings until one of them is met."""

from __future__ import annotations

from dsl import ir
from interpreter.backends.low.base.context import Held, Lowering, Words
from interpreter.backends.low.base.kinds import Members, Number, Unsupported
from interpreter.backends.low.base.make import ZERO, inverted, union
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Local, Op, Reason
from interpreter.backends.low.values.loops import Pass, each_member, take_lowest
from interpreter.backends.low.values.ranges import node_kind, number_kind, set_kind
from interpreter.backends.low.values.sets import clear, put, words_of


def members(lo: Lowering, e: ir.Reach) -> Words:
    if e.gives == "nearest":
        return _nearest(lo, e)[1]
    if not e.costs:
        return _flood(lo, e)
    if len(e.costs) == 1 and not isinstance(e.costs[0][0], ir.Const):
        raise Unsupported("Reach with prices that differ")
    if len(e.costs) > 1:
        raise Unsupported("Reach with several prices")
    return _rings(lo, e)


def _flood(lo: Lowering, e: ir.Reach) -> Words:
    kind = node_kind(lo, e)
    seen = lo.hold_words(kind, lo.members(e.start))
    waiting = lo.hold_words(kind, words_of(seen))
    _from_all(lo, e, kind, seen, waiting, waiting)
    return words_of(seen)


def _from_all(lo: Lowering, e: ir.Reach, kind: Members, seen: Held, edge: Held, reached: Held) -> None:
    """The steps from every node of the edge, until none is left there; what they reach may be put into the edge."""
    x = lo.w.fresh("node")
    node = Held(Number(kind.low, max(kind.low, kind.high)), (x,))

    def one(label: str) -> None:
        take_lowest(lo, edge, x, label)
        with lo.also({e.x: node}), lo.cut_back():
            _steps(lo, e, seen, reached)

    lo.w.loop(one)


def _steps(lo: Lowering, e: ir.Reach, seen: Held, reached: Held) -> None:
    """The open steps from a node to such as are not seen; they are seen then, and reached."""
    following = lo.members(e.next)
    known = words_of(seen)
    fresh = {w: Op("&", part, inverted(known[w])) if w in known else part for w, part in following.items()}

    def visit(p: Pass) -> None:
        assert isinstance(p.member.kind, Number)
        kind, y = p.member.kind, Local(p.member.names[0])

        def take() -> None:
            put(lo, seen, y, kind, False)
            put(lo, reached, y, kind, False)

        with lo.also({e.y: p.member}):
            if e.where is None:
                take()
            else:
                lo.w.when(lo.number(e.where), take)

    next_kind = set_kind(lo, e.next)
    each_member(lo, fresh, Number(next_kind.low, max(next_kind.low, next_kind.high)), visit)


def _rings(lo: Lowering, e: ir.Reach) -> Words:
    """As many rings as the budget pays for. A budget below 0 leaves the start; a price of 0 or less is given up."""
    (cost, budget), kind = e.costs[0], node_kind(lo, e)
    assert isinstance(cost, ir.Const)
    left = lo.w.fresh("left")
    number_kind(lo, budget)
    lo.w.set(left, lo.number(budget))
    seen = lo.hold_words(kind, lo.members(e.start))
    edge = lo.hold_words(kind, words_of(seen))
    if cost.value <= 0:
        lo.w.trap(Reason.RANGE)

    def ring(label: str) -> None:
        lo.w.set(left, Op("-", Local(left), low.Num(cost.value)))
        lo.w.leave_if(low.Either(Op("<", Local(left), ZERO), Op("==", _some(words_of(edge)), ZERO)), label)
        _next_ring(lo, e, kind, seen, edge)

    lo.w.loop(ring)
    return words_of(seen)


def _next_ring(lo: Lowering, e: ir.Reach, kind: Members, seen: Held, edge: Held) -> None:
    """One step on from the nodes of the outermost ring: those that it reaches are the outermost ring then."""
    found = clear(lo, lo.empty(kind))
    _from_all(lo, e, kind, seen, edge, found)
    for name, part in zip(edge.names, words_of(found).values(), strict=True):
        lo.w.set(name, part)


def length(lo: Lowering, e: ir.Reach) -> low.Expr:
    """The length of a shortest way to a goal, or what stands for none."""
    if e.gives != "distance":
        raise Unsupported("a set where a number is needed")
    steps, goals = _nearest(lo, e)
    answer = lo.w.fresh("length")
    lo.w.set(answer, low.Num(e.empty))
    lo.w.when(Op("!=", _some(goals), ZERO), lambda: lo.w.set(answer, steps))
    return Local(answer)


def _nearest(lo: Lowering, e: ir.Reach) -> tuple[low.Expr, Words]:
    """The number of rings up to the nearest goals, and these; none if no way leads to a goal."""
    if e.costs:
        raise Unsupported(f"Reach `{e.gives}` with prices")
    assert e.to is not None
    kind = node_kind(lo, e)
    seen = lo.hold_words(kind, lo.members(e.start))
    edge = lo.hold_words(kind, words_of(seen))
    known = words_of(edge)
    goals = words_of(lo.hold_words(set_kind(lo, e.to), lo.members(e.to)))
    met: Words = {w: Op("&", known[w], part) for w, part in goals.items() if w in known}
    steps = lo.w.fresh("steps")
    lo.w.set(steps, ZERO)

    def ring(label: str) -> None:
        lo.w.leave_if(low.Either(Op("!=", _some(met), ZERO), Op("==", _some(known), ZERO)), label)
        lo.w.set(steps, Op("+", Local(steps), low.Num(1)))
        _next_ring(lo, e, kind, seen, edge)

    lo.w.loop(ring)
    return Local(steps), met


def _some(words: Words) -> low.Expr:
    """Other than 0 if the set has members."""
    found: low.Expr = ZERO
    for part in words.values():
        found = union(found, part)
    return found
