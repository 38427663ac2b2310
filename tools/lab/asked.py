"""The figures that a study is asked about. They are named beforehand: what is looked for afterwards may be chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from dsl.base.types import MemberType
from dsl.program import Program
from tools.base.errors import UserError, shorten, unknown_message
from tools.pairs.figures import (
    ACTOR_SCORE,
    ACTOR_WINS,
    LENGTH,
    SEAT_SCORE,
    SEAT_WINS,
    WATCHED,
    Figure,
    figure_text,
)


def asked_figures(program: Program, seats: Sequence[int], texts: Sequence[str], alone: bool) -> tuple[Figure, ...]:
    """The figures of these names; those that are asked for where none are named. `alone`: there is nothing to compare
    with but an even share of wins."""
    known = by_name(program, seats)
    found = dict.fromkeys(chain.from_iterable(named(text, known) for text in texts))
    asked = sorted(found or usual_figures(program, seats))
    fit = [figure for figure in asked if not alone or figure.is_wins and figure.seats != 1 and max(seats) > 1]
    if not fit or found and fit != asked:
        unfit = next(figure for figure in asked if figure not in fit)
        raise UserError(
            f"without overlays there is nothing to compare the {figure_text(unfit)} with: only wins of several seats "
            "can be judged, against an even share of them."
        )
    return tuple(fit)


def named(text: str, known: dict[str, list[Figure]]) -> list[Figure]:
    name = " ".join(text.casefold().split())
    if name not in known:
        raise UserError(unknown_message("figure", shorten(text), known))
    return known[name]


def by_name(program: Program, seats: Sequence[int]) -> dict[str, list[Figure]]:
    """All figures by what they may be called: their names in data, and these without how many seats there are; wins and
    scores all together."""
    every = list(every_figure(program, seats))
    found: dict[str, list[Figure]] = {"length": [Figure(LENGTH)]}
    found |= {name: of for name, of in (("wins", wins_of(every)), ("scores", scores_of(every))) if of}
    for figure in every:
        long = figure_text(figure).casefold()
        short = long.removesuffix(" (%)").removesuffix(f" of {figure.seats}").removesuffix(" at the end")
        for name in dict.fromkeys((short, long)):
            found.setdefault(name, []).append(figure)
    return found


def every_figure(program: Program, seats: Sequence[int]) -> Iterator[Figure]:
    """The figures that games of so many seats may have."""
    yield Figure(LENGTH)
    for place, of_actors in ((SEAT_WINS, ACTOR_WINS), (SEAT_SCORE, ACTOR_SCORE)):
        if place == SEAT_WINS and not has_winners(program, seats):
            continue
        if place == SEAT_SCORE and not has_scores(program):
            continue
        yield from (Figure(place, number, seat) for number in seats for seat in range(1, number + 1))
        yield from (Figure(of_actors, name=id_) for ids in actors(program) for id_ in ids)
    yield from (Figure(WATCHED, name=name) for name, _ in program.watch)


def usual_figures(program: Program, seats: Sequence[int]) -> list[Figure]:
    """The wins of all seats, or their scores where nobody wins; the length of games where there are neither. Actors are
    asked about by name: many of them are in few games, and what is asked together has to be decided together."""
    of_seats = [figure for figure in every_figure(program, seats) if figure.seat]
    return wins_of(of_seats) or scores_of(of_seats) or [Figure(LENGTH)]


def wins_of(figures: Sequence[Figure]) -> list[Figure]:
    return [figure for figure in figures if figure.is_wins]


def scores_of(figures: Sequence[Figure]) -> list[Figure]:
    return [figure for figure in figures if figure.is_score]


def has_winners(program: Program, seats: Sequence[int]) -> bool:
    """True where some games of so many seats are won by somebody."""
    return program.result.get("winners", -1) >= 0 or has_scores(program) and max(seats) > 1


def has_scores(program: Program) -> bool:
    """True where seats or actors have a score."""
    number = program.result.get("score", -1)
    return number >= 0 and bool(program.functions[number].params)


def actors(program: Program) -> list[tuple[str, ...]]:
    """The ids of those that answer questions and are no seats, by their kinds."""
    kinds = dict.fromkeys(site.actor_type.domain for site in program.sites if isinstance(site.actor_type, MemberType))
    return [tuple(program.domains[kind].ids) for kind in kinds if kind != program.seat_kind]
