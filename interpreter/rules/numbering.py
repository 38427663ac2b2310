"""The fixed numbers of the options of a ruleset, for learners: worked out from its rules alone."""

from __future__ import annotations

from interpreter.choices.numbers import ROOM, NumberBlock, blocks, place_in
from interpreter.core.question import RawOption
from interpreter.rules.rules import Rules


class TooManyOptions(Exception):
    """A question has no number left for one of its options."""


class Numbering:
    """The fixed numbers of the options of one ruleset; `room`: numbers of a question whose answers are numbered by
    place. `known`, `rows`: those of lists of options and of single ones as native code has them, for each question."""

    def __init__(self, game: Rules, room: int = ROOM) -> None:
        self.game = game
        self.blocks: list[NumberBlock] = blocks(game.program, room)
        self.known: list[dict[bytes, tuple[list[int], list[int]]]] = [{} for _ in self.blocks]
        self.rows: list[dict[bytes, int]] = [{} for _ in self.blocks]

    def number(self, site: int, option: RawOption, place: int) -> int:
        """The number of an option, which stands at this place of its question."""
        block = self.blocks[site]
        at = place_in(block, option, place)
        if at < 0:
            ids = " ".join(self.game.answers[site].ids(option))
            raise TooManyOptions(
                f"`{ids}` is beyond the {block.answers} numbers of the question `{block.address}`; "
                "give the adapter more `room`"
            )
        return block.first + at
