"""Who decides when no person does: a random bot, and a greedy bot that looks one small decision ahead.

Both take a state with an open decision and return one of its options. They know nothing about a game: the greedy one
uses the value that the manifest declares (`evaluate`), on a copy in which chance and the order of hidden piles are
randomised. The contents of other hands are left as they are.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

from dsl import program as hdr
from interpreter import Option, State, apply, copy, legal, moments
from interpreter.choices.draw import SELDOM_ODDS
from interpreter.core.errors import RulesetError
from interpreter.visibility.audiences import knows, sees_zone
from tools.base.errors import UserError, unknown_message
from tools.base.seats import evaluate_seat


class Bot(Protocol):
    def choose(self, state: State) -> Option: ...


RANDOM = "random"
INTERRUPT_ODDS = 16  # one in how many times a bot also considers actions at any moment, which take time to list


def available_options(state: State, chance: random.Random) -> list[Option]:
    """The options of the bot that is asked, now and then with its actions at any moment."""
    options = legal(state)
    if state.decision is not None and state.game.program.moment_proc >= 0 and not chance.randrange(INTERRUPT_ODDS):
        options += moments(state, state.decision.seat)
    return options


class RandomBot:
    """Chooses every option with equal probability, except for actions that the manifest calls `seldom`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.interrupt_chance = random.Random(~seed)

    def choose(self, state: State) -> Option:
        options = available_options(state, self.interrupt_chance)
        option = options[self.random.randrange(len(options))]
        if is_seldom(option) and self.random.randrange(SELDOM_ODDS):
            others = [o for o in options if not is_seldom(o)]
            option = others[self.random.randrange(len(others))] if others else option
        return option


def is_seldom(option: Option) -> bool:
    """Whether it is an action that random play would take far too often, such as giving up."""
    return bool(option.decision.game.program.seldom) and option.ids[0] in option.decision.game.program.seldom


class GreedyBot:
    """Chooses the option after which the deciding seat has the best value; ties and unknown results at random."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.interrupt_chance = random.Random(~seed)

    def choose(self, state: State) -> Option:
        options = available_options(state, self.interrupt_chance)
        decision = state.decision
        assert decision is not None
        if len(options) == 1:
            return options[0]
        best: list[Option] = []
        best_value: int | None = None
        for option in options:
            value = self.value_after(state, option, decision.seat)
            if value is not None and (best_value is None or value > best_value):
                best, best_value = [], value
            if value == best_value:
                best.append(option)
        return self.random.choice(best or options)

    def value_after(self, state: State, option: Option, seat: int) -> int | None:
        after = copy(state)
        self.randomise_unknown(after, seat)
        try:
            apply(after, option)
        except RulesetError:
            return None
        return evaluate_seat(after, seat)

    def randomise_unknown(self, state: State, seat: int) -> None:
        """Randomise what the seat does not know: future chance, and the order of hidden ordered zones. What is on
        the backs stays where it is seen."""
        game, words = state.game, state.words[:]
        for i in range(hdr.RNG, hdr.RNG + 3):
            words[i] = self.random.getrandbits(20)
        words[hdr.ASKING] = 0  # what is only tried asks nobody
        for number, zone in enumerate(game.program.zones):
            if zone.kind == "list" and not sees_zone(game, words, number, seat):
                at = range(zone.base + 1, zone.base + 1 + words[zone.base])
                alike: dict[Any, list[int]] = {}  # places of unknown things, by what is seen of their backs
                for i in at:
                    if not knows(game, words, words[i], seat):
                        alike.setdefault(game.backs.get(words[i]), []).append(i)
                for unknown_at in alike.values():
                    things = [words[i] for i in unknown_at]
                    self.random.shuffle(things)
                    for i, thing in zip(unknown_at, things, strict=True):
                        words[i] = thing
        decision = state.decision
        state.replace_words(words, decision.offers if decision else None)  # what is offered depends on nothing hidden


BOTS: dict[str, Callable[[int], Bot]] = {RANDOM: RandomBot, "greedy": GreedyBot}


def make_bot(name: str, seed: int) -> Bot:
    if name not in BOTS:
        raise UserError(unknown_message("bot", name, BOTS))
    return BOTS[name](seed)
