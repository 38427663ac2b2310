"""Values that are worked out where they are first read, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Lazy:
    """The value of a `LazyLet`: None until it is read; then `work` with these arguments gives it."""

    __slots__ = ("value", "work", "args")

    def __init__(self, work: Callable[..., Any], *args: Any) -> None:
        self.value: Any = None
        self.work, self.args = work, args


def force(lazy: Lazy) -> Any:
    """The value, worked out on the first call."""
    if lazy.value is None:
        lazy.value = lazy.work(*lazy.args)
    return lazy.value
