"""Whether the rest of an answer can still meet its bounds: arithmetic over amounts with lowest and highest values and
weights.

Each bound alone is decided exactly: by the least and greatest sum of the rest, or by a bit set of the sums that the
rest can reach. Bounds that share members are decided together by a search with a memo.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SEARCH_NODES = 200_000

Sums = tuple[int, ...]
Bound = tuple[Sequence[int], Sequence[int], list[int]]  # weights and groups of the items, targets of the groups


class TooManyAnswers(Exception):
    """The search for a whole answer was given up."""


@dataclass(slots=True)
class Total:
    """op: `exactly`, `at least`, `at most`, `covering` (the least reachable total from `target` on, or everything)."""

    op: str
    target: int
    weights: list[int]


class Limits:
    """Bounds that are all `at most`, with weights of 0 or more, where every amount may be 0, so that each bound alone
    decides how much of an item still fits. `rows`: for each bound the weights of the items, the group that each counts
    for, and the targets of the groups."""

    def __init__(self, rows: list[Bound]) -> None:
        self.rows = rows

    def remaining(self, amounts: Sums) -> list[Bound] | None:
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


class Solver:
    """Item i takes an amount `lows[i]..highs[i]`; every total bounds the weighted sum of all amounts."""

    def __init__(self, lows: list[int], highs: list[int], totals: list[Total]) -> None:
        self.lows, self.highs, self.totals = lows, highs, totals
        self.count = len(lows)
        self.least = [self._least(t) if t.op != "at least" else [] for t in totals]
        self.greatest = [self._greatest(t) if t.op == "at least" else [] for t in totals]
        self.reachable = [self._reachable(t) if t.op in ("exactly", "covering") else [] for t in totals]
        self.independent = len(totals) == 1 or self._bounds_are_disjoint()
        self.memo: dict[tuple[int, Sums], bool] = {}
        for k in range(len(totals)):
            if totals[k].op == "covering":
                self._resolve_covering(k)

    def _bounds_are_disjoint(self) -> bool:
        """Whether no item counts for two bounds."""
        used = [{i for i, w in enumerate(t.weights) if w} for t in self.totals]
        return sum(map(len, used)) == len(set().union(*used))

    # ------------------------------------------------------------ one bound

    def _least(self, t: Total) -> list[int]:
        rest = [0]
        for i in range(self.count - 1, -1, -1):
            w = t.weights[i]
            rest.append(rest[-1] + min(w * self.lows[i], w * self.highs[i]))
        return rest[::-1]

    def _greatest(self, t: Total) -> list[int]:
        rest = [0]
        for i in range(self.count - 1, -1, -1):
            w = t.weights[i]
            rest.append(rest[-1] + max(w * self.lows[i], w * self.highs[i]))
        return rest[::-1]

    def _reachable(self, t: Total) -> list[int]:
        """For the items from i on: bit s stands for the sum `least[i] + s`."""
        rest = [1]
        for i in range(self.count - 1, -1, -1):
            bits, step, span = rest[-1], abs(t.weights[i]), self.highs[i] - self.lows[i]
            if step == 1 and bits & (bits + 1) == 0:
                bits = (1 << bits.bit_length() + span) - 1
            elif step:
                one = bits
                for k in range(1, span + 1):
                    bits |= one << step * k
            rest.append(bits)
        return rest[::-1]

    def _possible(self, k: int, i: int, total: int) -> bool:
        """Whether bound k can be met by the items from i on, seen alone."""
        t = self.totals[k]
        if t.op == "at least":
            return total + self.greatest[k][i] >= t.target
        if t.op == "at most":
            return total + self.least[k][i] <= t.target
        need = t.target - total - self.least[k][i]
        return t.op == "covering" or (need >= 0 and bool(self.reachable[k][i] >> need & 1))

    # ------------------------------------------------------------ all bounds

    def sums(self, amounts: Sums) -> Sums:
        if not any(amounts):
            return (0,) * len(self.totals)
        return tuple(sum(w * a for w, a in zip(t.weights, amounts, strict=False)) for t in self.totals)

    def plus(self, sums: Sums, i: int, amount: int) -> Sums:
        if len(sums) == 1:
            return (sums[0] + self.totals[0].weights[i] * amount,)
        return tuple([s + t.weights[i] * amount for s, t in zip(sums, self.totals, strict=True)])

    def satisfied(self, sums: Sums) -> bool:
        if len(sums) == 1:
            return self._possible(0, self.count, sums[0])
        return all(self._possible(k, self.count, s) for k, s in enumerate(sums))

    def completes(self, i: int, sums: Sums) -> bool:
        """Whether the items from i on can take amounts so that all bounds hold."""
        for k, s in enumerate(sums):
            if not self._possible(k, i, s):
                return False
        if self.independent or i == self.count:
            return True
        found = self.memo.get((i, sums))
        if found is None:
            if len(self.memo) > SEARCH_NODES:
                raise TooManyAnswers
            found = self.memo[i, sums] = self._search(i, sums)
        return found

    def fitting(self, i: int, amounts: range, sums: Sums) -> list[int]:
        """The amounts of item i after which all bounds can still be met."""
        if len(self.totals) != 1:
            return [a for a in amounts if self.completes(i + 1, self.plus(sums, i, a))]
        t, weight, so_far = self.totals[0], self.totals[0].weights[i], sums[0]
        if t.op == "covering":
            return list(amounts)
        if t.op == "at least":
            missing = t.target - so_far - self.greatest[0][i + 1]
            return [a for a in amounts if weight * a >= missing]
        spare = t.target - so_far - self.least[0][i + 1]
        if t.op == "at most":
            return [a for a in amounts if weight * a <= spare]
        bits = self.reachable[0][i + 1]
        return [a for a in amounts if (need := spare - weight * a) >= 0 and bits >> need & 1]

    def _search(self, i: int, sums: Sums) -> bool:
        lowest = sums
        for j in range(i, self.count):
            if self.lows[j]:
                lowest = self.plus(lowest, j, self.lows[j])
        if self.satisfied(lowest):
            return True
        for amount in range(self.highs[i], self.lows[i] - 1, -1):
            if self.completes(i + 1, self.plus(sums, i, amount)):
                return True
        return False

    def _resolve_covering(self, k: int) -> None:
        """Turn `covering` into `exactly` the total that it means here."""
        t = self.totals[k]
        lowest, bits = self.least[k][0], self.reachable[k][0]
        sums = [lowest + s for s in range(bits.bit_length()) if bits >> s & 1]
        none: Sums = (0,) * len(self.totals)
        for total in [s for s in sums if s >= t.target] + [s for s in reversed(sums) if s < t.target]:
            self.totals[k] = Total("exactly", total, t.weights)
            self.memo.clear()
            if self.completes(0, none):
                return
