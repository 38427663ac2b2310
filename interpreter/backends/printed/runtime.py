"""The functions that printed code calls."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.backends.low.form.nodes import Reason, Trapped, signed

ADDRESSES = (1 << 30) - 1  # an address counts modulo 2^30
FIRST_BEYOND = 1 << 63  # the first number above 0 that has no place in 64 bits
BITS = tuple(signed(1 << n) for n in range(64))


def word(value: int) -> int:
    """The lower 32 bits of a number, as they are with a sign."""
    value &= 0xFFFFFFFF
    return value - 0x100000000 if value >> 31 else value


def cut_off(left: int, right: int) -> int:
    """Division that rounds towards 0; what has no place in 64 bits is given up."""
    found = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        return -found
    if found == FIRST_BEYOND:
        give_up(Reason.NONE)
    return found


def portion(fraction: int, count: int) -> int:
    found = int(fraction * 2.0**-53 * count)
    if found != signed(found):
        give_up(Reason.NONE)
    return found


def give_up(reason: int) -> None:
    raise Trapped(Reason(reason))


def names_for(memory: list[int]) -> dict[str, Callable[..., object] | list[int] | tuple[int, ...]]:
    """The names that the code of one instance finds."""

    def checked(address: int, count: int) -> int:
        at = address & ADDRESSES
        if at + count > len(memory):
            give_up(Reason.NONE)
        return at

    def copy(target: int, source: int, count: int) -> None:
        """Copy words; the regions may overlap."""
        n = count & ADDRESSES
        to, at = checked(target, n), checked(source, n)
        memory[to : to + n] = memory[at : at + n]

    def clear(target: int, count: int) -> None:
        n = count & ADDRESSES
        to = checked(target, n)
        memory[to : to + n] = [0] * n

    shared = (word, cut_off, portion, give_up, copy, clear)
    return {"M": memory, "BITS": BITS, "wrap": signed, **{f.__name__: f for f in shared}}
