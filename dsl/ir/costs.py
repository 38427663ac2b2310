"""The costs of calls of functions, by the number of calls that one may lead to if nothing is left out.

Most functions lead to few, and their calls are not counted. A chain of forty of which each calls the next twice leads
to a million millions: such functions cost work in play, so that they meet the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl.ir.declarations import Function
from dsl.ir.expressions import CallFn
from dsl.ir.walk import walk

LIGHT = 10_000  # calls that are not counted
EACH = 20  # passes that a call stands for
MOST = 1 << 62


def with_costs(functions: Sequence[Function]) -> tuple[Function, ...]:
    """The functions with their costs."""
    called = [[n.fn for n in walk(f.body) if isinstance(n, CallFn)] for f in functions]
    sizes: dict[int, int] = {}
    open_: list[int] = list(range(len(functions)))
    begun: set[int] = set()
    while open_:
        number = open_[-1]
        missing = [n for n in called[number] if n not in sizes and n not in begun]
        if missing and number not in sizes:
            begun.add(number)
            open_ += missing
            continue
        open_.pop()
        if number not in sizes:
            sizes[number] = min(1 + sum(sizes.get(n, LIGHT) for n in called[number]), MOST)

    def cost(number: int) -> int:
        light = sum(sizes[n] for n in called[number] if sizes[n] <= LIGHT)
        return EACH * (1 + light) if sizes[number] > LIGHT else 0

    return tuple(replace(f, cost=own) if (own := cost(n)) else f for n, f in enumerate(functions))
