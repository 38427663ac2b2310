"""One game played by bots, from the first decision to the end or to a failure.

Takes a loaded game; returns an `GameOutcome` of plain data that can be sent to another process. A fault of the ruleset
is part of the outcome, with the save that leads to it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

from interpreter import Game, Option, Result, State, hand_over, result, save
from interpreter.bots.levels import RANDOM
from interpreter.core.errors import RulesetError
from interpreter.play.result import Actors
from interpreter.records.save import sealed
from interpreter.session.setup import ASK, DRAW
from tools.simulation.answer_usage import AnswerUsage, usage_of
from tools.simulation.bots import Bot, SearchBot, make_player
from tools.simulation.card_usage import CardUsage
from tools.simulation.common_numbers import CommonNumbers
from tools.simulation.drivers import CHANCE_SITE, Choose, Draw, play_at_random, play_by_bots
from tools.simulation.walk import Tried, Walk, retrace
from tools.wire.bot import BotFailure, is_outside

MOST_DECISIONS = 50_000  # of one game, unless the caller says otherwise
# words of the machine's messages -> kind of failure
FAILURE_WORDS = {
    "dead end": ("dead end", "no option"),
    "invariant": ("invariant",),
    "budget": ("budget", "limit", "endless", "not over"),
}


@dataclass(frozen=True, slots=True)
class GameSetup:
    """The parameters of one game. `given`: the facts with which it begins."""

    number: int
    seats: int
    seed: int
    given: Mapping[str, Any] | None = None

    def bot_of(self, seat: int, bots: tuple[str, ...]) -> str:
        """The name of its bot: the bots take the seats in turn, shifted by one seat from game to game."""
        return bots[(seat - 1 + self.number) % len(bots)]


class Setups(Sequence[GameSetup]):
    """Games of a run: the numbers of seats take turns, and seeds grow with the numbers of the games. `seed`: that of
    game 0; `given`: the facts with which all games begin."""

    def __init__(self, numbers: range, seats: Sequence[int], seed: int, given: Mapping[str, Any] | None = None) -> None:
        self.numbers, self.seats, self.seed, self.given = numbers, tuple(seats), seed, given

    @classmethod
    def of(cls, setup: GameSetup) -> Setups:
        """One game."""
        return cls(range(setup.number, setup.number + 1), (setup.seats,), setup.seed - setup.number, setup.given)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> GameSetup: ...

    @overload
    def __getitem__(self, at: slice) -> Setups: ...

    def __getitem__(self, at: int | slice) -> GameSetup | Setups:
        if isinstance(at, slice):
            return Setups(self.numbers[at], self.seats, self.seed, self.given)
        number = self.numbers[at]
        return GameSetup(number, self.seats[number % len(self.seats)], self.seed + number, self.given)


@dataclass(slots=True)
class GameFailure:
    kind: str  # dead end, invariant, budget, rule, bot or internal
    message: str
    save: dict[str, Any]  # the save, with the last option tried


@dataclass(slots=True)
class GameOutcome:
    """What came of a game, or of `games` with the same figures: then `setup` is that of the first one."""

    setup: GameSetup
    decisions: int = 0
    answers: int = 0  # the decisions, and what was answered without a choice
    games: int = 1
    seconds: float = 0.0  # of the processor, for all games
    spent: dict[str, tuple[int, float]] = field(default_factory=dict)  # by each bot that chose: decisions, seconds
    seat_scores: dict[int, int] = field(default_factory=dict)
    actor_scores: dict[str, int] = field(default_factory=dict)
    seat_wins: dict[int, float] = field(default_factory=dict)  # a tie is a fraction of a win for each
    actor_wins: dict[str, float] = field(default_factory=dict)
    has_winners: bool = True  # whether the rules say who wins
    trajectories: dict[str, tuple[float, ...]] = field(default_factory=dict)  # watched values from start to end
    card_usage: CardUsage | None = None  # of a game that ended; None where it is counted with others
    answer_usage: AnswerUsage | None = None
    failure: GameFailure | None = None
    unfinished: bool = False  # stopped after the most decisions that a game may have
    handed: dict[str, Any] | None = None  # facts for another game


@dataclass(slots=True)
class Batch:
    """Outcomes of some games in the order of their numbers, the usage of those that have none of their own, and why
    native code plays no longer (empty: it does, or never did)."""

    outcomes: list[GameOutcome]
    card_usage: CardUsage = field(default_factory=CardUsage)
    answer_usage: AnswerUsage = field(default_factory=AnswerUsage)
    notice: str = ""


def play_out(
    game: Game,
    setup: GameSetup,
    bot: str | tuple[str, ...],
    checked: bool,
    options: Mapping[str, str],
    most: int = MOST_DECISIONS,
    common: bool = False,
    looking: bool = False,
    handing_on: bool = False,
    thinking: Game | None = None,
) -> GameOutcome:
    """Play a game to its end or failure, or to this many decisions; `bot`: the name of the bot of all seats, or several
    names that share them; `common`: with common random numbers, so that games of one seed under different rules can be
    compared; `looking`: find out what was offered, too; `handing_on`: note the facts for another game;
    `thinking`: as in `Style`."""
    outcome = GameOutcome(setup)
    bots = (bot,) if isinstance(bot, str) else bot
    begun = time.process_time()
    walk = Walk(game, setup.seats, options, setup.seed, checked, ASK if common else DRAW, setup.given)
    try:
        walk.begin()
        if set(bots) == {RANDOM} and not common:
            play_at_random(walk, setup.seed, most)
        else:
            choose, draw = choosers(outcome, bots, common, thinking)
            play_by_bots(walk, choose, draw, most)
        if not walk.unfinished:
            walk.end()
            tell_result(outcome, result(walk.state(), walk.actors), walk.actors)
            outcome.handed = hand_over(walk.state()) if handing_on else None
            outcome.trajectories, outcome.card_usage = walk.trajectory.points(), walk.cards.usage(walk.plain_answers())
        outcome.seconds = time.process_time() - begun
        outcome.answer_usage = usage_of(walk, looking)
    except Exception as fault:  # one of the machine as well: the game that reveals it must not be lost
        outcome.seconds = time.process_time() - begun
        outcome.failure = failure_of(walk, fault)
        outcome.answer_usage = usage_of(walk, False)
    outcome.decisions, outcome.unfinished = walk.decisions, walk.unfinished
    outcome.answers = len(walk.answers) - walk.sites.count(CHANCE_SITE)
    return outcome


def choosers(
    outcome: GameOutcome, bots: tuple[str, ...], common: bool, thinking: Game | None = None
) -> tuple[Choose, Draw]:
    """Who chooses for the seat that is asked, and who draws where chance is asked: with `common`, each choice has a bot
    with a seed of its own."""
    setup, seed = outcome.setup, outcome.setup.seed

    def player(name: str, seed: int) -> Bot:
        bot = make_player(name, seed)
        if isinstance(bot, SearchBot):
            bot.thinking = thinking
        return bot

    numbers, players = CommonNumbers(seed), {name: player(name, seed) for name in bots}

    def choose(state: State) -> Option:
        decision = state.decision
        assert decision is not None, "a question is pending"
        name = setup.bot_of(decision.seat, bots)
        anew = common and not is_outside(name)
        begun = time.process_time()
        option = (player(name, numbers.bot_seed(decision)) if anew else players[name]).choose(state)
        known, seconds = outcome.spent.get(name, (0, 0.0))
        outcome.spent[name] = known + 1, seconds + time.process_time() - begun
        return option

    return choose, numbers.outcome


def tell_result(outcome: GameOutcome, found: Result, actors: Actors) -> None:
    """Write the scores and winners of a game that is over."""
    outcome.seat_scores, outcome.actor_scores = found.scores, found.actor_scores
    outcome.has_winners = found.has_winners
    outcome.seat_wins = {seat: 1 / len(found.winners) for seat in found.winners}
    outcome.actor_wins = {actor: outcome.seat_wins.get(seat, 0.0) for actor, (_, seat) in actors.items()}


def failure_of(walk: Walk, fault: Exception) -> GameFailure:
    """The failure of a game, with its save. It is played again for its log; where that fails earlier, since all options
    are listed then, this is the failure that is told."""
    state, tried, again = retrace(walk)
    fault = fault if again is None else again
    if isinstance(fault, RulesetError):
        kind, message = failure_kind(fault), str(fault)
    elif isinstance(fault, BotFailure):
        kind, message = "bot", str(fault)
    else:
        kind, message = "internal", f"{type(fault).__name__}: {fault}"
    return GameFailure(kind, message, failure_save(walk, state, tried, message))


def failure_kind(fault: RulesetError) -> str:
    text = fault.message.casefold()
    for kind, words in FAILURE_WORDS.items():
        if any(word in text for word in words):
            return kind
    return "rule"


def failure_save(walk: Walk, state: State | None, tried: Tried, message: str) -> dict[str, Any]:
    """The save before the failure, with the decision that leads to it; without a state the game failed at its start."""
    failed: dict[str, Any] = {"message": message}
    if state is None:
        program = walk.game.program
        data: dict[str, Any] = {"ruleset": program.id, "rules": program.named}
        data |= {"version": program.version, "digest": program.digest}
        data |= {"seats": walk.seats, "seed": walk.seed, "options": dict(walk.options)}
        data |= {"given": dict(walk.given)} if walk.given else {}
    else:
        state.auto = True
        data = save(state)
        if isinstance(tried, Option):
            failed |= {"code": list(tried.code), "ids": list(tried.ids)}
        elif tried is not None:
            failed |= {"ids": [tried.id]}
    return sealed({**data, "failure": failed})
