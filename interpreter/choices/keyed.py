"""Random numbers that follow from what they are for: the same keys give the same 64 bits, whatever was drawn before.

A key is a number of 64 bits without a sign. `number` mixes keys one after the other, as seeds of bots are mixed
(`interpreter.choices.generator`). `interpreter.backends.low.rules.keyed` writes the same in low code.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from dsl.base.types import MemberType, Type
from dsl.program import Program
from interpreter.core.rng import MASK_64, mixed
from interpreter.semantics.chance import outcome_id


def then(found: int, key: int) -> int:
    """The number of one key more."""
    return mixed(found ^ key & MASK_64)


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
