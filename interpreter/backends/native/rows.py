"""Rows of options in memory as options, and back, and generators of bots, which are 64 bits in two words.

The same row is the same object, since most come again and again.
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence, Sequence
from struct import Struct

from interpreter.backends.low.base.exported import KIND_NAMES, NUMBER, PICK
from interpreter.choices.generator import Generator
from interpreter.core.question import DECLINE, READY, RawOption

WORD = 4  # bytes
MOST_KNOWN = 100_000  # rows that are kept as options
KINDS = {name: number for number, name in enumerate(KIND_NAMES)}


class OptionRows:
    """The options of one program, whose rows have `stride` words."""

    def __init__(self, stride: int) -> None:
        self.size = WORD * stride
        self.each = Struct(f"{self.size}s").iter_unpack
        self.known: dict[bytes, RawOption] = {}

    def options(self, rows: bytes) -> list[RawOption]:
        """The options of these rows."""
        known, made = self.known.get, self._option
        return [known(row) or made(row) for (row,) in self.each(rows)]

    def _option(self, row: bytes) -> RawOption:
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        found = self.known[row] = option_of(array("i", row))
        return found


def option_of(row: Sequence[int]) -> RawOption:
    """The option of a row."""
    kind, code, count, *rest = row
    name = KIND_NAMES[kind]
    if name == DECLINE.kind:
        return DECLINE
    if name == READY.kind:
        return READY
    values = tuple(rest[:count])
    return RawOption(name, (code, *values), code - 1 if kind in (PICK, NUMBER) else 0, values)


def row_of(option: RawOption) -> array[int]:
    """The row of an option, as far as it is read."""
    return array("i", (KINDS[option.kind], option.code[0], len(option.values), *option.values))


# ------------------------------------------------------------ generators of bots

HALF = 1 << 31


def halves(value: int) -> list[int]:
    """A number of 64 bits as words with a sign, the lower one first."""
    return [(half ^ HALF) - HALF for half in (value & 2 * HALF - 1, value >> 32 & 2 * HALF - 1)]


def state_at(memory: Sequence[int], at: int) -> int:
    """The state of a bot's generator that stands in memory."""
    return memory[at] & 2 * HALF - 1 | (memory[at + 1] & 2 * HALF - 1) << 32


def put_generator(memory: MutableSequence[int], at: int, generator: Generator) -> None:
    """Write a bot's generator into memory."""
    memory[at], memory[at + 1] = halves(generator.state)
