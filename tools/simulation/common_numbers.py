"""Common random numbers: what games under two sets of rules draw is the same as far as they draw the same.

A generator that is used in turn gives other numbers to all later events once one more is drawn. Here each chance event,
and each choice of a bot, has numbers of its own (`interpreter.choices.keyed`): they follow from the seed of the game,
from the address of the event and from how often this address has come before. Each possible outcome has its own number
as well, each piece of a supply one more, and the least of all is drawn. So an outcome that is there under one set of
rules only leaves the order of the others as it is, in shuffles too. Where outcomes have weights, the one is drawn whose
waiting time at a rate of its weight is the shortest.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from dsl.program import DRAWN
from interpreter.choices.keyed import key_of, number, outcome_key, then, waiting_time
from interpreter.core.rng import MASK_64
from interpreter.session.chance import ChanceEvent, Outcome
from interpreter.session.decision import Decision


class CommonNumbers:
    """The numbers of one game, begun with `chance="ask"`. `times`: how many events there were so far, by the address
    and the seat that chose (0: chance)."""

    def __init__(self, seed: int) -> None:
        self.seed = seed & MASK_64
        self.times: Counter[tuple[str, int]] = Counter()
        self.places: dict[tuple[str, int], int] = {}  # likewise: what the numbers there follow from

    def outcome(self, event: ChanceEvent) -> Outcome:
        """What is drawn."""
        at = event.address, 0
        if not event.words[DRAWN]:  # a shuffle that goes on is one event
            self.times[at] += 1
        found = self.number_at(at)
        return min(event.outcomes, key=partial(rank, event, found))

    def bot_seed(self, decision: Decision) -> int:
        """The seed of the bot for a choice: another one each time."""
        at = decision.address, decision.seat
        self.times[at] += 1
        return self.number_at(at)

    def number_at(self, at: tuple[str, int]) -> int:
        """The number of what happens now at an address, for chance or a seat: that of the keys seed, address, seat and
        times."""
        if at not in self.places:
            self.places[at] = number(self.seed, key_of(at[0]), at[1])
        return then(self.places[at], self.times[at])


def rank(event: ChanceEvent, found: int, outcome: Outcome) -> int:
    """Where an outcome stands: the lowest is drawn. `found`: the number of the event."""
    if event.op == "shuffle":
        return then(found, key_of(outcome.id))
    own = then(found, outcome_key(event.game.program, outcome.code, event.node.type))
    if event.op == "piece":
        return min(then(own, piece) for piece in range(outcome.weight))
    return own if event.node.weights is None else waiting_time(own, outcome.weight)
