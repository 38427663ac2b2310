"""How readers of files are asked for what they make: each time, or through somebody who keeps it.

A `Reading` takes a reader and a text and gives what the reader makes of it, with diagnostics. Who passes a reader says
that what it makes hangs on its name and the text alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from dsl.base.span import Source
from dsl.diagnostics.diagnostic import Diagnostic

T = TypeVar("T")


class Reading(Protocol):
    def __call__(
        self, reader: Callable[[Source], tuple[T, list[Diagnostic]]], source: Source
    ) -> tuple[T, list[Diagnostic]]: ...


def each_time(reader: Callable[[Source], tuple[T, list[Diagnostic]]], source: Source) -> tuple[T, list[Diagnostic]]:
    return reader(source)
