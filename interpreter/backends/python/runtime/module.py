"""The generated code of a program as plain data, which the cache can store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dsl.base.types import Type


@dataclass(slots=True)
class Module:
    """`source` is the text; `objects` those that it refers to by number; `needs` the functions that are made when it is
    loaded: (name, `load` or `save`, type). `by_reference`: classes of the nodes that are left to the reference. The
    others are the numbers of the instructions, questions, purses, functions and procedures that have a function."""

    source: str
    objects: list[Any]
    needs: list[tuple[str, str, Type]] = field(default_factory=list)
    regions: tuple[int, ...] = ()
    takers: tuple[int, ...] = ()
    listers: tuple[int, ...] = ()
    bindings: tuple[tuple[int, int], ...] = ()
    rows: tuple[int, ...] = ()
    purses: tuple[int, ...] = ()
    functions: tuple[int, ...] = ()
    procedures: tuple[int, ...] = ()
    by_reference: tuple[str, ...] = ()
    plans: bool = True  # whether the code can run inside the trial of a plan: it looks for the plan's end
