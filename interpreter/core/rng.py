"""The random generator of a game: PCG32, whose 64 bits of state are stored in three header words of 22, 22 and 20 bits.

Takes and changes the words of a store; the same words always give the same numbers. It knows nothing of chance events.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import Any

from dsl.program import RNG
from interpreter.core.kernel import Bits, Row, kernel
from interpreter.core.words import Words

MULTIPLIER = 6364136223846793005
INCREMENT = 1442695040888963407
WHOLE = 1 << 32
MASK_64 = (1 << 64) - 1
MASK_32 = (1 << 32) - 1
MASK_22 = (1 << 22) - 1
GOLDEN = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio, odd
MIXERS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))  # shifts and factors
LAST_SHIFT = 31
LONGEST_UNROLLED = 64  # the most items whose shuffle is written out


def seed(words: Words, number: int) -> None:
    """Seed from an int; those from 0 to below 2^64 give different states."""
    set_state(words, mixed(mixed(number) ^ number >> 64))


@kernel
def mixed(number: Bits) -> Bits:
    """64 bits, each of which depends on all of the last 64 of a number; numbers that differ there give different ones.

    This is a step of SplitMix64 from that number: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
    OOPSLA 2014, with the constants of variant 13 of David Stafford."""
    bits = (number + GOLDEN) & MASK_64
    for shift, factor in MIXERS:
        bits = (bits ^ bits >> shift) * factor & MASK_64
    return bits ^ bits >> LAST_SHIFT


@kernel
def state(words: Row) -> Bits:
    return words[RNG] | words[RNG + 1] << 22 | words[RNG + 2] << 44


@kernel
def set_state(words: Row, value: Bits) -> None:
    words[RNG] = value & MASK_22
    words[RNG + 1] = value >> 22 & MASK_22
    words[RNG + 2] = value >> 44


@kernel
def next32(words: Row) -> Bits:
    """The next 32 bits (PCG-XSH-RR)."""
    old: Bits = words[RNG] | words[RNG + 1] << 22 | words[RNG + 2] << 44
    new = (old * MULTIPLIER + INCREMENT) & MASK_64
    words[RNG] = new & MASK_22
    words[RNG + 1] = new >> 22 & MASK_22
    words[RNG + 2] = new >> 44
    mixed = ((old >> 18 ^ old) >> 27) & MASK_32
    turn = old >> 59
    return (mixed >> turn | mixed << (-turn & 31)) & MASK_32


@kernel
def randbelow(words: Row, n: int) -> int:
    """A number from 0 to n-1, all equally likely: a draw in the tail that would favour some numbers is repeated."""
    if not 0 < n <= WHOLE:
        raise ValueError(f"a draw among {n}")
    drawn = next32(words)
    if not n & n - 1:
        return drawn * n >> 32
    while drawn >= WHOLE - n and drawn >= WHOLE - WHOLE % n:
        drawn = next32(words)
    return drawn % n


def shuffle(words: Words, items: list[int]) -> None:
    """Put items into a random order, the last place first, with one draw for each; all orders are equally likely."""
    set_state(words, shuffled(state(words), items))


def shuffled(seen: int, items: list[int]) -> int:
    """Put items into a random order by a generator with the state `seen`; gives its state afterwards."""
    size = len(items)
    return shuffler(size)(seen, items) if 1 < size <= LONGEST_UNROLLED else shuffled_one_by_one(seen, items)


@cache
def shuffler(size: int) -> Callable[[int, list[int]], int]:
    """`shuffled` for `size` items as unrolled code. All states that are needed come from one product, each in 128 bits
    of a long number; if a number may be in the tail, the numbers are drawn one by one instead."""
    a, c, multiples, sums, ones = 1, 0, 0, 0, 0
    for lane in range(size):
        multiples |= a << 128 * lane
        sums |= c << 128 * lane
        ones |= 1 << 128 * lane
        a, c = a * MULTIPLIER & MASK_64, (c * MULTIPLIER + INCREMENT) & MASK_64
    lines = [
        "def shuffle(seen, items):",
        f" states = seen * {multiples} + {sums} & {ones * MASK_64}",
        f" mixed = (states >> 18 ^ states) >> 27 & {ones * MASK_32}",
        f" drawn = mixed | mixed << 32 | (states >> 59 & {ones * 31}) << 64",
        f" drawn = unpack(drawn.to_bytes({16 * size}, 'little'))",
        " order = items[:]",
    ]
    for lane, n in enumerate(range(size, 1, -1)):
        lines += [
            f" x = drawn[{2 * lane}] >> drawn[{2 * lane + 1}] & {MASK_32}",
            f" if x > {MASK_32 - n}: return singly(seen, items, order)",
            f" k = x % {n}" if n & n - 1 else f" k = x * {n} >> 32",
            f" items[{n - 1}], items[k] = items[k], items[{n - 1}]",
        ]
    lines.append(f" return states >> {128 * (size - 1)}")

    def singly(seen: int, items: list[int], order: list[int]) -> int:
        items[:] = order
        return shuffled_one_by_one(seen, items)

    names: dict[str, Any] = {"unpack": Struct(f"<{2 * size}Q").unpack, "singly": singly}
    exec("\n".join(lines), names)  # noqa: S102 - made of numbers and names of this function
    made: Callable[[int, list[int]], int] = names["shuffle"]
    return made


def shuffled_one_by_one(seen: int, items: list[int]) -> int:
    """`shuffled`, one number at a time."""
    for n in range(len(items), 1, -1):
        mixed = seen >> 27
        mixed = (mixed >> 18 ^ mixed) & 0xFFFFFFFF
        drawn = mixed * 0x100000001 >> (seen >> 59) & 0xFFFFFFFF
        seen = seen * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
        if drawn > 0xFFFFFFFF - n:  # perhaps in the tail
            seen, drawn = redraw(seen, drawn, n)
        k = drawn % n if n & n - 1 else drawn * n >> 32
        items[n - 1], items[k] = items[k], items[n - 1]
    return seen


def redraw(seen: int, drawn: int, n: int) -> tuple[int, int]:
    """The state of the generator and 32 bits for a number below n, drawn again while they are in the tail."""
    while drawn >= (1 << 32) - (1 << 32) % n:
        mixed = (seen >> 18 ^ seen) >> 27 & MASK_32
        drawn = (mixed | mixed << 32) >> (seen >> 59) & MASK_32
        seen = seen * MULTIPLIER + INCREMENT & MASK_64
    return seen, drawn
