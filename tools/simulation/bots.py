"""Bots: a random bot, a greedy bot that plays for the value of a position, and bots that search.

They take a state with an open decision and return one of its options. They know nothing about a game:
`interpreter.bots` says what options lead to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from dsl.program import SETTINGS, SearchSettings
from interpreter import Decision, Game, Option, State, legal, moments
from interpreter.bots.foresight import best_option
from interpreter.bots.levels import GREEDY, NOVICE, RANDOM, SEARCH, SEARCHES
from interpreter.bots.scale import style_of
from interpreter.bots.searching import searched_option
from interpreter.choices.draw import INTERRUPT_ODDS, SELDOM_ODDS, is_rare
from interpreter.choices.generator import Generator
from interpreter.core.question import GreedyChoice
from tools.base.errors import UserError, shorten, unknown_message
from tools.wire.bot import OutsideBot, is_outside


class Bot(Protocol):
    def choose(self, state: State) -> Option: ...


ITERATIONS, MOST_ITERATIONS = 200, 100_000  # of a search
TIMED = 50  # iterations of each tree of a search that has its time


def available_options(state: State, chance: Generator) -> list[Option]:
    """The options of the bot that is asked, now and then with its actions at any moment."""
    options = legal(state)
    if state.decision is not None and state.game.program.moment_proc >= 0 and not chance.below(INTERRUPT_ODDS):
        options += moments(state, state.decision.seat)
    return options


class RandomBot:
    """Chooses every option with equal probability, except for what the manifest calls `seldom`."""

    def __init__(self, seed: int) -> None:
        self.random = Generator(seed)
        self.interrupt_chance = Generator(~seed)

    def choose(self, state: State) -> Option:
        options = available_options(state, self.interrupt_chance)
        option = options[self.random.below(len(options))]
        if is_seldom(option) and self.random.below(SELDOM_ODDS):
            others = [o for o in options if not is_seldom(o)]
            option = others[self.random.below(len(others))] if others else option
        return option


def is_seldom(option: Option) -> bool:
    """Whether it is an answer that random play would take far too often, such as giving up."""
    machine, number = option.decision.game.machine, option.decision.number
    return is_rare(option.raw, machine.seldom.get(number, ()))


class GreedyBot:
    """Chooses the option that leads to the best position by the ruleset's own `evaluate`; ties by chance, but it does
    nothing rather than what brings nothing. It decides from what its seat may know: chance and hidden orders are
    imagined, the same for all options. Without `evaluate` every option is as good as any other."""

    def __init__(self, seed: int) -> None:
        self.random = Generator(seed)
        self.interrupt_chance = Generator(~seed)

    def choose(self, state: State) -> Option:
        decision = state.decision
        assert decision is not None
        if state.game.program.evaluate >= 0:
            moment = self.useful_moment(state, decision)
            if moment is not None:
                return moment
        options = decision.options
        if len(options) == 1:
            return options[0]
        if state.game.program.evaluate < 0:
            return self.random.choice(options)
        return options[self.best(decision, options, True).place]

    def best(self, asked: Decision, options: Sequence[Option], declining: bool) -> GreedyChoice:
        """The best of the options of a question."""
        return best_option(asked.game, asked.words, [o.raw for o in options], asked.seat, self.random, declining)

    def useful_moment(self, state: State, decision: Decision) -> Option | None:
        """An action at any moment that makes the position better, since it takes no turn; now and then none is looked
        for, so that no bot goes on with them for ever."""
        if state.game.program.moment_proc < 0 or not self.interrupt_chance.below(INTERRUPT_ODDS):
            return None
        options = moments(state, decision.seat)
        if not options:
            return None
        found = self.best(options[0].decision, options, False)
        return options[found.place] if found.worth > found.now else None


class SearchBot:
    """Searches a tree of answers from what its seat may know (`interpreter.bots.searching`), with so many iterations.
    With `seconds` trees of so many vote until these have passed. `settings`: those that the ruleset does not say.
    Actions at any moment are the greedy bot's. `thinking`: the rules that it thinks by where these are not those of the
    game; both must have the same stores."""

    def __init__(
        self, seed: int, iterations: int, seconds: float = 0.0, settings: SearchSettings | None = None
    ) -> None:
        self.random, self.greedy = Generator(seed), GreedyBot(seed)
        self.iterations, self.seconds, self.settings = iterations, seconds, settings or SearchSettings()
        self.thinking: Game | None = None

    def choose(self, state: State) -> Option:
        decision, game = state.decision, self.thinking or state.game
        assert decision is not None
        if game.program.evaluate >= 0 and (moment := self.greedy.useful_moment(state, decision)) is not None:
            return moment
        options = decision.options
        if len(options) == 1:
            return options[0]
        raw = [option.raw for option in options]
        style = style_of(game, self.iterations, self.settings)
        if not self.seconds:
            return options[searched_option(game, decision.words, raw, decision.seat, self.random, style)]
        votes, begun = [0] * len(options), time.perf_counter()
        while not sum(votes) or time.perf_counter() - begun < self.seconds:
            votes[searched_option(game, decision.words, raw, decision.seat, self.random, style)] += 1
        return options[votes.index(max(votes))]


class NoviceBot:
    """The greedy bot, which takes one of five answers at random."""

    def __init__(self, seed: int) -> None:
        self.random, self.greedy = Generator(~seed), GreedyBot(seed)
        self.slips = RandomBot(seed)

    def choose(self, state: State) -> Option:
        return (self.slips if not self.random.below(5) else self.greedy).choose(state)


def searching(iterations: int) -> Callable[[int], Bot]:
    return lambda seed: SearchBot(seed, iterations)


BOTS: dict[str, Callable[[int], Bot]] = {
    RANDOM: RandomBot,
    GREEDY: GreedyBot,
    SEARCH: searching(ITERATIONS),
    NOVICE: NoviceBot,
    **{name: searching(iterations) for name, iterations in SEARCHES.items()},
}
"""Bots by name; `search:N` has N iterations, and `search:50ms` as many as it can in that time. Behind that may stand
settings, which the manifest says otherwise: `search:100:scale=500:cut=4`."""


def usual_bot(game: Game) -> str:
    """The bot that plays where none is asked for."""
    return GREEDY if game.program.evaluate >= 0 else RANDOM


def make_bot(name: str, seed: int) -> Bot:
    """The bot of this name; raises UserError for names that there are not, and for numbers out of bounds."""
    if name in BOTS:
        return BOTS[name](seed)
    kind, *rest = name.split(":")
    if kind != "search" or not rest:
        raise UserError(unknown_message("bot", name, BOTS))
    number = rest[0].removesuffix("ms")
    if not is_number(number) or not 1 <= int(number) <= MOST_ITERATIONS:
        raise UserError(
            f"`{shorten(name)}`: behind `search:` stands a number from 1 to {MOST_ITERATIONS}, of iterations or "
            "milliseconds, as in `search:400` and `search:50ms`"
        )
    settings = read_settings(name, rest[1:])
    if rest[0] != number:
        return SearchBot(seed, TIMED, int(number) / 1000, settings)
    return SearchBot(seed, int(number), settings=settings)


def read_settings(name: str, written: Sequence[str]) -> SearchSettings:
    """The settings in the name of a bot, each as `cut=4`."""
    found: dict[str, int] = {}
    for text in written:
        key, _, value = text.partition("=")
        if key not in SETTINGS:
            raise UserError(unknown_message("setting of a search", shorten(key), SETTINGS))
        low, high = SETTINGS[key]
        if not is_number(value) or not low <= int(value) <= high:
            raise UserError(f"`{shorten(name)}`: `{key}` is a number from {low} to {high}, as in `{key}={max(1, low)}`")
        found[key] = int(value)
    return SearchSettings(**found)


def is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def make_player(name: str, seed: int) -> Bot:
    """A bot that whoever typed the command has named: one of these, or a program of their own (`run:COMMAND`). Names
    that come from elsewhere, as from a page or a save, go to `make_bot`, which runs nothing."""
    return OutsideBot(name) if is_outside(name) else make_bot(name, seed)
