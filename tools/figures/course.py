"""The course of one game by bots: how long it was, how much there was to choose from, and who led when.

Takes a loaded game and the parameters of one game; gives plain data that can be sent to another process.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from interpreter import Decision, Game, Option, State, result
from interpreter.core.words import Words
from interpreter.session.setup import DRAW
from tools.simulation.drivers import CHANCE_SITE, play_by_bots
from tools.simulation.playout import GameOutcome, GameSetup, choosers
from tools.simulation.walk import Walk

POINTS = 11  # of a game at which standings are kept: its start, after each tenth, its end
MOST_STORES = 64  # that are kept of a game; beyond that every second one is dropped


@dataclass(frozen=True, slots=True)
class Standing:
    """The seats whose position is worth most by `evaluate`, and those whose is worth least. All seats are both where
    they stand alike."""

    first: frozenset[int]
    last: frozenset[int]

    @property
    def ahead(self) -> int:
        """The one seat that leads; 0: none does alone."""
        return next(iter(self.first)) if len(self.first) == 1 else 0


@dataclass(slots=True)
class GameCourse:
    """`choices`: answers with more than one option; `turns`: runs of choices by one seat. `standings`: those of
    `POINTS` points, none without `evaluate` or with one seat."""

    setup: GameSetup
    answers: int = 0
    choices: int = 0
    turns: int = 0
    widths: Counter[int] = field(default_factory=Counter)  # options of a choice -> how many choices had so many
    standings: tuple[Standing, ...] = ()
    winners: tuple[int, ...] = ()
    has_winners: bool = True  # whether the rules say who wins
    unfinished: bool = False  # stopped after the most choices
    failure: str = ""

    @property
    def ended(self) -> bool:
        return not self.unfinished and not self.failure


class ChoiceNotes:
    """Notes each choice of a game before a bot makes it, and keeps stores that are spread evenly over the game."""

    def __init__(self, game: Game, course: GameCourse) -> None:
        self.game, self.course = game, course
        self.judged = game.program.evaluate >= 0 and course.setup.seats > 1
        self.seat, self.stride = 0, 1
        self.stores: list[Words] = []

    def note(self, decision: Decision) -> None:
        course = self.course
        if self.judged and course.widths.total() % self.stride == 0:
            self.stores.append(decision.words[:])
            if len(self.stores) == MOST_STORES:
                self.stores, self.stride = self.stores[::2], 2 * self.stride
        course.widths[len(decision.options)] += 1
        if decision.seat != self.seat:
            self.seat = decision.seat
            course.turns += 1

    def standings(self, end: Words) -> tuple[Standing, ...]:
        """Those at the start, after each tenth of the choices, and at the end."""
        if not self.stores:
            return ()
        stores = [*self.stores, end]
        last = len(stores) - 1
        return tuple(self.judge(stores[round(n * last / (POINTS - 1))]) for n in range(POINTS))

    def judge(self, words: Words) -> Standing:
        machine, names, seats = self.game.machine, self.game.names, range(1, self.course.setup.seats + 1)
        worth = {seat: machine.worth(words, names.seat_thing(seat)) for seat in seats}
        most, least = max(worth.values()), min(worth.values())
        return Standing(*(frozenset(seat for seat in seats if worth[seat] == bound) for bound in (most, least)))


def play_course(game: Game, setup: GameSetup, bots: tuple[str, ...], most: int) -> GameCourse:
    """Play a game to its end or to so many choices. A fault of the rules is part of the course."""
    course = GameCourse(setup)
    notes = ChoiceNotes(game, course)
    walk = Walk(game, setup.seats, {}, setup.seed, False, DRAW)
    choose, draw = choosers(GameOutcome(setup), bots, False)

    def observed(state: State) -> Option:
        assert state.decision is not None, "a question is pending"
        notes.note(state.decision)
        return choose(state)

    try:
        walk.begin()
        play_by_bots(walk, observed, draw, most)
        if not walk.unfinished:
            walk.end()
            found = result(walk.state(), walk.actors)
            course.winners, course.has_winners = tuple(found.winners), found.has_winners
            course.standings = notes.standings(walk.words)
    except Exception as fault:  # a fault of one game must not lose the others
        course.failure = f"{type(fault).__name__}: {fault}"
    course.unfinished = walk.unfinished
    course.choices, course.answers = walk.decisions, len(walk.answers) - walk.sites.count(CHANCE_SITE)
    return course
