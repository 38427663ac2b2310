"""Reading of files: by their reader each time, or through a cache.

A `ReadThrough` takes a reader and a text and gives what the reader makes of it, with diagnostics. The result of a
reader that is passed to it must depend on nothing but the reader's name and the text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic

T = TypeVar("T")


class ReadThrough(Protocol):
    def __call__(
        self, reader: Callable[[Source], tuple[T, list[Diagnostic]]], source: Source
    ) -> tuple[T, list[Diagnostic]]: ...


def read_uncached(reader: Callable[[Source], tuple[T, list[Diagnostic]]], source: Source) -> tuple[T, list[Diagnostic]]:
    return reader(source)
