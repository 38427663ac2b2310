"""Folds: one value from all members of one or several domains that pass a test.

Handlers take the run, the `Fold` node and the temps; binders are temps of the running activation. A fold never
asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from dsl import ir
from dsl.ir.searches import Walked, met
from interpreter.core.run import Run
from interpreter.core.words import Temps, members, to_mask
from interpreter.semantics.reach import MAY_WALK
from interpreter.semantics.reach import met as walked

Through = Callable[[Run, ir.Domain, Temps], Iterable[Any]]


def domain_members(m: Run, d: ir.Domain, t: Temps) -> Sequence[Any]:
    """The members of a binder's domain, in order; going through them counts as work."""
    found: Sequence[Any]
    a = m.ev[type(d.a)](m, d.a, t)
    if d.kind == "set":
        found = members(a)
    elif d.kind == "list":
        found = tuple(a)
    else:
        assert d.b is not None
        found = range(a, m.ev[type(d.b)](m, d.b, t) + 1)
    m.passes[0] -= len(found)
    if m.passes[0] < 0:
        raise m.overworked()
    return found


def bindings(m: Run, e: ir.Fold, t: Temps) -> Iterator[Any]:
    """Bind the temps to every combination that passes `where`, in order; gives the member of the last binder."""
    yield from _bind(m, e, t, 0)


def _as_met(m: Run, d: ir.Domain, t: Temps) -> Iterable[Any]:
    """The members of a domain for a fold whose answer does not hang on their order: those of a walk as it meets them,
    so that it may stop."""
    found = met(d.a) if d.kind == "set" and type(d.a) in MAY_WALK else None
    return domain_members(m, d, t) if found is None else _on_the_way(m, found, t)


def _on_the_way(m: Run, found: Walked, t: Temps) -> Iterator[int]:
    for v in walked(m, found, t):
        m.passes[0] -= 1
        if m.passes[0] < 0:
            raise m.overworked()
        yield v


def _bind(m: Run, e: ir.Fold, t: Temps, depth: int, through: Through = domain_members) -> Iterator[Any]:
    slot, domain = e.binders[depth]
    if depth + 1 < len(e.binders):
        for v in through(m, domain, t):
            t[slot] = v
            yield from _bind(m, e, t, depth + 1, through)
        return
    where = e.where
    if where is None:
        for v in through(m, domain, t):
            t[slot] = v
            yield v
        return
    test = m.ev[type(where)]
    for v in through(m, domain, t):
        t[slot] = v
        if test(m, where, t):
            yield v


def _bodies(m: Run, e: ir.Fold, t: Temps) -> Iterator[Any]:
    """The value of the body for every binding; without a body the member."""
    body = e.body
    if body is None:
        yield from bindings(m, e, t)
        return
    ev = m.ev[type(body)]
    for _ in _bind(m, e, t, 0):
        yield ev(m, body, t)


def _count(m: Run, e: ir.Fold, t: Temps) -> int:
    return sum(1 for _ in _bind(m, e, t, 0))


def _sum(m: Run, e: ir.Fold, t: Temps) -> int:
    return sum(_bodies(m, e, t))


def _max(m: Run, e: ir.Fold, t: Temps) -> Any:
    return max(_bodies(m, e, t), default=e.empty)


def _min(m: Run, e: ir.Fold, t: Temps) -> Any:
    return min(_bodies(m, e, t), default=e.empty)


def _any(m: Run, e: ir.Fold, t: Temps) -> int:
    for _ in _bind(m, e, t, 0, _as_met):
        if e.body is None or m.value(e.body, t):
            return 1
    return 0


def _every(m: Run, e: ir.Fold, t: Temps) -> int:
    if e.body is not None:
        for _ in _bind(m, e, t, 0, _as_met):
            if not m.value(e.body, t):
                return 0
    return 1


def _set(m: Run, e: ir.Fold, t: Temps) -> int:
    if e.body is None or e.body == ir.Temp(e.binders[-1][0]):
        mask = 0
        for v in _bind(m, e, t, 0):
            mask |= 1 << v
        return mask
    return to_mask(list(_bodies(m, e, t)))


def _list(m: Run, e: ir.Fold, t: Temps) -> tuple[Any, ...]:
    return tuple(_bodies(m, e, t))


def _table(m: Run, e: ir.Fold, t: Temps) -> tuple[Any, ...]:
    size = 1
    for low, high in e.table_keys:
        size *= high - low + 1
    items = [e.empty] * size
    for value in _bodies(m, e, t):
        at = 0
        for (slot, _), (low, high) in zip(e.binders, e.table_keys, strict=True):
            at = at * (high - low + 1) + t[slot] - low
        items[at] = value
    return tuple(items)


# ------------------------------------------------------------ by keys


def rank(m: Run, keys: tuple[tuple[bool, ir.Expr], ...], t: Temps) -> tuple[int, ...]:
    """The keys at the present binding as a tuple whose smallest is the best."""
    ev = m.ev
    return tuple([-ev[type(k)](m, k, t) if highest else ev[type(k)](m, k, t) for highest, k in keys])


def _ranked_pairs(m: Run, e: ir.Fold, t: Temps) -> list[tuple[tuple[int, ...], Any]]:
    return [(rank(m, e.keys, t), v) for v in _bind(m, e, t, 0)]


def _first(m: Run, e: ir.Fold, t: Temps) -> Any:
    best, found = None, None
    for v in _bind(m, e, t, 0):
        if not e.keys:
            return v
        here = rank(m, e.keys, t)
        if best is None or here < best:
            best, found = here, v
    if found is None:
        if e.required:
            raise m.demand("`first` needs a member, but there is none", e.span)
        return 0
    return found


def _only(m: Run, e: ir.Fold, t: Temps) -> Any:
    tied = _best(m, e, t)
    return tied[0] if len(tied) == 1 else 0


def _tied(m: Run, e: ir.Fold, t: Temps) -> int:
    return to_mask(_best(m, e, t))


def _best(m: Run, e: ir.Fold, t: Temps) -> list[Any]:
    """All members whose keys are the best."""
    best: tuple[int, ...] | None = None
    tied: list[Any] = []
    for here, v in _ranked_pairs(m, e, t):
        if best is None or here < best:
            best, tied = here, [v]
        elif here == best:
            tied.append(v)
    return tied


def _ranked(m: Run, e: ir.Fold, t: Temps) -> tuple[Any, ...]:
    return tuple(v for _, v in sorted(_ranked_pairs(m, e, t), key=lambda pair: pair[0]))


def _tiers(m: Run, e: ir.Fold, t: Temps) -> tuple[int, ...]:
    tiers: dict[tuple[int, ...], int] = {}
    for here, v in _ranked_pairs(m, e, t):
        tiers[here] = tiers.get(here, 0) | 1 << v
    return tuple(tiers[k] for k in sorted(tiers))


FOLDS: dict[str, Callable[[Run, ir.Fold, Temps], Any]] = {
    "count": _count,
    "sum": _sum,
    "max": _max,
    "min": _min,
    "any": _any,
    "every": _every,
    "set": _set,
    "list": _list,
    "table": _table,
    "first": _first,
    "only": _only,
    "tied": _tied,
    "ranked": _ranked,
    "tiers": _tiers,
}


def fold(m: Run, e: ir.Fold, t: Temps) -> Any:
    return FOLDS[e.kind](m, e, t)
