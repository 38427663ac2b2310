"""The words of kernel functions: the reference runs them as Python, and native code is compiled from the same text.

A kernel function works on whole numbers and on rows of words; `interpreter.backends.low.kernel` compiles it and says
what it may hold. This room gives its types and its few helpers.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import Annotated, Any, TypeAlias, TypeVar

Bits: TypeAlias = Annotated[int, "64 bits"]
"""A number of 64 bits without a sign. Native code wraps around: mask what may be longer."""

Row: TypeAlias = MutableSequence[int]
"""Words of 32 bits with a sign: a store, or memory that is taken (`room`). Nobody asks for its length."""

Longs: TypeAlias = Annotated[MutableSequence[int], "64 bits"]
"""Numbers of 64 bits with a sign, in memory that whoever calls has."""

F = TypeVar("F", bound=Callable[..., Any])

KERNEL: set[Callable[..., Any]] = set()


def kernel(function: F) -> F:
    """Mark a function that native code is compiled from. It stays as it is, and costs nothing more."""
    KERNEL.add(function)
    return function


def room(size: int) -> list[int]:
    """Memory for so many words, each 0, until the function returns."""
    return [0] * size


def sort(row: Row, start: int, stop: int) -> None:
    """Put the words of a row from one number to below another in ascending order."""
    row[start:stop] = sorted(row[start:stop])


@kernel
def insertion_sort(row: Row, start: int, stop: int) -> None:
    """`sort` as native code has it."""
    for n in range(start + 1, stop):
        own, at = row[n], n
        while at > start and row[at - 1] > own:
            row[at] = row[at - 1]
            at -= 1
        row[at] = own
