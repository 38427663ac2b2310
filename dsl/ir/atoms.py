"""Expressions without parts: constants, local variables, and what is asked of the running game as a whole.

Values are ints and tuples as `dsl.base.types` describes. A `Temp` lives in the running activation, a `FrameVar` in the
frame of the running suspending procedure, in the store.
"""

from __future__ import annotations

from typing import Any, TypeAlias, Union

from dsl.base.record import dataclass
from dsl.base.types import Type


@dataclass(frozen=True, slots=True)
class Const:
    value: Any
    pure = True


@dataclass(frozen=True, slots=True)
class Temp:
    slot: int
    pure = True


@dataclass(frozen=True, slots=True)
class Force:
    """The value of the `LazyLet` around it that has this slot."""

    slot: int
    faulty = True


@dataclass(frozen=True, slots=True)
class FrameVar:
    slot: int
    type: Type
    reads = "local"


@dataclass(frozen=True, slots=True)
class LastResult:
    """The value given by the procedure called last (header word RV)."""

    reads = "result"


@dataclass(frozen=True, slots=True)
class Running:
    """1 if a frame of one of these procedures is running (its body or its `at end of` list)."""

    procs: tuple[int, ...]
    settles = True
    reads = "frames"


@dataclass(frozen=True, slots=True)
class TimedActive:
    """1 if a timed record (`until end of`, `perform with`) of this line is alive."""

    line: int
    settles = True
    reads = "timed"


Atom: TypeAlias = Union[Const, Temp, Force, FrameVar, LastResult, Running, TimedActive]
