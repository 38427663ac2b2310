"""The figures of a game that are compared: its length, scores, wins and watched values, with their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from dsl.files.phrases import FALLBACK, phrase
from tools.simulation.playout import GameOutcome

PER_CENT = 100


class Figure(NamedTuple):
    """A figure that is compared, in the order of the report: `place` among the sorts of figures, then seats by their
    numbers; `name`: the id of an actor or value."""

    place: int
    seats: int = 0
    seat: int = 0
    name: str = ""

    @property
    def is_wins(self) -> bool:
        return self.place in (SEAT_WINS, ACTOR_WINS)

    @property
    def is_score(self) -> bool:
        return self.place in (SEAT_SCORE, ACTOR_SCORE)


LENGTH, SEAT_SCORE, ACTOR_SCORE, SEAT_WINS, ACTOR_WINS, WATCHED = range(6)
FIGURE_WORDS = ("length", "seat_score", "actor_score", "seat_wins", "actor_wins", "at_end")  # keys of their phrases


def ended(outcome: GameOutcome) -> bool:
    return outcome.failure is None and not outcome.unfinished


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
    """The name of a figure in words of a language; in English, with ids, it is the name of the figure in data."""
    name = name_of(figure.name) if figure.name else ""
    parts = {"seat": figure.seat, "seats": figure.seats, "actor": name, "value": name}
    return phrase(lang, "errata", FIGURE_WORDS[figure.place], **parts)
