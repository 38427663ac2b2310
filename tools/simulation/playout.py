"""One game played by bots, from the first decision to the end or to a failure.

Takes a loaded game; returns an `Outcome` of plain data that can be sent to another process. A fault of the ruleset
is part of the outcome, with the save that leads to it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter import Game, Option, State, apply, result, save
from interpreter.core.errors import RulesetError
from interpreter.play.result import actors_of
from interpreter.records.save import sealed
from interpreter.session.chance import Outcome as ChanceOutcome
from interpreter.session.setup import ASK, DRAW
from tools.simulation.bots import make_bot
from tools.simulation.card_usage import CardTracker, CardUsage
from tools.simulation.common_numbers import CommonNumbers
from tools.simulation.trajectory import Trajectory

MOST_DECISIONS = 50_000  # of one game, unless the caller says otherwise
# words of the machine's messages -> kind of failure
FAILURE_WORDS = {
    "dead end": ("dead end", "no option"),
    "invariant": ("invariant",),
    "budget": ("budget", "limit", "endless", "not over"),
}


@dataclass(frozen=True, slots=True)
class Setup:
    """The parameters of one game."""

    number: int
    seats: int
    seed: int


@dataclass(slots=True)
class Failure:
    kind: str  # dead end, invariant, budget, rule or internal
    message: str
    save: dict[str, Any]  # the save, with the last option tried


@dataclass(slots=True)
class Outcome:
    setup: Setup
    decisions: int = 0
    seconds: float = 0.0  # of the processor
    seat_scores: dict[int, int] = field(default_factory=dict)
    actor_scores: dict[str, int] = field(default_factory=dict)
    seat_wins: dict[int, float] = field(default_factory=dict)  # a tie is a fraction of a win for each
    actor_wins: dict[str, float] = field(default_factory=dict)
    has_winners: bool = True  # whether the rules say who wins
    trajectories: dict[str, tuple[float, ...]] = field(default_factory=dict)  # watched values from start to end
    card_usage: CardUsage = field(default_factory=CardUsage)
    failure: Failure | None = None
    unfinished: bool = False  # stopped after the most decisions that a game may have

    def bots_by_seat(self, bots: tuple[str, ...]) -> dict[int, str]:
        """Seat -> name of its bot: the bots take the seats in turn, shifted by one seat from game to game."""
        seats = range(1, self.setup.seats + 1)
        return {seat: bots[(seat - 1 + self.setup.number) % len(bots)] for seat in seats}


def play_out(
    game: Game,
    setup: Setup,
    bot: str | tuple[str, ...],
    checked: bool,
    options: Mapping[str, str],
    most: int = MOST_DECISIONS,
    common: bool = False,
) -> Outcome:
    """Play a game to its end or failure, or to this many decisions; `bot`: the name of the bot of all seats, or several
    names that share them; `common`: with common random numbers, so that games of one seed under different rules can be
    compared."""
    outcome = Outcome(setup)
    bots = (bot,) if isinstance(bot, str) else bot
    begun = time.process_time()
    state: State | None = None
    option: Option | ChanceOutcome | None = None
    entries = 0
    numbers = CommonNumbers(setup.seed) if common else None
    try:
        players, names = {name: make_bot(name, setup.seed) for name in bots}, outcome.bots_by_seat(bots)
        state = game.new(setup.seats, dict(options), setup.seed, checked=checked, chance=ASK if numbers else DRAW)
        if numbers:
            numbers.settle(state)
        trajectory, tracker = Trajectory(state), CardTracker(state)
        while not state.over and not outcome.unfinished:
            assert state.decision is not None
            name, entries = names[state.decision.seat], len(state.log)
            player = make_bot(name, numbers.bot_seed(state.decision)) if numbers else players[name]
            option = player.choose(state)
            apply(state, option)
            if numbers:
                numbers.settle(state)
            trajectory.record(state)
            tracker.update(state)
            outcome.decisions += 1
            outcome.unfinished = outcome.decisions >= most and not state.over
        if not outcome.unfinished:
            option = None
            tell_result(outcome, state)
            outcome.trajectories, outcome.card_usage = trajectory.points(), tracker.usage(state)
    except RulesetError as fault:
        option = failing_option(state, option, entries, numbers)
        failed_save = failure_save(state, option, str(fault), setup, game, options)
        outcome.failure = Failure(failure_kind(fault), str(fault), failed_save)
    except Exception as fault:  # a fault of the machine: the game that reveals it must not be lost
        message = f"{type(fault).__name__}: {fault}"
        failed_save = failure_save(state, option, message, setup, game, options)
        outcome.failure = Failure("internal", message, failed_save)
    outcome.seconds = time.process_time() - begun
    return outcome


def tell_result(outcome: Outcome, state: State) -> None:
    """Write the scores and winners of a game that is over."""
    actors = actors_of(state)
    found = result(state, actors)
    outcome.seat_scores, outcome.actor_scores = found.scores, found.actor_scores
    outcome.has_winners = found.has_winners
    outcome.seat_wins = {seat: 1 / len(found.winners) for seat in found.winners}
    outcome.actor_wins = {actor: outcome.seat_wins.get(seat, 0.0) for actor, (_, seat) in actors.items()}


def failing_option(
    state: State | None, option: Option | ChanceOutcome | None, entries: int, numbers: CommonNumbers | None
) -> Option | ChanceOutcome | None:
    """What was being taken when the game failed: the bot's choice, a forced answer after it, or an outcome of
    chance."""
    if state is not None and state.chance is not None and numbers is not None:
        return numbers.drawn
    if state is not None and len(state.log) > entries and state.decision is not None:
        return state.decision.forced
    return option


def failure_kind(fault: RulesetError) -> str:
    text = fault.message.casefold()
    for kind, words in FAILURE_WORDS.items():
        if any(word in text for word in words):
            return kind
    return "rule"


def failure_save(
    state: State | None,
    option: Option | ChanceOutcome | None,
    message: str,
    setup: Setup,
    game: Game,
    options: Mapping[str, str],
) -> dict[str, Any]:
    """The save before the failure, with the decision that leads to it; without a state the game failed at its start."""
    failed: dict[str, Any] = {"message": message}
    if state is None:
        program = game.program
        data: dict[str, Any] = {"ruleset": program.id, "rules": program.named}
        data |= {"version": program.version, "digest": program.digest}
        data |= {"seats": setup.seats, "seed": setup.seed, "options": dict(options)}
    else:
        data = save(state)
        if option is not None:
            if isinstance(option, ChanceOutcome):
                failed |= {"ids": [option.id]}
            else:
                failed |= {"code": list(option.code), "ids": list(option.ids)}
    return sealed({**data, "failure": failed})
