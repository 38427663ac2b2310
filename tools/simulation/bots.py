"""Bots: a random bot, and a greedy bot that plays for the value of a position.

Both take a state with an open decision and return one of its options. They know nothing about a game: the greedy one
asks `Foresight` what its options lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from interpreter import Decision, Option, State, legal, moments
from interpreter.choices.draw import INTERRUPT_ODDS, SELDOM_ODDS, is_rare
from interpreter.choices.generator import Generator
from interpreter.core.question import GreedyChoice
from interpreter.session.foresight import best_option
from tools.base.errors import UserError, unknown_message
from tools.wire.bot import OutsideBot, is_outside


class Bot(Protocol):
    def choose(self, state: State) -> Option: ...


RANDOM = "random"


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


BOTS: dict[str, Callable[[int], Bot]] = {RANDOM: RandomBot, "greedy": GreedyBot}


def make_bot(name: str, seed: int) -> Bot:
    if name not in BOTS:
        raise UserError(unknown_message("bot", name, BOTS))
    return BOTS[name](seed)


def make_player(name: str, seed: int) -> Bot:
    """A bot that whoever typed the command has named: one of these, or a program of their own (`run:COMMAND`). Names
    that come from elsewhere, as from a page or a save, go to `make_bot`, which runs nothing."""
    return OutsideBot(name) if is_outside(name) else make_bot(name, seed)
