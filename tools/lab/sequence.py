"""Intervals that stay valid whenever one stops: the asymptotic confidence sequence of a mean.

An interval of 95% is meant for one look. Whoever looks again and again, and stops when it excludes 0, will be
wrong far more often. These intervals hold at all numbers of values at once: in 95 of 100 runs the mean lies within all
of them. They are the normal mixture of Robbins (Annals of Mathematical Statistics 41, 1970) with the variance that was
seen, by Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas ("Time-uniform central limit theory and asymptotic confidence
sequences", Annals of Statistics 52, 2024).

Numbers alone; it knows no games.
"""

from __future__ import annotations

import math
from typing import NamedTuple

ERROR = 0.05  # how often anything that is said may be wrong
AIM = 500  # the number of values at which the sequence is the tightest
UNSEEN = 2  # large values that are thought to have been missed


class Interval(NamedTuple):
    """A mean lies between these."""

    low: float
    high: float

    def excludes(self, value: float) -> bool:
        return not self.low <= value <= self.high

    def within(self, margin: float) -> bool:
        return -margin < self.low and self.high < margin


ANYTHING = Interval(-math.inf, math.inf)


def valid_interval(n: int, mean: float, squares: float, large: float, error: float = ERROR) -> Interval:
    """The interval of a mean of `n` values with this sum of squares, with this probability to be wrong at any number of
    values. So that what is rare is not thought to be never before it comes, the variance is that of two more values,
    which are `large`."""
    if not n:
        return ANYTHING
    variance = (max(squares - n * mean * mean, 0.0) + UNSEEN * large * large) / n
    margin = math.sqrt(variance) * factor(n, error)
    return Interval(mean - margin, mean + margin)


def factor(n: int, error: float) -> float:
    """The half-width of the interval in standard deviations."""
    twice = -2 * math.log(error)
    time = n * (twice + math.log(twice + 1)) / AIM  # tightest where n is the aim
    return math.sqrt(2 * (time + 1) / (n * time) * math.log(math.sqrt(time + 1) / error))
