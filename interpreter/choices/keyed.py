"""Random numbers that follow from what they are for: the same keys give the same 64 bits, whatever was drawn before.

A key is a number of 64 bits without a sign. `number` mixes keys one after the other by the step and the mixing function
of SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, with the constants of
variant 13 of David Stafford. `interpreter.backends.low.rules.keyed` writes the same in low code.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from random import Random

from dsl.base.types import MemberType, Type
from dsl.program import Program
from interpreter.semantics.chance import outcome_id

MASK_64 = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio, odd
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB  # factors of the mixing function
SHIFTS = 30, 27, 31
WORD = 32  # bits that a generator gives at once


def mixed(value: int) -> int:
    """A number of 64 bits in which each bit depends on all bits of the value; other values give other numbers."""
    value = (value ^ value >> 30) * FIRST & MASK_64
    value = (value ^ value >> 27) * SECOND & MASK_64
    return value ^ value >> 31


def then(found: int, key: int) -> int:
    """The number of one key more."""
    return mixed((found ^ key & MASK_64) + STEP & MASK_64)


def number(*keys: int) -> int:
    """The number of these keys, in this order."""
    found = 0
    for key in keys:
        found = then(found, key)
    return found


@lru_cache(maxsize=1 << 16)
def key_of(text: str) -> int:
    """The key of an address or id, the same under all rules."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def outcome_key(program: Program, value: int, type_: Type | None) -> int:
    """The key of an outcome of chance: that of its id for a member, of itself for a number."""
    if isinstance(type_, MemberType) and type_.domain in program.domains:
        return key_of(outcome_id(program, value, type_))
    return value & MASK_64


class KeyedRandom(Random):
    """SplitMix64 as a generator of Python: `state` is the key that its numbers follow from. It takes the upper 32 bits
    of each number, in the order in which Python takes the words of its own generator."""

    def __init__(self, state: int) -> None:
        self.state = state

    def word(self) -> int:
        self.state = self.state + STEP & MASK_64
        return mixed(self.state) >> WORD

    def getrandbits(self, k: int) -> int:
        found = done = 0
        while done < k:
            bits = min(k - done, WORD)
            found |= self.word() >> WORD - bits << done
            done += bits
        return found

    def random(self) -> float:
        upper, lower = self.word() >> 5, self.word() >> 6
        return (upper * (1 << 26) + lower) / (1 << 53)
