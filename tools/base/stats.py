"""Small statistics for reports: means and shares with 95% confidence intervals, paired differences, quantiles, a
histogram.

Takes and returns plain numbers; knows nothing about games. Values that come often may be handed over as `Counter`s.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

# Student's t, two-sided 95%, for 1..30 degrees of freedom; above that it is worked out
_T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
_Z95 = 1.959964

Values: TypeAlias = Iterable[int] | Iterable[float] | Mapping[int, int] | Mapping[float, int]
"""Numbers, or each number with how often it is among them."""


def counted(values: Values) -> Mapping[float, int]:
    """Each number with how often it is among the values."""
    return {v: n for v, n in values.items()} if isinstance(values, Mapping) else Counter(values)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and the half-width of its interval; None where there are too few values for one."""

    n: int
    mean: float
    margin: float | None

    def __str__(self) -> str:
        return f"{self.mean:.1f} ± {self.margin:.1f}" if self.margin is not None else f"{self.mean:.1f}"


def mean_of(values: Values) -> Mean:
    counts = counted(values)
    n = sum(counts.values())
    if n == 0:
        return Mean(0, 0.0, None)
    mean = math.fsum(v * times for v, times in counts.items()) / n
    if n == 1:
        return Mean(1, mean, None)
    deviation = math.sqrt(math.fsum((v - mean) ** 2 * times for v, times in counts.items()) / (n - 1))
    return Mean(n, mean, students_t(n - 1) * deviation / math.sqrt(n))


def students_t(degrees: int) -> float:
    """Student's t, two-sided 95%: from the table, above it by the first terms of its series around the normal one."""
    if degrees <= len(_T95):
        return _T95[degrees - 1]
    z = _Z95
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)


def paired_difference(before: Sequence[float], after: Sequence[float]) -> Mean:
    """The mean of the differences of pairs, after less before, with Student's interval of these differences: what both
    values of a pair have in common does not widen it."""
    return mean_of([b - a for a, b in zip(before, after, strict=True)])


def share_interval(hits: float, n: int, z: float = _Z95) -> tuple[float, float]:
    """Wilson's interval of a share, as (low, high): of 95%, or as wide as another number of deviations says."""
    if n == 0:
        return 0.0, 1.0
    p = hits / n
    z2 = z * z
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def quantile(values: Values, q: float) -> float:
    """The value below which the share `q` of the values lies, interpolated linearly; 0 for no values."""
    counts = counted(values)
    ordered = sorted(counts)
    if not ordered:
        return 0.0
    ends = list(accumulate(counts[v] for v in ordered))  # how many values there are up to each
    at = q * (ends[-1] - 1)
    low = math.floor(at)
    lower, higher = (ordered[bisect_right(ends, k)] for k in (low, min(low + 1, ends[-1] - 1)))
    return lower + (higher - lower) * (at - low)


def median(values: Values) -> float:
    return quantile(values, 0.5)


def histogram(counts: Mapping[int, int], bins: int = 10) -> list[tuple[int, int, int]]:
    """(from, to, how many) for bins of equal width over the range of whole numbers, each with how often it is there."""
    if not counts:
        return []
    low, high = min(counts), max(counts)
    width = max(1, -(-(high - low + 1) // bins))
    rows = []
    for start in range(low, high + 1, width):
        end = start + width - 1
        rows.append((start, end, sum(n for v, n in counts.items() if start <= v <= end)))
    return rows
