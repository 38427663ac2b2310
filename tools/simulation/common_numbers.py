"""Common random numbers: what games under two sets of rules draw is the same as far as they draw the same.

A generator that is used in turn gives other numbers to all later events once one more is drawn. Here each chance event,
and each choice of a bot, has numbers of its own: they follow from the seed of the game, from the address of the event
and from how often this address has come before. Each possible outcome has its own number as well: of all outcomes the
one whose waiting time at a rate of its weight is the shortest is drawn. So an outcome that is there under one set of
rules only leaves the order of the others as it is, in shuffles too.
"""

from __future__ import annotations

import math
from collections import Counter
from hashlib import blake2b

from dsl.program import DRAWN
from interpreter.session.chance import ChanceEvent, Outcome
from interpreter.session.decision import Decision


class CommonNumbers:
    """The numbers of one game, begun with `chance="ask"`."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.times: Counter[tuple[str, int]] = Counter()  # address and seat (0: chance) -> events so far

    def outcome(self, event: ChanceEvent) -> Outcome:
        at = event.address, 0
        if not event.words[DRAWN]:  # a shuffle that goes on is one event
            self.times[at] += 1
        numbered = f"{self.seed} {event.address} {self.times[at]}"
        return min(event.outcomes, key=lambda outcome: waiting_time(f"{numbered} {outcome.id}") / outcome.weight)

    def bot_seed(self, decision: Decision) -> int:
        """The seed of the bot for a choice: another one each time."""
        at = decision.address, decision.seat
        self.times[at] += 1
        return number(f"{self.seed} {decision.address} {decision.seat} {self.times[at]}")


def number(text: str) -> int:
    """64 bits that follow from a text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def waiting_time(text: str) -> float:
    """A draw of the exponential distribution with the rate 1."""
    return -math.log((number(text) + 0.5) / 2**64)
