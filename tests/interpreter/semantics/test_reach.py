"""Reach against a plain search over all paths."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dsl import ir
from tests.interpreter.build import Build, C

X, Y = ir.Temp(0), ir.Temp(1)
NODES = 6
PAIRS = st.integers(0, NODES * NODES - 1)


def at_pair() -> ir.Expr:
    return ir.Linear(-(NODES + 1), ((X, NODES), (Y, 1)))


def by_paths(edges: set[int], shut: set[int], costs: list[list[int]], start: int, budgets: list[int]) -> set[int]:
    """Every simple path, tried one after the other."""
    found: set[int] = set()

    def walk(path: list[int], left: list[int]) -> None:
        found.add(path[-1])
        for y in range(1, NODES + 1):
            pair = (path[-1] - 1) * NODES + y - 1
            rest = [have - cost[pair] for have, cost in zip(left, costs, strict=True)]
            if pair in edges and pair not in shut and y not in path and all(r >= 0 for r in rest):
                walk([*path, y], rest)

    walk([start], budgets)
    return found


@settings(max_examples=150, deadline=None)
@given(
    edges=st.sets(PAIRS, max_size=20),
    shut=st.sets(PAIRS, max_size=4),
    costs=st.lists(st.lists(st.integers(0, 3), min_size=NODES * NODES, max_size=NODES * NODES), max_size=2),
    budgets=st.tuples(st.integers(0, 6), st.integers(0, 6)),
)
def test_reach_finds_what_paths_find(
    edges: set[int], shut: set[int], costs: list[list[int]], budgets: tuple[int, int]
) -> None:
    b = Build()
    b.tables.append((0, *(sum(1 << y + 1 for y in range(NODES) if x * NODES + y in edges) for x in range(NODES))))
    b.tables.append(tuple(0 if p in shut else 1 for p in range(NODES * NODES)))
    b.tables += [tuple(c) for c in costs]
    limits = tuple((ir.TableGet(2 + k, at_pair()), C(budgets[k])) for k in range(len(costs)))
    e = ir.Reach(C(1 << 1), 0, 1, ir.TableGet(0, X), ir.TableGet(1, at_pair()), limits)
    expected = by_paths(edges, shut, costs, 1, list(budgets[: len(costs)]))
    assert b.value(e) == sum(1 << x for x in expected)


def test_a_negative_cost_is_a_fault() -> None:
    import pytest

    from interpreter.core.errors import RulesetError

    e = ir.Reach(C(2), 0, 1, C(4), None, ((C(-1), C(3)),))
    with pytest.raises(RulesetError, match="costs must not be negative"):
        Build().value(e)


def test_a_negative_budget_goes_nowhere() -> None:
    e = ir.Reach(C(2), 0, 1, C(4), None, ((C(0), C(-1)),))
    assert Build().value(e) == 2
