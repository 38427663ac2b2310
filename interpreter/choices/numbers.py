"""The fixed numbers of options, laid out from a program alone: each question has a block of them.

In a block stand first the numbers to decline and to be ready, where the question allows these, then its answers: by
their values where these lie in known ranges, else by their place in the list of options.
"""

from __future__ import annotations

from math import prod

from dsl import ir
from dsl.base.record import dataclass
from dsl.base.types import INT_LOW, Type, bounds
from dsl.program import Program
from interpreter.core.question import ASKED_ANY_MOMENT, DECLINE, READY, RawOption

MAX_VALUES = 1 << 14  # answers of one question that are numbered by their values
ROOM = 512  # numbers of a question with answers that are not numbered by their values

Range = tuple[int, int]  # the lowest value, and how many there are


@dataclass(frozen=True, slots=True)
class NumberBlock:
    """The numbers of one question, from `first` on. `ranges` are those of each binder for every alternative; empty
    where answers are numbered by place."""

    address: str
    first: int
    specials: tuple[str, ...]  # `decline`, `ready`, where the question allows them
    ranges: tuple[tuple[Range, ...], ...]
    answers: int

    @property
    def size(self) -> int:
        return len(self.specials) + self.answers


def blocks(program: Program, room: int = ROOM) -> list[NumberBlock]:
    """The blocks of all questions; `room`: numbers of a question whose answers are numbered by place."""
    found: list[NumberBlock] = []
    for site in program.sites:
        found.append(_block(site, found[-1].first + found[-1].size if found else 0, room))
    return found


def combinations(ranges: tuple[Range, ...]) -> int:
    """The number of combinations of values."""
    return prod(size for _, size in ranges)


def place_in(block: NumberBlock, option: RawOption, place: int) -> int:
    """The offset of an option's number in its block; `place`: its index in the list of options. -1: it has none."""
    if option.kind in block.specials:
        return block.specials.index(option.kind)
    at = place if not block.ranges else _by_values(block, option.alt, option.values)
    return len(block.specials) + at if 0 <= at < block.answers else -1


def _by_values(block: NumberBlock, alternative: int, values: tuple[int, ...]) -> int:
    at = sum(combinations(known) for known in block.ranges[:alternative])
    inside = 0
    for value, (low, size) in zip(values, block.ranges[alternative], strict=True):
        if not low <= value < low + size:
            return -1
        inside = inside * size + value - low
    return at + inside


def _block(site: ir.Site, first: int, room: int) -> NumberBlock:
    if site.address == ASKED_ANY_MOMENT:
        return NumberBlock(site.address, first, (), (), 0)
    specials: tuple[str, ...] = (DECLINE.kind,) if site.decline or site.if_any else ()
    if site.shape in ("some", "amounts"):
        specials += (READY.kind,)
    limit = room if site.shape == "number" else MAX_VALUES + 1
    ranges = tuple(tuple(_range(type_, limit) for _, _, _, type_ in a.binders) for a in site.alternatives)
    answers = sum(combinations(known) for known in ranges)
    boundless = any(low == INT_LOW for known in ranges for low, _ in known)
    if site.shape == "amounts" or answers > MAX_VALUES or boundless:
        return NumberBlock(site.address, first, specials, (), room)
    return NumberBlock(site.address, first, specials, ranges, answers)


def _range(type_: Type, limit: int) -> Range:
    """The lowest value of a type and the number of its values, at most `limit`."""
    low, high = bounds(type_)
    return low, min(high - low + 1, limit)
