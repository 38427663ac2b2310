"""A game that nobody looks at: a store on which bots play, without a log and without texts.

A `Walk` keeps the answers. The figures of the game are made from it, and `retrace` plays the game once more, with its
log, if it is to be saved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dsl.base.types import MemberType
from dsl.program import SITE
from interpreter import Game, Option, State
from interpreter.core.question import AUTOMATIC_LIMIT
from interpreter.core.question import RawOption as Raw
from interpreter.core.words import Words, new_store
from interpreter.play.result import Actors
from interpreter.rules.rules import Rules
from interpreter.session.advance import endless_answers, require_sight, run_on, step
from interpreter.session.chance import Outcome as ChanceOutcome
from interpreter.session.interrupts import moment_decision
from interpreter.session.setup import DRAW, blank_store
from tools.simulation.card_usage import CardTracker
from tools.simulation.trajectory import Trajectory

Tried = Option | ChanceOutcome | None


class Walk:
    """One game. `chance`: whether it is drawn or asked; `given`: the facts that it begins with. A decision is an answer
    where, as far as was found out, more than one was possible; other answers are kept as well, but not counted."""

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Mapping[str, str],
        seed: int,
        checked: bool,
        chance: str = DRAW,
        given: Mapping[str, Any] | None = None,
    ) -> None:
        self.game, self.seats, self.options, self.given = game, seats, options, given
        self.seed, self.checked, self.chance = seed, checked, chance
        self.words: Words = new_store()
        self.answers: list[Raw | ChanceOutcome] = []
        self.sites: list[int] = []  # the number of the question that was answered; -1 for an outcome of chance
        self.moments: dict[int, int] = {}  # index of an answer out of turn -> the seat that gave it
        self.actors: Actors = {}  # those who were asked and are no seats
        self.decisions = 0
        self.single = 0  # answers without a choice since the last decision
        self.unfinished = False  # stopped before its end
        self.trajectory = Trajectory(game)
        self.cards = CardTracker(game)
        self.closely = game.cached(questions_to_look_at)

    def begin(self) -> None:
        """Lay out the store of the new game; nothing has run yet."""
        machine = self.game.machine
        machine.checked = self.checked
        self.words = self.blank()
        machine.start(self.words, self.game.program.entry)

    def blank(self) -> Words:
        """The store with which the game begins."""
        return blank_store(self.game, self.seats, self.options, self.seed, self.chance, self.given)

    def note(self, answer: Raw, choice: bool) -> None:
        """Note the answer to the pending question, before it is taken. `choice`: whether there was another one."""
        number = self.words[SITE] - 1
        self.sites.append(number)
        self.answers.append(answer)
        self.cards.update(self.words)
        if choice:
            self.decisions += 1
            self.single = 0
            self.trajectory.record(self.words, self.seats)
        else:
            self.single += 1
            if self.single > AUTOMATIC_LIMIT:
                raise endless_answers(self.game, self.words)
        if number in self.closely:
            self.look_at(number)

    def look_at(self, number: int) -> None:
        """The one who is asked sees what the question reads, and is noted if it is no seat."""
        site = self.game.program.sites[number]
        require_sight(self.game, self.words)
        if isinstance(site.actor_type, MemberType) and site.actor_type.domain != self.game.program.seat_kind:
            actor = self.game.names.text(self.game.read(self.words, site.actor), site.actor_type)
            if actor not in self.actors:
                seat = self.game.names.seat_number(self.game.read(self.words, site.seat))
                self.actors[actor] = site.actor_type.domain, seat

    def end(self) -> None:
        """Note the position at the end."""
        self.cards.update(self.words)
        self.trajectory.record(self.words, self.seats, last=True)

    def plain_answers(self) -> Iterator[tuple[int, Raw]]:
        """The answers with the numbers of their questions, without outcomes of chance."""
        for number, answer in zip(self.sites, self.answers, strict=True):
            if not isinstance(answer, ChanceOutcome):
                yield number, answer

    def state(self, words: Words | None = None) -> State:
        """The position, or that of another store of the game, as a state of its own without a log."""
        words = self.words if words is None else words
        return State(self.game, words[:], self.seats, dict(self.options), self.seed, checked=self.checked)


def questions_to_look_at(rules: Rules) -> frozenset[int]:
    """The numbers of questions that may be asked of one who does not see enough, or that are not asked of a seat."""
    kind = rules.program.seat_kind
    return frozenset(
        number
        for number, site in enumerate(rules.program.sites)
        if site.sighted or (isinstance(site.actor_type, MemberType) and site.actor_type.domain != kind)
    )


def retrace(walk: Walk) -> tuple[State | None, Tried, Exception | None]:
    """Play a game again from its answers, with its log, until something fails: the state before that (None: it fails as
    it begins), what was then taken, and how it failed."""
    try:
        state = walk.game.new(
            walk.seats,
            dict(walk.options),
            walk.seed,
            checked=walk.checked,
            auto=False,
            chance=walk.chance,
            given=walk.given,
        )
    except Exception as fault:
        return None, None, fault
    tried: Tried = None
    try:
        for number, answer in enumerate(walk.answers):
            tried = None
            if isinstance(answer, ChanceOutcome):
                tried = state.chance.outcome(answer.id) if state.chance else None
                assert tried is not None, "chance is awaited as it was"
                run_on(state, state.words[:], outcome=tried)
                continue
            seat = walk.moments.get(number, 0)
            decision = moment_decision(state, seat) if seat else state.decision
            assert decision is not None, "a question is asked as it was"
            tried = next(option for option in decision.options if option.raw == answer)
            step(state, decision, tried, automatic=not seat and decision.forced == tried)
    except Exception as fault:
        return state, tried, fault
    return state, None, None
