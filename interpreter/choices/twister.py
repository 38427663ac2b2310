"""The Mersenne Twister, Python's generator, for native code that plays random games with the numbers of a seed.

Its state is 624 words and where it stands. Makoto Matsumoto, Takuji Nishimura, "Mersenne Twister", ACM TOMACS 1998.
"""

from __future__ import annotations

from typing import Protocol

from interpreter.core.kernel import Bits, Row, kernel

SIZE, MIDDLE = 624, 397  # words of the state, and the distance of those that are mixed
UPPER, LOWER, MASK_32 = 0x80000000, 0x7FFFFFFF, 0xFFFFFFFF
MIXED, SEVENTH, FIFTEENTH = 0x9908B0DF, 0x9D2C5680, 0xEFC60000


class Keeper(Protocol):
    """A listener that is given the words of a state before it is made anew."""

    def keep(self, words: Row) -> None: ...


@kernel
def twist(keeper: Keeper, words: Row) -> None:
    """Make the next words of the state."""
    keeper.keep(words)
    for n in range(SIZE):
        following = n + 1 if n < SIZE - 1 else 0
        middle = n + MIDDLE if n < SIZE - MIDDLE else n + MIDDLE - SIZE
        y = words[n] & UPPER | words[following] & LOWER
        words[n] = words[middle] & MASK_32 ^ y >> 1 ^ -(y & 1) & MIXED
    words[SIZE] = 0


@kernel
def tempered(word: int) -> int:
    """The 32 bits that a word of the state gives."""
    y = word & MASK_32
    y ^= y >> 11
    y ^= y << 7 & SEVENTH
    y ^= y << 15 & FIFTEENTH
    return y ^ y >> 18


@kernel
def next32(keeper: Keeper, words: Row) -> int:
    """The next 32 bits."""
    if words[SIZE] >= SIZE:
        twist(keeper, words)
    n = words[SIZE]
    words[SIZE] = n + 1
    return tempered(words[n])


@kernel
def fraction(keeper: Keeper, words: Row) -> int:
    """53 bits, as `random()` takes them."""
    n = words[SIZE]
    if n < SIZE - 1:
        words[SIZE] = n + 2
        return tempered(words[n]) >> 5 << 26 | tempered(words[n + 1]) >> 6
    upper = next32(keeper, words) >> 5
    return upper << 26 | next32(keeper, words) >> 6


@kernel
def bits64(keeper: Keeper, words: Row) -> Bits:
    """64 bits, as `getrandbits(64)` takes them."""
    return next32(keeper, words) | next32(keeper, words) << 32
