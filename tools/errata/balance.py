"""The effect of overlays on the figures of games: paired differences of length, scores, wins and watched values.

Takes pairs of games of one seed. A pair counts where both of its games ended; the others are named. A difference is
that of the games of a pair, and its margin is Student's 95% interval of these differences: two sets of rules that play
alike differ by exactly 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from dsl.files.phrases import FALLBACK, phrase
from tools.base.stats import Mean, mean_of, paired_difference, quantile
from tools.errata.pairs import Pair
from tools.simulation.playout import GameOutcome

PER_CENT = 100
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


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game of a pair that does not count: it failed, or was stopped (`failure` is empty)."""

    number: int
    seats: int
    seed: int
    side: str  # before or after
    failure: str
    file: str | None = None  # of the save that leads to the failure


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


def ended(outcome: GameOutcome) -> bool:
    return outcome.failure is None and not outcome.unfinished


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


class Figure(NamedTuple):
    """What is compared, in the order of the report: `place` among the sorts of figures, then seats by their numbers;
    `name`: the id of an actor or value."""

    place: int
    seats: int = 0
    seat: int = 0
    name: str = ""


LENGTH, SEAT_SCORE, ACTOR_SCORE, SEAT_WINS, ACTOR_WINS, WATCHED = range(6)
FIGURE_WORDS = ("length", "seat_score", "actor_score", "seat_wins", "actor_wins", "at_end")  # keys of their phrases


def figures_of(outcome: GameOutcome) -> Iterator[tuple[Figure, float]]:
    """The figures of one game; wins are those of 100 games like it."""
    seats = outcome.setup.seats
    yield Figure(LENGTH), outcome.decisions
    for seat, score in outcome.seat_scores.items():
        yield Figure(SEAT_SCORE, seats, seat), score
    for actor, score in outcome.actor_scores.items():
        yield Figure(ACTOR_SCORE, name=actor), score
    if outcome.has_winners:
        for seat in range(1, seats + 1):
            share = outcome.seat_wins.get(seat, 0.0)
            yield Figure(SEAT_WINS, seats, seat), PER_CENT * share
        for actor, share in outcome.actor_wins.items():
            yield Figure(ACTOR_WINS, name=actor), PER_CENT * share
    for name, points in outcome.trajectories.items():
        yield Figure(WATCHED, name=name), points[-1]


def figure_text(figure: Figure, lang: str = FALLBACK, name_of: Callable[[str], str] = str) -> str:
    """What is compared, in words of a language; in English, with ids, it is the name of the figure in data."""
    name = name_of(figure.name) if figure.name else ""
    parts = {"seat": figure.seat, "seats": figure.seats, "actor": name, "value": name}
    return phrase(lang, "errata", FIGURE_WORDS[figure.place], **parts)


def figure_change(figure: Figure, values: Sequence[tuple[float, float]], shown: str) -> FigureChange:
    before, after = [a for a, _ in values], [b for _, b in values]
    is_score = figure.place in (SEAT_SCORE, ACTOR_SCORE)
    quartiles = (quartiles_of(before), quartiles_of(after)) if is_score else None
    difference = paired_difference(before, after)
    return FigureChange(figure_text(figure), shown, mean_of(before), mean_of(after), difference, quartiles)


def quartiles_of(values: Sequence[float]) -> Quartiles:
    return quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)
