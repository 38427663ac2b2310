"""Figures of a game, worked out from the courses of games with one number of seats.

Names are those of Ludii's concepts where they mean the same (Piette and others, "General Board Game Concepts", 2021):
duration in actions and in turns, branching factor, decision moves, advantage of the first seat, drawishness,
completion, timeouts. Intervals are of 95 %: Student's for means, Wilson's for shares. All is plain data, as for JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tools.base.stats import Mean, mean_of, quantile, share_interval
from tools.figures.course import POINTS, GameCourse

SURE = 0.9  # of the games that whoever leads at a point goes on to win: from there on a game is as good as decided
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many games, with the bounds of its interval; a win that is shared counts in parts."""

    hits: float
    of: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean with its interval, and the values below which 5, 50 and 95 of 100 games lie."""

    mean: Mean
    quantiles: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Leads:
    """For each point of the game how often the seat that was ahead won, and the one that was last, of the games in
    which one seat alone was that; how often the lead changed from one point to the next; and the first tenth from which
    on who is ahead wins nearly always (None: there is none)."""

    first_won: tuple[Share, ...]
    last_won: tuple[Share, ...]
    changes: Mean
    decided: int | None


@dataclass(frozen=True, slots=True)
class Figures:
    """Those of the games with so many seats. Lengths and widths are of the games that ended. `branching_factor`: the
    mean number of options of a choice, `widest` the greatest; `decision_moves`: the share of answers that were choices.
    `wins`: of each seat, none where the rules do not say who wins; `advantage_p1`: how much more than its part the
    first seat won, and the bounds of that; `drawishness`: games that no seat won alone; `lost`: games that all seats
    lost to the game itself. `leads`: None without `evaluate`, and with one seat."""

    seats: int
    completion: Share
    timeouts: int
    failures: int
    duration_actions: Spread
    duration_turns: Spread
    answers: Spread
    branching_factor: Mean
    widest: int
    decision_moves: float
    wins: tuple[Share, ...]
    advantage_p1: tuple[float, float, float] | None
    drawishness: Share | None
    lost: int
    leads: Leads | None


def figures_of(seats: int, courses: Sequence[GameCourse]) -> Figures:
    """The figures of games that all had so many seats."""
    ended = [course for course in courses if course.ended]
    decided = [course for course in ended if course.has_winners]
    choices, answers = ([getattr(course, name) for course in ended] for name in ("choices", "answers"))
    widths = sum((course.widths for course in ended), Counter[int]())
    wins = tuple(share_of([won(course, seat) for course in decided]) for seat in range(1, seats + 1) if decided)
    rivals = seats > 1 and bool(decided)
    return Figures(
        seats,
        share_of([course.ended for course in courses]),
        sum(course.unfinished for course in courses),
        sum(bool(course.failure) for course in courses),
        spread_of(choices),
        spread_of([course.turns for course in ended]),
        spread_of(answers),
        rounded(mean_of(widths)),
        max(widths, default=0),
        round(sum(choices) / max(1, sum(answers)), DIGITS),
        wins,
        advantage_of(wins) if rivals else None,
        share_of([len(course.winners) != 1 for course in decided]) if rivals else None,
        sum(not course.winners for course in decided),
        leads_of(decided) if rivals and any(course.standings for course in decided) else None,
    )


def share_of(found: Sequence[float]) -> Share:
    """The share of games of which each has so much of a hit, from 0 to 1."""
    hits, of = sum(found), len(found)
    low, high = share_interval(hits, of)
    share, low, high = (round(value, DIGITS) for value in (hits / of if of else 0.0, low, high))
    return Share(round(hits, DIGITS), of, share, low, high)


def spread_of(values: Sequence[int]) -> Spread:
    p5, median, p95 = (round(quantile(values, part), DIGITS) for part in (0.05, 0.5, 0.95))
    return Spread(rounded(mean_of(values)), (p5, median, p95))


def rounded(mean: Mean) -> Mean:
    return Mean(mean.n, round(mean.mean, DIGITS), None if mean.margin is None else round(mean.margin, DIGITS))


def won(course: GameCourse, seat: int) -> float:
    """The share of the win that a seat had."""
    return (seat in course.winners) / len(course.winners) if course.winners else 0.0


def advantage_of(wins: Sequence[Share]) -> tuple[float, float, float]:
    """How much more than its part of all wins the first seat has, with the bounds of its own interval."""
    part = sum(share.share for share in wins) / len(wins)
    value, low, high = (round(value - part, DIGITS) for value in (wins[0].share, wins[0].low, wins[0].high))
    return value, low, high


def leads_of(courses: Sequence[GameCourse]) -> Leads:
    """What the standings of games tell of their winners."""
    leading: list[list[float]] = [[] for _ in range(POINTS)]
    trailing: list[list[float]] = [[] for _ in range(POINTS)]
    changes = []
    for course in courses:
        for point, standing in enumerate(course.standings):
            for seats, found in ((standing.first, leading), (standing.last, trailing)):
                if len(seats) == 1:
                    found[point].append(won(course, *seats))
        ahead = [standing.ahead for standing in course.standings if standing.ahead]
        changes.append(sum(a != b for a, b in zip(ahead, ahead[1:], strict=False)))
    first_won, last_won = (tuple(map(share_of, found)) for found in (leading, trailing))
    return Leads(first_won, last_won, rounded(mean_of(changes)), decided_from(first_won))


def decided_from(first_won: Sequence[Share]) -> int | None:
    """The first point from which on who is ahead wins nearly always."""
    found = None
    for point in reversed(range(len(first_won))):
        if not first_won[point].of or first_won[point].share < SURE:
            break
        found = point
    return found
