"""Bounds `at most` seen one by one say the same as the search for whole answers."""

from __future__ import annotations

import random
from itertools import product

from interpreter.search.limits import AnswerLimits, Bound
from interpreter.search.solver import Problem, Solver
from interpreter.search.terms import scaled


def instance(rng: random.Random) -> tuple[list[int], list[Bound]]:
    """Greatest amounts of some items, and bounds: for all together or for each group."""
    n = rng.randrange(1, 6)
    highs = [rng.randrange(4) for _ in range(n)]
    bounds: list[Bound] = []
    for _ in range(rng.randrange(3)):
        weights = [rng.randrange(3) for _ in range(n)]
        groups = [rng.randrange(3) for _ in range(n)] if rng.random() < 0.5 else [0] * n
        numbers = {g: k for k, g in enumerate(dict.fromkeys(groups))}
        bounds.append((weights, [numbers[g] for g in groups], [rng.randrange(-1, 7) for _ in numbers]))
    return highs, bounds


def solver(highs: list[int], bounds: list[Bound]) -> Solver:
    problem = Problem([0] * len(highs), highs)
    for weights, groups, targets in bounds:
        for mine, target in enumerate(targets):
            mine_only = {i: scaled(w, highs[i]) for i, w in enumerate(weights) if w and groups[i] == mine}
            problem.relate(mine_only, "<=", target)
    return Solver(problem)


def test_what_fits_is_what_the_search_finds() -> None:
    rng, offered = random.Random(11), 0
    for _ in range(400):
        highs, bounds = instance(rng)
        search, limits = solver(highs, bounds), AnswerLimits(bounds)
        first = rng.randrange(len(highs))
        amounts = tuple(rng.randrange(h + 1) for h in highs[:first])
        state, rows = search.after(amounts), limits.remaining(amounts)
        assert (rows is not None) == (state is not None)
        for i in range(first, len(highs)):
            wanted = [] if state is None else search.fitting(i, range(1, highs[i] + 1), state)
            state = None if state is None else search.step(i, 0, state)
            assert list(range(1, limits.greatest(rows, i, highs[i]) + 1) if rows is not None else ()) == wanted
            offered += len(wanted)
    assert offered > 300


def test_every_way_of_small_steps_ends_within_the_bounds() -> None:
    """Two items of one group with at most 3 together, one alone with at most 1 of weight 2."""
    limits = AnswerLimits([((1, 1, 0), (0, 0, 0), [3]), ((0, 0, 2), (0, 1, 2), [9, 9, 3])])
    whole = {a for a in product(range(4), range(4), range(4)) if a[0] + a[1] <= 3 and 2 * a[2] <= 3}
    found = set()
    for a in range(4):
        for b in range(4):
            for c in range(4):
                steps = ((), (a,), (a, b))
                if all(
                    (rows := limits.remaining(said)) is not None and amount <= limits.greatest(rows, len(said), 3)
                    for said, amount in zip(steps, (a, b, c), strict=True)
                ):
                    found.add((a, b, c))
    assert found == whole
