"""Options as values, and the bindings of an alternative that pass its guards.

Codes: `(0,)` decline, `(-1,)` ready, `(alternative + 1, values...)` for one alternative or a number, `(position +
1, values...)` for a member or slot in the order of its domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from dsl import ir
from interpreter.folds import domain_members
from interpreter.store import Temps

if TYPE_CHECKING:
    from interpreter.machine import Machine


@dataclass(frozen=True, slots=True)
class Option:
    """One small decision. kind: `pick`, `number`, `add`, `amount`, `ready`, `decline`; `alt` is the index of the
    alternative; `values` are those of its binders, for `amount` with the amount last."""

    kind: str
    code: tuple[int, ...]
    alt: int = 0
    values: tuple[int, ...] = ()


DECLINE = Option("decline", (0,))
READY = Option("ready", (-1,))


def bound(m: Machine, alternative: ir.Alternative, t: Temps) -> Iterator[tuple[int, ...]]:
    """The values of all bindings that pass the guards, in order; the temps stay bound meanwhile."""
    levels = _guard_levels(m, alternative)
    if all(m.value(g.test, t) for g in levels[0]):
        yield from _bind(m, alternative, levels, t, 0, ())


def _bind(
    m: Machine, a: ir.Alternative, levels: list[list[ir.Guard]], t: Temps, depth: int, values: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    if depth == len(a.binders):
        yield values
        return
    _, slot, domain, _ = a.binders[depth]
    tests = [g.test for g in levels[depth + 1]]
    for v in domain_members(m, domain, t):
        t[slot] = v
        for test in tests:
            if not m.value(test, t):
                break
        else:
            yield from _bind(m, a, levels, t, depth + 1, (*values, v))


def rebind(alternative: ir.Alternative, values: Iterable[int], t: Temps) -> None:
    for (_, slot, _, _), v in zip(alternative.binders, values, strict=False):
        t[slot] = v


def _guard_levels(m: Machine, alternative: ir.Alternative) -> list[list[ir.Guard]]:
    """The guards by the number of binders that must be bound before they can be tested."""
    levels = m.guard_levels.get(id(alternative))
    if levels is None:
        levels = [[] for _ in range(len(alternative.binders) + 1)]
        slots = [slot for _, slot, _, _ in alternative.binders]
        for guard in alternative.guards:
            used = _temps_of(guard.test)
            levels[max((i + 1 for i, slot in enumerate(slots) if slot in used), default=0)].append(guard)
        m.guard_levels[id(alternative)] = levels
    return levels


def _temps_of(node: Any) -> set[int]:
    """The temps that an expression reads."""
    if isinstance(node, ir.Temp):
        return {node.slot}
    found: set[int] = set()
    if isinstance(node, tuple):
        for part in node:
            found |= _temps_of(part)
    elif is_dataclass(node):
        for field in fields(node):
            found |= _temps_of(getattr(node, field.name))
    return found
