"""Folds, sizes and maps over an answer that is not known yet: a binding counts under the condition that it is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dsl import ir
from interpreter.core.words import Temps, members
from interpreter.search import formulas as f
from interpreter.search.formulas import UNKNOWN, Amounts, Formula, Items, Members, Unseen
from interpreter.search.partial import SINGLE_VALUES, Handler, Partial, members_of

Truths = tuple[f.Number, ...]


def _domain(p: Partial, d: ir.Domain, t: Temps) -> Iterable[tuple[int, f.Number]]:
    """The possible members of a domain in order, each with the truth of its being one. Raises Unseen if the set is not
    seen through."""
    a = p(d.a, t)
    if d.kind == "set":
        if isinstance(a, int):
            return [(v, 1) for v in members(a)]
        return sorted(members_of(a).items())
    if type(a) in UNKNOWN:
        raise Unseen
    if d.kind == "list":
        return [(v, 1) for v in a]
    assert d.b is not None
    b = p(d.b, t)
    if not isinstance(b, int):
        raise Unseen
    return ((v, 1) for v in range(a, b + 1))


def _bindings(p: Partial, e: ir.Fold, t: Temps, depth: int = 0, given: Truths = ()) -> Iterator[Truths]:
    """Bind the temps to everything that may pass; gives what must then be true."""
    if depth < len(e.binders):
        slot, domain = e.binders[depth]
        for v, truth in _domain(p, domain, t):
            if truth != 0:
                t[slot] = v
                yield from _bindings(p, e, t, depth + 1, given if truth == 1 else (*given, truth))
        return
    p.left -= 1
    if p.left < 0:
        raise Unseen
    truth = 1 if e.where is None else p.truth(e.where, t)
    if truth != 0:
        yield given if truth == 1 else (*given, truth)


def _fold(p: Partial, e: ir.Fold, t: Temps) -> Any:
    fold = FOLDS.get(e.kind)
    if fold is None:
        raise Unseen
    return fold(p, e, t)


def _count(p: Partial, e: ir.Fold, t: Temps) -> f.Number:
    return f.total([f.both(given) for given in _bindings(p, e, t)])


def _sum(p: Partial, e: ir.Fold, t: Temps) -> f.Number:
    return f.total([f.choice(f.both(given), f.number(_body(p, e, t)), 0) for given in _bindings(p, e, t)])


def _body(p: Partial, e: ir.Fold, t: Temps) -> Any:
    return p(e.body, t) if e.body is not None else t[e.binders[-1][0]]


def _extreme(p: Partial, e: ir.Fold, t: Temps) -> f.Number:
    pairs = tuple([(f.both(given), f.number(_body(p, e, t))) for given in _bindings(p, e, t)])
    if not isinstance(e.empty, int):
        raise Unseen
    return Formula("best", pairs, (e.kind, e.empty)) if pairs else e.empty


def _any(p: Partial, e: ir.Fold, t: Temps) -> f.Number:
    found = []
    for given in _bindings(p, e, t):
        truth = f.both(given if e.body is None else [*given, p.truth(e.body, t)])
        if truth == 1:
            return 1
        found.append(truth)
    return f.either(found)


def _every(p: Partial, e: ir.Fold, t: Temps) -> f.Number:
    if e.body is None:
        return 1
    found = []
    for given in _bindings(p, e, t):
        body = p.truth(e.body, t)
        if body == 1:
            continue
        truth = f.either([*map(f.negate, given), body])
        if truth == 0:
            return 0
        found.append(truth)
    return f.both(found)


def _set(p: Partial, e: ir.Fold, t: Temps) -> Members:
    itself = e.body is None or e.body == ir.Temp(e.binders[-1][0])
    found: dict[int, list[f.Number]] = {}
    for given in _bindings(p, e, t):
        v = _body(p, e, t)
        if not isinstance(v, int):
            raise Unseen
        if v or itself:
            found.setdefault(v, []).append(f.both(given))
    return Members({v: f.either(truths) for v, truths in found.items()})


def _table(p: Partial, e: ir.Fold, t: Temps) -> Items:
    size = 1
    for low, high in e.table_keys:
        size *= high - low + 1
    items: list[Any] = [e.empty] * size
    for given in _bindings(p, e, t):
        at = 0
        for (slot, _), (low, high) in zip(e.binders, e.table_keys, strict=True):
            at = at * (high - low + 1) + t[slot] - low
        value = _body(p, e, t)
        items[at] = f.choice(f.both(given), f.number(value), f.number(items[at])) if given else value
    return Items(tuple(items))


FOLDS: dict[str, Handler] = {
    "count": _count, "sum": _sum, "max": _extreme, "min": _extreme, "any": _any, "every": _every, "set": _set,
    "table": _table,
}  # fmt: skip


# ------------------------------------------------------------ sizes and maps


def _size(p: Partial, e: ir.Size, t: Temps) -> f.Number:
    value = p(e.operand, t)
    if e.kind == "set":
        return f.total(list(members_of(value).values()))
    match value:
        case Amounts(amounts) if e.kind == "total":
            return f.total(list(amounts.values()))
        case Amounts(amounts):
            return f.total([f.truth(n) for n in amounts.values()])
        case Items(items) if e.kind == "total":
            return f.total([f.number(item) for item in items])
    raise Unseen


def _map_item(p: Partial, e: ir.MapItem, t: Temps) -> Any:
    items, offset = p(e.map, t), p(e.offset, t)
    if not isinstance(offset, int):
        raise Unseen
    match items:
        case Amounts(amounts) if e.sparse:
            return amounts.get(offset, 0)
        case Items(known) if not e.sparse and 0 <= offset < len(known):
            return known[offset]
    raise Unseen


def _map_with(p: Partial, e: ir.MapWith, t: Temps) -> Items:
    items, offset, value = p(e.map, t), p(e.offset, t), p(e.value, t)
    known = items.items if isinstance(items, Items) else items
    if not isinstance(offset, int) or not isinstance(known, tuple):
        raise Unseen
    return Items((*known[:offset], value, *known[offset + 1 :]))


def _list_op(p: Partial, e: ir.ListOp, t: Temps) -> Items:
    """A sparse map as a dense one; other lists have no fixed places."""
    args = [p(arg, t) for arg in e.args]
    if e.op == "dense" and isinstance(args[0], Amounts):
        size, at = args[1:]
        if isinstance(size, int) and isinstance(at, int):
            return Items(tuple([args[0].amounts.get(k, 0) for k in range(-at, size - at)]))
    raise Unseen


HANDLERS: dict[type, Handler] = SINGLE_VALUES | {
    ir.Fold: _fold, ir.Size: _size, ir.MapItem: _map_item, ir.MapWith: _map_with, ir.ListOp: _list_op,
}  # fmt: skip
"""The evaluation of each class of expressions that is seen through."""
