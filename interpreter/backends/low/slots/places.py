"""The places of the words and arrays of slots in the memory of a module."""

from __future__ import annotations

from interpreter.backends.low.base import exported
from interpreter.backends.low.base.context import Lowering
from interpreter.backends.low.base.make import scale, word
from interpreter.backends.low.base.memory import MOST_ROWS
from interpreter.backends.low.base.regions import Slots
from interpreter.backends.low.form import nodes as low
from interpreter.backends.low.form.nodes import Expr, Num, Op

MOST_MASKED = 10_000  # numbers for which there is a mask
LENGTH, SEAT, WORDS = range(3)  # of an open plan; a store has its length in front, too
BYTES = 4  # of a word of a mask
LINE = 16  # words of the cache
FEW = 16  # words that are copied or cleared without a call of the host's


def spread(words: int) -> int:
    """At least so many words: an odd number of lines of the cache, so that the slots do not all fall upon the same."""
    return (-(-words // LINE) | 1) * LINE


class SlotPlaces:
    """The places of the words and arrays of slots."""

    def __init__(self, lo: Lowering, numbers: int, observation: int) -> None:
        memory = lo.memory
        masked = numbers <= MOST_MASKED
        words = {
            exported.ACTION: 2, exported.LEGAL: spread(MOST_ROWS), exported.COUNTS: 1, exported.ASKED_SEAT: 1,
            exported.SCORES: lo.program.seats[1], exported.WINNERS: 1, exported.ENDED: 1, exported.TAKEN: 1,
            exported.SEEDS: 4, exported.OBSERVATION: observation, exported.FINAL: observation,
            exported.MASK: -(-numbers // BYTES) if masked else 0, exported.CHOSEN: 1,
            exported.ROWS: spread(MOST_ROWS * memory.stride), exported.OPEN: spread(WORDS + memory.top),
            exported.STORE: spread(1 + memory.top), exported.REWARD: 1,
        }  # fmt: skip
        widths = tuple(words[array] for array in range(len(words)))
        self.slots = Slots(
            memory.room(1), memory.room(1), memory.room(1), memory.room(memory.stride), memory.room(len(widths)),
            widths, numbers, masked,
        )  # fmt: skip
        self.pending = memory.room(4)  # what the seeds of a slot become
        self.lo = lo

    def of(self, array: int, slot: Expr) -> Expr:
        """The address of a slot in an array."""
        return self.lo.w.let(Op("+", word(self.slots.bases + array), scale(slot, self.slots.widths[array])))


def copy_few(lo: Lowering, target: Expr, source: Expr, words: int) -> None:
    """Copy words, two by two where they are few; the regions do not overlap."""
    w = lo.w
    if words > FEW:
        w.emit(low.Copy(target, source, Num(words)))
        return
    target, source = w.let(target), w.let(source)
    for k in range(0, words - 1, 2):
        w.emit(low.StoreLong(target, k, low.LoadLong(source, k)))
    if words % 2:
        w.store(target, words - 1, low.Load(source, words - 1))


def clear_few(lo: Lowering, at: Expr, words: int) -> None:
    """Set words to 0, one by one where they are few."""
    if words > FEW:
        lo.w.emit(low.Clear(at, Num(words)))
        return
    for k in range(words):
        lo.w.store(at, k, Num(0))
