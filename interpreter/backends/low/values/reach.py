"""Reachable nodes: a flood over sets in variables; with one price for every step, so many rings of it; with prices that
differ, a search over what is left of the budgets; the nearest goals, and how far away they are, by rings until one of
them is met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dsl import ir
from dsl.base.types import INT_HIGH
from interpreter.backends.low.base.context import Held, Lowering, Words
from interpreter.backends.low.base.kinds import Members, Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, inverted, scale, union
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Local, Num, Op, Reason
from interpreter.backends.low.values.loops import Pass, each_member, take_lowest
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.ranges import node_kind, number_kind, set_kind
from interpreter.backends.low.values.sets import clear, put, words_of

MOST_WAYS = 4096  # of one search
BEFORE, FIRST = 1, 2  # of a way: the way before it to the same node; then what is left of each budget


def members(lo: Lowering, e: ir.Reach) -> Words:
    if e.gives == "nearest":
        return _nearest(lo, e)[1]
    if not e.costs:
        return _flood(lo, e)
    one_price = len(e.costs) == 1 and isinstance(e.costs[0][0], ir.Const)
    return _rings(lo, e) if one_price else _within_budgets(lo, e)


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


# ------------------------------------------------------------ prices that differ


class _Ways(NamedTuple):
    """What is left of the budgets on the ways found so far: the rows of ways, how many there are, and for each node
    the last of its rows, of which each names the one before it."""

    rows: low.Expr
    found: str
    heads: low.Expr
    lowest: int
    budgets: int

    @property
    def size(self) -> int:
        return FIRST + self.budgets

    def head(self, node: low.Expr) -> low.Expr:
        return add(self.heads, add(node, -self.lowest))


def _within_budgets(lo: Lowering, e: ir.Reach) -> Words:
    """A search over what is left of the budgets; a way that is no better than another to the same node is dropped."""
    w, kind = lo.w, node_kind(lo, e)
    seen = lo.hold_words(kind, lo.members(e.start))
    budgets = [w.let(keep_within(lo, lo.number(b), number_kind(lo, b), (-INT_HIGH, INT_HIGH))) for _, b in e.costs]
    pays: low.Expr = ONE
    for budget in budgets:
        pays = both(pays, Op(">=", budget, ZERO))

    def search() -> None:
        nodes = kind.high - kind.low + 1
        ways = _Ways(
            lo.take(MOST_WAYS * (FIRST + len(budgets))), w.fresh("ways"), lo.take(nodes), kind.low, len(budgets)
        )
        w.emit(low.Clear(ways.heads, Num(nodes)))
        w.set(ways.found, ZERO)
        start = words_of(lo.hold_words(kind, words_of(seen)))
        each_member(
            lo, start, Number(kind.low, kind.high), lambda p: _add_way(lo, ways, Local(p.member.names[0]), budgets)
        )
        n = w.fresh("n")
        w.set(n, ZERO)

        def one(label: str) -> None:
            w.leave_if(Op(">=", Local(n), Local(ways.found)), label)
            way = w.let(add(scale(Local(n), ways.size), ways.rows), "way")
            w.set(n, add(Local(n), 1))
            left = [low.Load(way, FIRST + k) for k in range(ways.budgets)]
            w.when(low.Not(_is_surpassed(lo, ways, low.Load(way), left, way)), lambda: _further(lo, e, ways, way, seen))

        w.loop(one)

    if kind.words:
        with lo.cut_back():
            w.when(pays, search)
    return words_of(seen)


def _further(lo: Lowering, e: ir.Reach, ways: _Ways, way: low.Expr, seen: Held) -> None:
    """The open steps on from the end of a way which its budgets pay for."""
    w = lo.w
    x = w.fresh("node")
    w.set(x, low.Load(way))
    assert isinstance(seen.kind, Members)
    node = Held(Number(seen.kind.low, seen.kind.high), (x,))

    def visit(p: Pass) -> None:
        assert isinstance(p.member.kind, Number)
        y, kind = Local(p.member.names[0]), p.member.kind

        def step() -> None:
            rest = []
            pays: low.Expr = ONE
            for k, (cost, _) in enumerate(e.costs):
                price = w.let(keep_within(lo, lo.number(cost), number_kind(lo, cost), (0, INT_HIGH)))
                rest.append(w.let(Op("-", low.Load(way, FIRST + k), price)))
                pays = both(pays, Op(">=", rest[-1], ZERO))

            def arrive() -> None:
                def take() -> None:
                    put(lo, seen, y, kind, False)
                    _add_way(lo, ways, y, rest)

                w.when(low.Not(_is_surpassed(lo, ways, y, rest, ZERO)), take)

            w.when(pays, arrive)

        with lo.also({e.y: p.member}):
            if e.where is None:
                step()
            else:
                w.when(lo.number(e.where), step)

    with lo.also({e.x: node}), lo.cut_back():
        next_kind = set_kind(lo, e.next)
        following = words_of(lo.hold_words(next_kind, lo.members(e.next)))
        each_member(lo, following, Number(next_kind.low, max(next_kind.low, next_kind.high)), visit)


def _is_surpassed(lo: Lowering, ways: _Ways, node: low.Expr, left: Sequence[low.Expr], own: low.Expr) -> low.Expr:
    """Whether another way to a node leaves no less of any budget; `own` is the way that is looked at."""
    w = lo.w
    found, other = w.fresh("surpassed"), w.fresh("other")
    w.set(found, ZERO)
    w.set(other, low.Load(ways.head(node)))

    def one(label: str) -> None:
        w.leave_if(low.Either(Local(found), low.Not(Local(other))), label)
        better: low.Expr = Op("!=", Local(other), own)
        for k, have in enumerate(left):
            better = both(better, Op(">=", low.Load(Local(other), FIRST + k), have))
        w.set(found, better)
        w.set(other, low.Load(Local(other), BEFORE))

    w.loop(one)
    return Local(found)


def _add_way(lo: Lowering, ways: _Ways, node: low.Expr, left: Sequence[low.Expr]) -> None:
    w = lo.w
    w.trap_if(Op(">=", Local(ways.found), Num(MOST_WAYS)), Reason.ROOM)
    way = w.let(add(scale(Local(ways.found), ways.size), ways.rows), "way")
    w.store(way, 0, node)
    w.store(way, BEFORE, low.Load(ways.head(node)))
    for k, have in enumerate(left):
        w.store(way, FIRST + k, have)
    w.store(ways.head(node), 0, way)
    w.set(ways.found, add(Local(ways.found), 1))


# ------------------------------------------------------------ rings


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
