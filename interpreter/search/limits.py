"""Bounds that are all `at most`: each alone decides how much of an item still fits, so that nothing is searched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Amounts = tuple[int, ...]

# weights and groups of the items, targets of the groups; in place of a weight a tuple of what each amount adds
Bound = tuple[Sequence[Any], Sequence[int], list[int]]


class AnswerLimits:
    """Bounds that are all `at most`, with weights of 0 or more, where every amount may be 0, so that each bound alone
    decides how much of an item still fits. `rows`: for each bound the weights of the items, the group that each counts
    for, and the targets of the groups."""

    def __init__(self, rows: list[Bound]) -> None:
        self.rows = rows

    def remaining(self, amounts: Amounts) -> list[Bound] | None:
        """The rows with what is left of their targets after these amounts of the first items; None if they exceed a
        target."""
        found = []
        for weights, groups, targets in self.rows:
            left = targets[:]
            for i, amount in enumerate(amounts):
                if amount:
                    left[groups[i]] -= weights[i] * amount
            if left and min(left) < 0:
                return None
            found.append((weights, groups, left))
        return found

    @staticmethod
    def greatest(remaining: list[Bound], i: int, high: int) -> int:
        """The greatest amount of item i, up to `high`, that fits."""
        for weights, groups, left in remaining:
            weight = weights[i]
            if weight and weight * high > left[groups[i]]:
                high = left[groups[i]] // weight
        return high
