"""The generated code of a program as plain data, before and behind the cache."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dsl.base.types import Type


@dataclass(slots=True)
class Module:
    """`source` is the text; `objects` what it refers to by number; `needs` what is made when it is loaded: (name, how,
    type). The other fields are the numbers of what there are functions for."""

    source: str
    objects: list[Any]
    needs: list[tuple[str, str, Type]] = field(default_factory=list)
    regions: tuple[int, ...] = ()
    takers: tuple[int, ...] = ()
    listers: tuple[int, ...] = ()
    bindings: tuple[tuple[int, int], ...] = ()
    rows: tuple[int, ...] = ()
    functions: tuple[int, ...] = ()
    procedures: tuple[int, ...] = ()
    by_reference: tuple[str, ...] = ()
    plans: bool = True  # whether the code can be tried out: it looks for the end of a plan
