"""Options as whole numbers that stay the same: the fixed action space that learning libraries ask for.

`ActionSpace` is laid out from a program alone, as `interpreter.choices.numbers` says. An answer with values from known
ranges is numbered by these values, so it always has the same number. Answers with amounts, or with too many values, are
numbered by their place in the list of options. Actions `at any moment`, which are taken out of turn, have no number.
"""

from __future__ import annotations

from interpreter import Decision, Option
from interpreter.choices.numbers import ROOM as ROOM
from interpreter.rules.numbering import Numbering
from interpreter.rules.numbering import TooManyOptions as TooManyOptions
from interpreter.rules.rules import Rules


class ActionSpace(Numbering):
    """The numbers 0 to `size - 1` for all options of a ruleset."""

    def __init__(self, game: Rules, room: int = ROOM) -> None:
        super().__init__(game, room)
        self.size = sum(block.size for block in self.blocks)

    def numbers(self, decision: Decision) -> list[int]:
        """The numbers of the options of a question, in their order; raises `TooManyOptions`."""
        return [self.number(decision.number, option.raw, place) for place, option in enumerate(decision.options)]

    def by_number(self, decision: Decision) -> dict[int, Option]:
        """The options of a question by their numbers, the lowest first; raises `TooManyOptions`."""
        return dict(sorted(zip(self.numbers(decision), decision.options, strict=True)))

    def address(self, number: int) -> str:
        """The question that a number belongs to."""
        for block in self.blocks:
            if block.first <= number < block.first + block.size:
                return block.address
        raise ValueError(f"there is no action {number}; the last is {self.size - 1}")
