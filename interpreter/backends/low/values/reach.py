"""Reachable nodes: a walk in which they wait in a row, ring by ring; with prices that differ, a search over what is
left of the budgets; the nearest goals, and how far away they are, by rings until one of them is met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from dsl import ir
from dsl.base.types import INT_HIGH
from interpreter.backends.low.base.context import Held, Lowering, Words
from interpreter.backends.low.base.kinds import MembersKind, Number, Unsupported
from interpreter.backends.low.base.make import ONE, ZERO, add, both, inverted, scale, union
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Local, Num, Op, Reason
from interpreter.backends.low.values.loops import Pass, each_member, take_lowest
from interpreter.backends.low.values.numbers import keep_within
from interpreter.backends.low.values.ranges import node_kind, number_kind, set_kind
from interpreter.backends.low.values.sets import clear, is_member, put, some, words_of

MOST_WAYS = 4096  # of one search
BEFORE, FIRST = 1, 2  # of a way: the way before it to the same node; then what is left of each budget

Meet = Callable[[Expr], None]
"""The work with a node that is met for the first time; the number of the node may be read more than once."""


def members(lo: Lowering, e: ir.Reach) -> Words:
    return _nearest(lo, e)[1] if e.gives == "nearest" else words_of(walk(lo, e, lambda y: None))


def walk(lo: Lowering, e: ir.Reach, meet: Meet) -> Held:
    """A walk that meets the nodes in the order of the reference, and gives those that it has met. `meet` may leave a
    block around it."""
    kind = node_kind(lo, e)
    seen = lo.hold_words(kind, lo.members(e.start))
    if not kind.words:
        return seen
    with lo.cut_back():
        if e.costs and not (len(e.costs) == 1 and isinstance(e.costs[0][0], ir.Const)):
            _within_budgets(lo, e, kind, seen, meet)
        else:
            _by_rings(lo, e, kind, seen, meet)
    return seen


def _by_rings(lo: Lowering, e: ir.Reach, kind: MembersKind, seen: Held, meet: Meet) -> None:
    """Nodes wait in a row in the order in which they are met. With a price for every step there are as many rings as
    the budget pays for: a budget below 0 leaves the start, and a price below 0 is given up."""
    w, price = lo.w, 0
    left, end = w.fresh("left"), w.fresh("end")
    if e.costs:
        cost, budget = e.costs[0]
        assert isinstance(cost, ir.Const)
        price = cost.value
        number_kind(lo, budget)
        w.set(left, lo.number(budget))
        if price < 0:
            w.trap(Reason.RANGE)
            return
    row = lo.take(kind.high - kind.low + 1)
    first, last, x = w.fresh("first"), w.fresh("last"), w.fresh("node")
    w.set(first, row)
    w.set(last, row)

    def add_to_row(y: Expr) -> None:
        w.store(Local(last), 0, y)
        w.set(last, add(Local(last), 1))
        meet(y)

    _each_of_start(lo, kind, seen, add_to_row)
    node = Held(Number(kind.low, max(kind.low, kind.high)), (x,))
    if e.costs:
        w.set(end, row)

    def one(label: str) -> None:
        w.leave_if(Op(">=", Local(first), Local(last)), label)
        if e.costs:
            too_far = low.If(Op("<", Local(left), ZERO), (low.Leave(label),))
            next_ring = (low.Set(left, Op("-", Local(left), Num(price))), too_far, low.Set(end, Local(last)))
            w.emit(low.If(Op(">=", Local(first), Local(end)), next_ring))
        w.set(x, low.Load(Local(first)))
        w.set(first, add(Local(first), 1))
        with lo.also({e.x: node}), lo.cut_back():
            _steps(lo, e, seen, add_to_row)

    w.loop(one)


def _each_of_start(lo: Lowering, kind: MembersKind, seen: Held, work: Meet) -> None:
    start = words_of(lo.hold_words(kind, words_of(seen)))
    each_member(lo, start, Number(kind.low, kind.high), lambda p: work(Local(p.member.names[0])))


def _steps(lo: Lowering, e: ir.Reach, seen: Held, reached: Meet) -> None:
    """The open steps from a node to such as are not seen; they are seen then, and reached."""
    following = lo.members(e.next)
    known = words_of(seen)
    fresh = {w: Op("&", part, inverted(known[w])) if w in known else part for w, part in following.items()}

    def visit(p: Pass) -> None:
        assert isinstance(p.member.kind, Number)
        kind, y = p.member.kind, Local(p.member.names[0])

        def take() -> None:
            put(lo, seen, y, kind, False)
            reached(y)

        with lo.also({e.y: p.member}):
            if e.where is None:
                take()
            else:
                lo.w.when(lo.number(e.where), take)

    next_kind = set_kind(lo, e.next)
    each_member(lo, fresh, Number(next_kind.low, max(next_kind.low, next_kind.high)), visit)


# ------------------------------------------------------------ prices that differ


class _Ways(NamedTuple):
    """The budgets left over by the ways found so far: the rows of ways, how many there are, and for each node the last
    of its rows, of which each names the one before it."""

    rows: Expr
    found: str
    heads: Expr
    lowest: int
    budgets: int

    @property
    def size(self) -> int:
        return FIRST + self.budgets

    def head(self, node: Expr) -> Expr:
        return add(self.heads, add(node, -self.lowest))


def _within_budgets(lo: Lowering, e: ir.Reach, kind: MembersKind, seen: Held, meet: Meet) -> None:
    """A search over what is left of the budgets; a way that is no better than another to the same node is dropped."""
    w = lo.w
    budgets = [w.let(keep_within(lo, lo.number(b), number_kind(lo, b), (-INT_HIGH, INT_HIGH))) for _, b in e.costs]
    pays: Expr = ONE
    for budget in budgets:
        pays = both(pays, Op(">=", budget, ZERO))
    _each_of_start(lo, kind, seen, meet)

    def search() -> None:
        nodes = kind.high - kind.low + 1
        ways = _Ways(
            lo.take(MOST_WAYS * (FIRST + len(budgets))), w.fresh("ways"), lo.take(nodes), kind.low, len(budgets)
        )
        w.emit(low.Clear(ways.heads, Num(nodes)))
        w.set(ways.found, ZERO)
        _each_of_start(lo, kind, seen, lambda y: _add_way(lo, ways, y, budgets))
        n = w.fresh("n")
        w.set(n, ZERO)

        def one(label: str) -> None:
            w.leave_if(Op(">=", Local(n), Local(ways.found)), label)
            way = w.let(add(scale(Local(n), ways.size), ways.rows), "way")
            w.set(n, add(Local(n), 1))
            left = [low.Load(way, FIRST + k) for k in range(ways.budgets)]
            is_best = low.Not(_is_surpassed(lo, ways, low.Load(way), left, way))
            w.when(is_best, lambda: _further(lo, e, ways, way, seen, meet))

        w.loop(one)

    w.when(pays, search)


def _further(lo: Lowering, e: ir.Reach, ways: _Ways, way: Expr, seen: Held, meet: Meet) -> None:
    """The open steps on from the end of a way which its budgets pay for."""
    w = lo.w
    x = w.fresh("node")
    w.set(x, low.Load(way))
    assert isinstance(seen.kind, MembersKind)
    node = Held(Number(seen.kind.low, seen.kind.high), (x,))

    def visit(p: Pass) -> None:
        assert isinstance(p.member.kind, Number)
        y, kind = Local(p.member.names[0]), p.member.kind

        def step() -> None:
            rest = []
            pays: Expr = ONE
            for k, (cost, _) in enumerate(e.costs):
                price = w.let(keep_within(lo, lo.number(cost), number_kind(lo, cost), (0, INT_HIGH)))
                rest.append(w.let(Op("-", low.Load(way, FIRST + k), price)))
                pays = both(pays, Op(">=", rest[-1], ZERO))

            def arrive() -> None:
                def take() -> None:
                    _add_way(lo, ways, y, rest)
                    w.when(low.Not(is_member(words_of(seen), y, kind)), first)

                def first() -> None:
                    put(lo, seen, y, kind, False)
                    meet(y)

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


def _is_surpassed(lo: Lowering, ways: _Ways, node: Expr, left: Sequence[Expr], own: Expr) -> Expr:
    """A test that another way to a node leaves no less of any budget; `own` is the way that is looked at."""
    w = lo.w
    found, other = w.fresh("surpassed"), w.fresh("other")
    w.set(found, ZERO)
    w.set(other, low.Load(ways.head(node)))

    def one(label: str) -> None:
        w.leave_if(low.Either(Local(found), low.Not(Local(other))), label)
        better: Expr = Op("!=", Local(other), own)
        for k, have in enumerate(left):
            better = both(better, Op(">=", low.Load(Local(other), FIRST + k), have))
        w.set(found, better)
        w.set(other, low.Load(Local(other), BEFORE))

    w.loop(one)
    return Local(found)


def _add_way(lo: Lowering, ways: _Ways, node: Expr, left: Sequence[Expr]) -> None:
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


def _next_ring(lo: Lowering, e: ir.Reach, kind: MembersKind, seen: Held, edge: Held) -> None:
    """One step on from the nodes of the outermost ring: those that it reaches are the outermost ring then."""
    found, x = clear(lo, lo.empty(kind)), lo.w.fresh("node")
    node = Number(kind.low, max(kind.low, kind.high))

    def one(label: str) -> None:
        take_lowest(lo, edge, x, label)
        with lo.also({e.x: Held(node, (x,))}), lo.cut_back():
            _steps(lo, e, seen, lambda y: put(lo, found, y, node, False))

    lo.w.loop(one)
    for name, part in zip(edge.names, words_of(found).values(), strict=True):
        lo.w.set(name, part)


def length(lo: Lowering, e: ir.Reach) -> Expr:
    """The length of a shortest way to a goal, or what stands for none."""
    if e.gives != "distance":
        raise Unsupported("a set where a number is needed")
    steps, goals = _nearest(lo, e)
    answer = lo.w.fresh("length")
    lo.w.set(answer, low.Num(e.empty))
    lo.w.when(Op("!=", some(goals), ZERO), lambda: lo.w.set(answer, steps))
    return Local(answer)


def _nearest(lo: Lowering, e: ir.Reach) -> tuple[Expr, Words]:
    """The number of rings up to the nearest goals, and these; none if no way leads to a goal."""
    assert e.to is not None
    if e.costs:
        return _nearest_by_prices(lo, e, e.to)
    kind = node_kind(lo, e)
    seen = lo.hold_words(kind, lo.members(e.start))
    edge = lo.hold_words(kind, words_of(seen))
    known = words_of(edge)
    goals = words_of(lo.hold_words(set_kind(lo, e.to), lo.members(e.to)))
    met: Words = {w: Op("&", known[w], part) for w, part in goals.items() if w in known}
    steps = lo.w.fresh("steps")
    lo.w.set(steps, ZERO)

    def ring(label: str) -> None:
        lo.w.leave_if(low.Either(Op("!=", some(met), ZERO), Op("==", some(known), ZERO)), label)
        lo.w.set(steps, Op("+", Local(steps), low.Num(1)))
        _next_ring(lo, e, kind, seen, edge)

    lo.w.loop(ring)
    return Local(steps), met


def _nearest_by_prices(lo: Lowering, e: ir.Reach, to: ir.Expr) -> tuple[Expr, Words]:
    """The least price of a way to goals, and those that have it: nodes are settled in the order of their prices."""
    w, kind = lo.w, node_kind(lo, e)
    goals = words_of(lo.hold_words(set_kind(lo, to), lo.members(to)))
    waiting = lo.hold_words(kind, lo.members(e.start))
    seen, ring, met = (clear(lo, lo.empty(kind)) for _ in range(3))
    length, least, x = w.fresh("length"), w.fresh("least"), w.fresh("node")
    w.set(length, ZERO)
    if not kind.words:
        return Local(length), {}
    prices = lo.take(kind.high - kind.low + 1)
    w.emit(low.Clear(prices, Num(kind.high - kind.low + 1)))
    node = Number(kind.low, kind.high)

    def price_of(member: Expr) -> Expr:
        return add(prices, add(member, -kind.low))

    def each_waiting(work: Callable[[Expr], None]) -> None:
        each_member(lo, words_of(waiting), node, lambda p: work(Local(p.member.names[0])))

    def find_least(member: Expr) -> None:
        price = w.let(low.Load(price_of(member)))
        w.emit(low.If(Op("<", price, Local(least)), (low.Set(least, price),)))

    def settle(member: Expr) -> None:
        w.when(Op("==", low.Load(price_of(member)), Local(length)), lambda: put(lo, ring, member, node, False))

    def one(label: str) -> None:
        w.leave_if(low.Not(some(words_of(waiting))), label)
        w.set(least, Num(INT_HIGH))
        each_waiting(find_least)
        w.leave_if(both(Op("!=", Local(least), Local(length)), Op("!=", some(words_of(met)), ZERO)), label)
        w.set(length, Local(least))
        each_waiting(settle)
        for n, waits, sees, own, meets in zip(
            kind.words, waiting.names, seen.names, ring.names, met.names, strict=True
        ):
            w.set(waits, Op("&", Local(waits), inverted(Local(own))))
            w.set(sees, Op("|", Local(sees), Local(own)))
            w.set(meets, union(Local(meets), Op("&", Local(own), goals.get(n, ZERO))))
        w.loop(further)

    def further(label: str) -> None:
        take_lowest(lo, ring, x, label)
        with lo.also({e.x: Held(node, (x,))}), lo.cut_back():
            next_kind, known = set_kind(lo, e.next), words_of(seen)
            following = {n: Op("&", v, inverted(known[n])) if n in known else v for n, v in lo.members(e.next).items()}
            each_member(lo, following, Number(next_kind.low, max(next_kind.low, next_kind.high)), visit)

    def visit(p: Pass) -> None:
        y = Local(p.member.names[0])

        def arrive() -> None:
            cost = e.costs[0][0]
            price = keep_within(lo, lo.number(cost), number_kind(lo, cost), (0, INT_HIGH))
            far = w.let(add(Local(length), price))
            w.trap_if(Op(">=", far, Num(INT_HIGH)), Reason.RANGE)
            nearer = Op("<", far, low.Load(price_of(y)))
            is_new = low.Not(is_member(words_of(waiting), y, node))
            w.emit(low.If(low.Either(is_new, nearer), (low.Store(price_of(y), 0, far),)))
            put(lo, waiting, y, node, False)

        with lo.also({e.y: p.member}):
            if e.where is None:
                arrive()
            else:
                w.when(lo.number(e.where), arrive)

    w.loop(one)
    return Local(length), words_of(met)
