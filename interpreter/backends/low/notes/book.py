"""The places of notes in the memory of a module, for the host and for the functions that write them.

`Book` says where each number stands. Games are handed in as a course, and their figures are handed out as rows of
`results`: one for all games with the same figures, or one for each game where chance is asked. `totals` are counted
over all games. Rows and totals grow until the host takes them.
"""

from __future__ import annotations

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.types import MemberType, bounds
from dsl.program import Program
from interpreter.backends.low.base.context import KeyedPlaces
from interpreter.backends.low.base.memory import Memory

MOST_RESULTS = 1 << 14  # rows of results, a power of two
RESULT_WORDS = 1 << 20  # of all these rows, at most
MOST_SEATS = 16
MOST_ACTORS = 64  # of one game that are no seats
TRACE_WORDS = 1 << 21
MOST_POINTS = 11  # of a trajectory
MOST_READINGS = 128  # of one game; then every second one is dropped
NUMBER, SEED, STEP = 0, 2, 4
"""Long numbers of a course: the number and the seed of its first game, and by how much both grow from game to game."""

COURSE = 6  # words of a course
COUNTED, FIRST, ENDED, DECIDED, ANSWERED, ACTORS, TURNED, SCORES = range(8)
"""Words of a result: how many games came out so and which one of the course was the first; whether the game ended, its
decisions and answers, how many actors there were, by how many seats the bots were moved, and the scores of the seats.
Winners follow, actors (site, value, seat, score), and the points of the trajectories, long numbers. All words from
`ENDED` on are the figures of a game."""

ACTOR = 4  # words of an actor
ROW_SITE, ROW_MOMENT, ROW_OPTION = range(3)  # words of an answer of the trace; those of the option follow


@dataclass(frozen=True, slots=True)
class Book:
    """`most_results`: rows of results that there is room for, a power of two. `answers`: in `totals`, for each question
    the place of its count, then those of its alternatives. `named`: for each value of an answer that may be a card:
    question, alternative, number of the value, its place in `totals`, the lowest value, and how many there are.
    `places`: where the counts of `symbols` begin, each with one for every card. `winners`: words of the winners in a
    result, in front of `actors`; 0 where the highest score wins. `points`: where these begin. `row`: words of an answer
    of the trace. `bots`: how many bots there are, the sort of each, and behind them by how many seats they are moved in
    the game. `states`, `kept`: the generators of bots, now and at the beginning of the choice. `keyed`: what the
    numbers of games follow from whose chance is asked."""

    course: int
    results: int
    most_results: int
    result: int
    winners: int
    actors: int
    points: int
    totals: int
    size: int
    answers: tuple[int, ...]
    named: tuple[tuple[int, int, int, int, int, int], ...]
    places: int
    symbols: tuple[str, ...]
    cards: tuple[str, ...]
    trace: int
    row: int
    bots: int
    states: int
    kept: int
    keyed: KeyedPlaces


def card_kinds(program: Program) -> frozenset[str]:
    """The domains that have cards among their members."""
    firsts = {program.thing_ids[copy]: program.thing_ids[first] for copy, first in program.copies.items()}
    named = {name: (firsts.get(id_, id_) for id_ in d.ids) for name, d in program.domains.items()}
    return frozenset(name for name, ids in named.items() if any(id_ in program.cards for id_ in ids))


def card_things(program: Program) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Each card with the things that are its copies and can be placed."""
    found: dict[str, list[int]] = {}
    for thing in range(len(program.thing_ids)):
        name = program.thing_ids[program.copies.get(thing, thing)]
        if name in program.cards and program.placed[thing]:
            found.setdefault(name, []).append(thing)
    return tuple((name, tuple(things)) for name, things in found.items())


def book(
    program: Program, memory: Memory, winners: int, others: bool, states: int, kept: int, keyed: KeyedPlaces
) -> Book:
    """Make room for all notes. `winners`: words that name the winners; `others`: whether some actors are no seats;
    `states`, `kept`: where the generators of bots stand, and where they are kept for the host; `keyed`: what numbers
    with keys follow from."""
    at = 0
    answers: list[int] = []
    named: list[tuple[int, int, int, int, int, int]] = []
    kinds = card_kinds(program)
    for site in program.sites:
        answers.append(at)
        at += 1 + len(site.alternatives)
    for number, site in enumerate(program.sites):
        for k, alternative in enumerate(site.alternatives if site.payment is None else ()):
            for j, low, count in _named(alternative, kinds):
                named.append((number, k, j, at, low, count))
                at += count
    cards = tuple(name for name, _ in card_things(program))
    symbols = tuple(dict.fromkeys(z.symbol for z in program.zones)) if cards else ()
    places = at
    at += len(symbols) * len(cards)
    actors = SCORES + program.seats[1] + winners
    points = actors + (ACTOR * MOST_ACTORS if others else 0)
    points += points % 2
    result = points + 2 * MOST_POINTS * len(program.watch)
    row = ROW_OPTION + memory.stride
    most_results = min(MOST_RESULTS, 1 << (RESULT_WORDS // result).bit_length() - 1)
    return Book(
        memory.room(COURSE),
        memory.room(result * most_results),
        most_results,
        result,
        winners,
        actors,
        points,
        memory.room(at),
        at,
        tuple(answers),
        tuple(named),
        places,
        symbols,
        cards,
        memory.room(TRACE_WORDS),
        row,
        memory.room(MOST_SEATS + 2),
        states,
        kept,
        keyed,
    )


def _named(alternative: ir.Alternative, kinds: frozenset[str]) -> list[tuple[int, int, int]]:
    """The values of an answer that may be cards: which one, the lowest value, and how many there are."""
    found = []
    for j, (_, _, _, t) in enumerate(alternative.binders):
        if isinstance(t, MemberType) and t.domain in kinds:
            low, high = bounds(t)
            found.append((j, low, high - low + 1))
    return found
