"""The random numbers of bots and of games that are played at random: PCG32, seeded by mixing a number.

It is seeded in a few steps, so that a game of a few answers can have generators of its own, and is the same in
`interpreter.backends.low.generators`. The chance of a game is not drawn here but by the store (`interpreter.core.rng`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from interpreter.core.rng import INCREMENT, MASK_32, MASK_64, MULTIPLIER

Item = TypeVar("Item")

GOLDEN = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio, odd
MIXERS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))  # shifts and factors
LAST_SHIFT = 31
WHOLE = 1 << 32


def mixed(number: int) -> int:
    """64 bits, each of which depends on all of the last 64 of a number; numbers that differ there give different ones.

    This is a step of SplitMix64 from that number: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
    OOPSLA 2014, with the constants of variant 13 of David Stafford."""
    bits = (number + GOLDEN) & MASK_64
    for shift, factor in MIXERS:
        bits = (bits ^ bits >> shift) * factor & MASK_64
    return bits ^ bits >> LAST_SHIFT


class Generator:
    """Random numbers from a seed, which is any whole number. `state`: 64 bits, from which they go on."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = mixed(seed)

    def next32(self) -> int:
        """The next 32 bits."""
        old = self.state
        self.state = (old * MULTIPLIER + INCREMENT) & MASK_64
        bits = (old >> 18 ^ old) >> 27 & MASK_32
        return (bits | bits << 32) >> (old >> 59) & MASK_32

    def random(self) -> float:
        """A number from 0 to below 1, of 32 bits."""
        return self.next32() / WHOLE

    def below(self, n: int) -> int:
        """A number from 0 to n-1, all equally likely; n is from 1 to 2^32."""
        tail = WHOLE % n  # a draw in the tail would favour some numbers
        drawn = self.next32()
        if not tail:
            return drawn * n >> 32
        while drawn >= WHOLE - tail:
            drawn = self.next32()
        return drawn % n

    def bits64(self) -> int:
        """The next 64 bits."""
        return self.next32() | self.next32() << 32

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def shuffle(self, items: list[Item]) -> None:
        """Put items into a random order, the last place first."""
        for n in range(len(items), 1, -1):
            k = self.below(n)
            items[n - 1], items[k] = items[k], items[n - 1]
