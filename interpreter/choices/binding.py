"""The bindings of an alternative that pass its guards, binder by binder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from dsl import ir
from interpreter.core.question import Level
from interpreter.core.run import Run
from interpreter.core.words import Temps
from interpreter.semantics.folds import domain_members

__all__ = ["Level", "bound", "levels", "rebind", "temps_of", "tested_levels"]


def bound(m: Run, alternative: ir.Alternative, t: Temps) -> Iterator[tuple[int, ...]]:
    """The values of all bindings that pass the guards, in order; the temps stay bound meanwhile."""
    before, tested = levels(m, alternative)
    if all(m.value(test, t) for test in before):
        yield from _bind(m, tested, t, 0, (), {})


def _bind(
    m: Run, tested: list[Level], t: Temps, depth: int, values: tuple[int, ...], cached: dict[int, list[int]]
) -> Iterator[tuple[int, ...]]:
    if depth == len(tested):
        yield values
        return
    level = tested[depth]
    slot, joint, last = level.slot, level.joint, depth + 1 == len(tested)
    for v in _members(m, level, t, depth, cached):
        t[slot] = v
        for test in joint:
            if not m.value(test, t):
                break
        else:
            if last:
                yield (*values, v)
            else:
                yield from _bind(m, tested, t, depth + 1, (*values, v), cached)


def _members(m: Run, level: Level, t: Temps, depth: int, cached: dict[int, list[int]]) -> list[int]:
    """The members of a level's domain that pass its own tests."""
    found = cached.get(depth)
    if found is None:
        found = []
        for v in domain_members(m, level.domain, t):
            t[level.slot] = v
            for test in level.own:
                if not m.value(test, t):
                    break
            else:
                found.append(v)
        if level.free:
            cached[depth] = found
    return found


def rebind(alternative: ir.Alternative, values: Iterable[int], t: Temps) -> None:
    for (_, slot, _, _), v in zip(alternative.binders, values, strict=False):
        t[slot] = v


def levels(m: Run, alternative: ir.Alternative) -> tuple[list[ir.Expr], list[Level]]:
    """The tests that need no binder, and the levels; computed once for each alternative."""
    known = m.levels.get(id(alternative))
    if known is None:
        known = m.levels[id(alternative)] = tested_levels(alternative)
    return known


def tested_levels(alternative: ir.Alternative) -> tuple[list[ir.Expr], list[Level]]:
    """The tests of an alternative that need no binder, and its levels, each with the tests that can be made there."""
    slots = [slot for _, slot, _, _ in alternative.binders]
    reads = [(g.test, temps_of(g.test).intersection(slots)) for g in alternative.guards]
    tested = []
    for i, (_, slot, domain, _) in enumerate(alternative.binders):
        earlier = set(slots[:i])
        here = [(test, used) for test, used in reads if slot in used and used <= {*earlier, slot}]
        own = tuple(test for test, used in here if used == {slot})
        joint = tuple(test for test, used in here if used != {slot})
        tested.append(Level(slot, domain, own, joint, not temps_of((domain.a, domain.b)) & earlier))
    return [test for test, used in reads if not used], tested


def temps_of(node: Any) -> set[int]:
    """The temps that an expression reads."""
    if isinstance(node, ir.Temp):
        return {node.slot}
    found: set[int] = set()
    if isinstance(node, tuple):
        for part in node:
            found |= temps_of(part)
    elif is_dataclass(node):
        for field in fields(node):
            found |= temps_of(getattr(node, field.name))
    return found
