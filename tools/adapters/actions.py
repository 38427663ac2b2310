"""Options as whole numbers that stay the same: the fixed action space that learning libraries ask for.

`ActionSpace` is laid out from a program alone. Every question of the rules has a block of numbers: first to decline or
to be ready where the question allows these, then its answers. An answer with values from known ranges is numbered by
these values, so it always has the same number. Answers with amounts, or with too many values, are numbered by their
place in the list of options. Actions `at any moment`, which are taken out of turn, have no number.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from dsl import ir
from dsl.base.types import INT_LOW, Type, bounds
from dsl.program import Program
from interpreter import Decision, Option
from interpreter.core.question import ASKED_ANY_MOMENT
from interpreter.session.decision import DECLINE, READY

MAX_VALUES = 1 << 14  # answers of one question that are numbered by their values
ROOM = 512  # numbers of a question with answers that are not numbered by their values


class TooManyOptions(Exception):
    """A question has no number left for one of its options."""


@dataclass(frozen=True, slots=True)
class Block:
    """The numbers of one question, from `first` on. `ranges` are the (lowest, size) of each binder for every
    alternative; empty where answers are numbered by place."""

    address: str
    first: int
    specials: tuple[str, ...]  # `decline`, `ready`, where the question allows them
    ranges: tuple[tuple[tuple[int, int], ...], ...]
    answers: int

    @property
    def size(self) -> int:
        return len(self.specials) + self.answers


class ActionSpace:
    """The numbers 0 to `size - 1` for all options of a program."""

    def __init__(self, program: Program, room: int = ROOM) -> None:
        self.blocks: list[Block] = []
        self.size = 0
        for site in program.sites:
            block = _block(site, self.size, room)
            self.blocks.append(block)
            self.size += block.size

    def by_number(self, decision: Decision) -> dict[int, Option]:
        """The options of a question by their numbers, the lowest first; raises `TooManyOptions`."""
        block = self.blocks[decision.number]
        found = {_number(block, option, place): option for place, option in enumerate(decision.options)}
        return dict(sorted(found.items()))

    def address(self, number: int) -> str:
        """The question that a number belongs to."""
        for block in self.blocks:
            if block.first <= number < block.first + block.size:
                return block.address
        raise ValueError(f"there is no action {number}; the last is {self.size - 1}")


def _block(site: ir.Site, first: int, room: int) -> Block:
    if site.address == ASKED_ANY_MOMENT:
        return Block(site.address, first, (), (), 0)
    specials: tuple[str, ...] = (DECLINE,) if site.decline or site.if_any else ()
    if site.shape in ("some", "amounts"):
        specials += (READY,)
    limit = room if site.shape == "number" else MAX_VALUES + 1
    ranges = tuple(tuple(_range(type_, limit) for _, _, _, type_ in a.binders) for a in site.alternatives)
    answers = sum(_size(known) for known in ranges)
    boundless = any(low == INT_LOW for known in ranges for low, _ in known)
    if site.shape == "amounts" or answers > MAX_VALUES or boundless:
        return Block(site.address, first, specials, (), room)
    return Block(site.address, first, specials, ranges, answers)


def _range(type_: Type, limit: int) -> tuple[int, int]:
    """The lowest value of a type and the number of its values, at most `limit`."""
    low, high = bounds(type_)
    return low, min(high - low + 1, limit)


def _size(ranges: tuple[tuple[int, int], ...]) -> int:
    return prod(size for _, size in ranges)


def _number(block: Block, option: Option, place: int) -> int:
    raw = option.raw
    if raw.kind in block.specials:
        return block.first + block.specials.index(raw.kind)
    at = place if not block.ranges else _by_values(block, raw.alt, raw.values)
    if not 0 <= at < block.answers:
        raise TooManyOptions(
            f"`{' '.join(option.ids)}` is beyond the {block.answers} numbers of the question `{block.address}`; "
            "give the adapter more `room`"
        )
    return block.first + len(block.specials) + at


def _by_values(block: Block, alternative: int, values: tuple[int, ...]) -> int:
    at = sum(_size(known) for known in block.ranges[:alternative])
    inside = 0
    for value, (low, size) in zip(values, block.ranges[alternative], strict=True):
        if not low <= value < low + size:
            return -1
        inside = inside * size + value - low
    return at + inside
