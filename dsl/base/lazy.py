"""A read-only mapping that stays pickled until one of its items is read.

Starting a game never unpacks the rulings of a ruleset; a mapping that is still packed is pickled as it is.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class LazyMapping(Mapping[str, T]):
    """The items of a dict, or of a dict pickled by `pack`. Bytes are unpickled without a check: the caller must trust
    their origin."""

    __slots__ = ("_source", "_items")

    def __init__(self, source: dict[str, T] | bytes) -> None:
        self._source = source
        self._items: dict[str, T] | None = None

    def _all(self) -> dict[str, T]:
        if self._items is None:
            self._items = pickle.loads(self._source) if isinstance(self._source, bytes) else self._source
        return self._items

    def packed(self) -> bytes:
        """The items as bytes, which are made once."""
        if not isinstance(self._source, bytes):
            self._items, self._source = self._source, pack(self._source)
        return self._source

    def __getitem__(self, name: str) -> T:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyMapping, (self.packed(),)


def pack(value: Any) -> bytes:
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
