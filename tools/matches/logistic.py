"""The scale of a logistic curve through the origin, by which a margin tells the chance to win.

Takes readings, gives plain numbers; knows nothing about games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

HALVINGS = 200
Z95 = 1.959964

Reading = tuple[float, float]  # a margin, and the share of a win that came of it


@dataclass(frozen=True, slots=True)
class Scale:
    """A margin of so much is worth a chance of 1 / (1 + 1/e), 73%; the 95% interval has no upper end where the margin
    may just as well say nothing."""

    scale: float
    low: float
    high: float | None


def fitted_scale(games: Sequence[Sequence[Reading]], least: float = 1.0) -> Scale | None:
    """The most likely scale by the readings of some games, at least `least`; None where who is ahead does not win more
    often. Readings of one game depend on each other: the interval counts games, not readings."""
    readings = [reading for game in games for reading in game]
    if gradient(readings, 0.0) <= 0:
        return None
    low, high = 0.0, 1 / least
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if gradient(readings, middle) > 0 else (low, middle)
    rate = (low + high) / 2
    bend = math.fsum(x * x * share_at(rate * x) * share_at(-rate * x) for x, _ in readings)
    spread = math.sqrt(math.fsum(gradient(game, rate) ** 2 for game in games))
    error = Z95 * spread / bend if bend else math.inf
    return Scale(1 / rate, 1 / (rate + error), 1 / (rate - error) if rate > error else None)


def gradient(readings: Sequence[Reading], rate: float) -> float:
    """How the logarithm of the likelihood rises with the rate, which is one through the scale."""
    return math.fsum((share - share_at(rate * margin)) * margin for margin, share in readings)


def share_at(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else 1 - 1 / (1 + math.exp(x))
