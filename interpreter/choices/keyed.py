"""Random numbers that follow from what they are for: the same keys give the same 64 bits, whatever was drawn before.

A key is a number of 64 bits without a sign. `number` mixes keys one after the other, as seeds of bots are mixed
(`interpreter.choices.generator`).
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from dsl.base.types import MemberType, Type
from dsl.program import Program
from interpreter.core.kernel import Bits, kernel
from interpreter.core.rng import MASK_64, mixed
from interpreter.semantics.chance import outcome_id

WAITING_SHIFT, WAITING_BITS = 12, 53  # the bits of a number that are left out, and those that a waiting time is made of
LOGARITHM_BITS, WAITING_SCALE = 32, 24  # the bits behind the point of a logarithm, and those more of a waiting time


@kernel
def then(found: Bits, key: Bits) -> Bits:
    """The number of one key more."""
    return mixed(found ^ key & MASK_64)


def number(*keys: int) -> int:
    """The number of these keys, in this order."""
    found = 0
    for key in keys:
        found = then(found, key)
    return found


@kernel
def waiting_time(found: Bits, weight: int) -> int:
    """A draw of the exponential distribution at a rate of this weight, the longer the less the number: the negative
    binary logarithm of the number as a part of 2^64. It is made of whole numbers, bit by bit, so that all back ends
    have the same one."""
    left, whole = (found >> WAITING_SHIFT) * 2 + 1, WAITING_BITS
    while left < 1 << WAITING_BITS - 1:
        left, whole = left << 1, whole + 1
    waited = whole - WAITING_BITS + 1 << LOGARITHM_BITS
    mantissa = left >> WAITING_BITS - LOGARITHM_BITS
    for bit in range(LOGARITHM_BITS - 1, -1, -1):
        square = mantissa * mantissa
        if square >> 2 * LOGARITHM_BITS - 1:
            waited -= 1 << bit
            mantissa = square >> LOGARITHM_BITS
        else:
            mantissa = square >> LOGARITHM_BITS - 1
    return (waited << WAITING_SCALE) // weight


@lru_cache(maxsize=1 << 16)
def key_of(text: str) -> int:
    """The key of an address or id, the same under all rules."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def outcome_key(program: Program, value: int, type_: Type | None) -> int:
    """The key of an outcome of chance: that of its id for a member, of itself for a number."""
    if isinstance(type_, MemberType) and type_.domain in program.domains:
        return key_of(outcome_id(program, value, type_))
    return value & MASK_64
