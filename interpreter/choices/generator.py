"""The random numbers of bots and of games that are played at random: PCG32, seeded by mixing a number.

It is the same in `interpreter.backends.low.generators`. The chance of a game is not drawn here but by the store
(`interpreter.core.rng`), whose numbers are others for the same seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from interpreter.core.kernel import Bits, Row, kernel
from interpreter.core.rng import INCREMENT, MASK_32, MASK_64, MULTIPLIER, mixed, set_state

Item = TypeVar("Item")

WHOLE = 1 << 32


class Generator:
    """Random numbers from a seed, which is any whole number. `state`: 64 bits, from which they go on."""

    __slots__ = ("state",)
    state: Bits

    def __init__(self, seed: int) -> None:
        self.state = mixed(seed)

    @kernel
    def next32(self) -> Bits:
        """The next 32 bits."""
        old = self.state
        self.state = (old * MULTIPLIER + INCREMENT) & MASK_64
        bits = (old >> 18 ^ old) >> 27 & MASK_32
        return (bits | bits << 32) >> (old >> 59) & MASK_32

    def random(self) -> float:
        """A number from 0 to below 1, of 32 bits."""
        return self.next32() / WHOLE

    @kernel
    def below(self, n: int) -> int:
        """A number from 0 to n-1, all equally likely; n is from 1 to 2^32."""
        drawn = self.next32()
        if not n & n - 1:
            return drawn * n >> 32
        while drawn >= WHOLE - n and drawn >= WHOLE - WHOLE % n:  # in the tail, which would favour some numbers
            drawn = self.next32()
        return drawn % n

    @kernel
    def bits64(self) -> Bits:
        """The next 64 bits."""
        return self.next32() | self.next32() << 32

    @kernel
    def reseed(self, words: Row) -> None:
        """Give the generator of a store a new state."""
        set_state(words, self.bits64())

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def shuffle(self, items: list[int]) -> None:
        """Put items into a random order."""
        self.mix(items, len(items))

    @kernel
    def mix(self, items: Row, count: int) -> None:
        """Put the first words of a row into a random order, the last place first."""
        for n in range(count, 1, -1):
            k = self.below(n)
            items[n - 1], items[k] = items[k], items[n - 1]
