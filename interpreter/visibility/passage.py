"""What a step passes through: the positions before its shuffles, which make forget where things lie.

Between two questions a card may be played openly and be shuffled into the deck. Whoever saw it there reads its name in
the log, though the store at the next question no longer says so. The machine draws and goes on without a stop, so such
a step is played once more on a copy, up to the shuffle; only where a line names a thing that is not known to all, and
that has been shuffled.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import program as hdr
from interpreter.core.question import Option
from interpreter.core.run import ChanceOutcome
from interpreter.core.words import Words
from interpreter.machine.machine import Machine
from interpreter.rules.rules import Rules


class Passage:
    """A step from the store `before`, by this answer (None: the beginning of the game), with what chance has drawn in
    it. Where chance is asked the machine stops by itself, and there is nothing to look up."""

    def __init__(self, rules: Rules, before: Words, option: Option | None, draws: Sequence[ChanceOutcome]) -> None:
        self.rules, self.before, self.option, self.draws = rules, before, option, tuple(draws)
        self._stores: dict[int, Words] = {}

    def before_shuffle(self, thing: int, since: int = 0) -> Words | None:
        """The store before the first shuffle with this thing among the draws from number `since` on; None if there is
        none. It costs what the step costs on the reference machine, once for each shuffle."""
        asked = self.before[hdr.ASKING]
        for number, draw in enumerate(() if asked else self.draws[since:], since):
            if draw.op == "shuffle" and thing in draw.values:
                if number not in self._stores:
                    self._stores[number] = self._up_to(number)
                return self._stores[number]
        return None

    def _up_to(self, number: int) -> Words:
        """The store in which the machine waits for the draw with this number."""
        machine, words = self.rules.cached(_player), self.before[:]
        words[hdr.ASKING], words[hdr.SCRIPT] = 1, 0
        script = [list(draw.ids) if draw.op == "shuffle" else draw.ids[0] for draw in self.draws[:number]]
        if self.option is None:
            machine.run(words, script)
        else:
            machine.take(words, self.option, script)
        machine.draws.clear()
        return words


def _player(rules: Rules) -> Machine:
    return Machine(rules.program)
