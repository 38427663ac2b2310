"""Named things that few readers want, kept packed until one of them is asked for.

A start that only plays never unpacks the rulings of a ruleset; what is read goes to disk as it is.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class Shelf(Mapping[str, T]):
    """The things of a dict, or of the pickle of one made by `pack`. Whoever gives bytes answers for where they come
    from."""

    __slots__ = ("_given", "_things")

    def __init__(self, given: dict[str, T] | bytes) -> None:
        self._given = given
        self._things: dict[str, T] | None = None

    def _all(self) -> dict[str, T]:
        if self._things is None:
            self._things = pickle.loads(self._given) if isinstance(self._given, bytes) else self._given
        return self._things

    def __getitem__(self, name: str) -> T:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __reduce__(self) -> tuple[Any, ...]:
        return Shelf, (self._given if isinstance(self._given, bytes) else pack(self._given),)


def pack(thing: Any) -> bytes:
    return pickle.dumps(thing, protocol=pickle.HIGHEST_PROTOCOL)
