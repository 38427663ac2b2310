"""The effect of overlays on the figures of games: paired differences of length, scores, wins and watched values.

Takes pairs of games of one seed. A pair counts where both of its games ended; the others are named. A difference is
that of the games of a pair, and its margin is Student's 95% interval of these differences: two sets of rules that play
alike differ by exactly 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from dsl.files.phrases import FALLBACK
from tools.base.stats import Mean, mean_of, paired_difference, quantile
from tools.pairs.figures import Figure, ended, figure_text, figures_of
from tools.pairs.playing import Pair
from tools.pairs.trouble import LeftOut

Quartiles = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class FigureChange:
    """A figure over the pairs in which both games have it: its name in data, and in the words of a language."""

    figure: str
    shown: str
    before: Mean
    after: Mean
    difference: Mean  # of the pairs, after less before
    quartiles: tuple[Quartiles, Quartiles] | None = None  # before and after, of a score

    @property
    def clear(self) -> bool:
        """Whether the interval excludes zero."""
        margin = self.difference.margin
        return margin is not None and abs(self.difference.mean) > margin


@dataclass(slots=True)
class Balance:
    """`games`: the pairs that were to be played; `played`: those that were."""

    bots: tuple[str, ...]
    seed: int
    games: int
    max_decisions: int
    played: int = 0
    compared: int = 0  # pairs in which both games ended
    alike: int = 0  # of these, those in which no figure differs
    interrupted: bool = False
    left_out: list[LeftOut] = field(default_factory=list)
    figures: list[FigureChange] = field(default_factory=list)

    @property
    def failures(self) -> list[LeftOut]:
        return [game for game in self.left_out if game.failure]

    @property
    def unfinished(self) -> list[LeftOut]:
        return [game for game in self.left_out if not game.failure]

    def to_json(self) -> dict[str, Any]:
        data = asdict(self)
        for figure in data["figures"]:
            del figure["shown"]
        return data


def compare_pairs(
    pairs: Sequence[Pair], found: Balance, lang: str = FALLBACK, name_of: Callable[[str], str] = str
) -> Balance:
    """Add to a balance what these pairs say; games that did not end are added by the caller. `name_of`: from the id of
    an actor or value to its name in the language."""
    counted = [pair for pair in pairs if ended(pair.before) and ended(pair.after)]
    values: defaultdict[Figure, list[tuple[float, float]]] = defaultdict(list)
    for pair in counted:
        before, after = dict(figures_of(pair.before)), dict(figures_of(pair.after))
        found.alike += before == after
        for figure in before.keys() & after.keys():
            values[figure].append((before[figure], after[figure]))
    found.played, found.compared = len(pairs), len(counted)
    found.figures = [
        figure_change(figure, values[figure], figure_text(figure, lang, name_of)) for figure in sorted(values)
    ]
    return found


def figure_change(figure: Figure, values: Sequence[tuple[float, float]], shown: str) -> FigureChange:
    before, after = [a for a, _ in values], [b for _, b in values]
    quartiles = (quartiles_of(before), quartiles_of(after)) if figure.is_score else None
    difference = paired_difference(before, after)
    return FigureChange(figure_text(figure), shown, mean_of(before), mean_of(after), difference, quartiles)


def quartiles_of(values: Sequence[float]) -> Quartiles:
    return quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)
