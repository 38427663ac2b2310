"""The findings of pairs of games: by how much each figure changes, and the verdict about that."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from tools.base.stats import Mean, mean_of, paired_difference
from tools.lab.sequence import ANYTHING, Interval, valid_interval
from tools.pairs.figures import PER_CENT, Figure, ended, figure_text, figures_of
from tools.simulation.playout import GameOutcome

MORE, LESS, SAME, UNDECIDED = "more", "less", "same", "undecided"
LEAST = 50  # values before anything is said of them


@dataclass(slots=True)
class PairedValues:
    """The values of a figure in the games before and after, pair by pair, with running sums: of the differences, and of
    what was before; each is of the values and of their squares."""

    before: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)
    differences: tuple[float, float] = (0.0, 0.0)
    befores: tuple[float, float] = (0.0, 0.0)

    def add(self, before: float, after: float) -> None:
        self.before.append(before)
        self.after.append(after)
        self.differences, self.befores = added(self.differences, after - before), added(self.befores, before)

    def valid(self, is_wins: bool, error: float) -> Interval:
        """The interval of the mean difference that is valid whenever one stops. A large difference is that of wins that
        change altogether, of other figures the standard deviation between games."""
        n = len(self.before)
        if n < LEAST:
            return ANYTHING
        total, squares = self.befores
        large = PER_CENT if is_wins else math.sqrt(max(squares / n - (total / n) ** 2, 0.0))
        return valid_interval(n, self.differences[0] / n, self.differences[1], large, error)


def added(sums: tuple[float, float], value: float) -> tuple[float, float]:
    """The sums of some values and of their squares, with one value more."""
    return sums[0] + value, sums[1] + value * value


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding about a figure. `difference`: after less before, with Student's interval for this many pairs;
    `valid`: the interval that holds whenever one stops; `margin`: what counts as the same; `verdict`: empty where it
    was not asked."""

    figure: Figure
    before: Mean
    after: Mean
    difference: Mean
    valid: Interval
    margin: float
    verdict: str = ""

    def to_json(self) -> dict[str, Any]:
        def of(mean: Mean) -> dict[str, Any]:
            return {"n": mean.n, "mean": mean.mean, "margin": mean.margin}

        known = self.valid != ANYTHING
        return {
            "figure": figure_text(self.figure),
            "before": of(self.before),
            "after": of(self.after),
            "difference": of(self.difference),
            "valid": [*self.valid] if known else None,
            "same_within": self.margin,
            "verdict": self.verdict or None,
        }


@dataclass(slots=True)
class Ledger:
    """Gathers the figures of pairs. `asked`: the figures that verdicts are given of; `within`: the share that counts as
    the same; `error`: how often what is said of a figure may be wrong; `alone`: nothing is changed, and wins are
    compared with an even share of them."""

    asked: tuple[Figure, ...]
    within: float
    error: float
    alone: bool = False
    values: dict[Figure, PairedValues] = field(default_factory=dict)
    compared: int = 0  # pairs in which both games ended
    alike: int = 0  # of these, those in which no figure differs

    def add(self, before: GameOutcome, after: GameOutcome) -> None:
        """A pair; it counts where both of its games ended."""
        if not (ended(before) and ended(after)):
            return
        old, new = dict(figures_of(before)), dict(figures_of(after))
        self.compared += 1
        self.alike += old == new
        for figure in old.keys() & new.keys():
            even = self.alone and figure.is_wins
            at = self.values.setdefault(figure, PairedValues())
            at.add(PER_CENT / before.setup.seats if even else old[figure], new[figure])

    def margin(self, figure: Figure) -> float:
        """The change up to which a figure counts as the same: of wins so many of 100 games, else a share of what it was
        before."""
        if figure.is_wins or figure not in self.values:
            return PER_CENT * self.within
        return self.within * abs(math.fsum(self.values[figure].before) / len(self.values[figure].before))

    def verdict(self, figure: Figure) -> str:
        values = self.values.get(figure)
        if values is None:
            return UNDECIDED
        interval = values.valid(figure.is_wins, self.error)
        if interval.low > 0:
            return MORE
        if interval.high < 0:
            return LESS
        return SAME if is_same(interval, self.margin(figure)) else UNDECIDED

    @property
    def decided(self) -> bool:
        """True with a verdict about all that was asked."""
        return all(self.verdict(figure) != UNDECIDED for figure in self.asked)

    def findings(self) -> list[Finding]:
        """All figures in their order, those that were asked with their verdicts."""
        return [self.finding(figure) for figure in sorted({*self.values, *self.asked})]

    def finding(self, figure: Figure) -> Finding:
        values = self.values.get(figure, PairedValues())
        return Finding(
            figure,
            mean_of(values.before),
            mean_of(values.after),
            paired_difference(values.before, values.after),
            values.valid(figure.is_wins, self.error),
            self.margin(figure),
            self.verdict(figure) if figure in self.asked else "",
        )


def is_same(interval: Interval, margin: float) -> bool:
    """True if all of an interval counts as no change; where there was none of any sort, nothing is needed for it."""
    return interval == (0.0, 0.0) or interval.within(margin)
