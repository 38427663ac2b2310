"""Reachable nodes: a walk from the start, which meets one node after the other.

It goes on from the nodes in the order in which it met them, and from each to the next ones in the order of their
numbers; so whoever needs no more of it may stop anywhere (docs/decisions/0072-a-walk-that-stops.md). With costs every
node stores the best vectors of what is left of the budgets, none of them worse than another in all. The result is the
set of nodes, start nodes included. `distance` and `nearest` go by rings of nodes at one distance from the start.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from dsl import ir
from dsl.ir.searches import PASSED, All, Many, Question, Same, Some, Walked, question
from interpreter.core.run import Run
from interpreter.core.words import Temps, members

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
MAY_WALK = frozenset({ir.Reach, ir.Arith, ir.Size})  # classes of values about which a question may be one about a walk

Budgets = tuple[int, ...]


def reach(m: Run, e: ir.Reach, t: Temps) -> int:
    if e.gives != "reach":
        return _shortest(m, e, t, m.value(e.start, t))
    return sum(1 << y for y in walk(m, e, t))


def walk(m: Run, e: ir.Reach, t: Temps) -> Iterator[int]:
    """The nodes that are reached, each once, in the order in which they are met."""
    start = m.value(e.start, t)
    if len(e.costs) == 1 and isinstance(e.costs[0][0], ir.Const) and e.costs[0][0].value >= 0:
        price, budget = e.costs[0][0].value, m.value(e.costs[0][1], t)
        return _by_rings(m, e, t, start, -1 if budget < 0 else budget // price if price else None)
    return _within_budgets(m, e, t, start) if e.costs else _by_rings(m, e, t, start, None)


def _by_rings(m: Run, e: ir.Reach, t: Temps, start: int, steps: int | None) -> Iterator[int]:
    """At most so many steps from the start, each to a node that is not reached yet."""
    seen, ring = start, list(members(start))
    yield from ring
    while ring and (steps is None or steps > 0):
        found = []
        for x in ring:
            t[e.x] = x
            for y in members(m.value(e.next, t) & ~seen):
                t[e.x], t[e.y] = x, y
                if e.where is None or m.value(e.where, t):
                    seen |= 1 << y
                    found.append(y)
                    yield y
        ring, steps = found, steps and steps - 1


def _within_budgets(m: Run, e: ir.Reach, t: Temps, start: int) -> Iterator[int]:
    budget: Budgets = tuple(m.value(limit, t) for _, limit in e.costs)
    best: dict[int, list[Budgets]] = {x: [budget] for x in members(start)}
    yield from members(start)
    queue: deque[tuple[int, Budgets]] = deque((x, budget) for x in best if min(budget) >= 0)
    while queue:
        x, left = queue.popleft()
        if left not in best[x]:
            continue  # a better path to x was found meanwhile
        t[e.x] = x
        for y in members(m.value(e.next, t)):
            t[e.x], t[e.y] = x, y
            if e.where is not None and not m.value(e.where, t):
                continue
            rest = _after_step(m, e, t, left)
            if min(rest) >= 0:
                is_new = y not in best
                if _improves(best.setdefault(y, []), rest):
                    queue.append((y, rest))
                if is_new:
                    yield y


# ------------------------------------------------------------ questions that a part of the walk answers


def met(m: Run, found: Walked, t: Temps) -> Iterator[int]:
    """The nodes that a walk meets of those that are asked for; where none are, there is no walk."""
    wanted = -1
    for among in found.inside:
        wanted &= m.value(among, t)
    for among in found.outside:
        wanted &= ~m.value(among, t)
    if wanted:
        for y in walk(m, found.reach, t):
            if wanted >> y & 1:
                yield y


def asked(m: Run, e: Any) -> Question | None:
    """A test as a question about a walk; None for other tests."""
    found = m.asked.get(id(e))
    if found is None:
        found = m.asked[id(e)] = e, question(e)
    return found[1]


def answer(m: Run, q: Question, t: Temps) -> int:
    """The answer to a question; the walk stops where it is certain."""
    match q:
        case Many(found, op, number):
            wanted, size = m.value(number, t), 0
            enough = wanted + (op in PASSED)
            if enough > 0:
                for size, _ in enumerate(met(m, found, t), 1):
                    if size >= enough:
                        break
            return 1 if COMPARISONS[op](size, wanted) else 0
        case All(found, among):
            left = m.value(among, t)
            if left:
                for y in met(m, found, t):
                    left &= ~(1 << y)
                    if not left:
                        break
            return 0 if left else 1
        case Same(found, among, differs):
            left = wanted = m.value(among, t)
            for y in met(m, found, t):
                if not wanted >> y & 1:
                    return 1 if differs else 0
                left &= ~(1 << y)
            return 1 if bool(left) == differs else 0
        case Some(found, none):
            return 1 if (next(met(m, found, t), None) is None) == none else 0


# ------------------------------------------------------------ shortest ways


def _shortest(m: Run, e: ir.Reach, t: Temps, start: int) -> int:
    assert e.to is not None

    def bound(x: int, y: int) -> Temps:
        t[e.x], t[e.y] = x, y
        return t

    goals = m.value(e.to, t)
    found = shortest(
        m,
        start,
        lambda x: m.value(e.next, bound(x, 0)),
        lambda x, y: e.where is None or m.value(e.where, bound(x, y)),
        (lambda x, y: m.value(e.costs[0][0], bound(x, y))) if e.costs else None,
        goals,
    )
    return found[1] if e.gives == "nearest" else e.empty if found[0] < 0 else found[0]


def shortest(
    m: Run,
    start: int,
    following: Callable[[int], int],
    where: Callable[[int, int], Any],
    cost: Callable[[int, int], int] | None,
    goals: int,
) -> tuple[int, int]:
    """The length of the shortest way from a set of nodes to one of the goals (-1: there is none), and the goals which
    are so near: by rings of nodes at one distance, the nearest first. Without `cost` every step counts 1."""
    rings = {0: start}
    seen = 0
    while rings:
        length = min(rings)
        whole = ring = rings.pop(length) & ~seen
        if cost is None and ring & goals:
            return length, ring & goals
        while ring:  # again for the nodes to which a step costs nothing
            seen |= ring
            free = 0
            for x in members(ring):
                near = rings.get(length + 1, 0) if cost is None else 0
                for y in members(following(x) & ~(seen | near)):
                    if not where(x, y):
                        continue
                    price = 1 if cost is None else cost(x, y)
                    if price < 0:
                        raise m.fault(f"a step of a way costs {price}; costs must not be negative")
                    if price:
                        rings[length + price] = rings.get(length + price, 0) | 1 << y
                    else:
                        free |= 1 << y
            ring = free & ~seen
            whole |= ring
        if whole & goals:
            return length, whole & goals
    return -1, 0


def frontier(m: Run, e: ir.Reach, t: Temps) -> list[tuple[int, int, bool]]:
    """The steps at which the search ends, from a reached node to one that is not reached, each with whether the step is
    closed; an open one costs too much."""
    found = []
    reached = reach(m, e, t)
    for x in members(reached):
        t[e.x] = x
        for y in members(m.value(e.next, t) & ~reached):
            t[e.x], t[e.y] = x, y
            found.append((x, y, e.where is not None and not m.value(e.where, t)))
    return found


def _after_step(m: Run, e: ir.Reach, t: Temps, left: Budgets) -> Budgets:
    rest = []
    for (cost, _), have in zip(e.costs, left, strict=True):
        price = m.value(cost, t)
        if price < 0:
            raise m.fault(f"a step of `reach` costs {price}; costs must not be negative")
        rest.append(have - price)
    return tuple(rest)


def _improves(known: list[Budgets], new: Budgets) -> bool:
    """Add a vector to those of a node unless one of them is at least as good, and drop those that it dominates; gives
    whether it was added."""
    if any(all(k >= n for k, n in zip(old, new, strict=True)) for old in known):
        return False
    known[:] = [old for old in known if not all(n >= k for k, n in zip(old, new, strict=True))]
    known.append(new)
    return True
