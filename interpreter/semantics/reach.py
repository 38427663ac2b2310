"""Reachable nodes: a search over what is left of the budgets.

Without costs it is a flood fill; with costs every node stores the best vectors of what is left, none of them worse
than another in all budgets. The result is the set of nodes, start nodes included. `distance` and `nearest` go by rings
of nodes at one distance from the start.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from dsl import ir
from interpreter.core.run import Run
from interpreter.core.words import Temps, members

Budgets = tuple[int, ...]


def reach(m: Run, e: ir.Reach, t: Temps) -> int:
    start = m.value(e.start, t)
    if e.gives != "reach":
        return _shortest(m, e, t, start)
    return _within_budgets(m, e, t, start) if e.costs else _flood(m, e, t, start)


def _flood(m: Run, e: ir.Reach, t: Temps, start: int) -> int:
    seen = start
    queue = deque(members(start))
    while queue:
        x = t[e.x] = queue.popleft()
        for y in members(m.value(e.next, t) & ~seen):
            t[e.x], t[e.y] = x, y
            if e.where is None or m.value(e.where, t):
                seen |= 1 << y
                queue.append(y)
    return seen


def _within_budgets(m: Run, e: ir.Reach, t: Temps, start: int) -> int:
    budget: Budgets = tuple(m.value(limit, t) for _, limit in e.costs)
    if min(budget) < 0:
        return start
    best: dict[int, list[Budgets]] = {x: [budget] for x in members(start)}
    queue: deque[tuple[int, Budgets]] = deque((x, budget) for x in best)
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
            if min(rest) >= 0 and _improves(best.setdefault(y, []), rest):
                queue.append((y, rest))
    return sum(1 << x for x, vectors in best.items() if vectors)


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
                for y in members(following(x) & ~seen):
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
