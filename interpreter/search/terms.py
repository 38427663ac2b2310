"""Sums over the items of an answer, where each item adds a number that depends on its own amount alone.

The items are decided one after the other. Of the items from i on a term knows the least and the greatest sum, and for
equations a bit set of the sums that can be reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MOST_BITS = 1 << 20  # of a set of reachable sums; beyond, an equation is decided by the search

Table = Sequence[int]  # what an item adds, by its amount from 0


def scaled(weight: int, high: int) -> Table:
    """The table of an item that adds `weight` times its amount, which is at most `high`."""
    return range(0, weight * (high + 1), weight) if weight else (0,) * (high + 1)


class Term:
    """The sum of what the items add. `tables`: for the items that add something; item i takes an amount
    `lows[i]..highs[i]`. `support`: the set of these items."""

    __slots__ = ("_reachable", "greatest", "highs", "least", "lows", "support", "tables")

    def __init__(self, tables: Mapping[int, Table], lows: Sequence[int], highs: Sequence[int]) -> None:
        self.tables, self.lows, self.highs = tables, lows, highs
        self.support = sum(1 << i for i in tables)
        least, greatest = [0], [0]
        for i in range(len(lows) - 1, -1, -1):
            table = tables.get(i)
            low = high = 0
            if table is not None:
                if type(table) is range:
                    low, high = sorted((table[lows[i]], table[highs[i]]))
                else:
                    possible = table[lows[i] : highs[i] + 1]
                    low, high = min(possible), max(possible)
            least.append(least[-1] + low)
            greatest.append(greatest[-1] + high)
        self.least, self.greatest = least[::-1], greatest[::-1]
        self._reachable: list[int | None] | None = None

    def reaches(self, i: int, wanted: int) -> bool:
        """True if the items from i on can add up to `wanted`, as far as that is known."""
        need = wanted - self.least[i]
        if need < 0 or wanted > self.greatest[i]:
            return False
        if self._reachable is None:
            self._reachable = self._sums()
        bits = self._reachable[i]
        return bits is None or bool(bits >> need & 1)

    @property
    def reachable_known(self) -> bool:
        """True if the reachable sums are known exactly."""
        if self._reachable is None:
            self._reachable = self._sums()
        return self._reachable[0] is not None

    def reachable(self) -> list[int] | None:
        """All sums of all items, ascending; None if they are too many to be listed."""
        if self._reachable is None:
            self._reachable = self._sums()
        bits = self._reachable[0]
        return None if bits is None else [self.least[0] + s for s in range(bits.bit_length()) if bits >> s & 1]

    def _sums(self) -> list[int | None]:
        """The sums that the items from each i on can make: bit s stands for the sum `least[i] + s`; None: too many."""
        rest: list[int | None] = [1]
        for i in range(len(self.lows) - 1, -1, -1):
            bits, table = rest[-1], self.tables.get(i)
            if bits is not None and table is not None:
                bits = self._shifted(bits, i, table)
            rest.append(bits)
        return rest[::-1]

    def _shifted(self, bits: int, i: int, table: Table) -> int | None:
        if self.greatest[i] - self.least[i] >= MOST_BITS:
            return None
        possible = table[self.lows[i] : self.highs[i] + 1]
        if type(possible) is range and abs(possible.step) == 1 and bits & (bits + 1) == 0:
            return (1 << bits.bit_length() + len(possible) - 1) - 1
        lowest, found = self.least[i] - self.least[i + 1], 0
        for value in possible if type(possible) is range else set(possible):
            found |= bits << value - lowest
        return found

    def compare(self, op: str, target: int, i: int, so_far: int) -> bool | None:
        """The truth of the relation `op` between the sum and the target if the first i items add `so_far`; None: it
        depends on the others. For one term alone, None means that both can be."""
        low, high = so_far + self.least[i], so_far + self.greatest[i]
        if op == "<=":
            return True if high <= target else False if low > target else None
        if op == ">=":
            return True if low >= target else False if high < target else None
        if low == high:
            return (low == target) == (op == "==")
        reached = self.reaches(i, target - so_far)
        if op == "==":
            return None if reached else False
        return None if reached else True
