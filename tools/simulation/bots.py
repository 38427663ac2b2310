"""Who decides when no person does: a random bot, and a greedy bot that plays for the value of a position.

Both take a state with an open decision and return one of its options. They know nothing about a game: the greedy one
asks `Foresight` what its options lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from interpreter import Decision, Option, State, legal, moments
from interpreter.choices.draw import INTERRUPT_ODDS, SELDOM_ODDS, is_rare
from interpreter.session.decision import DECLINE
from interpreter.session.foresight import Foresight
from interpreter.visibility.imagine import imagined
from tools.base.errors import UserError, unknown_message


class Bot(Protocol):
    """`random`: what it chooses by; `interrupt_chance`: whether it looks at actions at any moment."""

    random: Random
    interrupt_chance: Random

    def choose(self, state: State) -> Option: ...


RANDOM = "random"


def available_options(state: State, chance: Random) -> list[Option]:
    """The options of the bot that is asked, now and then with its actions at any moment."""
    options = legal(state)
    if state.decision is not None and state.game.program.moment_proc >= 0 and not chance.randrange(INTERRUPT_ODDS):
        options += moments(state, state.decision.seat)
    return options


class RandomBot:
    """Chooses every option with equal probability, except for what the manifest calls `seldom`."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.interrupt_chance = Random(~seed)

    def choose(self, state: State) -> Option:
        options = available_options(state, self.interrupt_chance)
        option = options[self.random.randrange(len(options))]
        if is_seldom(option) and self.random.randrange(SELDOM_ODDS):
            others = [o for o in options if not is_seldom(o)]
            option = others[self.random.randrange(len(others))] if others else option
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
        self.random = Random(seed)
        self.interrupt_chance = Random(~seed)

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
        found, _, _ = self.best(state, decision, options)
        idle = [option for option in found if option.kind == DECLINE]
        return idle[0] if idle else self.random.choice(found)

    def best(
        self, state: State, asked: Decision, options: Sequence[Option]
    ) -> tuple[Sequence[Option], int | None, int]:
        """The best options of a question, what they are worth, and what the position is worth as it stands."""
        store = imagined(state.game, asked.words, asked.seat, self.random)
        values, now = state.game.cached(Foresight).values(store, [o.raw for o in options], asked.seat)
        best = max((value for value in values if value is not None), default=None)
        return [o for o, value in zip(options, values, strict=True) if value == best], best, now

    def useful_moment(self, state: State, decision: Decision) -> Option | None:
        """An action at any moment that makes the position better, since it takes no turn; now and then none is looked
        for, so that no bot goes on with them for ever."""
        if state.game.program.moment_proc < 0 or not self.interrupt_chance.randrange(INTERRUPT_ODDS):
            return None
        options = moments(state, decision.seat)
        if not options:
            return None
        found, best, now = self.best(state, options[0].decision, options)
        return self.random.choice(found) if best is not None and best > now else None


BOTS: dict[str, Callable[[int], Bot]] = {RANDOM: RandomBot, "greedy": GreedyBot}


def make_bot(name: str, seed: int) -> Bot:
    if name not in BOTS:
        raise UserError(unknown_message("bot", name, BOTS))
    return BOTS[name](seed)
